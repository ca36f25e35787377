"""Where results go: standard output, or a file that is whole or not there."""

import os
import shutil
import sys
from pathlib import Path

import typer

from assay.cli.verbs import SETTINGS, as_typed
from assay.errors import AssayError, ParameterError, UnknownNameError

SUFFIXES = {
    ".json": "json", ".jsonl": "jsonl", ".ndjson": "jsonl", ".csv": "csv", ".tsv": "tsv", ".md": "markdown",
    ".tex": "latex", ".parquet": "parquet", ".html": "html", ".htm": "html", ".xml": "junit", ".qrels": "trec",
}  # fmt: skip
PIPE_CLOSED = 141
PROSE = 100
"""Columns beyond which sentences are hard to read."""


def chosen(output: str | None, out: str | None, known: tuple[str, ...], *also: str | None) -> str:
    """Return the form of the output: as asked for, else by the ending of the file, else a table.

    `also` are further files that will be written.

    Raises
    ------
    AssayError
        A form that this verb does not know, a place that no file can be written to.
    """
    for place in (out, *also):
        if place is not None:
            _check_place(Path(place))
    ending = SUFFIXES.get(Path(out).suffix.lower(), "table") if out else "table"
    form = (ending if ending in known else "table") if output is None else output
    if form not in known:
        raise UnknownNameError.of("output", form, known)
    if form == "parquet" and out is None and sys.stdout.isatty():
        msg = "parquet is no text for a terminal"
        raise ParameterError(msg, hint="name a file with --out, or send it into a pipe.")
    return form


def deliver(content: str | bytes, out: str | None = None) -> None:
    """Print the content, or write the file: first beside it, then under its name."""
    if out is not None:
        from assay.convert import written_whole

        with written_whole(out) as file:
            file.write(content if isinstance(content, bytes) else content.encode("utf-8", "backslashreplace"))
        return
    try:
        if isinstance(content, bytes):
            sys.stdout.buffer.write(content)
        else:
            sys.stdout.write(content)
        sys.stdout.flush()
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        raise typer.Exit(PIPE_CLOSED) from None


def notice(line: str) -> None:
    """Print one line for the reader, unless --quiet."""
    if not SETTINGS.quiet:
        print(as_typed(line), file=sys.stderr)


def say_left_out(form: str, *parts: str) -> None:
    """Say aloud what was asked for and the form of the output does not hold."""
    if parts:
        *first, last = parts
        said = f"{', '.join(first)} and {last}" if first else last
        notice(f"Note: -o {form} leaves out {said}; -o table and json hold all.")


def width(most: int = 1000) -> int:
    """Return how many columns the terminal has, 80 where there is none, and at most so many."""
    return min(most, max(40, shutil.get_terminal_size().columns))


def colour(out: str | None = None) -> bool:
    """Tell whether colours are wanted: on a terminal, unless --no-color or NO_COLOR says otherwise."""
    unwanted = SETTINGS.no_color or os.environ.get("NO_COLOR") or os.environ.get("TERM") == "dumb"
    return out is None and sys.stdout.isatty() and not unwanted


def _check_place(out: Path) -> None:
    if out.is_dir():
        msg = f"{out}: expected the name of a file to write, found a folder"
        raise AssayError(msg)
    if not out.parent.is_dir():
        msg = f"{out}: expected a folder to write into, found none called {str(out.parent)!r}"
        raise AssayError(msg, hint=f"mkdir -p {out.parent}")
