"""`evaluate`: the main verb. Gold and a run in, measures with their policy and audit out."""

import os
from collections.abc import Iterable
from typing import Any

from assay.core.evaluation import Evaluation
from assay.core.policy import Policy
from assay.core.profiles import Profile
from assay.evaluate.cache import Cache
from assay.evaluate.several import Several, jobs_for
from assay.evaluate.standard import Aggregate, Measures, Standard
from assay.inputs import as_gold, as_run

DEFAULT = "P@{1,5,10} R@{10,100} F1@10 HR@10 RR AP nDCG@10"
"""The measures that are shown when none is asked for."""


def evaluate(
    gold: Any,
    run: Any,
    measures: Measures = DEFAULT,
    *,
    policy: Policy | None = None,
    profile: str | Profile | None = None,
    rel: float | None = None,
    weights: Any = None,
    exclude: Any = None,
    tie_range: bool = False,
    aggregate: Aggregate = "macro",
    interval: float | None = None,
    seed: int = 0,
) -> Evaluation:
    """Judge one run by a gold standard.

    Parameters
    ----------
    gold, run
        Paths (or "-" for standard input), `{query: {item: grade or score}}`, dataframes, `Gold` and `Run`.
    measures
        Names such as "P@{1,5,10} nDCG@10 AP", measures such as `nDCG @ 10`, or several of both.
    policy, profile
        The conventions: a `Policy`, or the name of a tool whose conventions are wanted. Not both.
    rel
        The lowest relevant grade for every measure that does not say its own.
    weights
        `{query: weight}`, or a frame or a file with the columns query and weight, cluster, or both. Means become
        weighted; queries of one cluster (paraphrases, a session) count as one unit in every interval and test.
    exclude
        Pairs of query and item that are taken out of every ranking before ranks are given.
    tie_range
        Whether to give each figure under the worst and the best order of tied items as well.
    aggregate
        How queries become one figure. "macro": the mean of their values. "micro": hits summed over queries,
        divided by what they are hits of, for measures that are such a fraction. "pooled": one list of all
        answers of all queries by score, "9 of the top 10 predicted triples are right". The names of such figures
        say so: `mean["P@10 (pooled)"]`, `mean["P@10 (micro)"]`.
    interval, seed
        The confidence, such as 0.95, with which each figure gets an interval; and where its resampling starts.

    Raises
    ------
    AssayError
        For everything that the input or the request does wrong; the message says where.

    >>> result = evaluate({"q1": {"a": 1, "b": 0}}, {"q1": {"b": 2.0, "a": 1.0}}, "P@1 RR nDCG@10")
    >>> result.mean
    {'P@1': 0.0, 'RR': 0.5, 'nDCG@10': 0.6309297535714575}
    """
    gold = as_gold(gold)
    run = as_run(run, gold)
    standard = Standard.of(
        gold, measures, policy=policy, profile=profile, rel=rel, weights=weights, exclude=exclude,
        tie_range=tie_range, aggregate=aggregate, interval=interval, seed=seed,
    )  # fmt: skip
    return standard.evaluation(run)


def evaluate_all(
    gold: Any,
    runs: Iterable[Any],
    measures: Measures = DEFAULT,
    *,
    jobs: int | None = None,
    cache: Cache | str | os.PathLike[str] | None = None,
    **options: Any,
) -> list[Evaluation]:
    """Judge several runs by the same gold; the gold is prepared once, files are read at the same time.

    Parameters
    ----------
    gold, measures, options
        As in `evaluate`.
    runs
        Paths, `Run` and all else that `evaluate` takes, hundreds of them. One that cannot be judged is an error that
        names it, the same whatever was faster: the first in the order given.
    jobs
        How many runs are worked on at once, by default as many as there are cores. Files of more than 512 MB together
        are not read at once. The number never changes a result.
    cache
        A folder (or a `Cache`, which tells what it did) that keeps the ranks of judged items. A run whose bytes were
        judged before, by the same pairs of gold and conventions of the engine, is not read again but for its digest;
        measures are always computed. Only runs from files are kept, and no pooled lists.

    Returns
    -------
    list[Evaluation]
        One for each run, in their order.

    Raises
    ------
    AssayError
        As `evaluate`; `jobs` below 1; a cache that is no folder.

    >>> gold = {"q1": {"a": 1, "b": 0}}
    >>> [one.mean for one in evaluate_all(gold, [{"q1": ["a", "b"]}, {"q1": ["b", "a"]}], "RR")]
    [{'RR': 1.0}, {'RR': 0.5}]
    """
    gold = as_gold(gold)
    kept = cache if cache is None or isinstance(cache, Cache) else Cache.open(cache)
    standard = Standard.of(gold, measures, cache=kept, **options).prepare()
    several = Several(lambda run: as_run(run, gold), standard.evaluation, jobs_for(runs, jobs))
    return list(several.results(runs))
