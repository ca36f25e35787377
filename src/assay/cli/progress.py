"""A progress bar for work that may take long: on a terminal, and only there."""

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from assay.cli.verbs import SETTINGS


@contextmanager
def progress(what: str) -> Iterator[Callable[[int, int], None] | None]:
    """Open a bar, to be told how much is done, of how much; None where nobody looks."""
    if SETTINGS.quiet or not sys.stderr.isatty():
        yield None
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    columns = TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn()
    with Progress(*columns, console=Console(stderr=True, no_color=SETTINGS.no_color), transient=True) as bar:
        task = bar.add_task(what, total=None)
        yield lambda done, total: bar.update(task, completed=done, total=total)
