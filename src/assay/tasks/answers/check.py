"""Which right answers of a suite may be trusted: gold queries asked again, ties at limits, a second engine."""

from collections.abc import Iterator
from dataclasses import replace

from assay.core.answers import Answer, Question, Row, Suite
from assay.core.progress import Progress
from assay.core.suite_health import GoldFinding, QuestionHealth, SuiteHealth, Ties, in_order
from assay.graph.sparql.asking import Graph, QueryError
from assay.graph.sparql.modifiers import Modifiers
from assay.report.amounts import counted
from assay.tasks.answers.changes import Changes
from assay.tasks.answers.ties import UnstableError, find_ties
from assay.tasks.answers.wording import repeated, window_in_words

EXAMPLES = 5
"""How many rows a finding shows."""


def check_suite(
    suite: Suite, graph: Graph | None = None, other: Graph | None = None, *, progress: Progress | None = None
) -> SuiteHealth:
    """Say which right answers of a suite may be trusted, and what is the matter with the others.

    Each gold query is asked again. Its answer is held against the one that the suite gives (rows count once, terms
    by value), and against that of a second engine; a query with an order or a limit is asked without its limit as
    well, to see whether the limit cuts through rows that are tied.

    Parameters
    ----------
    graph
        What the gold queries are asked of; without, only what the suite itself says is looked at.
    other
        A second engine over the same data.
    progress
        Told how many questions are done.

    >>> from assay.graph.sparql.store import Store
    >>> suite = Suite("one", (Question("1", gold_query="SELECT ?x { ?x a <http://x/Unicorn> }"),))
    >>> check_suite(suite, Store.of("<http://x/a> a <http://x/Horse> .")).left_out()
    {'1': 'empty: the gold query finds nothing'}
    """
    again = repeated(suite)
    found = []
    for done, question in enumerate(suite.questions, 1):
        found.append(_checked(question, graph, other, again.get(question.name)))
        if progress is not None:
            progress(done, len(suite))
    names = [None if one is None else one.name for one in (graph, other)]
    return SuiteHealth(suite.name, names[0], tuple(found), names[1], tuple(_notices(suite, graph)))


def _checked(question: Question, graph: Graph | None, other: Graph | None, again: str | None) -> QuestionHealth:
    asked = graph.ask(question.gold_query) if graph is not None and question.gold_query else None
    second = other.ask(question.gold_query) if other is not None and question.gold_query else None
    truth = asked if asked is not None and asked.answered else question.gold
    found = [*_of_gold(question, asked, truth), *_of_words(question, again)]
    ties = None
    if graph is not None and asked is not None and asked.answered:
        try:
            ties = find_ties(question.gold_query, graph, asked.columns)
        except UnstableError as error:
            found.append(GoldFinding("unstable", error.message))
        except QueryError as error:
            found.append(GoldFinding("undecided", f"without its limit the query is not answered: {error.message}"))
        found += [*_of_ties(ties), *_of_given(question.gold, asked, ties), *_of_second(second, asked, ties)]
    looked_at = tuple(_looked_at(question, asked, second, truth))
    return QuestionHealth(question.name, question.text, _size(truth), looked_at, in_order(found), ties)


def _looked_at(question: Question, asked: Answer | None, second: Answer | None, truth: Answer | None) -> Iterator[str]:
    """Yield the code of each thing that could be looked at."""
    modifiers = Modifiers.of(question.gold_query)
    answered = asked is not None and asked.answered
    could = {
        "missing": True,
        "error": asked is not None,
        "timeout": asked is not None,
        "empty": truth is not None,
        "stale": answered and question.gold is not None,
        "tie-cut": answered and modifiers.cuts,
        "unstable": answered and bool(modifiers.order),
        "engine-dependent": answered and second is not None and second.status != "timeout",
        "undecided": answered,
        "duplicate": True,
        "window": modifiers.limit is not None and bool(question.text),
    }
    yield from (code for code, looked in could.items() if looked)


def _of_gold(question: Question, asked: Answer | None, truth: Answer | None) -> Iterator[GoldFinding]:
    if question.gold is None and not question.gold_query:
        yield GoldFinding("missing", "the suite gives neither answers nor a gold query")
    if asked is not None and not asked.answered:
        yield GoldFinding(asked.status, asked.message or "the graph says no more")
    if truth is not None and _holds_nothing(truth):
        yield GoldFinding("empty", "the gold query finds nothing" if truth is asked else "the suite gives no answer")


def _of_words(question: Question, again: str | None) -> Iterator[GoldFinding]:
    if again is not None:
        yield GoldFinding("duplicate", again)
    if (said := window_in_words(question)) is not None:
        yield GoldFinding("window", said)


def _of_ties(ties: Ties | None) -> Iterator[GoldFinding]:
    """Say where a limit cuts through rows that are tied."""
    if ties is None or ties.stable:
        return
    parts, place = [], 0
    for group in ties.groups:
        first, place = place + 1, place + len(group.rows)
        if group.cut:
            tied = f"rows {first:,} to {place:,} are tied" if ties.ordered else f"no order for {counted(place, 'row')}"
            parts.append(f"{tied}, {group.taken:,} of them {'is' if group.taken == 1 else 'are'} taken")
    yield _found("tie-cut", "; ".join(parts), ties.cut[-1].rows)


def _of_given(given: Answer | None, asked: Answer, ties: Ties | None) -> Iterator[GoldFinding]:
    """Hold what was asked against what the suite gives."""
    if asked.truncated:
        yield GoldFinding("undecided", f"more than {counted(len(asked.rows), 'row')}, which are not compared")
    elif given is not None and (changes := Changes.of(given, asked, ties)).any:
        yield _found(
            "stale", _said(changes, "given and not found", "found and not given"), changes.lost + changes.added
        )


def _of_second(second: Answer | None, asked: Answer, ties: Ties | None) -> Iterator[GoldFinding]:
    """Hold what was asked against what the second engine says."""
    if second is None or asked.truncated:
        return
    if second.status == "timeout":
        yield GoldFinding("undecided", "the second engine takes too long")
    elif not second.answered:
        yield GoldFinding("engine-dependent", f"the second engine fails: {second.message}")
    elif (changes := Changes.of(replace(second, ordered=True), asked, ties)).any:
        said = _said(changes, "only from the second", "only from the first")
        yield _found("engine-dependent", said, changes.lost + changes.added)


def _said(changes: Changes, lost: str, added: str) -> str:
    counts = ((len(changes.lost), lost), (len(changes.added), added))
    parts = [f"{count:,} row{'' if count == 1 else 's'} {what}" for count, what in counts if count]
    return ", ".join(parts) or changes.said


def _found(code: str, detail: str, rows: tuple[Row, ...]) -> GoldFinding:
    return GoldFinding(code, detail, tuple(map(_shown, rows[:EXAMPLES])))


def _holds_nothing(answer: Answer) -> bool:
    """Whether no row holds a value: an aggregate over nothing has a row all the same."""
    return answer.answered and answer.boolean is None and all(cell is None for row in answer.rows for cell in row)


def _size(answer: Answer | None) -> int | None:
    if answer is None or not answer.answered:
        return None
    return len(answer.rows) if answer.boolean is None else 1


def _shown(row: Row) -> str:
    return " | ".join("-" if term is None else term.n3 for term in row)


def _notices(suite: Suite, graph: Graph | None) -> Iterator[str]:
    queries = sum(bool(question.gold_query) for question in suite.questions)
    if graph is None and queries:
        yield f"No graph was asked: {counted(queries, 'gold query was', 'gold queries were')} not executed."
    inner = [one.name for one in suite.questions if Modifiers.of(one.gold_query).inner_limit]
    if inner:
        yield f"Limits inside sub-selects are not looked into: {', '.join(inner[:EXAMPLES])}."
