"""`gaps`: failed questions and missing facts joined, so that what costs most answers is fetched or mended first."""

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from assay.core.answers import Answer, Question, Suite
from assay.core.answers_evaluation import AnswersEvaluation, QuestionOutcome
from assay.core.completeness import Completeness
from assay.core.gaps import Failure, Gaps, MissingFact, PredicateGap
from assay.core.progress import Progress
from assay.core.validity import Validity
from assay.errors import InputError
from assay.graph.gaps.breaks import missing_facts
from assay.graph.gaps.curve import REPEATS, curve_of
from assay.graph.gaps.failures import Known, explain_failure, failed, known_of, said_of
from assay.graph.gaps.lost import lost_facts, missing_of
from assay.graph.gaps.needs import Needs, by_facts, by_reference
from assay.graph.gaps.resting import resting_on
from assay.graph.sparql.asking import Graph
from assay.report.amounts import counted


def gaps(
    graph: Graph,
    suite: Suite,
    answers: Mapping[str, Answer],
    evaluation: AnswersEvaluation,
    *,
    gold: Mapping[str, Answer] | None = None,
    reference: Graph | None = None,
    completeness: Completeness | None = None,
    validity: Validity | None = None,
    indexed: Collection[str] | None = None,
    shares: Sequence[float] = (),
    repeats: int = REPEATS,
    seed: int = 0,
    level: float = 0.95,
    progress: Progress | None = None,
) -> Gaps:
    """Say why questions failed, and which facts to fetch first.

    Parameters
    ----------
    graph
        The graph that was asked.
    suite, answers, evaluation
        Questions, what was answered, and `evaluate_answers` of it; of several systems the first.
    gold
        Right answers that go before those of the suite.
    reference
        A more complete graph: names the facts that right answers rest on and the graph lacks. Else, and for questions
        whose answers cannot be traced in it, the facts that the suite gives do; else the place where a query breaks
        off.
    completeness, validity
        Measured before: how complete properties are, and which links are invalid.
    indexed
        IRIs that a search can return, where text was asked.
    shares, repeats, seed
        Of statements that the measured curve keeps: `curve_of`, on the reference where there is one. None: no curve.
    level
        Confidence of intervals.

    Raises
    ------
    InputError
        The evaluation is of other questions.
    QueryError
        The graph does not answer what it uses.

    >>> from assay.graph.sparql.store import Store
    >>> from assay.tasks.answers.evaluate import evaluate_answers
    >>> graph, full = (
    ...     Store.of("@prefix : <http://x/> . :c :town :e . :a :boss :b ." + more) for more in ("", ":b :town :d .")
    ... )
    >>> one = Question("1", gold_query="SELECT ?t { <http://x/a> <http://x/boss>/<http://x/town> ?t }")
    >>> suite, answers, gold = Suite("s", (one,)), {"1": graph.ask(one.asked)}, {"1": full.ask(one.asked)}
    >>> found = gaps(graph, suite, answers, evaluate_answers(suite, answers, gold=gold), gold=gold, reference=full)
    >>> found.failures[0].cause, found.missing[0].key, found.missing[0].lost
    ('missing fact', ('<http://x/b>', 'http://x/town', '<http://x/d>'), 1.0)
    """
    work = _Work.of(graph, suite, evaluation, gold or {})
    wrong = validity.invalid if validity else frozenset()
    searched = {} if indexed is None else work.gold
    known = known_of(graph, work.questions, searched, invalid=wrong, indexed=indexed)
    needs = work.needs(reference, known.predicates)
    failures, broken = work.failures(replace(known, facts=needs.costly()))
    missing = _ranked([*needs.missing({one.name: one.weight for one in work.questions}), *broken])
    curve = None
    if shares:
        whole = graph if reference is None else reference
        curve = curve_of(whole, work.questions, shares=shares, repeats=repeats, seed=seed, progress=progress)
    resting = None
    if validity is not None and indexed is None:
        resting = resting_on(graph, work.questions, answers, work.gold, wrong, level=level)
    ordered = tuple(sorted(failures, key=lambda one: (-one.lost, one.question.encode())))
    return Gaps(
        graph.name, suite.path or suite.name, len(work.questions), work.recall, ordered, missing,
        tuple(_by_predicate(missing, _ratios(completeness))), curve, resting,
        tuple(_notices(work, needs, missing, validity, with_reference=reference is not None)),
    )  # fmt: skip


@dataclass(frozen=True, slots=True)
class _Work:
    """The questions that were judged, and what came of each."""

    graph: Graph
    questions: tuple[Question, ...]
    outcomes: Mapping[str, QuestionOutcome]
    gold: Mapping[str, Answer] = field(default_factory=dict)

    @classmethod
    def of(cls, graph: Graph, suite: Suite, evaluation: AnswersEvaluation, gold: Mapping[str, Answer]) -> "_Work":
        outcomes = {one.name: one for one in evaluation.systems[0].questions}
        questions = tuple(one for one in suite.questions if one.name in outcomes)
        if not questions:
            raise InputError(f"{suite.path or suite.name}: expected the questions that were judged, found none of them")
        right = {one.name: found for one in questions if (found := gold.get(one.name, one.gold)) is not None}
        return cls(graph, questions, outcomes, right)

    @property
    def recall(self) -> float | None:
        """The mean recall of the questions, weighed by demand."""
        known = [(one.weight, recall) for one in self.questions if (recall := self._recall(one)) is not None]
        total = sum(weight for weight, _ in known)
        return sum(weight * recall for weight, recall in known) / total if total else None

    def _recall(self, question: Question) -> float | None:
        return self.outcomes[question.name].recall

    def needs(self, reference: Graph | None, used: Iterable[str]) -> Needs:
        """Return the facts that are missing, as a reference tells, and of other questions the suite."""
        needs, rest = Needs(), self.questions
        if reference is not None:
            by_reference(needs, self.questions, reference, self.graph)
            rest = tuple(one for one in self.questions if one.name in needs.untraced)
        by_facts(needs, rest, self.graph, {one.name: self._recall(one) for one in rest}, used)
        return needs

    def failures(self, known: Known) -> tuple[list[Failure], list[MissingFact]]:
        """Return why each question failed, and what queries looked for where they broke off."""
        failures, missing = [], list[MissingFact]()
        for question in self.questions:
            outcome = self.outcomes[question.name]
            if failed(outcome):
                one, broken = explain_failure(question, outcome, known)
                lost = self._unreached(question, one, known)
                failures.append(replace(one, cause="missing fact", evidence=said_of(lost)) if lost else one)
                missing += lost
                missing += missing_facts(broken, question.name, question.weight, one.lost) if broken else []
        return failures, missing

    def _unreached(self, question: Question, failure: Failure, known: Known) -> list[MissingFact]:
        """Return what may be missing where nothing else says why right answers were not found."""
        right = self.gold.get(question.name)
        if failure.cause != "answers differ" or known.indexed is not None or right is None or not right.rows:
            return []
        query = question.gold_query or question.query
        return missing_of(lost_facts(query, right, self.graph), question.name, question.weight, len(set(right.rows)))


def _ranked(facts: Iterable[MissingFact]) -> tuple[MissingFact, ...]:
    """Return facts, each once, the most costly first."""
    together: dict[tuple[object, ...], list[MissingFact]] = defaultdict(list)
    for one in facts:
        together[one.subject, one.predicate, one.object, one.source].append(one)
    merged = (
        replace(
            same[0], demand=sum(one.demand for one in same), lost=sum(one.lost for one in same),
            questions=tuple(sorted({name for one in same for name in one.questions}, key=str.encode)),
        )
        for same in together.values()
    )  # fmt: skip
    return tuple(sorted(merged, key=lambda one: (-one.lost, -one.demand, one.key)))


def _by_predicate(missing: Iterable[MissingFact], ratios: Mapping[str, float | None]) -> Iterator[PredicateGap]:
    """Yield what is missing of each property, the most costly first; a question counts once."""
    each: dict[str, list[MissingFact]] = defaultdict(list)
    for one in missing:
        each[one.predicate].append(one)
    found = (
        PredicateGap(
            name, len(facts), len({question for one in facts for question in one.questions}),
            sum(one.demand for one in facts), sum(one.lost for one in facts), ratios.get(name),
        )
        for name, facts in each.items()
    )  # fmt: skip
    yield from sorted(found, key=lambda one: (-one.lost, -one.demand, one.predicate))


def _ratios(completeness: Completeness | None) -> dict[str, float | None]:
    if completeness is None:
        return {}
    demand = completeness.demand.wanted if completeness.demand else ()
    return {one.predicate: one.ratio for one in demand} | {
        one.predicate: one.ratio for one in completeness.relations if one.ratio is not None
    }


def _notices(
    work: _Work, needs: Needs, missing: Sequence[MissingFact], validity: Validity | None, *, with_reference: bool
) -> Iterator[str]:
    if needs.untraced:
        reasons = Counter(needs.untraced.values()).most_common()
        said = ", ".join(f"{reason} ({many:,})" for reason, many in reasons)
        yield f"What answers rest on was not traced for {counted(len(needs.untraced), 'question')}: {said}."
    more = sum(
        one.outcome == "answered" and one.recall == 1 and (one.precision or 0) < 1 for one in work.outcomes.values()
    )
    if more:
        which = counted(more, "question; it is", "questions; they are")
        yield f"All that is right, and more, was found for {which} not among the failed ones."
    if not with_reference and not any(one.facts for one in work.questions):
        yield (
            "Neither a reference nor facts of the suite say what is missing: what is listed is where queries break "
            "off, or what one pattern of them does not find."
        )
    if validity is not None and validity.predicates is None:
        yield "Not every invalid link is known, there are too many: more answers may rest on them."
    silent = sum(one.lost == 0 for one in missing)
    if silent:
        yield (
            f"{counted(silent, 'missing fact costs', 'missing facts cost')} no answer yet: "
            "other proofs stand in for them."
        )
