"""`judge_stages`: from candidates to answers, which stage loses what the answers need."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import polars as pl

from assay.core.evaluation import Evaluation
from assay.core.judged import Flags, Floats
from assay.core.policy import Policy
from assay.core.rag_stages import Answers, Correctness, Loss, Named, Stage, Stages
from assay.core.sample import Sample
from assay.errors import InputError, ParameterError
from assay.evaluate import evaluate
from assay.report.amounts import counted
from assay.statistics.interval import interval
from assay.tasks.rag.matching import Matching
from assay.tasks.rag.questions import Questions, Several, several

MEASURES = ("Deducible", "Complete", "R")
LISTED = 20
ANSWER = "answer"
ORDER = Policy(empty="skip", ties="order")
"""A proof is complete or not: equal scores rank in the order of the file."""


def judge_stages(
    stages: Iterable[Any] | Mapping[str, Any],
    *,
    at: int | Sequence[int] | None = None,
    gold: Any = None,
    unit: str | None = None,
    match: str | Matching = "id",
    threshold: float | None = None,
    right: float = 0.5,
    level: float = 0.95,
    seed: int = 0,
    listed: int = LISTED,
) -> Stages:
    """Say where a pipeline loses what answers need: candidates, reranked, …, answer.

    A question is lost at the stage after which no proof is complete within the first K items; if the last stage has
    one, the answer may still be wrong. So each question is lost at one place, or reaches the end.

    Parameters
    ----------
    stages
        The files of the stages in their order, of the same questions, as for `several`; one file is one stage. The
        correctness of the answers is taken from the last that says it.
    at
        How deep each stage is looked at: one K for all, or one for each; else as deep as its longest list.
    gold, unit, match, threshold
        As for `several`.
    right
        From which correctness on an answer is right; means take correctness as it is.
    level, seed, listed
        Of the intervals; how many questions of each kind are named.

    Raises
    ------
    ParameterError
        Another number of cutoffs than of stages, a cutoff below 1.
    InputError
        One stage, and nothing that says which answers are correct; whatever `several` raises.

    >>> rows = [
    ...     {"id": "q1", "retrieved": ["a", "b"], "needed": ["a", "b"], "correct": True},
    ...     {"id": "q2", "retrieved": ["c", "x"], "needed": ["c"], "correct": False},
    ...     {"id": "q3", "retrieved": ["x"], "needed": ["d"], "correct": True},
    ... ]
    >>> found = judge_stages([rows])
    >>> found.answers.omissions.examples, found.answers.unsupported.examples
    (('q2',), ('q3',))
    """
    found = several(stages, gold=gold, unit=unit, match=match, threshold=threshold)
    correct = _correctness(found)
    if correct is None and len(found.systems) == 1:
        place = found.systems[0].records.path or found.systems[0].name
        hint = "correct: true, false or a number from 0 to 1 beside each answer; or give the files of several stages."
        raise InputError(f"{place}: expected which answers are correct, found nothing under correct", hint=hint)
    pipeline = _Pipeline.of(found, _depths(at, found.systems), correct, level, seed)
    telling = _Telling(pipeline, right, level, seed, listed)
    answers = None if pipeline.correct is None else telling.answers(pipeline.correct)
    return Stages(
        unit=found.unit,
        matching=found.matching.to_dict(),
        questions=len(pipeline.queries),
        left_out=len(found.gold.queries) - len(pipeline.queries),
        level=level,
        stages=tuple(telling.stages(found.systems)),
        losses=tuple(telling.losses()),
        reached=telling.reached(),
        answers=answers,
        notices=tuple(_notices(found, answers)),
    )


@dataclass(frozen=True, eq=False)
class _Pipeline:
    """What became of each question: `proven` and `hits` have the shape (stages, queries), `correct` (queries,)."""

    queries: pl.Series
    depths: tuple[int, ...]
    evaluations: tuple[Evaluation, ...]
    proven: Flags
    hits: Floats
    needed: Floats
    correct: Floats | None

    @classmethod
    def of(
        cls, found: Several, depths: Sequence[int], correct: pl.DataFrame | None, level: float, seed: int
    ) -> "_Pipeline":  # fmt: skip
        relevant = found.gold.table.filter(pl.col("grade") >= 1)
        needed = relevant.group_by("query").len("needed").sort("query")
        queries = needed["query"]
        evaluations = tuple(
            evaluate(
                found.gold, one.run, [f"{name}@{k}" for name in MEASURES],
                policy=ORDER, interval=level, seed=seed,
            )
            for one, k in zip(found.systems, depths, strict=True)
        )  # fmt: skip
        rows = zip(evaluations, depths, strict=True)
        proven = np.array([_value(one, f"Deducible@{k}", queries) == 1 for one, k in rows])
        hits = np.array([_hits(one, relevant, k, queries) for one, k in zip(found.systems, depths, strict=True)])
        known = None if correct is None else needed.join(correct, on="query", how="left", maintain_order="left")
        told = None if known is None else known["correct"].fill_null(np.nan).to_numpy()
        return cls(
            queries, tuple(depths), evaluations, proven, hits, needed["needed"].cast(pl.Float64).to_numpy(), told
        )  # fmt: skip


@dataclass(frozen=True, slots=True)
class _Telling:
    """Makes results of what became of the questions."""

    pipeline: _Pipeline
    threshold: float
    level: float
    seed: int
    listed: int

    def stages(self, systems: Sequence[Questions]) -> list[Stage]:
        """Return each stage, held against the one before."""
        line, found = self.pipeline, []
        for place, (one, k) in enumerate(zip(systems, line.depths, strict=True)):
            before = line.proven[place - 1] if place else None
            here = line.proven[place]
            found.append(
                Stage(
                    name=one.name,
                    path=one.records.path,
                    k=k,
                    figures=line.evaluations[place].figures,
                    ceiling=self._ceiling(place) if place else None,
                    lost=None if before is None else self.named(before & ~here),
                    gained=None if before is None else self.named(here & ~before),
                )
            )
        return found

    def losses(self) -> list[Loss]:
        """Return the questions that are lost at each stage, and at the answer."""
        line = self.pipeline
        ended = np.where(line.proven.any(axis=0), len(line.depths) - np.argmax(line.proven[::-1], axis=0), 0)
        right = self._right()
        rows = [(one.name, ended == place) for place, one in enumerate(line.evaluations)]
        if right is not None and line.correct is not None:
            rows.append((ANSWER, line.proven[-1] & ~right & ~np.isnan(line.correct)))
        return [
            Loss(name, self.named(lost), None if right is None else int((lost & right).sum())) for name, lost in rows
        ]  # fmt: skip

    def reached(self) -> Named:
        """Return the questions that are lost nowhere."""
        right = self._right()
        last = self.pipeline.proven[-1]
        return self.named(last if right is None else last & right)

    def answers(self, correct: Floats) -> Answers:
        """Return the answers by whether there was a proof."""
        right, known, proven = correct >= self.threshold, ~np.isnan(correct), self.pipeline.proven[-1]
        return Answers(
            threshold=self.threshold,
            unknown=int((~known).sum()),
            all=self._correctness(correct, known),
            proven=self._correctness(correct, known & proven),
            unproven=self._correctness(correct, known & ~proven),
            omissions=self.named(known & proven & ~right, known & proven),
            unsupported=self.named(right & ~proven, known & ~proven),
        )

    def named(self, chosen: Flags, of: Flags | None = None) -> Named:
        """Count questions and name the first."""
        queries = self.pipeline.queries.filter(pl.Series(chosen))
        total = len(self.pipeline.queries) if of is None else int(of.sum())
        return Named(len(queries), total, tuple(queries.head(self.listed)))

    def _right(self) -> Flags | None:
        correct = self.pipeline.correct
        return None if correct is None else correct >= self.threshold

    def _ceiling(self, place: int) -> float:
        line = self.pipeline
        return float((np.minimum(line.hits[place - 1], line.depths[place]) / line.needed).mean())

    def _correctness(self, correct: Floats, chosen: Flags) -> Correctness:
        values = correct[chosen]
        sample = Sample(self.pipeline.queries.filter(pl.Series(chosen)), values, bounds=(0.0, 1.0))
        mean = float(values.mean()) if len(values) else None
        right = int((values >= self.threshold).sum())
        return Correctness(mean, len(values), right, interval(sample, level=self.level, seed=self.seed))


def _depths(at: int | Sequence[int] | None, systems: Sequence[Questions]) -> tuple[int, ...]:
    """Return how deep each stage is looked at."""
    if at is None:
        return tuple(max(one.facts.longest, 1) for one in systems)
    depths = (at,) * len(systems) if isinstance(at, int) else tuple(at)
    if len(depths) == 1:
        depths *= len(systems)
    if len(depths) != len(systems) or min(depths, default=0) < 1:
        shown = ",".join(map(str, depths))
        raise ParameterError(f"at: expected a cutoff of at least 1 for each of {len(systems)} stages, found {shown}")
    return depths


def _correctness(found: Several) -> pl.DataFrame | None:
    """Return query and correct of the last system that says it."""
    for one in reversed(found.systems):
        table = one.records.questions.select("query", "correct").drop_nulls()
        if table.height:
            return table
    return None


def _value(evaluation: Evaluation, measure: str, queries: pl.Series) -> Floats:
    table = evaluation.scores.table.filter(measure=measure).select("query", "value")
    asked = pl.DataFrame({"query": queries}).join(table, on="query", how="left", maintain_order="left")
    return asked["value"].fill_null(0.0).to_numpy()


def _hits(system: Questions, relevant: pl.DataFrame, k: int, queries: pl.Series) -> Floats:
    """Return how many needed items stand within the first k, shape (queries,)."""
    inside = system.items.filter(pl.col("place") <= k).join(relevant, on=["query", "item"], how="semi")
    table = inside.group_by("query").agg(hits=pl.len().cast(pl.Float64))
    asked = pl.DataFrame({"query": queries}).join(table, on="query", how="left", maintain_order="left")
    return asked["hits"].fill_null(0.0).to_numpy()


def _notices(found: Several, answers: Answers | None) -> Iterable[str]:
    if answers is None:
        yield "No file says which answers are correct: the last step is not judged."
    elif answers.unknown:
        yield (
            f"Of {counted(answers.unknown, 'question')} it is not known whether the answer is "
            "correct: not in the last step."
        )
    if unknown := found.gold.unjudged:
        yield (
            f"Of {counted(len(unknown), 'question')} nothing is known of what they need, such "
            f"as {unknown[0]!r}: left out."
        )
