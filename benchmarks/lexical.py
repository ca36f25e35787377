"""Benchmarks of search by words: the rivals are bm25s, on NumPy as Assay is, and rank-bm25.

Texts are drawn from one seed, with the sizes of two collections that others publish figures for; words are as
frequent as Zipf says, and a query takes its words from one of the documents.
"""

import string
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from importlib.util import find_spec
from typing import Any

import numpy as np

from assay.core.texts import Documents, Queries
from assay.tasks.lexical.feedback import expander
from assay.tasks.lexical.index import Index
from assay.tasks.lexical.models import BM25
from assay.tasks.lexical.search import Searcher
from assay.tasks.lexical.variants import Variant
from benchmarks.inputs import PART, SEED
from benchmarks.measuring import call, in_turns
from benchmarks.options import Options
from benchmarks.table import heading, row

ROUNDS = 5
DEPTH = 1_000
SAMPLE = 60
"""So many queries rank-bm25 is asked, which is slow."""
VOCABULARY = 60_000
TOLERANCE = 1e-5
BOUND_S = 5
K1, B = 1.5, 0.75


@dataclass(frozen=True)
class Size:
    """How many documents and queries there are, and how many words they have."""

    documents: int
    words: int
    queries: int
    asked: int


@dataclass(frozen=True)
class LexicalBenchmark:
    """Index and search with all tokens, search alone, and search again with feedback."""

    letter: str
    size: Size

    def run(self, options: Options) -> bool:
        """Compare the rankings, then the times; return whether all scores are equal."""
        part = PART if options.small else 1.0
        documents, queries = made_texts(self.size, part)
        print(
            heading(self.letter, f"{len(documents):,} documents of {self.size.words} words, {len(queries):,} queries")
        )
        return measured(documents, queries, options.times(ROUNDS))


@dataclass(frozen=True)
class Rival:
    """The scores of all documents for one query, a search with many queries, and how many it is asked."""

    scores: Callable[[list[str]], np.ndarray]
    search: Callable[[dict[str, list[str]]], object]
    most: int | None = None


def measured(documents: Documents, queries: Queries, rounds: int) -> bool:
    """Measure one collection against both rivals; return whether all scores are equal."""
    index = Index.build(documents)
    words = [index.analyzer.terms(text) for text in documents.whole]
    results = [
        _against("bm25s", partial(_bm25s, words), Searcher(index, BM25(K1, B, coarse=False)), queries, rounds),
        _against(
            "rank-bm25", partial(_rank_bm25, words), Searcher(index, Variant("robertson", K1, B)), queries, rounds
        ),
    ]
    if all(results) and find_spec("bm25s"):
        _whole(documents, queries, rounds)
    _feedback(Searcher(index), queries)
    return all(results)


def _against(name: str, make: Callable[[], Rival], searcher: Searcher, queries: Queries, rounds: int) -> bool:
    """Hold a rival's scores against ours, then time the search alone, terms given."""
    if find_spec(name.replace("-", "_")) is None:
        print(f"   left out: {name} (pip install {name})")
        return True
    rival, weighted = make(), searcher.weighted(queries)
    terms = {query: searcher.index.analyzer.terms(text) for query, text in queries.texts.items()}
    asked = dict(list(terms.items())[: rival.most])
    same = sum(_agree(searcher, weighted[query], rival.scores(those)) for query, those in asked.items())
    equal = same == len(asked)
    print(f"   {'equal' if equal else 'DIFFERENT'}: {same:,} of {len(asked):,} queries are ranked as by {name}")
    if equal:
        contenders = [lambda: searcher.run(weighted, DEPTH), lambda: rival.search(asked)]
        ours, theirs = in_turns([lambda c=c: call(c) for c in contenders], rounds)
        rates = len(weighted) / ours.seconds, len(asked) / theirs.seconds
        print(
            f"   {'search':14}{rates[0]:9,.0f} queries/s, {rates[0] / rates[1]:.2f} × those of {name} ({rates[1]:,.0f})"
        )
    return equal


def _bm25s(words: list[list[str]]) -> Rival:
    import bm25s

    index = bm25s.BM25(method="lucene", k1=K1, b=B, auto_compile=False)
    index.index(words, show_progress=False)
    depth = min(DEPTH, len(words))

    def search(asked: dict[str, list[str]]) -> object:
        return index.retrieve(list(asked.values()), k=depth, show_progress=False, n_threads=0)

    return Rival(index.get_scores, search)


def _rank_bm25(words: list[list[str]]) -> Rival:
    from rank_bm25 import BM25Okapi

    index = BM25Okapi(words, k1=K1, b=B, epsilon=0)
    places = np.arange(len(words))

    def search(asked: dict[str, list[str]]) -> object:
        return [index.get_top_n(terms, places, n=DEPTH) for terms in asked.values()]

    return Rival(lambda terms: index.get_scores(terms) / (K1 + 1), search, SAMPLE)


def _agree(searcher: Searcher, query: dict[str, float], scores: np.ndarray) -> bool:
    """Whether each document we found has our score, and no other one has more."""
    places, ours = searcher.top(query, DEPTH)
    rest = np.delete(scores, places)
    least = ours[-1] if len(places) == DEPTH else 0.0
    return bool(
        np.allclose(scores[places], ours, rtol=TOLERANCE, atol=TOLERANCE)
        and (not len(rest) or rest.max() <= least + TOLERANCE)
    )


def _whole(documents: Documents, queries: Queries, rounds: int) -> None:
    """Time all from texts to rankings, each with its own tokens and stems."""
    texts, asked = documents.whole.to_list(), list(queries.texts.values())

    def theirs() -> object:
        import bm25s
        import Stemmer

        tokens: Any = partial(bm25s.tokenize, stopwords="en", stemmer=Stemmer.Stemmer("english"), show_progress=False)
        index = bm25s.BM25(method="lucene", k1=K1, b=B, auto_compile=False)
        index.index(tokens(texts), show_progress=False)
        return index.retrieve(tokens(asked), k=min(DEPTH, len(texts)), show_progress=False, n_threads=0)

    contenders = {"Assay": lambda: Searcher(Index.build(documents)).run(queries, DEPTH), "bm25s": theirs}
    print("   tokens, index and search:")
    spent = in_turns([lambda c=c: call(c) for c in contenders.values()], rounds)
    for name, one in zip(contenders, spent, strict=True):
        print(row(name, one, spent[0]))


def _feedback(searcher: Searcher, queries: Queries) -> None:
    weighted = searcher.weighted(queries)
    searcher.run(weighted, 1)
    spent = call(lambda: searcher.run(expander("rm3").expand(searcher, weighted), DEPTH)).seconds
    print(f"   RM3 of {len(queries):,} queries, searched twice: {spent:.2f} s (bar {BOUND_S} s)")


def made_texts(size: Size, part: float) -> tuple[Documents, Queries]:
    """Return documents and queries."""
    random = np.random.default_rng(SEED)
    share = 1 / np.arange(1, VOCABULARY + 1)
    names = np.array([_word(number) for number in range(VOCABULARY)], object)
    many, asked = (max(round(count * part), 2) for count in (size.documents, size.queries))
    lengths = random.poisson(size.words, many)
    drawn = names[random.choice(VOCABULARY, lengths.sum(), p=share / share.sum())]
    texts = np.split(drawn, np.cumsum(lengths)[:-1])
    sources = random.integers(0, many, asked)
    questions = [random.choice(texts[source], min(size.asked, len(texts[source]))) for source in sources]
    return (
        Documents.of({f"d{place}": " ".join(words) for place, words in enumerate(texts)}),
        Queries.of({f"q{place}": " ".join(words) for place, words in enumerate(questions)}),
    )


def _word(number: int) -> str:
    """Return a word of letters for each number."""
    letters = []
    for _ in range(4):
        number, rest = divmod(number, 20)
        letters.append(string.ascii_lowercase[rest] + "aeiou"[(rest + number) % 5])
    return "".join(letters)


LEXICAL = [
    LexicalBenchmark("lexical", Size(5_183, 210, 300, 13)),
    LexicalBenchmark("lexical-union", Size(22_676, 95, 794, 12)),
]
