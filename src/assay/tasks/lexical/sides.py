"""`compare_sides`: sparse, dense and hybrid systems side by side, what only one finds, what fusion could bring."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any, cast

import polars as pl

from assay.compare import compare
from assay.compare.pairing import values_of
from assay.core.gold import Gold
from assay.core.lexical_sides import OnlyFound, Pairing, Sides
from assay.core.policy import Policy
from assay.core.run import FrameRows, Run
from assay.engines import head
from assay.engines.fuse import METHODS, Method, fuse
from assay.errors import ParameterError, UnknownNameError
from assay.evaluate import Measures, evaluate_all
from assay.inputs import as_gold, as_pairs, as_run
from assay.report.names import labels, numbered
from assay.tasks.lexical.sides_ceilings import about_ties, ceilings
from assay.tasks.lexical.sides_found import examples, found_at, ranks_of
from assay.tasks.lexical.sides_pairings import leads, pairings

FUSED = ("rrf", "combsum", "combmnz")
"""The fusions that are shown when none is asked for."""
TERMS = ("policy", "exclude", "rel", "weights")
"""What is said about how to judge; all else that is handed on are statistics."""


def compare_sides(
    gold: Any,
    runs: Iterable[Any] | Mapping[str, Any],
    measures: Measures | None = None,
    *,
    cutoff: int = 10,
    depth: int | None = None,
    fusions: Sequence[str] = FUSED,
    fuse_k: float = 60,
    norm: str = "min-max",
    fuse_weights: Sequence[float] | None = None,
    shown: int = 3,
    texts: Mapping[str, str] | None = None,
    **options: Any,
) -> Sides:
    """Hold systems side by side: figures, what each alone finds, who wins which query, what fusion reaches and could.

    Parameters
    ----------
    gold, **options
        As for `compare`: policy, exclude, rel, weights, test, correction, level, seed and so on.
    runs
        Two or more, each as for `evaluate`; or `{name: run}`. The first is what the others are held against.
    measures
        By default nDCG and P at the cutoff, R@100 and AP. The first decides who wins a query.
    cutoff
        How many places a reader looks at.
    depth
        To how many places each list is cut before anything is measured; None leaves them whole.
    fusions, fuse_k, norm, fuse_weights
        Ways to fuse, and their settings, as for `assay.engines.fuse.fuse`.
    shown
        How many queries won and lost, and items found by one system alone, are named.
    texts
        The texts of queries by their ids: shown beside those that are named, and what a callable among the runs is
        asked with.

    Raises
    ------
    AssayError
        For everything that the input or the request does wrong; the message says where.

    >>> gold = {"q1": {"a": 1, "b": 1}, "q2": {"c": 1}}
    >>> sparse = {"q1": ["a", "x"], "q2": ["y", "z"]}
    >>> dense = {"q1": ["x", "b"], "q2": ["c", "y"]}
    >>> found = compare_sides(gold, {"bm25": sparse, "dense": dense}, "P@1", cutoff=1)
    >>> found.found[0].only, found.ceilings[0].single, found.ceilings[0].chosen
    ((1, 1), 0.5, 1.0)
    """
    require_places(cutoff, depth)
    gold = as_gold(gold)
    terms = {name: options.pop(name) for name in TERMS if name in options}
    policy, exclude = terms.get("policy") or Policy(), as_pairs(terms.get("exclude"))
    given = {name: _cut(run, depth, policy, exclude) for name, run in _named(runs, gold, texts or {}).items()}
    settings = {"k": fuse_k, "norm": norm, "weights": fuse_weights, "policy": policy}
    everyone = _with_fusions(given, fusions, settings)
    wanted = measures or f"nDCG@{cutoff} P@{cutoff} R@100 AP"
    comparison = compare(gold, everyone, wanted, interval=options.get("level", 0.95), **terms, **options)
    judge = partial(evaluate_all, gold, measures=wanted, **terms)
    lists = [head(run, None, policy, gold.queries.to_list(), exclude) for run in given.values()]
    systems, fused = comparison.labels[: len(given)], comparison.labels[len(given) :]
    table = ranks_of(_relevant(gold, terms.get("rel")), lists, systems)
    values = values_of(comparison.evaluations[: len(given)])
    pairs = tuple(pairings(lists, systems, values[0], cutoff, shown))
    alone = tuple(examples(table, systems, cutoff, shown))
    return Sides(
        comparison, systems, fused, cutoff, depth, pairings=pairs, leads=leads(values[0]), examples=alone, table=table,
        found=(found_at(table, systems, cutoff), found_at(table, systems, None)),
        ceilings=tuple(ceilings(gold, lists, comparison, values, judge)),
        texts=_named_texts(texts or {}, pairs, alone),
        notices=(*comparison.notices, *about_ties(list(everyone.values())[len(given) :], judge)),
    )  # fmt: skip


def require_places(cutoff: int, depth: int | None) -> None:
    """Refuse places that no list has.

    Raises
    ------
    ParameterError
        A cutoff below 1, or a depth below the cutoff.
    """
    if cutoff < 1:
        msg = f"cutoff: expected at least 1 place, found {cutoff}"
        raise ParameterError(msg)
    if depth is not None and depth < cutoff:
        msg = f"depth: expected at least the cutoff, {cutoff}, found {depth}"
        raise ParameterError(msg)


def _named(runs: Iterable[Any] | Mapping[str, Any], gold: Gold, texts: Mapping[str, str]) -> dict[str, Run]:
    """Return runs by labels, no two alike."""
    if isinstance(runs, Mapping):
        found = [replace(_answers(run, gold, texts), name=str(name)) for name, run in runs.items()]
    else:
        found = [_answers(run, gold, texts) for run in runs]
    if len(found) < 2:
        msg = f"compare: expected two runs or more, found {len(found)}"
        raise ParameterError(msg, hint="assay evaluate GOLD RUN measures a single run.")
    names = labels([run.name for run in found], [run.origin.path if run.origin else None for run in found])
    return dict(zip(names, found, strict=True))


def _answers(run: Any, gold: Gold, texts: Mapping[str, str]) -> Run:
    """Return a run; a retriever is asked with the texts of the queries, where there are any."""
    if callable(run) and texts:
        return Run.from_callable(run, {query: texts[query] for query in gold.queries if query in texts})
    return as_run(run, gold)


def _with_fusions(given: Mapping[str, Run], methods: Sequence[str], settings: Mapping[str, Any]) -> dict[str, Run]:
    """Return runs and, behind them, the fusions of them that are asked for, each once."""
    unknown = next((method for method in methods if method not in METHODS), None)
    if unknown is not None:
        raise UnknownNameError.of("fusion", unknown, METHODS)
    runs = list(given.values())
    made = [fuse(runs, cast("Method", method), name=METHODS[method], **settings) for method in dict.fromkeys(methods)]
    return dict(zip(numbered([*given, *(run.name for run in made)]), [*runs, *made], strict=True))


def _cut(run: Run, depth: int | None, policy: Policy, exclude: pl.DataFrame | None) -> Run:
    """Return the run with the first places of each list only, without the pairs that are taken out."""
    if depth is None and exclude is None:
        return run
    rows = head(run, depth, policy, None, exclude).select("query", "item", "score")
    return replace(run, rows=FrameRows(rows))


def _relevant(gold: Gold, rel: float | None) -> pl.DataFrame:
    """Return the relevant items of the gold: query, item, grade."""
    return gold.table.filter(pl.col("grade") >= (1 if rel is None else rel))


def _named_texts(texts: Mapping[str, str], pairs: Sequence[Pairing], alone: Sequence[OnlyFound]) -> dict[str, str]:
    """Return the texts of the queries that are named."""
    moved = (one.query for pair in pairs for one in (*pair.for_second, *pair.for_first))
    return {query: texts[query] for query in (*moved, *(one.query for one in alone)) if query in texts}
