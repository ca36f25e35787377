"""`expand`: search as it is and with more words, judged by gold: what that brings, for which query, and why."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, fields, replace
from typing import Any, Self

import polars as pl

from assay.compare import compare
from assay.core.comparison import Comparison
from assay.core.gold import Gold
from assay.core.lexical_expansion import Expansion, QueryExpansion, Way
from assay.core.progress import Progress
from assay.core.run import Run
from assay.core.texts import Queries
from assay.engines.fuse import fuse
from assay.errors import InputError, ParameterError
from assay.inputs import as_gold, as_run
from assay.statistics.agreement import kendall_tau
from assay.tasks.lexical.feedback import Expander
from assay.tasks.lexical.feedback.effects import Tried, Values, effects
from assay.tasks.lexical.feedback.fusing import fused
from assay.tasks.lexical.feedback.trial import Trial, values_of
from assay.tasks.lexical.search import Searcher, Weighted
from assay.tasks.lexical.selecting import select, together

EXPANDED = "AP nDCG@10"
"""What is measured when nothing is asked for; the first is explained."""
NAMED = 3
"""So many queries without a text are named."""
JUDGING = ("policy", "profile", "rel", "exclude")
"""Options of judging; the others are statistics."""


@dataclass(frozen=True, eq=False)
class Expanded:
    """Queries with more terms: the run that they give, and how many documents they learned from, None for none."""

    run: Run
    settings: dict[str, Any]
    queries: dict[str, Weighted]
    feedback: int | None

    @classmethod
    def by(cls, trial: Trial, way: Expander) -> Self:
        """Expand the queries in one way, and search with them."""
        expanded: dict[str, Weighted] = dict(way.expand(trial.searcher, trial.weighted))
        run = trial.run(expanded, f"{trial.searcher.model.name}+{way.name}")
        return cls(run, settings_of(way), expanded, getattr(way, "docs", None))

    def explained(self, trial: Trial, before: Values, after: Values) -> tuple[QueryExpansion, ...]:
        """Return what became of each query that has a value before and after."""
        both = {query: self.queries[query] for query in trial.texts if query in before and query in after}
        return effects(trial, Tried(both, before, after, self.feedback))


@dataclass(frozen=True, eq=False)
class Fused:
    """The plain run fused with another one, by reciprocal ranks."""

    run: Run
    plain: Run
    other: Run
    settings: dict[str, Any] = field(default_factory=lambda: {"method": "rrf", "k": 60})

    @classmethod
    def with_run(cls, trial: Trial, plain: Run, other: Run) -> Self:
        """Fuse both runs, each as it is judged."""
        plain, other = trial.read(plain), trial.read(other)
        name = f"{plain.name}+rrf({other.name})"
        return cls(fuse([plain, other], "rrf", keep=trial.depth, policy=trial.policy, name=name), plain, other)

    def explained(self, trial: Trial, before: Values, after: Values) -> tuple[QueryExpansion, ...]:
        """Return what became of each query that has a value before and after."""
        both = {query: (before[query], after[query]) for query in trial.texts if query in before and query in after}
        return fused(trial, (self.plain, self.run), self.other, both)


def expand(
    gold: Any,
    searcher: Searcher,
    queries: Queries,
    ways: Sequence[Expander] = (),
    measures: Any = EXPANDED,
    *,
    run: Any = None,
    depth: int = 1000,
    remove_query: bool = False,
    selective: bool = False,
    seed: int = 0,
    progress: Progress | None = None,
    **options: Any,
) -> tuple[Expansion, dict[str, Run]]:
    """Search plainly and in each way, compare them by a gold standard, and explain each query by the first measure.

    Parameters
    ----------
    gold
        As for `evaluate`.
    searcher, queries
        What is searched, how, and what is asked.
    ways
        How queries are expanded: RM3, Rocchio, BM25PRF, Synonyms; see `feedback.expanders`.
    measures
        As for `compare`; where lower is better, helped and hurt say so.
    run
        Another system's run of the same queries: fused with the plain one by reciprocal ranks, as one more way.
    depth
        How many documents a query finds at most.
    remove_query
        Leave the document out that has the id of the query.
    selective
        Say also what expanding only some queries brings.
    seed
        Where chance starts: intervals, tests, and how queries are dealt into folds.
    progress
        Told how many ways are explained, of how many.
    **options
        As for `compare`: policy, profile, rel, exclude, level, alpha and so on.

    Returns
    -------
        What was found, and all runs by their names, the plain one first; those that expand only some queries end
        with "selected".

    Raises
    ------
    ParameterError
        Neither a way nor a run.
    AssayError
        For everything that the input or the request does wrong.
    """
    if not ways and run is None:
        msg = "expand: expected a way to expand, or a run to fuse with, found neither"
        raise ParameterError(msg, hint="such as rm3, rocchio, prf, or synonyms of a file.")
    gold, untold = _told(as_gold(gold), queries)
    judging = {name: value for name, value in options.items() if name in JUDGING}
    trial = Trial(gold, searcher, queries, "", depth, remove_query, judging)
    plain = trial.run(trial.weighted, searcher.model.name)
    attempts: list[Expanded | Fused] = [Expanded.by(trial, way) for way in ways]
    if run is not None:
        attempts.append(Fused.with_run(trial, plain, as_run(run, gold)))
    runs = {one.name: one for one in (plain, *(attempt.run for attempt in attempts))}
    comparison = compare(gold, runs, measures, seed=seed, **options)
    first = comparison.evaluations[0].figures[0]
    trial = replace(trial, measure=first.name, higher=first.higher_is_better)
    found = tuple(_explained(trial, attempts, comparison, progress))
    selected = [select(trial, way, runs, seed, options) for way in found] if selective else []
    expansion = Expansion(
        len(searcher.index), depth, comparison, trial.measure, found,
        together([one for one, _ in selected], comparison.family), (*untold, *_notices(trial, attempts)),
    )  # fmt: skip
    return expansion, runs | {one.name: one for _, one in selected}


def _told(gold: Gold, queries: Queries) -> tuple[Gold, list[str]]:
    """Return the gold of the queries that have a text, and what to say of the others.

    Raises
    ------
    InputError
        No query of the gold has a text.
    """
    asked = queries.table["query"].implode()
    untold = gold.queries.filter(~gold.queries.is_in(asked)).to_list()
    if not untold:
        return gold, []
    if len(untold) == len(gold.queries):
        found = f"queries such as {queries.table['query'][0]!r}" if len(queries) else "none"
        msg = f"{queries.name}: expected the texts of queries of the gold, found {found}"
        raise InputError(msg, hint=f"the gold has queries such as {untold[0]!r}.")
    there = pl.col("query").is_in(asked)
    details = None if gold.details is None else gold.details.filter(there)
    shown = ", ".join(map(repr, untold[:NAMED]))
    return (
        replace(gold, table=gold.table.filter(there), details=details),
        [f"Queries of the gold without a text, left out: {len(untold):,}, such as {shown}."],
    )


def _notices(trial: Trial, attempts: Sequence[Expanded | Fused]) -> Iterator[str]:
    """Say which ways leave all queries as they are."""
    for one in attempts:
        if isinstance(one, Expanded) and all(
            terms.keys() == trial.weighted[q].keys() for q, terms in one.queries.items()
        ):
            yield f"{one.run.name} adds no word to any query, and takes none out."


def settings_of(way: Expander) -> dict[str, Any]:
    """Return what an expander was made with: its numbers."""
    values = {one.name: getattr(way, one.name) for one in fields(way)}
    return {name: value for name, value in values.items() if isinstance(value, int | float)}


def _explained(
    trial: Trial,
    attempts: Sequence[Expanded | Fused],
    comparison: Comparison,
    progress: Progress | None,
) -> list[Way]:
    """Explain what each way does to each query, by the measure of the trial."""
    before, *after = (values_of(one, trial.measure) for one in comparison.evaluations)
    found = []
    for attempt, values in zip(attempts, after, strict=True):
        queries = attempt.explained(trial, before, values)
        pairs = [(one.change, one.precision) for one in queries if one.precision is not None]
        tau = kendall_tau(*zip(*pairs, strict=True)) if pairs else None
        found.append(Way(attempt.run.name, attempt.settings, queries, tau))
        if progress is not None:
            progress(len(found), len(attempts))
    return found
