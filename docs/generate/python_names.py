"""The pages of the public names of the package, and of its exceptions."""

import inspect
import re
from collections.abc import Iterator
from typing import Any

from docs.generate.markdown import Page, block, code, prose, sections, table

import assay
from assay import errors

DASHES = re.compile(r"^-{3,}$")
LONGEST = 80
"""The most characters of a call in one line."""


def pages() -> list[Page]:
    """Return the pages of functions, of classes and values, and of exceptions."""
    functions = [name for name in _names() if inspect.isroutine(getattr(assay, name))]
    others = [name for name in _names() if name not in functions]
    return [
        Page("reference/python/functions.md", "Functions", _list(functions)),
        Page("reference/python/classes.md", "Classes and values", _list(others)),
        exceptions(),
    ]


def exceptions() -> Page:
    """Return the page of all exceptions, with the tree that they form."""
    tree = next(part for part in (errors.__doc__ or "").split("\n\n") if "AssayError (" in part)
    text = (
        "A message reads *place: what was expected, what was found*, and may end with a line `Hint: …`. On the command "
        "line an exception is one such message and exit code 2; `IncomparableError` ends with 3."
    )
    found = [name for name, one in vars(errors).items() if inspect.isclass(one) and issubclass(one, Exception)]
    parts = ((code(name), f"From {code(_base(name))}.\n\n{docstring(getattr(errors, name))}") for name in found)
    body = f"{text}\n\n{block(inspect.cleandoc(tree))}\n\n{sections(*parts)}"
    return Page("reference/python/exceptions.md", "Exceptions", body)


def docstring(one: Any) -> str:
    """Write a docstring as Markdown: paragraphs, sections, and examples as they are typed."""
    return "\n\n".join(_paragraph(part) for part in re.split(r"\n{2,}", inspect.getdoc(one) or ""))


def _base(name: str) -> str:
    return str(getattr(errors, name).__bases__[0].__name__)


def _names() -> list[str]:
    return sorted(assay.__all__, key=str.casefold)


def _list(names: list[str]) -> str:
    return sections(*((code(name), _entry(name)) for name in names))


def _entry(name: str) -> str:
    one = getattr(assay, name)
    if inspect.isclass(one):
        return f"{docstring(one)}\n\n{table(('Member', 'What it is'), _members(one))}"
    if inspect.isroutine(one):
        return f"{block(_signature(name, one), 'python')}\n\n{docstring(one)}"
    return f"A value of the kind {code(type(one).__name__)}: {_shown(one)}."


def _shown(value: Any) -> str:
    return code(value) if isinstance(value, str) else ", ".join(code(name) for name in value)


def _signature(name: str, function: Any) -> str:
    """Write the call of a function, one parameter a line where one line is too short."""
    parameters = list(_parameters(function))
    whole = f"assay.{name}({', '.join(parameters)})"
    if len(whole) <= LONGEST:
        return whole
    return "\n".join([f"assay.{name}(", *(f"    {one}," for one in parameters), ")"])


def _parameters(function: Any) -> Iterator[str]:
    named = False
    for one in inspect.signature(function).parameters.values():
        if one.kind is one.KEYWORD_ONLY and not named:
            yield "*"
        named = named or one.kind in {one.KEYWORD_ONLY, one.VAR_POSITIONAL}
        mark = {one.VAR_POSITIONAL: "*", one.VAR_KEYWORD: "**"}.get(one.kind, "")
        yield f"{mark}{one.name}" if one.default is one.empty else f"{one.name}={_plain(one.default)}"


def _plain(default: Any) -> str:
    """Write a default without the address that some values show."""
    return re.sub(r" at 0x[0-9a-f]+", "", repr(default))


def _members(one: type) -> Iterator[tuple[str, str]]:
    for name, value in sorted(vars(one).items()):
        if name.startswith("_"):
            continue
        if callable(value) or isinstance(value, property | classmethod | staticmethod):
            said = (inspect.getdoc(getattr(value, "__func__", value)) or "").partition("\n\n")[0]
            called = "" if isinstance(value, property) else "()"
            yield code(f"{name}{called}"), prose(said)
    for name, kind in getattr(one, "__annotations__", {}).items():
        if not name.startswith("_"):
            yield code(name), code(kind if isinstance(kind, str) else inspect.formatannotation(kind))


def _paragraph(text: str) -> str:
    lines = text.splitlines()
    if lines[0].lstrip().startswith(">>>"):
        return block(re.sub(r"\s*# doctest:.*", "", inspect.cleandoc(text)), "pycon")
    if len(lines) > 1 and DASHES.match(lines[1]):
        return f"**{lines[0]}**\n\n{_described(lines[2:])}"
    if lines[0].startswith("    "):
        return block(inspect.cleandoc(text))
    return prose(text)


def _described(lines: list[str]) -> str:
    """Write what stands below a heading such as Raises: names, and what each means."""
    found: list[list[str]] = []
    for line in lines:
        if line.startswith("    ") and found:
            found[-1].append(line.strip())
        else:
            found.append([line.strip()])
    return "\n".join(f"- {code(name)}: {prose(' '.join(said))}" for name, *said in found)
