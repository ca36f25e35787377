"""What the words of a question say about its gold query: the places asked for, and questions asked twice."""

import re

from assay.core.answers import Question, Suite
from assay.graph.sparql.modifiers import Modifiers, normalised

COUNTS = ("one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")
PLACES = re.compile(r"(?i)\b(\d+)(?:st|nd|rd|th)\s*(?:to|-|–|until|through)\s*(?:the\s+)?(\d+)(?:st|nd|rd|th)\b")
TOP = re.compile(rf"(?i)\btop[\s-]*(\d+|{'|'.join(COUNTS)})\b")


def window_in_words(question: Question) -> str | None:
    """Return what is the matter where the text asks for other places than the query takes; else None.

    >>> text = "The 6th to 10th most expensive parts?"
    >>> window_in_words(Question("29", text, gold_query="SELECT ?x { ?x ?y ?z } ORDER BY ?z LIMIT 5 OFFSET 10"))
    'the text says places 6 to 10, the query takes 11 to 15'
    """
    found = Modifiers.of(question.gold_query)
    if found.limit is None:
        return None
    taken = (found.offset + 1, found.offset + found.limit)
    said = _places(question.text)
    if said is None or said == taken:
        return None
    return f"the text says places {said[0]} to {said[1]}, the query takes {taken[0]} to {taken[1]}"


def _places(text: str) -> tuple[int, int] | None:
    if (found := PLACES.search(text)) is not None:
        return int(found[1]), int(found[2])
    if (found := TOP.search(text)) is not None:
        word = found[1].lower()
        return 1, COUNTS.index(word) + 1 if word in COUNTS else int(word)
    return None


def repeated(suite: Suite) -> dict[str, str]:
    """Return the questions that were asked before, each with what it repeats.

    >>> repeated(Suite("two", (Question("1", "Who is it?"), Question("2", "who  is it?"))))
    {'2': 'same text as 1'}
    """
    first: dict[tuple[str, str], str] = {}
    found: dict[str, str] = {}
    for question in suite.questions:
        said = {"text": " ".join(question.text.casefold().split()), "query": normalised(question.gold_query)}
        same = [
            f"same {what} as {first[what, value]}" for what, value in said.items() if value and (what, value) in first
        ]
        if same:
            found[question.name] = ", ".join(same)
        for what, value in said.items():
            first.setdefault((what, value), question.name)
    return found
