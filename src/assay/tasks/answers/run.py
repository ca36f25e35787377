"""`run_suite`: ask a graph, or anything that answers, the questions of a suite; what is answered stays answered."""

import hashlib
import json
import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from dataclasses import replace
from pathlib import Path
from typing import Literal

from assay.core.answers import Answer, Question, Suite
from assay.core.progress import Progress
from assay.errors import InputError, ParameterError
from assay.graph.sparql.asking import Graph
from assay.graph.sparql.modifiers import Modifiers

Ask = Callable[[Question], Answer]
"""Whatever answers a question: a search service, a system that makes SPARQL of text."""
Which = Literal["asked", "gold"]
FAILED = Answer("answered", boolean=True)
"""A right answer that no failure gives."""
NO_QUERY = "the suite gives no SPARQL for it"


def run_suite(
    suite: Suite,
    graph: Graph,
    *,
    which: Which = "asked",
    search: Ask | None = None,
    resume: str | os.PathLike[str] | None = None,
    again: bool = False,
    concurrency: int = 1,
    progress: Progress | None = None,
) -> dict[str, Answer]:
    """Return the answer to each question of a suite, by the question's id and in the suite's order.

    An error or a time-out is an answer with that status. Each answer is written to `resume` when it comes; what stands
    there already is not asked again, so that a run that was ended, however it was, goes on where it stopped.

    Parameters
    ----------
    graph
        What is asked: `Store`, `Worker`, `Endpoint`.
    which
        `asked`: the system's SPARQL, and without one that of the gold standard. `gold`: that of the gold standard;
        questions without one are left out.
    search
        Answers questions in place of SPARQL, from their text.
    resume
        A file of answers, made where there is none.
    again
        Ask those of it once more that were errors and time-outs.
    concurrency
        How many questions are asked at once.
    progress
        Told how many questions are done.

    Raises
    ------
    InputError
        A file of answers to other questions, or of another graph.

    >>> from assay.graph.sparql.store import Store
    >>> suite = Suite("s", (Question("1", query="SELECT ?x { ?x ?p 1 } ORDER BY ?x"), Question("2", query="SELEC")))
    >>> found = run_suite(suite, Store.of("<http://x/a> <http://x/p> 1 ."))
    >>> found["1"].rows[0][0].value, found["1"].ordered, found["2"].status
    ('http://x/a', True, 'error')
    """
    if concurrency < 1:
        msg = f"concurrency: expected 1 or more, found {concurrency}"
        raise ParameterError(msg)
    questions = [one for one in suite.questions if which == "asked" or one.gold_query]
    kept = None if resume is None else _Kept.open(Path(resume), about(questions, graph, which, search), again=again)
    known = {} if kept is None else dict(kept.answers)
    left = [one for one in questions if one.name not in known]
    for name, answer in _asked(left, search or _by_sparql(graph, which), concurrency):
        known[name] = answer
        if kept is not None:
            kept.add(name, answer)
        if progress is not None:
            progress(len(known), len(questions))
    return {one.name: known[one.name] for one in questions}


def about(questions: Sequence[Question], graph: Graph, which: Which, search: Ask | None) -> dict[str, str]:
    """Return what answers are answers to: a digest of the questions, and what was asked."""
    asked = [(one.name, one.text if search else _query(one, which)) for one in questions]
    digest = hashlib.sha256(json.dumps(asked, ensure_ascii=False).encode("utf-8", "surrogatepass")).hexdigest()
    how = {} if search is None else {"search": str(getattr(search, "name", "search"))}
    return {"questions": digest, "graph": str(getattr(graph, "identity", graph.name)), **how}


class _Kept:
    """A file of answers that grows while they come."""

    def __init__(self, path: Path, answers: Mapping[str, Answer]) -> None:
        self._path = path
        self.answers = answers

    @classmethod
    def open(cls, path: Path, said: Mapping[str, str], *, again: bool) -> "_Kept":
        """Return what a file holds already; begin it where there is none."""
        from assay.formats.answer_files import read_answers, write_answers

        if not path.parent.is_dir():
            msg = f"{path}: expected a folder to write into, found none called {str(path.parent)!r}"
            raise InputError(msg, hint=f"mkdir -p {path.parent}")
        if not path.exists() or (path.is_file() and path.stat().st_size == 0):
            write_answers(path, {}, said)
            return cls(path, {})
        found = read_answers(path)
        _check_same(path, found.about, said)
        answers = {name: one for name, one in found.answers.items() if one.answered or not again}
        if len(answers) < len(found.answers):
            write_answers(path, answers, said)
        return cls(path, answers)

    def add(self, name: str, answer: Answer) -> None:
        """Write one answer behind the others."""
        from assay.formats.answer_files import append_answer

        append_answer(self._path, name, answer)


def _check_same(path: Path, found: Mapping[str, str], said: Mapping[str, str]) -> None:
    """Refuse to go on with a file of something else, whose answers would be mixed with these."""
    if found == said:
        return
    hint = "name another file of answers, or remove this one."
    if not found:
        msg = f"{path}: expected answers of a run that can go on, found a file that does not say what was asked"
        raise InputError(msg, hint=hint)
    other = next(key for key in ("search", "graph", "questions", *found) if said.get(key) != found.get(key))
    if other == "questions":
        msg = f"{path}: expected answers to these questions, found answers to other ones"
    else:
        msg = (
            f"{path}: expected answers of {said.get(other) or 'SPARQL'}, found those of {found.get(other) or 'SPARQL'}"
        )
    raise InputError(msg, hint=hint)


def _by_sparql(graph: Graph, which: Which) -> Ask:
    def ask(question: Question) -> Answer:
        query = _query(question, which)
        if not query.strip():
            return Answer("error", message=NO_QUERY)
        found = graph.ask(query)
        return replace(found, ordered=True) if found.rows and Modifiers.of(query).order else found

    return ask


def _query(question: Question, which: Which) -> str:
    return question.asked if which == "asked" else question.gold_query


def _asked(questions: Sequence[Question], ask: Ask, concurrency: int) -> Iterator[tuple[str, Answer]]:
    """Yield answers as they come; when this ends early, what is not yet asked is not asked."""
    if concurrency == 1:
        yield from ((one.name, ask(one)) for one in questions)
        return
    pool = ThreadPoolExecutor(concurrency)
    try:
        names = {pool.submit(ask, one): one.name for one in questions}
        for future in as_completed(names):
            yield names[future], future.result()
    finally:
        pool.shutdown(wait=False, cancel_futures=True)


def gold_answers(
    suite: Suite, graph: Graph, found: Mapping[str, Answer], *, searched: bool = False, concurrency: int = 1
) -> tuple[dict[str, Answer], int]:
    """Return right answers to the questions to which the suite gives none: those of their gold queries, on this graph.

    Also how many of them are, by the way they were asked, the very answers that were `found`: these say nothing of
    whether an answer is right. Where such a query failed, nobody knows what is right: `FAILED` stands for it, so that
    the failure is counted and scores 0. `searched` says that no SPARQL was asked.
    """
    without = [one for one in suite.questions if one.gold is None and one.gold_query]
    same = [] if searched else [one for one in without if one.asked == one.gold_query and one.name in found]
    names = {one.name for one in same}
    other = replace(suite, questions=tuple(one for one in without if one.name not in names))
    asked = run_suite(other, graph, which="gold", concurrency=concurrency)
    own = {one.name: found[one.name] if found[one.name].answered else FAILED for one in same}
    return asked | own, len(same)
