"""A progress bar for work that may take long: on a terminal, and only there."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from assay.cli.verbs import SETTINGS
from assay.core.progress import Progress


@contextmanager
def progress(what: str) -> Iterator[Progress | None]:
    """Open a bar, to be told how much is done, of how much; None where nobody looks."""
    if not is_watched():
        yield None
        return
    from rich import progress as drawn

    bar = bars(drawn.MofNCompleteColumn(), drawn.TimeRemainingColumn())
    with bar:
        task = bar.add_task(what, total=None)
        yield lambda done, total: bar.update(task, completed=done, total=total)


@contextmanager
def working(what: str) -> Iterator[None]:
    """Open a bar that shows only that work goes on, where nothing counts how far it is."""
    if not is_watched():
        yield
        return
    from rich import progress as drawn

    bar = bars(drawn.TimeElapsedColumn())
    with bar:
        bar.add_task(what, total=None)
        yield


def is_watched() -> bool:
    """Tell whether somebody looks: a terminal, and no --quiet."""
    return not SETTINGS.quiet and sys.stderr.isatty()


def bars(*columns: Any, text: str = "{task.description}") -> Any:
    """Return bars that go when they are done, these columns beside each."""
    from rich import progress as drawn
    from rich.console import Console

    shown = drawn.TextColumn(text), drawn.BarColumn(), *columns
    return drawn.Progress(*shown, console=Console(file=sys.stderr, no_color=SETTINGS.no_color), transient=True)
