"""A file fits into one look, a function onto one screen."""

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
LINES_OF_A_FILE = 300
LINES_OF_A_BODY = 25
Function = ast.FunctionDef | ast.AsyncFunctionDef


def functions(source: str) -> Iterator[tuple[Function, int]]:
    """Each function, with the lines of its body: first statement after the docstring to the last one."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, Function):
            body = node.body[1:] if ast.get_docstring(node) is not None else node.body
            yield node, (body[-1].end_lineno - body[0].lineno + 1 if body else 0)


def relative(path: Path) -> str:
    return str(path.relative_to(ROOT))


@pytest.mark.parametrize("folder", ["src", "tests"])
def test_no_file_is_longer_than_300_lines(folder):
    lengths = {
        relative(path): len(path.read_text(encoding="utf-8").splitlines()) for path in (ROOT / folder).rglob("*.py")
    }
    assert {path: n for path, n in lengths.items() if n > LINES_OF_A_FILE} == {}


def test_no_function_body_is_longer_than_25_lines():
    assert {
        f"{relative(path)}:{function.lineno} {function.name}": lines
        for path in (ROOT / "src").rglob("*.py")
        for function, lines in functions(path.read_text(encoding="utf-8"))
        if lines > LINES_OF_A_BODY
    } == {}


def test_the_docstring_does_not_count_but_comments_do():
    source = 'def f():\n    """One.\n\n    Two.\n    """\n    a = 1\n    # why\n    return a\n'
    assert [lines for _, lines in functions(source)] == [3]
