"""A suite of questions in YAML: its objects, with their lines.

Only data is read: no tags of a language, no aliases (a small file could stand for a huge one), no deep nesting. A bare
word is a number, true, false or null only as JSON writes these; `no`, `12:30` and `2014-01-01` stay text.
"""

import re
from collections.abc import Iterator
from typing import Any

from assay.errors import FormatError, MissingExtraError
from assay.formats.rag_items import shown
from assay.formats.source import Source
from assay.formats.suite_json import Items

MOST_BYTES = 16 << 20
MOST_DEPTH = 50
PLAIN = (
    ("tag:yaml.org,2002:bool", r"true|false|True|False", "tfTF"),
    ("tag:yaml.org,2002:int", r"[-+]?(?:0|[1-9][0-9]*)", "-+0123456789"),
    ("tag:yaml.org,2002:float", r"[-+]?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][-+]?[0-9]+)?", "-+0123456789"),
    ("tag:yaml.org,2002:null", r"~|null|Null|NULL|", ["~", "n", "N", ""]),
)
"""Which bare words are no text, and the characters that they begin with."""


def items_of_yaml(source: Source) -> Items:
    """Return the questions of a file, a list or a mapping that holds them as `questions`.

    Raises
    ------
    FormatError
        Text that is no such YAML (with its line), is larger than 16 MiB, or holds no list of questions.
    MissingExtraError
        PyYAML is not installed.
    """
    text = source.text()
    if len(text) > MOST_BYTES:
        msg = f"{source.path}: expected YAML of at most {MOST_BYTES >> 20} MiB, found {len(text) >> 20} MiB"
        raise FormatError(msg, hint="large suites are read from JSON Lines, one question a line.")
    yaml = _library()
    try:
        _refuse(yaml, text, source.path)
        loader = _loader(yaml)(text)
        try:
            return list(_questions(loader, loader.get_single_node(), source.path))
        finally:
            loader.dispose()
    except yaml.YAMLError as error:
        raise _error(error, source.path) from None


def _questions(loader: Any, root: Any, place: str) -> Iterator[tuple[str, Any]]:
    held = root
    if root is not None and root.id == "mapping":
        held = next((value for key, value in root.value if key.value == "questions"), None)
    if held is None or held.id != "sequence":
        found = "an empty file" if root is None else f"a {root.id} without it"
        msg = f"{place}: expected a list of questions, or a mapping with the key questions, found {found}"
        raise FormatError(msg)
    for node in held.value:
        yield f"line {node.start_mark.line + 1}", loader.construct_object(node, deep=True)


def _refuse(yaml: Any, text: str, place: str) -> None:
    """Raise the error of the first alias, and of collections within too many others."""
    depth = 0
    for event in yaml.parse(text, Loader=_base(yaml)):
        line = event.start_mark.line + 1
        depth += isinstance(event, yaml.CollectionStartEvent) - isinstance(event, yaml.CollectionEndEvent)
        if isinstance(event, yaml.AliasEvent):
            raise FormatError.at(place, line, "expected YAML without aliases", f"found *{event.anchor}")
        if depth > MOST_DEPTH:
            raise FormatError.at(place, line, f"expected at most {MOST_DEPTH} levels of lists", "found more")


def _library() -> Any:
    try:
        import yaml
    except ImportError:
        raise MissingExtraError.of("reading YAML", "pyyaml", "graph") from None
    return yaml


def _base(yaml: Any) -> Any:
    return getattr(yaml, "CSafeLoader", yaml.SafeLoader)


def _loader(yaml: Any) -> Any:
    """Return a loader of plain data in which each key stands once."""

    class Loader(_base(yaml)):  # type: ignore[misc]
        yaml_implicit_resolvers: dict[str, Any] = {}  # noqa: RUF012 - the library reads it from the class

        def construct_mapping(self, node: Any, deep: bool = False) -> dict[Any, Any]:
            seen: set[str] = set()
            for key, _ in node.value:
                if key.id != "scalar" or key.value in seen:
                    problem = "a key twice" if key.id == "scalar" else "a key that is no text"
                    raise yaml.constructor.ConstructorError(None, None, problem, key.start_mark)
                seen.add(key.value)
            return {key.value: self.construct_object(value, deep=deep) for key, value in node.value}

        def construct_yaml_map(self, node: Any) -> Iterator[dict[Any, Any]]:
            yield self.construct_mapping(node, deep=True)

    Loader.add_constructor("tag:yaml.org,2002:map", Loader.construct_yaml_map)
    for tag, pattern, first in PLAIN:
        Loader.add_implicit_resolver(tag, re.compile(f"(?:{pattern})$"), list(first))
    return Loader


def _error(error: Any, place: str) -> FormatError:
    mark = getattr(error, "problem_mark", None)
    said = getattr(error, "problem", None) or shown(str(error))
    return FormatError.at(place, None if mark is None else mark.line + 1, "expected YAML", f"found an error: {said}")
