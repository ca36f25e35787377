"""Alerts: a webhook is told when a gate blocks or a series alarms; once, however often and by whomever it is seen."""

import hashlib
import json
from collections.abc import Callable
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any
from urllib.parse import urlencode

from assay.core.gate import BLOCKED, FLOOR, GUARD, PASSED, Check, Gate
from assay.core.history_drift import Drift
from assay.core.history_series import ALARM, QUIET, Series
from assay.errors import InputError
from assay.history.webhook import Webhook

if TYPE_CHECKING:
    from assay.store.evaluations import HistoryStore

NAMED = 3
"""So many queries that fell to 0 are named."""
HIDDEN = frozenset({"about", "settings"})
"""What tells alerts apart, but is not sent."""


@dataclass(frozen=True, slots=True)
class Alert:
    """One figure that fell: before, now, and why it is no chance; `link` is where more is to be seen, or "".

    `kind` is gate or drift; `system` is the one that drifts, "" where several are in one series. `about` is what an
    alert is raised for once: "" until the figure is well again, else that run alone. `settings` are those by which it
    is watched: who asks otherwise neither repeats nor ends it.
    """

    kind: str
    suite: str
    measure: str
    slice: str
    before: float | None
    now: float | None
    why: str
    link: str = ""
    about: str = ""
    system: str = ""
    settings: str = ""

    @property
    def text(self) -> str:
        """The alert as one sentence, which chats show."""
        of = f" of {self.slice}" if self.slice else ""
        ends = " → ".join("?" if value is None else f"{value:.4f}" for value in (self.before, self.now))
        whose = f"{self.suite}, {self.system}" if self.system else self.suite
        return f"{whose}: {self.measure}{of} {ends}: {self.why}"

    def to_dict(self) -> dict[str, Any]:
        """Return what a webhook is sent."""
        kept = {name: value for name, value in asdict(self).items() if name not in HIDDEN}
        return {"text": self.text} | kept

    def name(self, url: str) -> str:
        """Return by what name it is claimed for a webhook: a digest, so that the store holds no address."""
        parts = [url, self.kind, self.suite, self.system, self.measure, self.slice, self.about, self.settings]
        return f"alert:{hashlib.sha256(json.dumps(parts).encode()).hexdigest()}"


@dataclass(frozen=True, slots=True)
class Alerts:
    """What a look at a suite raises, and what it found to be well again."""

    raised: tuple[Alert, ...]
    ended: tuple[Alert, ...] = ()


@dataclass(frozen=True, slots=True)
class Told:
    """What became of alerts: `sent` now; `known`, as they had been sent before; `failed`, and `why`."""

    sent: int = 0
    known: int = 0
    failed: int = 0
    why: str = ""


def of_gate(gate: Gate, site: str | None = None) -> Alerts:
    """Return the alerts of a gate: each check that is blocked, and each measure by which queries fell to 0.

    A nightly gate raises one until the check passes again; any other raises one for each run that it holds.
    """
    link = page(site, "/suite", suite=gate.suite)
    about = "" if gate.nights is not None else _run(gate)

    def alert(one: Check) -> Alert:
        return Alert("gate", gate.suite, one.measure, one.slice, one.baseline, one.now, _blocked(one), link, about)

    fallen: dict[tuple[str, str], list[str]] = {(one.measure, one.slice): [] for one in gate.checks}
    for one in gate.fallen:
        fallen.setdefault((one.measure, one.slice), []).extend([one.query] if one.blocks else [])
    raised = [alert(one) for one in gate.checks if one.decision == BLOCKED]
    ended = [alert(one) for one in gate.checks if one.decision == PASSED]
    for (measure, part), queries in fallen.items():
        guarded = Alert(
            "gate", gate.suite, measure, part, None, None, _guarded(queries), link, f"{GUARD} {about}".strip()
        )
        (raised if queries else ended).append(guarded)
    return Alerts(tuple(raised), tuple(ended))


def _run(gate: Gate) -> str:
    """Return what tells a run from others: its digest, else its code and figures."""
    made = gate.now.made
    return made.run or f"{made.code} {[one.mean for one in gate.now.figures]}"


def _guarded(queries: list[str]) -> str:
    more = f" and {len(queries) - NAMED:,} more" if len(queries) > NAMED else ""
    return f"{GUARD}: lost all: {', '.join(queries[:NAMED])}{more}"


def _blocked(one: Check) -> str:
    p = one.significance.final
    said = [f"fell by {one.drop:.4f}"] if one.drop is not None and one.drop > 0 else []
    said += [f"p = {p:.3g}"] if p is not None and FLOOR not in one.reasons else []
    said += [f"beyond the limit {one.limit:.4f}"] if FLOOR in one.reasons and one.limit is not None else []
    return f"{', '.join(one.reasons)}: {', '.join(said) or 'blocked'} ({one.queries:,} queries)"


def of_drift(drift: Drift, site: str | None = None) -> Alerts:
    """Return the alerts of a system over time: each series that alarms, until it is quiet again."""
    settings = json.dumps(dict(drift.settings), sort_keys=True, default=str)

    def alert(one: Series) -> Alert:
        known = [point.value for point in one.points if point.value is not None]
        link = page(site, "/suite", suite=drift.suite, measure=one.measure, slice=one.slice, name=drift.name)
        now = known[-1] if known else None
        return Alert(
            "drift", drift.suite, one.measure, one.slice, one.level, now, _alarmed(one), link,
            system=drift.name, settings=settings,
        )  # fmt: skip

    raised, ended = ([alert(one) for one in drift.series if one.decision == decision] for decision in (ALARM, QUIET))
    return Alerts(tuple(raised), tuple(ended))


def _alarmed(one: Series) -> str:
    control = one.alarm
    if control is None:
        return ""
    since = "" if one.onset is None else f", probably since {one.points[one.onset].time:%Y-%m-%d}"
    within = f"at most {control.alpha:.3g} of stable series alarm within {control.horizon:,} evaluations"
    return f"{control.method} alarm{since} ({within})"


def notify(
    store: "HistoryStore | None", url: str, alerts: Alerts, *, wait: Callable[[float], object] | None = None
) -> Told:
    """Tell a webhook what is raised and was not told yet, and forget what ended.

    Each alert is one POST of JSON: text, kind, suite, system, measure, slice, before, now, why, link. It is claimed in
    the store before it is sent, so that of several processes one sends it, and released where it could not be sent, so
    that the next look tries again. A process that is killed between the two does not send it. Without a store every
    alert is sent.

    Raises
    ------
    ParameterError
        No address of http or https.
    """
    webhook = Webhook.of(url) if wait is None else Webhook.of(url, wait=wait)
    if store is not None:
        for one in alerts.ended:
            store.release(one.name(url))
    sent = known = 0
    for place, one in enumerate(alerts.raised):
        if store is not None and not store.claim(one.name(url)):
            known += 1
            continue
        try:
            webhook.send(one.to_dict())
        except InputError as error:
            if store is not None:
                store.release(one.name(url))
            return Told(sent, known, len(alerts.raised) - place, error.message)
        sent += 1
    return Told(sent, known)


def page(site: str | None, path: str, **asked: object) -> str:
    """Return the address of a page of the dashboard; "" where it is not known.

    >>> page("http://localhost:8321", "/suite", suite="a b", slice="")
    'http://localhost:8321/suite?suite=a+b'
    """
    if site is None:
        return ""
    return f"{site.rstrip('/')}{path}?{urlencode({name: value for name, value in asked.items() if value})}"
