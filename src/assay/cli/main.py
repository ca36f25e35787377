"""`assay`: finds the verb, and turns every mistake into one message and an exit code.

Exit codes: 0 fine, 1 a gate failed or results differ, 2 a mistake in the usage or the input, 3 cannot decide.
"""

import os
import signal
import sys
import traceback
from typing import Annotated, NoReturn

import typer
from typer.exceptions import Abort, TyperException

from assay._version import __version__
from assay.cli.groups import group
from assay.cli.verbs import SETTINGS, as_typed
from assay.errors import AssayError, IncomparableError
from assay.report.names import visible

MISTAKE = 2
UNDECIDED = 3
INTERRUPTED = 130
ENDED = 128
"""Together with the number of the signal that ended it, the exit code of a process."""
PIPE_CLOSED = 141

VERBS = {
    "evaluate": "Measure runs by a gold standard.",
    "compare": "Say which run is better, by how much, how surely.",
    "explain": "Show where the number of one query comes from.",
    "report": "Write one HTML page that works offline.",
    "predict": "Estimate what people would say of all queries.",
    "audit": "Say what is wrong with the inputs, before any number.",
    "worklist": "Name the items whose judgment could move a number.",
    "links": "Judge link predictors: TransE, ComplEx and others.",
    "neighbours": "Judge vectors by their nearest neighbours.",
    "entities": "Judge entity resolution: candidates, pairs, clusters.",
    "rag": "Judge retrieval by the facts that answers need.",
    "answers": "Judge answers to question suites: SPARQL or search.",
    "lexical": "Search by words, and say what that misses and why.",
    "gold": "Make a gold standard: pools, judging, agreement.",
    "graph": "Judge a graph itself: what is missing or wrong in it.",
    "history": "Hold runs against earlier ones: baselines, gates, drift.",
    "measures": "List all measures, or define one.",
    "convert": "Write a gold standard or a run in another format.",
    "explain-difference": "Name the convention that makes two numbers differ.",
    "verify": "Compute a published result again.",
    "trec_eval": "Print what trec_eval prints; -h tells how.",
    "schema": "Print the JSON Schemas of the JSON outputs.",
    "doctor": "Say what is installed, what is not, and what works.",
}
SECTIONS = {
    "evaluate": "Evaluate a ranking",
    "links": "Evaluate one kind of task",
    "gold": "Make the gold, judge the graph",
    "history": "Follow quality over time",
    "measures": "Look up, convert, check",
}
"""The verb with which a part of the help begins, and its heading."""

app = group("assay.cli", VERBS, sections=SECTIONS, completion=True)


def _version(value: bool) -> None:
    if value:
        print(f"assay {__version__}")
        raise typer.Exit


@app.callback(invoke_without_command=True)
def _assay(
    ctx: typer.Context,
    *,
    version: Annotated[
        bool, typer.Option("--version", help="Print the version.", callback=_version, is_eager=True)
    ] = False,
) -> None:
    """Tell how good ranked answers are, and whether that number may be trusted.

    Begin with: assay evaluate GOLD RUN
    """
    del version
    if ctx.invoked_subcommand is None:
        print(ctx.get_help())


def run(argv: list[str]) -> int:
    """Run a command line and return its exit code; messages go to standard error."""
    SETTINGS.argv = _without_secrets(argv)
    SETTINGS.quiet = SETTINGS.no_color = SETTINGS.debug = False
    try:
        if argv[:1] == ["trec_eval"]:
            from assay.cli.trec_eval.command import trec_eval as drop_in

            return drop_in(argv[1:])
        code = typer.main.get_command(app).main(argv, prog_name="assay", standalone_mode=False)
        sys.stdout.flush()
    except BrokenPipeError:
        return PIPE_CLOSED
    except SystemExit as end:
        return end.code if isinstance(end.code, int) else 0
    except (KeyboardInterrupt, Abort):
        return INTERRUPTED
    except BaseException as error:  # noqa: BLE001 - nothing, panics of Rust too, may end as exit code 1: a failed gate
        return _fail(error)
    return code if isinstance(code, int) else 0


def _without_secrets(argv: list[str]) -> list[str]:
    """Return a command line as results may keep it: passwords in addresses and values of headers stay out of them."""
    if not any("://" in word or word.startswith(("--header", "--webhook")) for word in argv):
        return argv
    from assay.cli.secrets import masked_command

    return masked_command(argv)


def _fail(error: BaseException) -> int:
    if SETTINGS.debug or not isinstance(error, AssayError | TyperException | OSError | MemoryError):
        traceback.print_exception(error)
    if isinstance(error, AssayError):
        _say("Error", error.message)
        _say("Hint", error.hint)
    elif isinstance(error, TyperException):
        ctx = getattr(error, "ctx", None)
        _say("Error", " ".join(error.format_message().split()))
        _say("Hint", f"{ctx.command_path} --help" if ctx else None)
    elif isinstance(error, MemoryError):
        _say("Error", "memory: expected enough to hold what is asked for, found none left")
        _say("Hint", "fewer runs or measures at once; runs that stream from files take --memory.")
    elif isinstance(error, OSError):
        _say("Error", f"{error.filename or 'input or output'}: {error.strerror or error}")
    else:
        _say("Error", "this is a fault of Assay, not of your input. Please report it with the lines above.")
    return UNDECIDED if isinstance(error, IncomparableError) else MISTAKE


def _say(kind: str, text: str | None) -> None:
    if text:
        print(f"{kind}: {visible(as_typed(text))}", file=sys.stderr)


def main() -> NoReturn:
    """Run the command line."""
    _leave_after(sys.argv[1:])


def trec_eval() -> NoReturn:
    """Run the command `assay-trec-eval`, which is `assay trec_eval`."""
    _leave_after(["trec_eval", *sys.argv[1:]])


def _end(number: int, _frame: object) -> NoReturn:
    """End as after an error, so that unfinished and temporary files go."""
    raise SystemExit(ENDED + number)


def _leave_after(argv: list[str]) -> NoReturn:
    """Run and leave at once: thread pools are not taken down one by one."""
    import atexit

    if "_ASSAY_COMPLETE" in os.environ:
        os.environ["COLUMNS"] = "1000"  # one line for each word that a shell is offered
    for stream in (sys.stdout, sys.stderr):
        stream.reconfigure(errors="backslashreplace")  # type: ignore[union-attr]
    for name in ("SIGTERM", "SIGHUP"):
        known = getattr(signal, name, None)
        if known is not None and signal.getsignal(known) == signal.SIG_DFL:
            signal.signal(known, _end)
    code = run(argv)
    atexit._run_exitfuncs()  # noqa: SLF001 - temporary files go
    try:
        sys.stdout.flush()
        sys.stderr.flush()
    except OSError:
        code = code or PIPE_CLOSED
    os._exit(code)
