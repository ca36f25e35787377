"""`evaluate_answers`: a suite and what systems answered in; counts, and figures under every convention out."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from assay.core.answers import Answer, Question, Suite
from assay.core.answers_evaluation import AnswersEvaluation, GroupFigures, Outcome, QuestionOutcome, SystemAnswers
from assay.core.judged import Floats
from assay.core.suite_health import Ties
from assay.errors import InputError, ParameterError
from assay.evaluate import Measures
from assay.report import amounts
from assay.statistics.interval import FEW
from assay.tasks.answers.conventions import (
    CONVENTIONS,
    NONE,
    Convention,
    Score,
    convention_of,
    overlaps,
    says,
    score,
)
from assay.tasks.answers.counting import Asked, counted, figures
from assay.tasks.answers.matching import Matching
from assay.tasks.answers.ranked import DEFAULT, Ranking, evaluated, ranking
from assay.tasks.answers.rows import Overlap

UNKNOWN = "no right answers are known"
FLAGS = {
    "truncated": "answers that are cut at a limit on their size, and so may lack right rows",
    "whole_rows": "questions with too many rows to match them in part, so that row-major counts whole ones",
}
"""What is said of questions with such a flag."""


def evaluate_answers(
    suite: Suite,
    answers: Mapping[str, Answer] | Mapping[str, Mapping[str, Answer]],
    *,
    gold: Mapping[str, Answer] | None = None,
    convention: str = "row-major",
    language: str = "ignore",
    labels: str = "leave-out",
    measures: Measures = DEFAULT,
    left_out: Mapping[str, str] | None = None,
    ties: Mapping[str, Ties] | None = None,
    interval: float | None = 0.95,
    seed: int = 0,
    by: str | Sequence[str] = (),
    name: str = "answers",
) -> AnswersEvaluation:
    """Judge answers by the right ones.

    An error or a time-out scores 0 and is counted; it is never an empty answer. A question that an answers file does
    not hold is absent and scores 0, too.

    Parameters
    ----------
    suite, answers
        The questions, and the answer to each by its id; or several systems, `{name: answers}`.
    gold
        Right answers by question, such as those of the gold queries on another graph; they go before the suite's own.
    convention
        The one that is shown first and says what is answerable: a name of `CONVENTIONS`. All others stand beside it.
    language, labels
        When two terms are alike: `Matching`.
    measures
        Ranking measures over rows, or over values where the convention pools them.
    left_out
        Questions that leave every figure, with the reason, such as `SuiteHealth.left_out()`. Questions without a
        known answer leave it, too.
    ties
        Of questions whose gold query cuts a tie by its LIMIT: all rows that are right. Each answer is held against
        the right answer that it has most in common with.
    interval, seed
        The confidence of intervals (Wilson's of shares, the bootstrap's of means and of the chosen convention), None
        for none; and where resampling starts.
    by
        Keys of the suite's questions, such as "type" or ["type", "hops"]: also the figures of each group.
    name
        What the system is called, where there is one.

    Raises
    ------
    AssayError
        A convention that does not exist, a suite without any known answer, answers to none of its questions.

    >>> from assay.core.terms import iri
    >>> rows = [((iri("a"),),), ((iri("b"),), (iri("c"),))]
    >>> gold = [Answer("answered", ("x",), one) for one in rows]
    >>> suite = Suite("two", tuple(Question(f"q{n}", gold=one) for n, one in enumerate(gold)))
    >>> found = evaluate_answers(suite, {"q0": gold[0], "q1": Answer("timeout")}, interval=None)
    >>> found.systems[0].count("timeout").count, found.systems[0].figure("row-major").f1.value
    (1, 0.5)
    """
    chosen, matching = convention_of(convention), Matching(language, labels)
    _check(interval, seed)
    right, without = _right(suite, gold, dict(left_out or {}))
    task = _Task(suite, right, without, chosen, matching, ties or {}, measures, interval, seed)
    judged = [task.system(label, given) for label, given in _named(answers, name)]
    systems = tuple(one for one, _ in judged)
    groups = tuple(task.groups([by] if isinstance(by, str) else by, [asked for _, asked in judged]))
    return AnswersEvaluation(
        suite.name, suite.path, len(suite), chosen.name, says(), {"language": language, "labels": labels}, systems,
        without, interval, seed, task.weighted, groups, tuple(task.notices(systems)),
    )  # fmt: skip


def _check(interval: float | None, seed: int) -> None:
    if interval is not None and not 0 < interval < 1:
        msg = f"interval: expected a confidence between 0 and 1, found {interval:g}"
        raise ParameterError(msg, hint="0.95 is usual.")
    if seed < 0:
        raise ParameterError(f"seed: expected a whole number of at least 0, found {seed}")


def _named(answers: Mapping[str, object], name: str) -> list[tuple[str, Mapping[str, Answer]]]:
    """Return the systems with their names: one, or several."""
    if any(isinstance(one, Answer) for one in answers.values()) or not answers:
        return [(name, answers)]  # type: ignore[list-item]
    return list(answers.items())  # type: ignore[arg-type]


def _right(
    suite: Suite, gold: Mapping[str, Answer] | None, left_out: dict[str, str]
) -> tuple[dict[str, Answer], dict[str, str]]:
    """Return the right answers of the questions that are judged, and why others are not.

    Raises
    ------
    InputError
        Nothing is left to judge by.
    """
    right: dict[str, Answer] = {}
    without: dict[str, str] = {}
    for question in suite.questions:
        known = (gold or {}).get(question.name, question.gold)
        if question.name in left_out:
            without[question.name] = left_out[question.name]
        elif known is None:
            without[question.name] = UNKNOWN
        elif not known.answered:
            without[question.name] = f"its gold query gave no answer ({known.status})"
        else:
            right[question.name] = known
    if not right:
        why = ", ".join(f"{reason} ({count:,})" for reason, count in Counter(without.values()).most_common(3))
        msg = f"{suite.path or suite.name}: expected a question with right answers, found none: {why or 'no questions'}"
        raise InputError(msg, hint="gold queries need a graph: assay answers run SUITE --gold-graph FILE.")
    return right, without


@dataclass(frozen=True, eq=False)
class _Task:
    """What all systems are judged by."""

    suite: Suite
    right: Mapping[str, Answer]
    left_out: Mapping[str, str]
    chosen: Convention
    matching: Matching
    ties: Mapping[str, Ties]
    measures: Measures
    level: float | None
    seed: int

    @cached_property
    def questions(self) -> list[Question]:
        """The questions that are judged, in the order of their ids."""
        kept = (one for one in self.suite.questions if one.name in self.right)
        return sorted(kept, key=lambda one: one.name.encode())

    @cached_property
    def weights(self) -> Floats:
        return np.array([one.weight for one in self.questions], np.float64)

    @property
    def weighted(self) -> bool:
        """Whether questions weigh differently."""
        return len(set(self.weights.tolist())) > 1

    @property
    def conventions(self) -> list[Convention]:
        """All conventions, the chosen one first."""
        return [self.chosen, *(one for one in CONVENTIONS.values() if one != self.chosen)]

    def system(self, name: str, answers: Mapping[str, Answer]) -> tuple[SystemAnswers, list[Asked]]:
        """Return a system judged, and its questions one by one."""
        if answers and not any(one.name in answers for one in self.suite.questions):
            some = f"{next(iter(answers))!r} and not {self.suite.questions[0].name!r}"
            raise InputError(f"{name}: expected answers to questions of {self.suite.name}, found none: {some}")
        rankings: list[Ranking] = []
        asked = [self._asked(question, answers.get(question.name), rankings) for question in self.questions]
        weights = {one.name: one.weight for one in self.questions} if self.weighted else None
        ranked = evaluated(
            rankings, self.measures, name=name, weights=weights, interval=self.level, seed=self.seed
        )  # fmt: skip
        shown = [figures(self.chosen, asked, self.weights, self.level, self.seed)]
        shown += [figures(one, asked, self.weights, None, self.seed) for one in self.conventions[1:]]
        counts = counted([one.outcome for one in asked], self.weights if self.weighted else None, self.level)
        return SystemAnswers(name, counts, tuple(shown), ranked, tuple(one.outcome for one in asked)), asked

    def groups(self, keys: Sequence[str], systems: Sequence[Sequence[Asked]]) -> Iterator[GroupFigures]:
        """Yield the figures of each group of questions, groups in the order of their names.

        Raises
        ------
        InputError
            A key that no question has.
        """
        known = sorted({key for one in self.questions for key in one.groups})
        for key in keys:
            if key not in known:
                raise InputError(f"by: expected one of {', '.join(known) or 'no keys at all'}, found {key!r}")
            for value in sorted({one.groups.get(key, "") for one in self.questions}, key=str.encode):
                places = [n for n, one in enumerate(self.questions) if one.groups.get(key, "") == value]
                parts = ([asked[place] for place in places] for asked in systems)
                loads = self.weights[places]
                made = tuple(figures(self.chosen, part, loads, self.level, self.seed) for part in parts)
                yield GroupFigures(key, value or "(none)", made)

    def _asked(self, question: Question, found: Answer | None, rankings: list[Ranking]) -> Asked:
        """Return one question judged, and append it as a ranking where it is one."""
        gold = self._gold(question, found)
        given = found if found is not None and found.answered else None
        overlap = overlaps(gold, given or Answer("answered"), self.matching)
        scores = {c.name: score(c, overlap[c.unit], failed=given is None) for c in self.conventions}
        made = ranking(question.name, gold, given, self.matching, by_value=self.chosen.unit == "value")
        if made is not None:
            rankings.append(made)
        order = None if made is None else made.order
        return Asked(self._outcome(question, found, overlap, scores, order), overlap, scores)

    def _gold(self, question: Question, found: Answer | None) -> Answer:
        gold, ties = self.right[question.name], self.ties.get(question.name)
        if ties is None or ties.stable or found is None or not found.answered:
            return gold
        return ties.nearest(found, lambda row: tuple(None if term is None else self.matching.key(term) for term in row))

    def _outcome(
        self, question: Question, found: Answer | None, overlap: Mapping[str, Overlap], scores: Mapping[str, Score],
        order: float | None,
    ) -> QuestionOutcome:  # fmt: skip
        said, counts = scores.get(self.chosen.name, NONE), overlap[self.chosen.unit]
        outcome: Outcome = "absent" if found is None else found.status
        given = Answer("error") if found is None else found
        return QuestionOutcome(
            question.name, question.text, outcome, given.empty, counts.found, counts.gold, counts.hits, said.precision,
            said.recall, said.f1, {name: one.f1 for name, one in scores.items()}, order, given.seconds, given.message,
            given.truncated, overlap["row-partial"].whole, question.weight, dict(question.groups),
        )  # fmt: skip

    def notices(self, systems: Sequence[SystemAnswers]) -> Iterator[str]:
        """Yield what a reader of the figures should know."""
        empty = sum(1 for one in self.right.values() if one.empty)
        if empty:
            yield (
                f"nothing is right for {empty:,} of {amounts.counted(len(self.right), 'question')}: a "
                "system that answers nothing at "
                f"all scores {self._silence()}; row conventions, set and ranking measures leave them out."
            )
        tied = [name for name in self.right if name in self.ties and not self.ties[name].stable]
        if tied:
            named = ", ".join(tied[:5]) + (" …" if len(tied) > 5 else "")
            yield (
                f"a limit cuts a tie in {amounts.counted(len(tied), 'question')}, judged by the "
                f"nearest right answer: {named}."
            )
        if self.level is not None and len(self.right) < FEW:
            yield (
                f"{amounts.counted(len(self.right), 'question is', 'questions are')} few: "
                f"intervals are rough below {FEW}."
            )
        for flag, said in FLAGS.items():
            counts = [(one.name, sum(getattr(question, flag) for question in one.questions)) for one in systems]
            if any(many for _, many in counts):
                yield f"{said}: {', '.join(f'{name} {many:,}' for name, many in counts if many)}."

    def _silence(self) -> str:
        """Return what answering nothing scores under the conventions that count an empty gold."""
        nothing = Answer("answered")
        asked = [self._asked(question, nothing, []) for question in self.questions]
        found = [figures(one, asked, self.weights, None, 0) for one in CONVENTIONS.values() if one.empty]
        return ", ".join(f"{one.f1.value or 0:.4f} by {one.convention}" for one in found)
