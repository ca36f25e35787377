"""A pool for the terminal and for tables: what to judge, what each run brings, what was found, how fair it is."""

from collections.abc import Iterator

import polars as pl

from assay.core.health import LeftOut
from assay.core.pool import Bias, Found, Pool, Reuse
from assay.report.amounts import counted
from assay.report.drawing import Table, listed, wrapped
from assay.report.grid import UNDEFINED, number
from assay.report.names import visible

SPARE = ("found with it", "judged", "relevant", "place without", "place")


def render(found: Pool, *, width: int = 80, colour: bool = False) -> str:
    """Return the pool as text, no line wider than `width` where it can be broken."""
    parts = [listed(_head(found), width)]
    for title, table in _tables(found):
        parts.append(f"{wrapped(title, width)}\n{table.fitted(width, SPARE).draw(colour=colour)}")
    verdicts = [sentence for bias in found.bias for sentence in verdict_sentences(bias)]
    if verdicts:
        parts.append("CAN NEW RUNS BE JUDGED BY IT\n" + listed(verdicts, width))
    parts.append("HOW TO READ THIS\n" + listed(_reading(found), width))
    return "\n\n".join(parts) + "\n"


def to_frame(found: Pool) -> pl.DataFrame:
    """Return the pairs to judge, query and item first."""
    return found.table


def summary(found: Pool) -> str:
    """Return in a sentence what is to be judged."""
    of = f"{found.pooled:,} within rank {found.depth:,}"
    before = f", {found.judged:,} were judged" if found.judged else ""
    return (
        f"{counted(len(found), 'pair')} to judge of {counted(found.queries, 'query')} and "
        f"{counted(len(found.runs), 'run')} ({of}{before})"
    )


def verdict_sentences(bias: Bias) -> Iterator[str]:
    """Say of each measure whether new runs can be judged fairly."""
    for one in bias.verdicts:
        worst = f"{visible(one.worst.run)} would change most, by {_change(one.worst)}"
        tau = "" if one.tau is None else f"; the order of the runs agrees with tau {one.tau:.2f}"
        yield f"{one.measure}, each {bias.by} left out: {worst}; {_verdict(one)}{tau}."


def _verdict(one: Reuse) -> str:
    if one.reusable is None or one.detectable is None:
        return "what difference these queries can tell is unknown, so this cannot be decided"
    told = f"these queries tell differences of {one.detectable:.3f}"
    return f"{told}, so it is {'reusable' if one.reusable else 'NOT reusable'}"


def _head(found: Pool) -> Iterator[str]:
    yield summary(found)
    budget = "" if found.budget is None else f", budget {found.budget:,}"
    seed = "" if found.strategy in {"depth", "mtf"} and found.sample is None else f", seed {found.seed}"
    yield f"strategy {found.strategy}{budget}{seed}; ties in the runs: {found.policy.ties}"
    if found.judged:
        yield f"{found.relevant:,} of the {found.judged:,} judged ones are relevant"
    yield from found.notices


def _tables(found: Pool) -> Iterator[tuple[str, Table]]:
    rows = tuple(
        (visible(one.run), *(f"{count:,}" for count in (one.pairs, one.alone, one.judged, one.relevant)))
        for one in found.runs
    )
    table = Table(("run", "pairs", "alone", "judged", "relevant"), rows)
    yield f"WHAT EACH RUN BRINGS within rank {found.depth:,}", _without_judged(table, found)
    if found.strata:
        rows = tuple((one.name, f"{one.pairs:,}", f"{one.drawn:,}", f"{one.judged:,}") for one in found.strata)
        yield "STRATA", Table(("stratum", "pairs", "drawn", "judged"), rows)
    if found.found:
        yield _found(found.found)
    for bias in found.bias:
        for measure in dict.fromkeys(one.measure for one in bias.left_out):
            rows = tuple(_left_out(one) for one in bias.left_out if one.measure == measure)
            heads = ("run", "value", "without", "change", "found with it", "place", "place without")
            yield f"{measure} WITHOUT THE {bias.by.upper()} in the pool", Table(heads, rows)


def _found(curve: Found) -> tuple[str, Table]:
    names = tuple(curve.relevant)
    columns = zip(*(curve.relevant[name] for name in names), strict=True)
    rows = tuple(
        (f"{budget:,}", *(f"{count:,}" for count in counts))
        for budget, counts in zip(curve.budgets, columns, strict=True)
    )
    title = f"RELEVANT FOUND after so many judgments, of {curve.of:,} in the known gold"
    return title, Table(("judgments", *names), rows)


def _without_judged(table: Table, found: Pool) -> Table:
    """Leave out the columns of judgments where there are none."""
    return table if any(one.judged for one in found.runs) else table.without("judged").without("relevant")


def _left_out(one: LeftOut) -> tuple[str, ...]:
    return (
        visible(one.run), number(one.mean), number(one.without), _change(one), f"{one.unique:,}", str(one.place),
        str(one.place_without),
    )  # fmt: skip


def _change(one: LeftOut) -> str:
    return UNDEFINED if one.mean is None or one.without is None else f"{one.without - one.mean:+.4f}"


def _reading(found: Pool) -> Iterator[str]:
    yield "alone: pairs that no other run has within that rank."
    if found.sample is not None:
        yield "A sample is for infAP, statAP and xinfAP: plain measures take what was not drawn for not relevant."
    elif found.strategy in {"mtf", "bandit"}:
        yield "Judge these, then say --judged with all judgments: what comes next depends on what is relevant."
    if found.found:
        yield "Pairs that the known gold has no judgment of count as not relevant."
    if found.bias:
        yield "without: the value of the run if it, or its group, had not helped to make the pool."
        yield (
            "Reusable: no run changes by as much as a paired t test (5 %, power 80 %) of these queries would find "
            "between two of the runs, in the median over pairs."
        )
