"""A gate for the terminal: the verdict, why, the numbers, the queries that lost most, how to read it."""

from collections.abc import Iterator

from assay.core.gate import BLOCKED, PASSED, Check, Gate
from assay.report.comparison import bracket, probability, signed
from assay.report.drawing import Table, listed, wrapped
from assay.report.gate import advice, circumstances, place_of, reading, reasons, title
from assay.report.grid import number
from assay.report.names import shorten, visible

COLOURS = {BLOCKED: "\x1b[1;31m", PASSED: "\x1b[1;32m"}
PLAIN = "\x1b[0m"
LONGEST = 44
"""So many columns of the id of a query are shown."""


def render(gate: Gate, *, width: int = 80, colour: bool = False) -> str:
    """Return the gate as text, no line wider than `width` where it can be broken. No line begins with an id."""
    head = wrapped(title(gate), width)
    if colour and gate.decision in COLOURS:
        head = f"{COLOURS[gate.decision]}{head}{PLAIN}"
    parts = [f"{head}\n{listed(reasons(gate), width)}"]
    parts += _tables(gate, width, colour=colour)
    parts += _worst(gate, colour=colour)
    if known := circumstances(gate):
        parts.append(f"UNLIKE THE BASELINE\n{listed(known, width)}")
    if read := [*reading(gate)]:
        parts.append(f"HOW TO READ THIS\n{listed(read, width)}")
    if said := advice(gate):
        parts.append(f"WHAT NOW\n{listed([said], width)}")
    return "\n\n".join(parts) + "\n"


def rows_of(check: Check) -> tuple[str, str, str, str, str, str]:
    """Return measure, baseline, now, change with its interval, p, verdict as texts; without a baseline the figure."""
    change = signed(check.change)
    if check.interval.low is not None:
        change = f"{signed(check.change, 3)} {bracket(check.interval, 3)}"
    now = check.figure if check.baseline is None else check.now
    return (
        check.measure, number(check.baseline), number(now), change, probability(check.significance.final),
        check.decision if check.decision in COLOURS else "open",
    )  # fmt: skip


def heads(gate: Gate) -> tuple[str, str, str, str, str, str]:
    """Return what stands over these texts."""
    return "measure", "baseline", "now", f"change [{100 * (1 - 2 * gate.alpha):g} % interval]", "p", "verdict"


def _tables(gate: Gate, width: int, *, colour: bool) -> Iterator[str]:
    for scope in dict.fromkeys(one.slice for one in gate.checks):
        checks = [one for one in gate.checks if one.slice == scope]
        most = max(checks, key=lambda one: one.queries)
        queries = f" ({most.queries:,}{' groups' if most.clusters else ''})" if most.queries else ""
        named = f"SLICE {place_of(checks[0])}" if scope else "ALL QUERIES"
        table = Table(heads(gate), tuple(rows_of(one) for one in checks), frozenset({"verdict"}))
        yield f"{wrapped(f'{named}{queries}', width)}\n{table.fitted(width, ('p',)).draw(colour=colour)}"


def _worst(gate: Gate, *, colour: bool) -> Iterator[str]:
    """Yield the queries that lost most by the check to look at first."""
    check = gate.pressing
    if check is None or not check.worst:
        return
    rows = tuple(
        (signed(one.change), number(one.before), number(one.now), shorten(visible(one.query), LONGEST))
        for one in check.worst
    )
    inside = f" in {place_of(check)}" if check.slice else ""
    shown = f"{len(check.worst):,} of {check.lost:,} that lost"
    table = Table(("change", "baseline", "now", "query"), rows, frozenset({"query"}))
    yield f"WORST QUERIES by {check.measure}{inside} ({shown})\n{table.draw(colour=colour)}"
