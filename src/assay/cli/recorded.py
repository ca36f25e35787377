"""Command lines that results record, run once more."""

import io
from collections.abc import Iterator
from contextlib import chdir, contextmanager, redirect_stdout
from dataclasses import replace
from importlib import import_module
from pathlib import Path
from typing import Any

import typer
from typer.exceptions import TyperException

from assay.cli.verbs import EVERYWHERE, SETTINGS
from assay.errors import InputError, ParameterError

AGAIN = ("links evaluate", "neighbours evaluate")
"""The verbs that can be run once more."""
WRITTEN = ("out", "out_ranks")
"""Their options that write files, which are left out."""


def run_again(argv: list[str], folder: Path, out: str) -> None:
    """Run a recorded command line of one of these verbs in a folder; its JSON goes to `out`, nothing else is written.

    Raises
    ------
    AssayError
        A command line that is none, input from standard input, or whatever the command itself finds wrong.
    """
    with chdir(folder), _quietly(argv), redirect_stdout(io.StringIO()):
        context = _context(argv)
        _require_files(context.params)
        context.params |= dict.fromkeys(set(WRITTEN) & set(context.params)) | {"output": "json", "out": out}
        try:
            context.command.invoke(context)
        except TyperException as error:
            raise ParameterError(error.format_message()) from None
        except OSError as error:
            raise InputError(f"{error.filename or 'an input'}: {error.strerror or error}") from None


def _context(argv: list[str]) -> Any:
    """Return the parsed command line of one of these verbs."""
    everywhere = {option for param in EVERYWHERE for option in param.opts}
    words = [word for word in argv if word not in everywhere]
    verb = " ".join(words[:2])
    if verb not in AGAIN:
        raise ParameterError(f"expected the command line of assay {' or assay '.join(AGAIN)}, found {verb!r}")
    group: Any = typer.main.get_command(import_module(f"assay.cli.{words[0]}").app)
    try:
        return group.commands[words[1]].make_context(f"assay {verb}", words[2:])
    except TyperException as error:
        raise ParameterError(f"assay {verb}: {error.format_message()}") from None
    except typer.Exit:
        raise ParameterError(f"assay {verb}: expected a command that computes, found one that asks for help") from None


def _require_files(params: dict[str, Any]) -> None:
    """Raise InputError for standard input, a pipe or a device, which cannot be read once more or never end."""
    for given in params.values():
        for text in [given] if isinstance(given, str) else given if isinstance(given, list) else []:
            place = Path(text.replace("\0", ""))
            if text == "-" or (_exists(place) and not place.is_file() and not place.is_dir()):
                raise InputError(f"{text}: expected a file, which can be read once more, found a stream")


def _exists(place: Path) -> bool:
    try:
        return place.exists()
    except OSError:  # a name that no file can have
        return False


@contextmanager
def _quietly(argv: list[str]) -> Iterator[None]:
    """Take the command line for the one that runs, and say nothing; afterwards all is as it was."""
    before = replace(SETTINGS)
    SETTINGS.argv, SETTINGS.quiet = argv, True
    try:
        yield
    finally:
        for name in ("quiet", "no_color", "debug", "argv"):
            setattr(SETTINGS, name, getattr(before, name))
