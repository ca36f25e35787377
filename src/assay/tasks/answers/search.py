"""Questions as text, searched for among the things of a graph: by words (BM25) or by vectors that are given."""

import time
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np

from assay.core.answers import Answer, Question
from assay.core.terms import iri
from assay.core.texts import Documents
from assay.errors import InputError, ParameterError
from assay.graph.sparql.asking import Graph, QueryError
from assay.tasks.answers.search_words import label_analyzer
from assay.tasks.lexical.index import Index
from assay.tasks.lexical.models import BM25
from assay.tasks.lexical.search import Searcher
from assay.tasks.neighbours.exact import exact_neighbours
from assay.tasks.neighbours.vectors import Vectors

Search = Callable[[Question], Answer]
"""Answers a question with things, the best first; errors and time-outs are answers with that status."""

PROPERTIES = (
    "http://www.w3.org/2000/01/rdf-schema#label",
    "http://www.w3.org/2004/02/skos/core#prefLabel",
    "http://www.w3.org/2004/02/skos/core#altLabel",
    "http://www.w3.org/2004/02/skos/core#definition",
    "http://schema.org/name",
    "https://schema.org/name",
    "http://schema.org/alternateName",
    "https://schema.org/alternateName",
    "http://schema.org/description",
    "https://schema.org/description",
    "http://xmlns.com/foaf/0.1/name",
    "http://purl.org/dc/terms/title",
    "http://purl.org/dc/terms/description",
    "http://purl.org/dc/elements/1.1/title",
    "http://purl.org/dc/elements/1.1/description",
    "http://www.w3.org/2000/01/rdf-schema#comment",
)
"""The properties whose texts say what a thing is called, and what it is."""
SCHEMA = (
    "http://www.w3.org/2002/07/owl#Class",
    "http://www.w3.org/2002/07/owl#ObjectProperty",
    "http://www.w3.org/2002/07/owl#DatatypeProperty",
    "http://www.w3.org/2002/07/owl#AnnotationProperty",
    "http://www.w3.org/2002/07/owl#Ontology",
    "http://www.w3.org/2000/01/rdf-schema#Class",
    "http://www.w3.org/1999/02/22-rdf-syntax-ns#Property",
)
"""What the words of a graph are: classes and properties, which are no things to be found."""
COLUMN = "entity"
DECIMALS = 9
"""Scores that agree to so many decimals are equal: the rest is rounding."""


class LabelSearch:
    """Things of a graph by their labels and descriptions, ranked by BM25 (Lucene's form, k1 = 1.5, b = 0.75).

    All texts of a thing are one document. Words are compared without case, by their stems. Of equal scores the IRI
    that comes first in the alphabet stands first; things that share no word with the question are not found.

    Parameters
    ----------
    texts
        What is said of each thing, by its IRI.
    language
        Whose stems: a name of PyStemmer such as english or german; none for whole words.
    k
        How many things one question finds at most.

    Raises
    ------
    InputError
        No texts.
    UnknownNameError
        A language without stems.
    MissingExtraError
        PyStemmer is not installed (extra `lexical`).

    >>> search = LabelSearch({"http://x/a": ["Sales Department"], "http://x/b": ["Sales Manager"]})
    >>> [row[0].value for row in search(Question("1", "Which departments?")).rows]
    ['http://x/a']
    """

    def __init__(self, texts: Mapping[str, Iterable[str]], *, language: str = "english", k: int = 100) -> None:
        if k < 1:
            raise ParameterError(f"k: expected a number of at least 1, found {k}")
        self.k = k
        self.name = "labels" if language == "english" else f"labels, {language}"
        said = {name: " ".join(sorted(set(those))) for name, those in sorted(texts.items())}
        index = Index.build(Documents.of(said, "search"), label_analyzer(language))
        self._searcher = Searcher(index, BM25(1.5, 0.75, coarse=False))

    @classmethod
    def of(
        cls, graph: Graph, *, properties: Sequence[str] = PROPERTIES, language: str = "english", k: int = 100
    ) -> "LabelSearch":
        """Return the search among all things of a graph, classes and properties aside, with one of these properties.

        Raises
        ------
        QueryError
            The graph does not answer, or not with all texts.
        InputError
            Nothing in it has such a property.
        """
        found = graph.select(
            f"SELECT ?x ?t {{ {_named('?p', properties)} ?x ?p ?t FILTER(isIRI(?x) && isLiteral(?t)) "
            f"FILTER NOT EXISTS {{ {_named('?c', SCHEMA)} ?x a ?c }} }}"
        )
        if found.truncated:
            raise QueryError(f"{graph.name}: expected all labels, found more than {len(found.rows):,}")
        texts: dict[str, list[str]] = defaultdict(list)
        for thing, text in found.rows:
            if thing is not None and text is not None:
                texts[thing.value].append(text.value)
        if not texts:
            msg = f"{graph.name}: expected things with labels, found none"
            raise InputError(msg, hint=f"looked for {', '.join(properties[:3])} and others; properties= names more.")
        return cls(texts, language=language, k=k)

    @property
    def entities(self) -> list[str]:
        """The things that have words."""
        index = self._searcher.index
        return index.items.filter(index.lengths > 0).to_list()

    def __call__(self, question: Question) -> Answer:
        """Return the things found, the best first."""
        begun = time.monotonic()
        scores = np.round(self._searcher.scores(self._searcher.terms(question.text)), DECIMALS)
        (found,) = np.nonzero(scores > 0)
        best = found[np.argsort(-scores[found], kind="stable")][: self.k]
        return ranked(self._searcher.index.items.gather(best).to_list(), scores[best].tolist(), begun)


class VectorSearch:
    """Things by vectors that are given, ranked by the cosine with the vector of the question.

    Of equal cosines the name that comes first in the alphabet stands first.

    Parameters
    ----------
    things, questions
        Vectors whose rows are named: by IRIs, and by the ids of questions or by their texts.
    k
        How many things one question finds at most.

    >>> things = Vectors.of([[1.0, 0.0], [0.0, 1.0]], ["http://x/a", "http://x/b"])
    >>> search = VectorSearch(things, Vectors.of([[0.2, 0.9]], ["1"]), k=1)
    >>> search(Question("1")).rows[0][0].value
    'http://x/b'
    """

    def __init__(self, things: Vectors, questions: Vectors, *, k: int = 100) -> None:
        order = things.names.arg_sort().to_numpy()
        self.things = things if (order[1:] > order[:-1]).all() else things.rows(order.astype(np.int64))
        self.questions = questions
        self.name = f"vectors {things.name}, {questions.name}"
        self.k = min(k, len(things))

    @cached_property
    def _nearest(self) -> tuple[Any, Any]:
        return exact_neighbours(self.things.matrix, np.asarray(self.questions.matrix, np.float64), self.k)

    def __call__(self, question: Question) -> Answer:
        """Return the things found, the best first; a question without a vector is an error."""
        begun = time.monotonic()
        place = self.questions.place.get(question.name, self.questions.place.get(question.text))
        if place is None:
            return Answer("error", message=f"{self.questions.name} holds no vector for this question")
        ids, scores = (table[place] for table in self._nearest)
        return ranked(self.things.names.gather(ids).to_list(), scores.tolist(), begun)


def search_graph(
    how: str, graph: Graph | None = None, *, language: str = "english", k: int = 100, limit_s: float = 60.0
) -> Search:
    """Return what answers questions by searching.

    Parameters
    ----------
    how
        "labels": BM25 over the labels and descriptions of the graph. An address (http...) of a search service, as
        `SearchService` takes it. Or two files of vectors with a comma between: of things, and of questions.
    graph
        Only for labels.
    language, k, limit_s
        Whose stems, how many results, how long a service may take.

    Raises
    ------
    AssayError
        Whatever the search of that kind raises when it is made.
    """
    if how == "labels":
        if graph is None:
            raise ParameterError("search by labels: expected a graph, found none")
        return LabelSearch.of(graph, language=language, k=k)
    if how.startswith(("http://", "https://")):
        from assay.tasks.answers.search_service import SearchService

        return SearchService(how, k=k, limit_s=limit_s)
    things, comma, questions = how.partition(",")
    if not comma:
        msg = f"search: expected labels, an address, or two files of vectors with a comma between, found {how!r}"
        raise ParameterError(msg)
    return VectorSearch(_vectors(things), _vectors(questions), k=k)


def ranked(names: Sequence[str], scores: Sequence[float], begun: float) -> Answer:
    """Return names, the best first, as an answer; `begun` is when the search did."""
    rows = tuple((iri(name),) for name in names)
    seconds = time.monotonic() - begun
    return Answer("answered", (COLUMN,), rows, ordered=True, scores=tuple(scores), seconds=seconds)


def _named(variable: str, names: Iterable[str]) -> str:
    return f"VALUES {variable} {{ {' '.join(iri(name).n3 for name in names)} }}"


def _vectors(path: str) -> Vectors:
    """Return vectors with names: those that the file holds, or of the file with its name that ends in .names."""
    beside = Path(path).with_suffix(".names")
    return Vectors.read(path, beside if beside.is_file() else None)
