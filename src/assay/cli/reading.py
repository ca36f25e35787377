"""What long reads show on a terminal, and only there: a bar for each run, by bytes of its file."""

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import wraps
from threading import Lock
from typing import Any

from assay.cli.progress import bars, is_watched
from assay.core.progress import Progress

LONG = 1 << 26
"""Bytes from which on a file is long."""


@dataclass(eq=False)
class Reading:
    """The bars of the files that are being read now; drawn while there is one."""

    drawn: Any = None
    under_way: set[int] = field(default_factory=set)
    lock: Lock = field(default_factory=Lock)

    def of(self, path: str) -> Progress | None:
        """Return what the reading of one file is told of by; None where nobody looks."""
        if not is_watched():
            return None
        last, passes, bar = 0, 0, -1

        def tell(done: int, total: int) -> None:
            nonlocal last, passes, bar
            if total < LONG:
                return
            with self.lock:
                if done < last or not passes:
                    passes += 1
                    self._end(bar)
                    bar = self._begin(path if passes == 1 else f"{path}, pass {passes}", total)
                last = done
                if bar in self.under_way:
                    self.drawn.update(bar, completed=done)
                if done >= total:
                    self._end(bar)

        return tell

    def stop(self) -> None:
        """Take away what is drawn."""
        with self.lock:
            for bar in tuple(self.under_way):
                self._end(bar)

    def _begin(self, what: str, total: int) -> int:
        if self.drawn is None:
            self.drawn = _bars()
            self.drawn.start()
        bar: int = self.drawn.add_task(what, total=total)
        self.under_way.add(bar)
        return bar

    def _end(self, bar: int) -> None:
        if bar not in self.under_way:
            return
        self.under_way.remove(bar)
        self.drawn.remove_task(bar)
        if not self.under_way:
            self.drawn.stop()
            self.drawn = None


READING = Reading()


def shown(verb: Callable[..., Any]) -> Callable[..., Any]:
    """Take away what is drawn when a verb ends, however it ends."""

    @wraps(verb)
    def told(*given: Any, **named: Any) -> Any:
        try:
            return verb(*given, **named)
        finally:
            READING.stop()

    return told


def _bars() -> Any:
    from rich import progress as drawn

    columns = drawn.DownloadColumn(binary_units=False), drawn.TimeRemainingColumn()
    return bars(*columns, text="reading {task.description}")
