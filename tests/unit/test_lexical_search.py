"""Documents are ranked by the formulas, in one order, whatever the order in which things are given."""

from collections import Counter
from math import floor, inf, log, log2

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from assay.core.texts import Documents, Queries
from assay.errors import AssayError
from assay.tasks.lexical.analysis import Analyzer
from assay.tasks.lexical.index import Index
from assay.tasks.lexical.models import BM25, Dirichlet, coarse, model
from assay.tasks.lexical.search import Searcher
from assay.tasks.lexical.variants import VARIANTS, Variant

WORDS = st.lists(st.sampled_from(["ant", "bee", "cow", "dog", "elk", "fox"]), max_size=60)
CORPORA = st.lists(WORDS, min_size=1, max_size=9).filter(any)
QUERIES = st.lists(st.sampled_from(["ant", "bee", "cow", "dog", "yak"]), max_size=6)
PLAIN = Analyzer(stemmer=None, stop=False)


def index_of(corpus):
    texts = {f"d{place}": " ".join(words) for place, words in enumerate(corpus)}
    return Index.build(Documents.of(texts), PLAIN)


def byte_length(length):
    """Return a length as Lucene's byte keeps it, by its own steps: a number of four bits, and where it begins."""
    if length < 24:
        return length
    rest = length - 24
    if rest < 8:
        return length
    shift = floor(log2(rest)) - 3
    return 24 + ((rest >> shift) << shift)


def bm25_by_the_book(corpus, query, k1, b, *, exact):
    full = [words for words in corpus if words]
    mean = sum(map(len, full)) / len(full)
    scores = []
    for words in corpus:
        length = len(words) if exact else byte_length(len(words))
        score = 0.0
        for word in query:
            holders = sum(word in those for those in corpus)
            if holders and word in words:
                idf = log(1 + (len(full) - holders + 0.5) / (holders + 0.5))
                score += idf * words.count(word) / (words.count(word) + k1 * (1 - b + b * length / mean))
        scores.append(score)
    return scores


def ql_by_the_book(corpus, query, mu):
    every = Counter(word for words in corpus for word in words)
    scores = []
    for words in corpus:
        parts = [
            log(1 + words.count(word) / (mu * (every[word] + 1) / (every.total() + 1)))
            + log(mu / (byte_length(len(words)) + mu))
            for word in query
            if word in words
        ]
        scores.append(sum(max(0.0, part) for part in parts))
    return scores


@given(CORPORA, QUERIES, st.sampled_from([(0.9, 0.4), (1.2, 0.75), (0.0, 1.0)]), st.booleans())
def test_bm25_is_that_of_the_book(corpus, query, parameters, exact):
    searcher = Searcher(index_of(corpus), BM25(*parameters, coarse=not exact))
    scores = searcher.scores(Counter(query))
    assert scores.tolist() == pytest.approx(bm25_by_the_book(corpus, query, *parameters, exact=exact))


@given(CORPORA, QUERIES, st.sampled_from([1, 50, 1000]))
def test_query_likelihood_is_that_of_the_book(corpus, query, mu):
    scores = Searcher(index_of(corpus), Dirichlet(mu)).scores(Counter(query))
    assert scores.tolist() == pytest.approx(ql_by_the_book(corpus, query, mu), abs=1e-12)


@given(CORPORA, QUERIES, st.integers(1, 10), st.sampled_from([BM25(), Dirichlet(1)]))
def test_the_best_are_those_of_a_stable_sort(corpus, query, depth, ranked_by):
    searcher = Searcher(index_of(corpus), ranked_by)
    scores = searcher.scores(Counter(query)).astype(np.float32)
    order = sorted(range(len(corpus)), key=lambda place: -scores[place])
    wanted = [place for place in order if any(word in corpus[place] for word in query)]
    places, best = searcher.top(Counter(query), depth)
    assert places.tolist() == wanted[:depth]
    assert best.tolist() == scores[wanted[:depth]].tolist()


@given(CORPORA, st.lists(QUERIES, min_size=1, max_size=5), st.randoms(use_true_random=False))
def test_the_order_of_queries_and_of_their_terms_changes_nothing(corpus, queries, random):
    searcher = Searcher(index_of(corpus))
    asked = {f"q{place}": Counter(words) for place, words in enumerate(queries)}
    mixed = {query: dict(random.sample(list(terms.items()), len(terms))) for query, terms in asked.items()}
    mixed = dict(random.sample(list(mixed.items()), len(mixed)))
    one, other = searcher.run(asked).frame(), searcher.run(mixed).frame()
    assert one.equals(other.sort("query", maintain_order=True))


@given(CORPORA, QUERIES, st.sampled_from(sorted(VARIANTS)))
def test_variants_rank_as_bm25s_does(corpus, query, name):
    bm25s = pytest.importorskip("bm25s")
    ranker = bm25s.BM25(method=VARIANTS[name], dtype="float64", auto_compile=False)
    ranker.index(corpus, show_progress=False)
    known = [word for word in query if any(word in words for words in corpus)]
    theirs = ranker.get_scores(known) if known else np.zeros(len(corpus))
    ours = Searcher(index_of(corpus), Variant(name)).scores(Counter(query))
    holds = [any(word in words for word in query) for words in corpus]
    nothing = min(theirs[~np.array(holds)], default=None)
    if nothing is not None:
        assert ours == pytest.approx(theirs - nothing, abs=1e-12)
    assert np.diff(ours) == pytest.approx(np.diff(theirs), abs=1e-12)


def test_equal_scores_stand_in_the_order_of_the_documents_also_at_the_end():
    searcher = Searcher(index_of([["ant"], ["ant"], ["bee", "ant"], ["ant"], ["cow"]]))
    assert [searcher.top({"ant": 1.0}, depth)[0].tolist() for depth in (2, 3, 9)] == [[0, 1], [0, 1, 3], [0, 1, 3, 2]]


def test_a_term_that_is_asked_twice_counts_twice():
    searcher = Searcher(index_of([["ant", "bee"], ["bee", "cow"], ["cow"]]))
    once, twice = (searcher.scores(searcher.terms(text)) for text in ("ant bee", "ant bee ant"))
    assert twice - once == pytest.approx(searcher.scores({"ant": 1.0}))
    assert searcher.terms("ant bee ant") == {"ant": 2, "bee": 1}


def test_a_query_may_find_nothing():
    searcher = Searcher(index_of([["ant"], []]))
    run = searcher.run(Queries.of({"1": "yak", "2": "", "3": "ant"}))
    assert run.frame().select("query", "item").rows() == [("3", "d0")]
    assert searcher.run({}).frame().rows() == []


def test_a_shared_term_that_is_worth_nothing_is_found_last():
    searcher = Searcher(index_of([["bee"], ["ant"] * 2 + ["bee"] * 300, ["ant"], ["cow"]]), Dirichlet(1))
    places, scores = searcher.top({"ant": 1.0}, 9)
    assert places.tolist() == [2, 1]
    assert scores[0] > scores[1] == 0


def test_a_weight_below_zero_takes_documents_away():
    searcher = Searcher(index_of([["ant", "bee"], ["ant"], ["cow"]]))
    assert searcher.run({"1": {"ant": 1.0, "bee": -9.0}}).frame()["item"].to_list() == ["d1"]


def test_the_document_with_the_id_of_the_query_is_left_out_before_the_cut():
    searcher = Searcher(index_of([["ant", "ant"], ["ant"], ["ant", "bee"]]))
    queries = Queries.of({"d0": "ant", "d9": "ant"})
    found = searcher.run(queries, 2, remove_query=True).frame()
    assert found.select("query", "item").rows() == [("d0", "d1"), ("d0", "d2"), ("d9", "d0"), ("d9", "d1")]


def test_a_search_tells_how_far_it_is_and_what_the_run_is_called():
    told = []
    searcher = Searcher(index_of([["ant"]]), Dirichlet())
    run = searcher.run(Queries.of({"1": "ant", "2": "bee"}), progress=lambda done, total: told.append((done, total)))
    assert told == [(1, 2), (2, 2)]
    assert run.name == "ql"
    assert searcher.run({}, name="mine").name == "mine"


def test_lengths_are_kept_in_one_byte():
    lengths = np.arange(300_000)
    assert coarse(lengths).tolist() == [byte_length(length) for length in range(300_000)]
    assert len(np.unique(coarse(lengths))) < 256


@pytest.mark.parametrize(
    ("make", "said"),
    [
        (lambda: model("bm52"), "no model is called 'bm52'. Did you mean 'bm25'?"),
        (lambda: model("ql", k1=1.0), r"model ql: expected parameters of it \(mu\), found k1"),
        (lambda: model("atire", mu=1.0), r"model atire: expected parameters of it \(k1, b, delta\), found mu"),
        (lambda: BM25(k1=-1), "k1: expected a number of at least 0, found -1"),
        (lambda: BM25(b=1.5), "b: expected a number from 0 to 1, found 1.5"),
        (lambda: BM25(k1=inf), "k1: expected a number of at least 0, found inf"),
        (lambda: Dirichlet(0), "mu: expected a number above 0, found 0"),
        (lambda: Variant("lucine"), "no variant of BM25 is called 'lucine'. Did you mean 'lucene'?"),
        (lambda: Variant("bm25l", delta=-1), "bm25l: expected k1 and delta of at least 0 and b from 0 to 1"),
        (lambda: Searcher(index_of([["ant"]])).run({}, 0), "depth: expected a number of at least 1, found 0"),
    ],
)
def test_mistakes_are_named(make, said):
    with pytest.raises(AssayError, match=said):
        make()


def test_models_have_their_usual_parameters_unless_others_are_said():
    assert model("bm25") == BM25(0.9, 0.4)
    assert model("bm25", coarse=False, b=0.75) == BM25(0.9, 0.75, coarse=False)
    assert model("ql", mu=None) == Dirichlet(1000)
    assert model("bm25plus", delta=1) == Variant("bm25plus", 1.5, 0.75, 1)
    assert {model(name).name for name in VARIANTS} == set(VARIANTS)
