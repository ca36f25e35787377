"""The drift of vectors as text for a terminal."""

from assay.core.neighbours import Drift, Retraining, TypeDrift
from assay.report.amounts import counted
from assay.report.drawing import Table, listed, wrapped
from assay.report.grid import number
from assay.report.names import shorten, visible
from assay.report.neighbours import METRICS, table_of

SHOWN = 10
NAMED = 2
"""How many neighbours are named."""


def render(found: Drift, width: int = 80, *, colour: bool = False) -> str:
    """Return the drift as text, no line wider than `width` where it can be broken."""
    head = (
        f"{visible(found.old.name)} -> {visible(found.new.name)}: {counted(found.shared, 'vector')} in both; "
        f"the {found.k} nearest of each by {METRICS[found.metric]}"
    )
    parts = [
        wrapped(head, width),
        table_of(found.figures).fitted(width).draw(colour=colour),
        wrapped(reading(found), width),
    ]
    if found.types:
        parts.append(_by_type(found.types, found.k, width, colour=colour))
    if found.moved:
        parts.append(_moved(found, width, colour=colour))
    parts.append("\n".join(wrapped(line, width) for line in signal(found.retraining)))
    if found.notices:
        parts.append(listed(found.notices, width))
    return "\n\n".join(parts) + "\n"


def reading(found: Drift) -> str:
    """Say how the figures are to be read."""
    how = (
        "1 - cosine: 0 same direction, 1 at right angles" if found.metric == "cosine" else "in lengths of a mean vector"
    )
    return (
        f"How to read it: Overlap@{found.k} is the share of its {found.k} neighbours that an item kept; "
        "Jaccard counts a changed neighbour twice; displacement is how far its vector moved after the best "
        f"rotation ({how})."
    )


def _by_type(types: tuple[TypeDrift, ...], k: int, width: int, *, colour: bool) -> str:
    rows = tuple((one.type, f"{one.items:,}", number(one.overlap), number(one.displacement)) for one in types[:SHOWN])
    head = "By type, the least kept first" + (f" ({SHOWN} of {len(types):,})" if len(types) > SHOWN else "")
    table = Table(("type", "items", f"Overlap@{k}", "displacement"), rows)
    return f"{head}\n\n{table.fitted(width).draw(colour=colour)}"


def _moved(found: Drift, width: int, *, colour: bool) -> str:
    def named(names: tuple[str, ...]) -> str:
        return ", ".join(shorten(visible(name), 12) for name in names[:NAMED]) or "-"

    rows = tuple(
        (one.name, number(one.displacement), number(one.overlap), named(one.lost), named(one.gained))
        for one in found.moved
    )
    heads = ("item", "displacement", "overlap", "neighbours lost", "gained")
    table = Table(heads, rows, frozenset({"neighbours lost", "gained"}))
    return f"Moved most\n\n{table.fitted(width, ('gained', 'neighbours lost')).draw(colour=colour)}"


def signal(found: Retraining) -> list[str]:
    """Return what the signal says, and what it rests on, as sentences."""
    verdict = {
        True: "Act: neighbours changed more than chance explains, and the task lost.",
        False: "No need to act: "
        + ("the task did not lose." if found.worse is False else "no more changed than by chance."),
        None: "Whether to act cannot be told.",
    }[found.signal]
    lines = [verdict]
    if found.noise is not None:
        lines.append(f"Training the old version again keeps an overlap of {number(found.noise)}; {_excess(found)}.")
    if found.loss is not None and found.task is not None:
        p = (
            "without a p value"
            if found.task.p is None
            else (f"p {found.task.p:.4f} over {counted(found.task.units, 'query')}")
        )
        lines.append(f"The task changed by {found.loss:+.4f} ({p}; negative is worse).")
    lines += [f"It would need {need}." for need in found.needs]
    return lines


def _excess(found: Retraining) -> str:
    one = found.excess
    if one is None or one.low is None or one.high is None:
        return "how sure the difference is cannot be told"
    return f"the new version differs from that by [{one.low:+.4f}, {one.high:+.4f}]"
