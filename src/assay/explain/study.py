"""`Study`: one measure of one run, with the rankings of the queries that are asked about."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any, Self

import numpy as np
import polars as pl

from assay.audit.facts import require_overlap
from assay.core.gold import Gold
from assay.core.judged import Judged
from assay.core.policy import Policy
from assay.core.profiles import Profile
from assay.core.run import FrameRows
from assay.engines import head, judge
from assay.errors import ParameterError, UnknownNameError
from assay.evaluate import Judging, Plan, plans_of
from assay.evaluate.plan import conventions_of
from assay.explain.ranking import Ranking
from assay.inputs import as_pairs, as_run
from assay.measures import parse_many
from assay.measures.base import Measure


@dataclass(frozen=True, slots=True, eq=False)
class Study:
    """What an explanation is made from: the measure under its policy, and rankings and judgments by query."""

    run: str
    plan: Plan
    rankings: dict[str, Ranking]
    judgments: dict[str, list[tuple[str, float]]]
    grade: float
    """The lowest grade of the gold that is relevant to the measure."""

    @classmethod
    def of(cls, gold: Gold, run: Any, plan: Plan, queries: Iterable[str], exclude: Any) -> Self:
        """Read the rankings of some queries, and judge them."""
        run, wanted = as_run(run, gold), list(dict.fromkeys(queries))
        require_known(wanted, gold)
        return cls(
            run.name,
            plan,
            _rankings(Judging(run, gold, as_pairs(exclude)), plan.policy, wanted),
            {query: gold.table.filter(query=query).select("item", "grade").rows() for query in wanted},
            _lowest(gold, plan.measure),
        )


def plan_of(
    gold: Gold,
    measure: str | Measure | type[Measure],
    policy: Policy | None,
    profile: str | Profile | None,
    rel: float | None,
) -> Plan:
    """Return the one measure that is to be explained, under its policy."""
    found = parse_many(measure)
    if len(found) != 1:
        msg = f"measure: expected one to explain, found {len(found)} in {measure!r}"
        raise ParameterError(msg)
    return plans_of(found, conventions_of(policy, profile), gold, rel)[0]


def require_known(queries: Sequence[str], gold: Gold) -> None:
    """Raise UnknownNameError for a query that the gold does not judge."""
    names = gold.queries.to_list()
    for query in set(queries).difference(names):
        raise UnknownNameError.of("query of the gold", query, names, see="assay evaluate -q")


def _rankings(judging: Judging, policy: Policy, queries: list[str]) -> dict[str, Ranking]:
    table = head(judging.run, None, policy, queries, judging.exclude)
    parts = {str(key[0]): part for key, part in table.partition_by("query", as_dict=True).items()}
    judged = _judged(judging, policy, table if parts.keys() >= set(queries) else None)
    items, names = judging.gold.table["item"], judged.names.to_numpy()
    return {
        query: Ranking.of(judged.select(names == query), parts.get(query, table.clear()), items, policy)
        for query in queries
    }  # fmt: skip


def _judged(judging: Judging, policy: Policy, table: pl.DataFrame | None) -> Judged:
    """Judge the rankings in `table`, all there are of the queries asked about; without it the whole run.

    Only the whole run tells why a query has no ranking, and whether the policy allows all of its queries.
    """
    if table is not None and policy.extra == "ignore":
        rows = FrameRows(table.select("query", "item", "score", position="rank"))
        return judge(replace(judging.run, rows=rows), judging.gold, policy).under(policy)
    judged = judging.under(policy)
    require_overlap(judging.run, judging.gold, judged)
    return judged


def _lowest(gold: Gold, measure: Measure) -> float:
    rel = getattr(measure, "rel", None)
    grades = gold.table["grade"]
    relevant = grades.filter(grades > 0 if rel is None else grades >= rel).to_numpy()
    return float(np.min(relevant, initial=np.inf)) if len(relevant) else float(rel or 1)
