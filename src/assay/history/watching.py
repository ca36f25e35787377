"""`Watch`: whenever a suite of a store has a new evaluation, its series are looked at, and alarms are told."""

from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from threading import Event
from typing import TYPE_CHECKING

from assay.core.history import Suite
from assay.core.history_drift import Drift
from assay.errors import AssayError
from assay.history.alerts import notify, of_drift
from assay.history.drift import drift

if TYPE_CHECKING:
    from assay.store.evaluations import HistoryStore

EVERY_S = 60.0

State = tuple[int, int, int | None]
"""How many evaluations a suite has, the newest of them and the baseline."""


@dataclass(frozen=True)
class Watch:
    """A store that is watched for a webhook; alerts link to the dashboard at `site`, `say` hears what went wrong.

    Every system of a suite is watched. An alarm is that of `drift` with its usual settings, whose rate of false alarms
    counts every look.
    """

    store: "HistoryStore"
    url: str = field(repr=False)
    site: str
    say: Callable[[str], None]
    seen: dict[str, State] = field(default_factory=dict)

    def until(self, stop: Event, every: float = EVERY_S) -> None:
        """Look again and again, so many seconds apart, until told to stop; what went wrong is said and tried again."""
        while not stop.is_set():
            try:
                self.look(stop)
            except Exception as error:  # noqa: BLE001 - a watch that ends misses every alarm to come
                self.say(_line(error))
            stop.wait(every)

    def look(self, stop: Event | None = None) -> None:
        """Look once; a suite whose alerts could not be told is looked at again the next time."""
        for suite in self.store.suites():
            state = suite.evaluations, suite.newest.id, suite.baseline.id if suite.baseline else None
            if self.seen.get(suite.name) == state or (stop is not None and stop.is_set()):
                continue
            try:
                why = self._tell(suite, stop)
            except Exception as error:  # noqa: BLE001 - one suite hides no other
                why = f"{suite.name}: {_line(error)}"
            if why:
                self.say(why)
            else:
                self.seen[suite.name] = state

    def _tell(self, suite: Suite, stop: Event | None) -> str:
        """Tell what alarms in a suite; return why it could not be told, "" where it could."""
        wait = None if stop is None else stop.wait
        for found in _systems(self.store, suite):
            told = notify(self.store, self.url, of_drift(found, self.site), wait=wait)
            if told.failed:
                return told.why
        return ""


def _systems(store: "HistoryStore", suite: Suite) -> Iterator[Drift]:
    """Yield what is followed unasked, then every other system with evaluations to follow."""
    first = drift(store, suite.name)
    yield first
    since = suite.baseline.time if suite.baseline else None
    names = Counter(one.name for one in store.list(suite.name, since=since)) if first.name else {}
    for name, times in names.items():
        if times > 1 and name != first.name:
            yield drift(store, suite.name, name=name)


def _line(error: Exception) -> str:
    """Return an error as one line."""
    if isinstance(error, AssayError):
        return error.message
    return " ".join(f"{type(error).__name__}: {error}".split())
