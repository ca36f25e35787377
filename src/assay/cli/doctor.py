"""`assay doctor`: what is installed, what each missing extra would bring, and whether what is here works."""

import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import typer

from assay._version import __version__
from assay.cli.options import Out, TableOrJson
from assay.cli.output import chosen, colour, deliver, width
from assay.cli.verbs import SETTINGS

if TYPE_CHECKING:
    from importlib.metadata import Distribution

    from assay.core.installation import Check, Installation, Package

FORMS = ("table", "json")
BROKEN = 1
COLUMNS = 80
"""Columns of a terminal below which tables leave some of theirs out."""
GOLD = {"q1": {"a": 2, "b": 0, "c": 1}}
RUN = {"q1": {"b": 3.0, "a": 2.0, "c": 1.0}}
KNOWN = {"P@2": 0.5, "RR": 0.5, "AP": (1 / 2 + 2 / 3) / 2}
"""What is known of that run without any program: relevant items stand at 2 and 3."""


def doctor(*, output: TableOrJson = None, out: Out = None) -> None:
    """Say what is installed, what each missing extra would bring, and whether what is here works.

    Exit code 1: something is broken. A missing extra is not; the line that brings it is printed.

    Example: assay doctor -o json --out doctor.json
    """
    form = chosen(output, out, FORMS)
    from assay.report import doctor as drawn

    found = examine()
    if form == "json":
        deliver(json.dumps(found.to_dict(command=SETTINGS.argv), indent=2, ensure_ascii=False) + "\n", out)
    else:
        deliver(drawn.render(found, COLUMNS if out else width(100), colour=colour(out)), out)
    if not found.works:
        raise typer.Exit(BROKEN)


def examine() -> "Installation":
    """Look at what is installed and try what can be tried."""
    import shutil

    from assay.cli.requirements import needed
    from assay.core.installation import Extra, Installation, Program
    from assay.report.doctor import BRINGS, SERVES

    known = distribution()
    lines = (known.requires or []) if known else []
    names = (known.metadata.get_all("Provides-Extra") or []) if known else []
    names.sort(key=lambda name: [*BRINGS, name].index(name))
    packages = needed(lines)
    return Installation(
        place(known),
        packages,
        tuple(Extra(name, BRINGS.get(name, ""), needed(lines, name)) for name in names),
        tuple(Program(name, serves, shutil.which(name)) for name, serves in SERVES.items()),
        tuple(_checks(known, packages)),
    )


def distribution() -> "Distribution | None":
    """Return what is written down of Assay where it was installed; None where it runs from its source alone."""
    from importlib import metadata

    try:
        return metadata.distribution("assay")
    except metadata.PackageNotFoundError:
        return None


def place(known: "Distribution | None") -> dict[str, str]:
    """Return which Python runs which files, and where they came from."""
    import platform

    return {
        "python": platform.python_version(),
        "platform": platform.platform(),
        "executable": sys.executable,
        "path": str(_path()),
        "source": _source(known)[0],
    }


def _path() -> "Path":
    import assay

    return Path(assay.__file__).resolve().parent


def _source(known: "Distribution | None") -> tuple[str, "Path | None"]:
    """Return how the package came, and the folder below which its files should lie."""
    from urllib.parse import unquote, urlsplit

    if known is None:
        return "not installed: run from its source", None
    told = json.loads(known.read_text("direct_url.json") or "{}")
    if told.get("dir_info", {}).get("editable"):
        return "installed so that its source can be edited", Path(unquote(urlsplit(told["url"]).path)).resolve()
    found = "installed from a folder, a file or an address" if told else "installed from a package index"
    return found, Path(str(known.locate_file(""))).resolve()


def _checks(known: "Distribution | None", packages: "tuple[Package, ...]") -> "Iterator[Check]":
    from assay.core.installation import Check

    wrong = [f"{one.name} {one.version or 'missing'}, expected {one.wanted}" for one in packages if one.state != "here"]
    yield Check("libraries", "broken" if wrong else "fine", "; ".join(wrong) or "all are here")
    for name, check in (("evaluation", _evaluation), ("files", _files)):
        try:
            state, found = check()
        except Exception as problem:  # noqa: BLE001 - whatever is broken is what is asked for
            state, found = "broken", f"{type(problem).__name__}: {problem}"
        yield Check(name, state, found)
    yield Check("package", *_package(known))
    yield Check("terminal", *_terminal())


def _evaluation() -> tuple[str, str]:
    from assay.evaluate import evaluate

    mean = evaluate(GOLD, RUN, list(KNOWN)).mean
    wrong = [
        f"{name} is {mean[name]}, expected {value:g}"
        for name, value in KNOWN.items()
        if abs((mean[name] or 0) - value) > 1e-12
    ]
    return ("broken" if wrong else "fine"), ", ".join(wrong) or f"{', '.join(KNOWN)} of a small run are right"


def _files() -> tuple[str, str]:
    from tempfile import TemporaryDirectory

    with TemporaryDirectory() as folder:
        written = Path(folder) / "a.json"
        written.write_text("ä", encoding="utf-8")
        read = written.read_text(encoding="utf-8")
    state = "fine" if read == "ä" else "broken"
    return state, f"written and read in {Path(folder).parent}"


def _package(known: "Distribution | None") -> tuple[str, str]:
    if known is None:
        return "note", "Assay is not installed, so nobody knows its extras; pip install . where its source lies"
    _, root = _source(known)
    if root is not None and not _path().is_relative_to(root):
        return "note", f"another copy is installed in {root}; what runs is not what was installed"
    if known.version != __version__:
        return "note", f"the files are of {__version__}, what was installed is {known.version}; install it again"
    if not known.metadata.get_all("Provides-Extra"):
        return "note", "what was installed names no extras; install it again"
    return "fine", f"{__version__}, as it was installed"


def _terminal() -> tuple[str, str]:
    encoding = (sys.stdout.encoding or "unknown").lower()
    columns = width()
    found = f"{columns} columns, {encoding}"
    if encoding.replace("-", "") != "utf8":
        return "note", f"{found}; names may be shown as escapes, which PYTHONUTF8=1 mends"
    if columns < COLUMNS:
        return "note", f"{found}; tables leave columns out below {COLUMNS}"
    return "fine", found
