"""One page for each JSON document that a command writes: every key, its kind, and what it means."""

from collections.abc import Iterator
from typing import Any

from docs.generate.markdown import Page, code, link, prose, table

from assay.report.schema import SCHEMAS

WORDS = {
    "string": "text", "integer": "whole number", "number": "number", "boolean": "true or false", "array": "list",
    "object": "object", "null": "null",
}  # fmt: skip


def pages() -> list[Page]:
    """Return the list of all documents and the page of each."""
    return [_index(), *(_page(name, schema) for name, schema in SCHEMAS.items())]


def keys(schema: dict[str, Any], path: str = "") -> Iterator[tuple[str, dict[str, Any], bool]]:
    """Yield each key of a schema with its place, its own schema, and whether it is always there.

    >>> [(place, always) for place, _, always in keys({"properties": {"a": {"items": {"properties": {"b": {}}}}}})]
    [('a', False), ('a[].b', False)]
    """
    for one in schema.get("anyOf", []):
        yield from keys(one, path)
    items = schema.get("items")
    if isinstance(items, dict):
        yield from keys(items, f"{path}[]")
    for place, one in enumerate(schema.get("prefixItems", [])):
        yield from keys(one, f"{path}[{place}]")
    others = schema.get("additionalProperties")
    if isinstance(others, dict):
        yield from keys(others, f"{path}.*" if path else "*")
    for name, one in schema.get("properties", {}).items():
        place = f"{path}.{name}" if path else name
        yield place, one, name in schema.get("required", [])
        yield from keys(one, place)


def kind(schema: dict[str, Any]) -> str:
    """Say in words what a key holds.

    >>> kind({"anyOf": [{"type": "array", "items": {"type": "string"}}, {"type": "null"}]})
    'list of text, or null'
    """
    if "anyOf" in schema:
        return ", or ".join(kind(one) for one in schema["anyOf"])
    if "enum" in schema:
        return "one of " + ", ".join(code("null" if one is None else one) for one in schema["enum"])
    types = schema.get("type", "anything")
    if isinstance(types, list):
        return ", or ".join(WORDS[one] for one in types)
    of = schema.get({"array": "items", "object": "additionalProperties"}.get(types, ""))
    if isinstance(of, dict):
        return ("list of " if types == "array" else "object with any keys; each holds: ") + kind(of)
    return f"always {code(schema['const'])}" if "const" in schema else WORDS.get(types, types)


def _index() -> Page:
    text = (
        "`assay COMMAND -o json` writes one document. Its keys are stable. `assay schema COMMAND` prints the JSON "
        "Schema by which a program can check it. An undefined number is null, never NaN and never silently 0."
    )
    listed = table(("Document", "Keys"), map(_row, SCHEMAS))
    return Page("reference/json/index.md", "JSON documents", f"{text}\n\n{listed}")


def _row(name: str) -> tuple[str, str]:
    return link(code(f"assay {name} -o json"), f"{name.replace(' ', '-')}.md"), str(len(list(keys(SCHEMAS[name]))))


def _page(name: str, schema: dict[str, Any]) -> Page:
    slug = name.replace(" ", "-")
    rows = [
        (code(place), kind(one) + ("" if always else "; may be absent"), prose(one.get("description", "")))
        for place, one, always in keys(schema)
    ]
    text = (
        f"What [`assay {name}`](../commands/{slug}.md) writes with `-o json`. `[]` is each entry of a list, `*` each "
        f"key of an object whose keys are names. `assay schema {name}` prints the JSON Schema."
    )
    return Page(
        f"reference/json/{slug}.md",
        f"assay {name} -o json",
        f"{text}\n\n{table(('Key', 'Holds', 'Meaning'), rows)}",
    )
