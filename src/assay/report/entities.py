"""Proposals held against true entities, for the terminal: what each figure is of, and what its kind allows."""

from collections.abc import Iterator, Mapping, Sequence

import polars as pl

from assay.core.beside import Beside
from assay.core.entities_evaluation import EntitiesEvaluation, ProposalResult
from assay.core.evaluation import Evaluation
from assay.report import terminal
from assay.report.amounts import counted
from assay.report.drawing import Table, wrapped
from assay.report.entities_clusters import clusters
from assay.report.grid import labels_of, number
from assay.report.names import visible

MODES = {
    "dedupe": "all pairs of records",
    "link": "pairs of records from two sources",
    "both": "all pairs of records, within sources and across",
    "mentions": "the entity of each mention",
}
RECORDS_OWN = (
    "B3-F1 is the mean of the records' own F1. The F1 of 'B-cubed, by record' further down is that of the mean "
    "precision and the mean recall, and so another number."
)
SHOWN = 12
"""How many pairs of sources are shown."""


def render(found: EntitiesEvaluation, width: int = 80, *, colour: bool = False) -> str:
    """Return the whole evaluation as text, no line wider than `width` where it can be broken."""
    named = list(zip(labels_of(found.evaluations), found.results, strict=True))
    parts = [wrapped(heading(found), width)]
    for group in alike(found.evaluations):
        drawn = terminal.render(group, width=width, colour=colour).partition("\n\n")[2]
        parts.append(f"{_question(found, group)}\n\n{drawn.rstrip()}")
        parts += [wrapped(RECORDS_OWN, width)] if "B3-F1" in group[0].mean else []
    for section in (_records, _linking, _blocking, _scorer, _pairs, _sources):
        parts += [part for part in section(named, width, colour=colour) if part]
    parts += clusters([(name, one.clusters) for name, one in named if one.clusters], width, colour=colour)
    parts += _beside(found.beside, width, colour=colour)
    return "\n\n".join(parts) + "\n"


def _question(found: EntitiesEvaluation, group: Sequence[Evaluation]) -> str:
    """Return the heading of a table of per-record measures."""
    kinds = {one.kind for one in found.results if one.evaluation in group}
    if kinds == {"clusters"}:
        return "Record by record: is it with its own?"
    return "Mention by mention" if kinds == {"mentions"} else "Record by record: are its matches among the candidates?"


def _beside(beside: Beside, width: int, *, colour: bool) -> Iterator[str]:
    """Yield slices and bounds."""
    if beside.slices:
        from assay.report import slices

        yield from (slices.render(one, width, colour=colour).rstrip() for one in beside.slices)
    if beside.health:
        from assay.report import health

        yield health.render(beside.health, width=width, colour=colour).rstrip()


def heading(found: EntitiesEvaluation) -> str:
    """Say in one line what the truth holds and what is asked for."""
    truth = found.truth
    name = visible(found.evaluations[0].gold.path or found.evaluations[0].gold.name)
    what = "mentions" if found.mode == "mentions" else "records"
    counts = [f"{truth.records:,} {what}, {truth.labelled:,} with a label, {counted(truth.entities, 'entity')}"]
    if truth.true_pairs is not None:
        counts.append(counted(truth.true_pairs, "true pair"))
    if truth.sources > 1:
        counts.append(counted(truth.sources, "source"))
    return f"{name}: {', '.join(counts)}. Asked for: {MODES[found.mode]}."


def alike(evaluations: Sequence[Evaluation]) -> list[list[Evaluation]]:
    """Return the evaluations in groups of the same measures."""
    groups: dict[tuple[str, ...], list[Evaluation]] = {}
    for one in evaluations:
        groups.setdefault(tuple(one.mean), []).append(one)
    return list(groups.values())


Named = Sequence[tuple[str, ProposalResult]]


def _drawn(
    question: str, table: Table, width: int, *below: str, colour: bool, spare: Sequence[str] = ()
) -> Iterator[str]:
    if table.rows:
        yield f"{question}\n\n{table.fitted(width, spare).draw(colour=colour)}"
        yield "\n".join(wrapped(line, width) for line in below if line)


def _records(named: Named, width: int, *, colour: bool) -> Iterator[str]:
    """Say of how many records each figure is, and what Complete@k says that R@k does not."""
    rows = tuple(
        (visible(name), *(f"{count:,}" for count in counts))
        for name, one in named
        if (found := one.records)
        for counts in [(found.asked, found.with_match, found.without_match, found.without_candidates, found.candidates)]
    )
    heads = ("proposal", "records", "with a match", "without", "no candidate", "candidates")
    yield from _drawn(
        "Of how many records are the figures?",
        Table(heads, rows),
        width,
        *populations(named),
        colour=colour,
        spare=heads[:3:-1],
    )


def populations(named: Named) -> Iterator[str]:
    """Yield the sentences that say what per-record figures are of."""
    yield (
        "P@k is a mean over all records, those without a true match among them: they find none. Every other measure "
        "is one over the records with a true match. A record is no candidate of itself."
    )
    cutoffs = sorted(
        {figure.name for _, one in named for figure in one.evaluation.figures if figure.name.startswith("Complete@")},
        key=lambda name: (len(name), name),
    )
    if cutoffs:
        last = cutoffs[-1].partition("@")[2]
        yield (
            f"Complete@{last} is the share of records with all their true matches among the first {last} candidates. "
            f"R@{last} does not say that: it is the mean share of matches found, and stays high where many records "
            "lack one of several."
        )


def _linking(named: Named, width: int, *, colour: bool) -> Iterator[str]:
    rows = tuple(
        (visible(name), *map(number, shares), f"{found.known:,}", f"{found.nil:,}", f"{found.silent:,}")
        for name, one in named
        if (found := one.linking)
        for shares in [(found.accuracy, found.accuracy_known, found.accuracy_nil, found.nil_precision)]
    )
    heads = ("proposal", "accuracy", "with entity", "NIL", "NIL precision", "mentions", "NIL mentions", "silent")
    said = "Accuracy: the first answer is right. NIL: there is no entity; a mention without candidates says so."
    yield from _drawn("Is the first answer right?", Table(heads, rows), width, said, colour=colour, spare=heads[:4:-1])


def _blocking(named: Named, width: int, *, colour: bool) -> Iterator[str]:
    rows = tuple(
        (visible(name), *map(number, shares), f"{found.distinct:,}", f"{found.redundant:,}")
        for name, one in named
        if (found := one.blocking)
        for shares in [(found.pair_completeness, found.pair_quality, found.reduction_ratio, found.f_score)]
    )
    heads = ("proposal", "PC", "PQ", "RR", "F", "pairs", "redundant")
    said = (
        "PC: share of the true pairs that are candidates; PQ: share of the candidate pairs that are true; RR: share "
        "of all possible pairs that need no look; F: harmonic mean of PC and RR. Each pair counts once; redundant rows "
        "say one again."
    )
    table = Table(heads, rows)
    yield from _drawn("What do the candidates keep?", table, width, said, colour=colour, spare=heads[:4:-1])


def _scorer(named: Named, width: int, *, colour: bool) -> Iterator[str]:
    rows = tuple(
        (visible(name), *map(number, shares), f"{found.true_pairs:,}", f"{found.blocked:,}", f"{found.found:,}")
        for name, one in named
        if (found := one.scorer)
        for shares in [(found.threshold, found.blocking_recall, found.scorer_recall, found.end_to_end_recall)]
    )
    heads = ("proposal", "threshold", "blocking", "scorer", "end to end", "true pairs", "blocked", "found")
    said = (
        "Recall by stage: blocking keeps a share of the true pairs, the scorer finds a share of those that reach it; "
        "end to end is the share of all true pairs that is found."
    )
    table = Table(heads, rows)
    yield from _drawn("Where are true pairs lost?", table, width, said, colour=colour, spare=heads[:4:-1])


def _pairs(named: Named, width: int, *, colour: bool) -> Iterator[str]:
    rows, scored = [], []
    for name, one in named:
        found = one.pairs
        if found is None:
            continue
        at = "all pairs" if found.threshold is None else f"from {found.threshold:g}"
        rows.append((visible(name), at, *map(number, (found.precision, found.recall, found.f1))))
        if found.curve is not None:
            best = found.curve.best
            rows.append(
                (visible(name), f"best, {best.threshold:g}", *map(number, (best.precision, best.recall, best.f1)))
            )
            scored.append((visible(name), *map(number, (found.curve.average_precision, found.curve.roc_area))))
    table = Table(("proposal", "threshold", "precision", "recall", "F1"), tuple(rows), frozenset({"threshold"}))
    said = "best: the threshold with the highest F1 on these very pairs, no estimate of new ones." if scored else ""
    yield from _drawn("Are the pairs right?", table, width, said, colour=colour)
    areas = Table(("proposal", "average precision", "area under ROC"), tuple(scored))
    yield from _drawn("Over all thresholds", areas, width, colour=colour)


def _sources(named: Named, width: int, *, colour: bool) -> Iterator[str]:
    """Show measures by source of the record and source of the candidate, the worst pair first."""
    for name, one in named:
        between = one.records.by_sources if one.records else ()
        if not between:
            continue
        measures = list(between[0].measures)
        first = next((m for m in measures if m.startswith("Complete")), measures[0])
        ordered = sorted(between, key=lambda pair: (pair.measures[first] or 0.0, pair.left, pair.right))
        rows = tuple(
            (f"{visible(pair.left)} → {visible(pair.right)}", f"{pair.records:,}", *map(number, pair.measures.values()))
            for pair in ordered[:SHOWN]
        )
        table = Table(("sources", "records", *measures), rows).fitted(width, measures[::-1])
        more = f" The worst {SHOWN} of {len(between):,} by {first}; -o json has all." if len(between) > SHOWN else ""
        said = f"{visible(name)}, of records with a match in the other source.{more}"
        yield from _drawn("From source to source", table, width, said, colour=colour)


def to_frame(found: EntitiesEvaluation) -> pl.DataFrame:
    """Return every figure in long form: run, measure, mean, queries, undefined; low and high where there are intervals.

    What stands beside the measures is named block.figure, such as blocking.pair_completeness.
    """
    named = zip(labels_of(found.evaluations), found.results, strict=True)
    rows = [row for name, one in named for row in _rows(name, one)]
    real, whole = pl.Float64, pl.Int64
    kinds = {
        "run": pl.String, "measure": pl.String, "mean": real, "queries": whole, "undefined": whole, "low": real,
        "high": real,
    }  # fmt: skip
    frame = pl.DataFrame(rows, schema=kinds, orient="row")
    return frame if frame["high"].count() else frame.drop("low", "high")


Row = tuple[str, str, float | None, int | None, int | None, float | None, float | None]


def _rows(name: str, one: ProposalResult) -> Iterator[Row]:
    for figure in one.evaluation.figures:
        interval = figure.interval
        low, high = (interval.low, interval.high) if interval else (None, None)
        yield (name, figure.name, figure.mean, figure.queries, figure.undefined, low, high)
    yield from ((name, figure, value, None, None, None, None) for figure, value in _flat(one.blocks()))


def _flat(figures: Mapping[str, object], before: str = "") -> Iterator[tuple[str, float | None]]:
    """Yield the single numbers of blocks, each under block.figure; lists and absent blocks are left out."""
    for key, value in figures.items():
        if isinstance(value, dict):
            yield from _flat(value, f"{before}{key}.")
        elif isinstance(value, int | float) or (value is None and before):
            yield f"{before}{key}", None if value is None else float(value)
