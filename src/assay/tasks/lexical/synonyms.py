"""`Synonyms`: words that stand for each other, from a user's file, as a way to expand queries."""

import json
import os
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from assay.errors import FormatError, InputError
from assay.formats.documents import parsed
from assay.formats.source import Source
from assay.tasks.lexical.analysis import Analyzer
from assay.tasks.lexical.feedback.naming import checked, labelled
from assay.tasks.lexical.search import Searcher, Weighted

WEIGHT = 0.5


@dataclass(frozen=True, slots=True)
class Rule:
    """Texts that may stand for `left`; `instead` takes the left one out, as `=>` of Solr does."""

    left: str
    right: tuple[str, ...]
    instead: bool = False


@dataclass(frozen=True, slots=True)
class Synonyms:
    """Queries get the words that stand for theirs.

    A rule holds for a query that has all terms of its left side, after analysis as the documents were. Each text of
    its right side then adds its terms: `weight` times the mean weight of the matched terms, split evenly over the
    terms of the text. Rules see the query as it was asked, never what other rules added; where several add the same
    term, the highest weight counts. A term that the query has stays as it is, unless a rule says `=>`, which takes the
    terms of its left side out, and what it puts in their place weighs all they did.

    >>> from assay.core.texts import Documents
    >>> from assay.tasks.lexical.index import Index
    >>> searcher = Searcher(Index.build(Documents.of({"x": "heart attack", "y": "infarct"})))
    >>> Synonyms((Rule("heart attack", ("infarct",)),)).expand(searcher, {"1": {"heart": 1.0, "attack": 1.0}})
    {'1': {'heart': 1.0, 'attack': 1.0, 'infarct': 0.5}}
    """

    rules: tuple[Rule, ...]
    weight: float = WEIGHT
    name: str = "synonyms"

    def expand(self, searcher: Searcher, weighted: Mapping[str, Weighted]) -> dict[str, dict[str, float]]:
        """Return all terms of each query with their weights; a query that no rule holds for is as it was."""
        rules = list(_analysed(self.rules, searcher.index.analyzer))
        return {query: self._expanded(own, rules) for query, own in weighted.items()}

    def _expanded(self, own: Weighted, rules: "list[_Terms]") -> dict[str, float]:
        added: dict[str, float] = {}
        out: set[str] = set()
        for left, right, instead in rules:
            if left <= own.keys():
                part = (1.0 if instead else self.weight) * sum(own[term] for term in left) / len(left)
                out |= left if instead else set()
                for terms in right:
                    for term in terms:
                        added[term] = max(added.get(term, 0.0), part * terms.count(term) / len(terms))
        kept = {term: weight for term, weight in own.items() if term not in out}
        return kept | {term: weight for term, weight in added.items() if term not in kept}


_Terms = tuple[frozenset[str], tuple[list[str], ...], bool]


def _analysed(rules: tuple[Rule, ...], analyzer: Analyzer) -> Iterator[_Terms]:
    """Yield rules as terms; one whose side has no term, as stop words have none, says nothing."""
    for rule in rules:
        left = frozenset(analyzer.terms(rule.left))
        right = tuple(terms for text in rule.right if (terms := analyzer.terms(text)))
        if left and (right or rule.instead):
            yield left, right, rule.instead


def synonyms(path: str | os.PathLike[str], **settings: float) -> Synonyms:
    """Return the synonyms of a file as a way to expand, with its settings."""
    given: dict[str, float] = checked("synonyms", Synonyms, settings)
    return Synonyms(read_synonyms(path), **given, name=labelled("synonyms", settings))


def read_synonyms(path: str | os.PathLike[str]) -> tuple[Rule, ...]:
    r"""Read rules: lines as Solr has them, or JSON.

    A line `a, b` says that each stands for the other; `a, b => c, d` that c and d stand instead of a and of b; a line
    that begins with `#` is a comment, and a backslash takes its meaning from a comma. JSON is `{"a": ["b", "c"]}`: b
    and c are added where a is asked.

    Raises
    ------
    InputError
        A file that cannot be read, or that has no rule.
    FormatError
        A line that is no rule; the message names it.
    """
    source = Source.open(path)
    text = source.text()
    rules = tuple(_of_json(text, source.path) if text.lstrip()[:1] in {"{", "["} else _of_lines(text, source.path))
    if not rules:
        msg = f"{source.path}: expected synonyms, found no line with any"
        raise InputError(msg)
    return rules


def _of_lines(text: str, place: str) -> Iterator[Rule]:
    for number, line in enumerate(text.splitlines(), 1):
        if line.strip() and not line.lstrip().startswith("#"):
            yield from _of_line(line.strip(), place, number)


def _of_line(line: str, place: str, number: int) -> Iterator[Rule]:
    sides = [_texts(side) for side in line.split("=>")]
    if len(sides) == 2 and all(sides):
        for left in sides[0]:
            yield Rule(left, tuple(sides[1]), instead=True)
    elif len(sides) == 1 and len(sides[0]) > 1:
        for left in sides[0]:
            yield Rule(left, tuple(text for text in sides[0] if text != left))
    else:
        raise FormatError.at(place, number, "expected synonyms such as 'a, b' or 'a, b => c'", f"found {line!r}")


def _texts(side: str) -> list[str]:
    r"""Return the texts of one side; a comma behind a backslash parts none."""
    return [text for part in side.replace("\\,", "\0").split(",") if (text := part.replace("\0", ",").strip())]


def _of_json(text: str, place: str) -> Iterator[Rule]:
    found = parsed(text, place)
    if not isinstance(found, dict):
        msg = f'{place}: expected an object such as {{"car": ["automobile"]}}, found a list'
        raise FormatError(msg)
    for left, right in found.items():
        texts = [right] if isinstance(right, str) else right
        if not (isinstance(texts, list) and texts and all(isinstance(one, str) and one.strip() for one in texts)):
            msg = f"{place}: expected a list of texts for {left!r}, found {json.dumps(right, ensure_ascii=False)}"
            raise FormatError(msg)
        yield Rule(left, tuple(texts))
