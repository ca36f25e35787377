"""What fusion with another run does to each query: which of both ranks its relevant documents better."""

from collections.abc import Mapping
from dataclasses import replace

from assay.core.lexical_expansion import BOTH_RUNS, OTHER_RUN, SAME, QueryExpansion
from assay.core.run import Run
from assay.engines.head import head
from assay.evaluate import evaluate
from assay.tasks.lexical.feedback.effects import TIE, moved, outcome
from assay.tasks.lexical.feedback.trial import Trial, values_of


def fused(
    trial: Trial, runs: tuple[Run, Run], other: Run, values: Mapping[str, tuple[float, float]]
) -> tuple[QueryExpansion, ...]:
    """Return what fusion with `other` did to each query; `runs` and `values` are plain and fused."""
    alone = values_of(evaluate(trial.gold, other, trial.measure, **trial.options), trial.measure)
    plain, both = (_rankings(run, list(values), trial) for run in runs)
    items = trial.searcher.index.items
    found = []
    for query, (before, after) in values.items():
        relevant = set(items.gather(trial.relevant[query]))
        one = QueryExpansion(
            query, trial.texts[query], before, after, outcome(trial.gain(before, after)),
            relevant=len(relevant), other=alone.get(query),
        )  # fmt: skip
        found.append(moved(_with_cause(trial, one), plain.get(query, []), both.get(query, []), relevant))
    return tuple(found)


def _with_cause(trial: Trial, one: QueryExpansion) -> QueryExpansion:
    if one.outcome == SAME or one.other is None:
        return one
    gain, better = trial.gain(one.before, one.after), trial.gain(one.before, one.other)
    return replace(one, cause=OTHER_RUN if gain * better > TIE * abs(gain) else BOTH_RUNS)


def _rankings(run: Run, queries: list[str], trial: Trial) -> dict[str, list[str]]:
    rows = head(run, trial.depth, trial.policy, queries).select("query", "item")
    return {str(query): part["item"].to_list() for (query,), part in rows.group_by("query", maintain_order=True)}
