"""Feedback: each way to expand is what plain Python makes of its definition, whatever the texts."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.unit import lexical_by_hand as by_hand

from assay.core.texts import Documents, Queries
from assay.errors import ParameterError, UnknownNameError
from assay.tasks.lexical.analysis import Analyzer
from assay.tasks.lexical.feedback import BM25PRF, RM3, Rocchio, expander, expanders
from assay.tasks.lexical.index import Index
from assay.tasks.lexical.models import BM25, Dirichlet
from assay.tasks.lexical.search import Searcher

WORDS = ("ab", "cd", "ef", "gh", "x", "12", "7z", "ünlü", "verylongwordofmorethantwenty")
PLAIN = Analyzer(stemmer=None, stop=False, lower=False, possessive=False)
TEXTS = st.lists(st.lists(st.sampled_from(WORDS), min_size=1, max_size=12).map(" ".join), min_size=3, max_size=12)
ASKED = st.lists(st.sampled_from((*WORDS, "nowhere")), min_size=1, max_size=4)
MODELS = st.sampled_from((BM25(), Dirichlet()))


def searched(texts, asked, model, docs):
    """Return texts by id, the searcher, the terms of the query, and what it finds with scores."""
    named = {f"d{place:02}": text for place, text in enumerate(texts)}
    searcher = Searcher(Index.build(Documents.of(named), PLAIN), model)
    query = searcher.terms(" ".join(asked))
    places, scores = searcher.top(query, docs)
    return (
        named,
        searcher,
        query,
        [(searcher.index.items[int(place)], score) for place, score in zip(places, scores, strict=True)],
    )


def alike(found, expected):
    assert found.keys() == expected.keys()
    assert found == pytest.approx(expected, rel=1e-9, abs=1e-12)


WAYS = st.builds(RM3, st.integers(1, 4), st.integers(1, 6), st.sampled_from((0.0, 0.3, 0.5, 1.0)), st.just(0.6))


@given(TEXTS, ASKED, MODELS, WAYS)
def test_rm3_is_its_definition(texts, asked, model, way):
    named, searcher, query, found = searched(texts, asked, model, way.docs)
    made = way.expand(searcher, {"q": query})["q"]
    expected = by_hand.rm3(named, query, found, way)
    if len({round(value, 9) for value in expected.values()}) == len(expected):  # no ties that rounding decides
        alike(made, expected)


@given(TEXTS, ASKED, MODELS, st.integers(1, 3), st.sampled_from((0.0, 0.15, 0.9)))
def test_rocchio_is_its_definition(texts, asked, model, docs, gamma):
    named, searcher, query, found = searched(texts, asked, model, 1000)
    way = Rocchio(docs=docs, terms=99, gamma=gamma, common=0.6)
    made, expected = way.expand(searcher, {"q": query})["q"], by_hand.rocchio(named, query, found, way)
    significant = {term: weight for term, weight in expected.items() if weight > 1e-12}
    alike({term: weight for term, weight in made.items() if weight > 1e-12}, significant)
    assert min(made.values(), default=1) > 0


@given(TEXTS, ASKED, st.integers(1, 5))
def test_prf_is_its_definition(texts, asked, docs):
    named, searcher, query, found = searched(texts, asked, BM25(), docs)
    way = BM25PRF(docs=docs, terms=99)
    alike(way.expand(searcher, {"q": query})["q"], by_hand.prf(named, query, found, way))


def test_prf_replaces_the_idf_of_bm25_alone():
    searcher = Searcher(Index.build(Documents.of({"a": "gold", "b": "tin"}), PLAIN), Dirichlet())
    with pytest.raises(ParameterError, match="prf: expected the model bm25, whose idf it replaces, found ql"):
        BM25PRF().expand(searcher, {"1": {"gold": 1.0}})


@pytest.mark.parametrize("way", [RM3(docs=2, terms=1, common=1), Rocchio(docs=2, terms=1, common=1)])
def test_of_equal_terms_the_first_in_the_alphabet_stays(way):
    texts = {"a": "zeta alpha query", "b": "zeta alpha query", "c": "other", "d": "more"}
    searcher = Searcher(Index.build(Documents.of(texts), PLAIN))
    assert set(way.expand(searcher, {"q": {"query": 1.0}})["q"]) == {"query", "alpha"}


def test_queries_that_find_nothing_stay_as_they_are():
    searcher = Searcher(Index.build(Documents.of({"a": "gold", "b": "tin"}), PLAIN))
    asked = {"empty": {}, "unknown": {"nowhere": 1.0}}
    for way in (RM3(), Rocchio(gamma=0.15), BM25PRF()):
        made = way.expand(searcher, asked)
        assert made["empty"] == {}
        assert set(made["unknown"]) == {"nowhere"}


def test_one_query_does_not_change_another():
    texts = {f"d{place}": f"{'gold' if place % 2 else 'tin'} word{place} shared" for place in range(30)}
    searcher = Searcher(Index.build(Documents.of(texts), PLAIN))
    asked = searcher.weighted(Queries.of({"1": "gold", "2": "tin", "3": "shared"}))
    for way in (RM3(), Rocchio(gamma=0.15), BM25PRF()):
        together = way.expand(searcher, asked)
        assert together == {query: way.expand(searcher, {query: terms})[query] for query, terms in asked.items()}
        assert way.expand(searcher, dict(reversed(asked.items()))) == together


def test_names_hold_settings():
    found = expanders("rm3, rocchio(docs=5, gamma=.15),prf(terms=3)")
    assert found == [
        RM3(), Rocchio(docs=5, gamma=0.15, name="rocchio(docs=5,gamma=0.15)"), BM25PRF(terms=3, name="prf(terms=3)"),
    ]  # fmt: skip
    assert isinstance(found[1].docs, int)
    assert expander("rm3(docs=3)", weight=0.7) == RM3(docs=3, weight=0.7, name="rm3(docs=3,weight=0.7)")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("rm4", "no expansion is called 'rm4'. Did you mean 'rm3'?"),
        ("rm3(doc=5)", "no setting of rm3 is called 'doc'. Did you mean 'docs'?"),
        ("rm3(docs=0)", "rm3(docs): expected a whole number of at least 1, found 0"),
        ("rm3(docs=2.5)", "rm3(docs): expected a whole number of at least 1, found 2.5"),
        ("rm3(weight=2)", "rm3(weight): expected a number from 0 to 1, found 2"),
        ("rocchio(beta=-1)", "rocchio(beta): expected a number of at least 0, found -1"),
        ("rocchio(beta=nan)", "rocchio(beta): expected a number of at least 0, found nan"),
        ("rm3(docs)", "expand: expected a setting such as docs=5, found 'docs'"),
        ("rm3(docs=5", "expand: expected names such as 'rm3' or 'rm3(docs=5),rocchio', found 'rm3(docs=5'"),
        ("rm3,", "expand: expected names such as 'rm3' or 'rm3(docs=5),rocchio', found 'rm3,'"),
        ("rm3,rm3", "expand: expected each way once, found rm3 twice"),
    ],
)  # fmt: skip
def test_mistakes_are_named(text, message):
    with pytest.raises((ParameterError, UnknownNameError)) as caught:
        expanders(text)
    assert caught.value.message == message
