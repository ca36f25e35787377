"""What users may build on, as files: public names, JSON Schemas, the help of each command.

`python -m tests.golden.renew`, from the root of the repository, writes them anew; the tests hold Assay against them.
"""

import contextlib
import inspect
import io
import os
import sys
from pathlib import Path

import typer

import assay
from assay.cli.main import app, run
from assay.report.documents import strict_json
from assay.report.schema import SCHEMAS

GOLDEN = Path(__file__).parent


def public_names():
    """Each name of `assay` on a line, a function with its parameters; the measures are those of a page of their own."""
    lines = [_signed(name, getattr(assay, name)) for name in sorted(set(assay.__all__) - {"__version__"})]
    measures = sorted(set(dir(assay)) - set(assay.__all__))
    return {"public_names.txt": "\n".join([*lines, "", "Measures:", *measures]) + "\n"}


def _signed(name, found):
    if not inspect.isfunction(found):
        return name
    parts, bare = [], True
    for one in inspect.signature(found).parameters.values():
        if one.kind is one.KEYWORD_ONLY and bare:
            parts.append("*")
        bare = bare and one.kind is not one.KEYWORD_ONLY and one.kind is not one.VAR_POSITIONAL
        star = {one.VAR_POSITIONAL: "*", one.VAR_KEYWORD: "**"}.get(one.kind, "")
        parts.append(f"{star}{one.name}" + ("" if one.default is one.empty else "=…"))
    return f"{name}({', '.join(parts)})"


def schemas():
    """The keys of each JSON document on a line, with what stands there; those that may be missing with a mark."""
    outlines = {name: "\n".join(schema_keys(schema, "")) for name, schema in SCHEMAS.items()}
    return {f"schemas/{name.replace(' ', '-')}.txt": f"{outline}\n" for name, outline in outlines.items()}


def schema_keys(schema, path):
    """`a.b` is a key of a key, `a[]` each of a list, `a{}` each value of an object with any keys."""
    inner = [one for one in schema.get("anyOf", ()) if one != {"type": "null"}]
    if len(inner) == 1:
        lines = list(schema_keys(inner[0], path))
        yield from [f"{lines[0]} or null", *lines[1:]]
        return
    yield f"{path or 'document'}: {_kind(schema)}"
    for name, below in schema.get("properties", {}).items():
        optional = "" if name in schema.get("required", ()) else "?"
        yield from schema_keys(below, f"{path}.{name}{optional}".lstrip("."))
    for word, mark in (("items", "[]"), ("additionalProperties", "{}")):
        if isinstance(schema.get(word), dict):
            yield from schema_keys(schema[word], path + mark)


def _kind(schema):
    kind = {name: value for name, value in schema.items() if name in LEAF}
    if schema.get("additionalProperties") is False:
        kind["type"] = "object of these keys"
    return kind["type"] if list(kind) == ["type"] and isinstance(kind["type"], str) else strict_json(kind, None).strip()


LEAF = ("type", "enum", "const", "minimum", "maximum", "pattern", "anyOf")
"""What of a schema is held; titles and descriptions may be worded anew."""


def help_pages():
    """What each command prints with --help in 80 columns, groups and verbs alike."""
    return {f"help/{'-'.join(('assay', *path))}.txt": _helped(path) for path in _commands(typer.main.get_command(app))}


def _commands(command, path=()):
    yield path
    for name, below in getattr(command, "commands", {}).items():
        yield from _commands(below, (*path, name))


def _helped(path):
    size, os.environ["COLUMNS"] = os.environ.get("COLUMNS"), "80"
    try:
        with contextlib.redirect_stdout(io.TextIOWrapper(io.BytesIO(), "utf-8", newline="\n")) as out:
            run([*path, "-h" if path == ("trec_eval",) else "--help"])
    finally:
        os.environ.pop("COLUMNS")
        if size is not None:
            os.environ["COLUMNS"] = size
    out.flush()
    return out.buffer.getvalue().decode()


KINDS = {"public names": public_names, "schemas": schemas, "help": help_pages}


def written():
    """The files that lie here."""
    found = [GOLDEN / "public_names.txt", *GOLDEN.glob("schemas/*.txt"), *GOLDEN.glob("help/*.txt")]
    return {file.relative_to(GOLDEN).as_posix(): file.read_text("utf-8") for file in found if file.exists()}


def main():
    """Write what has changed, and take away what nothing makes any more."""
    wanted = {name: text for made in KINDS.values() for name, text in made().items()}
    known = written()
    for name in known.keys() - wanted.keys():
        (GOLDEN / name).unlink()
    changed = [name for name, text in wanted.items() if known.get(name) != text]
    for name in changed:
        (GOLDEN / name).parent.mkdir(exist_ok=True)
        (GOLDEN / name).write_text(wanted[name], "utf-8", newline="\n")
    gone = len(known.keys() - wanted.keys())
    sys.stdout.write(f"{len(changed)} of {len(wanted)} files written, {gone} taken away\n")


if __name__ == "__main__":
    main()
