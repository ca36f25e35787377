"""Limits that cut through rows that the order of a query does not part."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assay.core.answers import Answer, Question
from assay.core.suite_health import TieGroup, Ties
from assay.core.terms import iri, literal
from assay.formats.suites import read_suite
from assay.graph.sparql.asking import QueryError
from assay.tasks.answers.ties import UnstableError, acceptable, find_ties

pytest.importorskip("pyoxigraph")
from assay.graph.sparql.rdflib_graph import RdflibGraph
from assay.graph.sparql.store import Store

PREFIX = "PREFIX : <http://x/> "
SIZES = Store.of("@prefix : <http://x/> . :a :n 3 . :b :n 2 . :c :n 2 . :d :n 1 .", "sizes")
BY_SIZE = PREFIX + "SELECT ?x { ?x :n ?n } ORDER BY DESC(?n)"


def names(rows):
    return ["-".join(term.value.removeprefix("http://x/") for term in row) for row in rows]


def test_a_limit_that_cuts_a_tie_has_more_than_one_right_answer():
    store = Store.of("@prefix : <http://x/> . :d1 :r :p1,:p2,:p3 . :d2 :r :p4,:p5,:p6 . :d3 :r :p7 .")
    query = PREFIX + "SELECT ?d (COUNT(?p) AS ?n) { ?d :r ?p } GROUP BY ?d ORDER BY DESC(?n) LIMIT 1"
    found = acceptable(Question("1", gold_query=query), store)
    assert names(found.acceptable) == ["d1-3", "d2-3"]
    assert (found.size, found.stable) == (1, False)
    for row in found.acceptable:
        assert found.nearest(Answer("answered", ("d", "n"), (row,))).rows == (row,)


@pytest.mark.parametrize(
    ("window", "taken", "stable"),
    [
        ("LIMIT 1", [1, 0, 0], True),
        ("LIMIT 2", [1, 1, 0], False),
        ("LIMIT 3", [1, 2, 0], True),
        ("LIMIT 9", [1, 2, 1], True),
        ("LIMIT 1 OFFSET 1", [0, 1, 0], False),
        ("OFFSET 2", [0, 1, 1], False),
        ("OFFSET 9", [0, 0, 0], True),
        ("LIMIT 0", [0, 0, 0], True),
        ("", [1, 2, 1], True),
    ],
)
def test_what_the_limit_takes_of_each_group(window, taken, stable):
    found = find_ties(f"{BY_SIZE} {window}", SIZES)
    assert [group.taken for group in found.groups] == taken
    assert [names(group.rows) for group in found.groups] == [["a"], ["b", "c"], ["d"]]
    assert found.stable is stable


def test_without_an_order_all_rows_are_tied():
    found = find_ties(PREFIX + "SELECT ?x { ?x :n ?n } LIMIT 2", SIZES)
    assert not found.ordered
    assert (len(found.groups), found.size, found.stable) == (1, 2, False)
    assert find_ties(PREFIX + "SELECT ?x { ?x :n ?n } LIMIT 4", SIZES).stable


def test_rows_that_look_the_same_are_no_choice():
    store = Store.of("@prefix : <http://x/> . :a :n 1 . :b :n 1 . :c :n 1 .")
    assert find_ties(PREFIX + "SELECT ?n { ?x :n ?n } ORDER BY ?n LIMIT 2", store).stable
    assert not find_ties(PREFIX + "SELECT ?x ?n { ?x :n ?n } ORDER BY ?n LIMIT 2", store).stable


def test_terms_that_an_order_holds_to_be_equal_are_told_apart():
    store = Store.of('@prefix : <http://x/> . :a :n 1 , 1.0 , "1" , "1"@en ; :m 5 .')
    found = find_ties(PREFIX + "SELECT ?n { ?x :m ?m ; :n ?n } ORDER BY ?m LIMIT 1", store)
    assert (len(found.groups), len(found.acceptable)) == (1, 4)


def test_an_order_by_an_aggregate_is_read():
    query = PREFIX + "SELECT ?n { ?x :n ?n } GROUP BY ?n ORDER BY DESC(COUNT(*)) LIMIT 2"
    assert [group.taken for group in find_ties(query, SIZES).groups] == [1, 1]


@pytest.mark.parametrize("query", ["ASK { ?x ?p 1 } LIMIT 1", "SELECT ?x { ?x ?p 1 }", ""])
def test_nothing_to_find_without_order_and_limit(query):
    assert find_ties(query, SIZES) is None


def test_a_query_that_gives_other_rows_each_time_is_said_to_be_unstable():
    with pytest.raises(UnstableError, match="the same rows twice"):
        find_ties("SELECT (RAND() AS ?x) { VALUES ?y { 1 2 } } ORDER BY ?y LIMIT 1", SIZES)


def test_a_query_that_fails_and_an_answer_that_is_not_whole_are_errors():
    with pytest.raises(QueryError, match="sizes"):
        find_ties("SELECT ?x { ?x ?p } ORDER BY ?x LIMIT 1", SIZES)

    class Short:
        name = "short"

        def select(self, query):
            del query
            return Answer("answered", ("x",), ((iri("http://x/a"),),), truncated=True)

    with pytest.raises(QueryError, match="all rows, found more than 1"):
        find_ties("SELECT ?x { ?x ?p ?y } LIMIT 1", Short())


def test_the_nearest_answer_has_what_is_sure_and_of_the_rest_what_was_given():
    a, b, c, d = (((iri(f"http://x/{name}")),) for name in "abcd")
    ties = Ties(("x",), (TieGroup((a,), 1), TieGroup((b, c, d), 2)), limit=3)

    def nearest(*rows):
        return names(ties.nearest(Answer("answered", ("x",), rows)).rows)

    assert nearest(d) == ["a", "d", "b"]
    assert nearest(d, c, b) == ["a", "d", "c"]
    assert nearest() == ["a", "b", "c"]


def test_the_nearest_answer_may_be_told_when_two_rows_are_the_same():
    whole, broken = (literal("2", "http://www.w3.org/2001/XMLSchema#integer"),), (literal("2.0"),)
    other = (literal("1"),)
    ties = Ties(("n",), (TieGroup((other, whole), 1),), limit=1)
    answer = Answer("answered", ("n",), (broken,))
    assert ties.nearest(answer).rows == (other,)
    assert ties.nearest(answer, key=lambda row: float(row[0].value)).rows == (whole,)


def test_another_engine_finds_the_same_ties(data):
    """Of the limits that RDFLib answers quickly."""
    files = [data / "rdf" / "ck25" / "prod-inst.ttl"]
    one, other = Store.open(files), RdflibGraph.open(files)
    cut = {}
    for question in read_suite(data / "sparql" / "ck25" / "questions.yml").questions:
        if question.name in {"15", "18", "21", "25", "36", "45", "46", "50"}:
            mine, theirs = (find_ties(question.gold_query, graph) for graph in (one, other))
            assert [group.taken for group in mine.groups] == [group.taken for group in theirs.groups]
            cut[question.name] = not theirs.stable
    assert [name for name, found in cut.items() if found] == ["46", "50"]


@given(st.lists(st.integers(0, 4), max_size=12), st.integers(0, 13), st.integers(0, 5))
def test_groups_are_those_of_the_values(values, limit, offset):
    turtle = "\n".join(f"<http://x/{place:02}> <http://x/n> {value} ." for place, value in enumerate(values))
    found = find_ties(f"{BY_SIZE} LIMIT {limit} OFFSET {offset}", Store.of(turtle))
    by_hand = [
        [f"{place:02}" for place, other in enumerate(values) if other == value]
        for value in sorted(set(values), reverse=True)
    ]
    assert [names(group.rows) for group in found.groups] == by_hand
    ranked = sorted(values, reverse=True)
    window = ranked[offset : offset + limit]
    assert [group.taken for group in found.groups] == [
        window.count(value) for value in sorted(set(values), reverse=True)
    ]
    assert found.stable is all(window.count(value) in (0, ranked.count(value)) for value in window)
