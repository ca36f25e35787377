"""A gate for build servers: JSON, a summary in Markdown, and the annotations of GitHub."""

import secrets
from collections.abc import Iterator, Sequence

from assay.core.gate import BLOCKED, UNDECIDED, Check, Gate
from assay.report.comparison import signed
from assay.report.documents import markdown, strict_json
from assay.report.gate import advice, circumstances, compared, ended, event_of, place_of, reasons, title
from assay.report.gate_terminal import heads, render, rows_of
from assay.report.grid import number
from assay.report.names import visible

ANNOTATED = 10
"""So many queries are annotated; GitHub shows no more errors of one step."""
IN_MESSAGE = {"%": "%25", "\r": "%0D", "\n": "%0A"}
IN_PROPERTY = IN_MESSAGE | {":": "%3A", ",": "%2C"}
"""How GitHub wants characters written that mean something to it."""


def to_json(gate: Gate, command: list[str]) -> str:
    """Return one document."""
    return strict_json(gate.to_dict(command=command))


def to_markdown(gate: Gate) -> str:
    """Return a summary for the page of a build; what comes from files is shown as it is."""
    lines = [f"## Gate {gate.decision}", "", markdown(compared(gate)), ""]
    lines += [f"- {markdown(visible(one))}" for one in reasons(gate)]
    if gate.checks:
        lines += ["", *_table(("slice", *heads(gate)), [(place_of(one), *rows_of(one)) for one in gate.checks])]
    check = gate.pressing
    if check is not None and check.worst:
        rows = [(one.query, number(one.before), number(one.now), signed(one.change)) for one in check.worst]
        inside = f" in {markdown(place_of(check))}" if check.slice else ""
        lines += ["", f"Worst queries by {markdown(check.measure)}{inside} ({len(rows)} of {check.lost:,} that lost):"]
        lines += ["", *_table(("query", "baseline", "now", "change"), rows)]
    lines += ["", *(f"{markdown(one)}  " for one in circumstances(gate)), markdown(advice(gate))]
    return "\n".join(lines).rstrip() + "\n"


def to_github(gate: Gate) -> str:
    """Return the verdict as text, in which GitHub looks for no commands, and then the annotations."""
    token = f"assay-{secrets.token_hex(16)}"
    said = "".join(f"{line}\n" for line in annotations(gate))
    return f"::stop-commands::{token}\n{render(gate)}::{token}::\n{said}"


def annotations(gate: Gate) -> Iterator[str]:
    """Yield one line for the verdict, and where it blocks an error for each of the ten queries that lost most.

    The verdict is a notice beside them, so that GitHub, which shows ten errors, shows all; without them it is the
    error. What passed is a notice.
    """
    check, place = gate.pressing, gate.place
    open_or_blocked = gate.decision in {BLOCKED, UNDECIDED}
    scope = check.slice if check is not None and open_or_blocked else ""
    found = _queries(gate, check) if gate.decision == BLOCKED else []
    level = "error" if open_or_blocked and not found else "notice"
    yield _annotation(level, place.config, _line(gate, scope), title(gate), "\n".join(reasons(gate)))
    for query, head, message in found:
        known = place.queries.get(query)
        where = (place.config, _line(gate, scope)) if known is None else (place.baseline, known)
        yield _annotation("error", *where, head, message)


def _queries(gate: Gate, check: Check | None) -> list[tuple[str, str, str]]:
    """Return query, title and message of those to annotate: those that a guard blocks, then those that lost most."""
    found = [
        (one.query, f"{visible(one.query)} {event_of(one)}", f"{one.measure}: {number(one.before)} → {ended(one)}")
        for one in gate.fallen
        if one.blocks
    ]
    for one in check.worst if check is not None and check.decision == BLOCKED else ():
        head = f"{visible(one.query)} lost {number(abs(one.change))} by {check.measure if check else ''}"
        found.append((one.query, head, f"{number(one.before)} → {number(one.now)}"))
    return found[:ANNOTATED]


def _annotation(level: str, file: str, line: int, head: str, message: str) -> str:
    r"""Write one command of GitHub, whatever its texts hold.

    >>> _annotation("error", "a,b.toml", 3, "x: 50%", "one\ntwo")
    '::error file=a%2Cb.toml,line=3,title=x%3A 50%25::one%0Atwo'
    """
    values = {"file": visible(file), "line": str(line), "title": head}
    properties = ",".join(f"{name}={_escaped(value, IN_PROPERTY)}" for name, value in values.items())
    return f"::{level} {properties}::{_escaped(message, IN_MESSAGE)}"


def _escaped(text: str, escapes: dict[str, str]) -> str:
    return "".join(escapes.get(char, char) for char in text)


def _line(gate: Gate, scope: str) -> int:
    return gate.place.slices.get(scope, 1)


def _table(columns: tuple[str, ...], rows: Sequence[tuple[str, ...]]) -> list[str]:
    cells = [[markdown(visible(cell)) for cell in row] for row in (columns, *rows)]
    head, *body = [f"| {' | '.join(row)} |" for row in cells]
    return [head, "|---" * len(columns) + "|", *body]
