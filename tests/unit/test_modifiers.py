"""The order, limit and offset of a query, found in its text."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assay.graph.sparql.modifiers import Modifiers, normalised, tokenised

PLAIN = "SELECT ?x WHERE { ?x ?p ?n }"


def test_reads_order_limit_and_offset():
    found = Modifiers.of(f"{PLAIN} ORDER BY DESC(?n) ?x LIMIT 5 OFFSET 10")
    assert (found.form, found.order, found.limit, found.offset) == ("SELECT", "DESC(?n) ?x", 5, 10)
    assert found.before == PLAIN
    assert found.cuts


def test_offset_may_come_first_and_words_in_any_case():
    found = Modifiers.of(f"{PLAIN} order by ?n offset 3\nlimit 2")
    assert (found.order, found.limit, found.offset) == ("?n", 2, 3)


def test_a_query_without_modifiers_stays_as_it_is():
    found = Modifiers.of(PLAIN)
    assert (found.order, found.limit, found.offset, found.cuts) == ("", None, 0, False)
    assert found.written() == PLAIN


@pytest.mark.parametrize(
    "body",
    [
        '?x ?p "ORDER BY ?y LIMIT 1"',
        "?x ?p 'it\\'s LIMIT 1'",
        '?x ?p """a "quoted" LIMIT 1"""',
        "?x ?p '''it's LIMIT 1'''",
        "?x ?p <http://x/a#LIMIT> # LIMIT 1 } {",
        "?x limit:order ?n",
        "?x ?limit ?order",
        "{ SELECT ?x { ?x ?p ?n } ORDER BY ?n LIMIT 1 OFFSET 2 }",
        '?x ?p ?n FILTER(?n < 3 && ?n > 1 && STR(?x) != "}")',
        '?x ?p "limit"@order',
    ],
)
def test_words_inside_the_pattern_are_none_of_the_query(body):
    query = f"PREFIX limit: <http://x/> SELECT ?x {{ {body}\n }} ORDER BY ?x LIMIT 7"
    found = Modifiers.of(query)
    assert (found.order, found.limit, found.offset) == ("?x", 7, 0)
    assert found.written() == query.removesuffix(" ORDER BY ?x LIMIT 7") + "\nORDER BY ?x"


def test_a_limit_of_a_sub_select_is_named_and_does_not_cut():
    found = Modifiers.of("SELECT ?x { { SELECT ?x { ?x ?p ?n } LIMIT 1 } }")
    assert found.inner_limit
    assert not found.cuts


def test_group_having_and_values_keep_their_places():
    query = (
        "SELECT ?x (COUNT(*) AS ?n) { ?x ?p ?y } GROUP BY ?x HAVING (COUNT(*) > 1) ORDER BY ?n LIMIT 1 VALUES ?x { 1 }"
    )
    found = Modifiers.of(query)
    assert found.written(further=["?x"]) == (
        "SELECT ?x (COUNT(*) AS ?n) { ?x ?p ?y } GROUP BY ?x HAVING (COUNT(*) > 1)\nORDER BY ?n\n?x\nVALUES ?x { 1 }"
    )


def test_an_expression_of_the_projection_or_of_the_order_may_hold_a_pattern():
    query = (
        "SELECT (EXISTS { ?s ?p 1 } AS ?e) { ?x ?p ?n } ORDER BY (EXISTS { { SELECT * { ?a ?b ?c } LIMIT 3 } }) LIMIT 2"
    )
    found = Modifiers.of(query)
    assert found.limit == 2
    assert found.order == "(EXISTS { { SELECT * { ?a ?b ?c } LIMIT 3 } })"


def test_a_comment_in_the_order_does_not_swallow_what_follows():
    found = Modifiers.of(f"{PLAIN} ORDER BY ?n # the smallest\nLIMIT 1 # one")
    assert found.limit == 1
    assert found.written(further=["?x"]).endswith("ORDER BY ?n # the smallest\n?x")


@pytest.mark.parametrize(("query", "form"), [("ASK { ?x ?p 1 } LIMIT 1", "ASK"), ("", ""), ("limit 1", "")])
def test_only_a_select_is_cut(query, form):
    assert Modifiers.of(query).form == form
    assert not Modifiers.of(query).cuts


def test_queries_that_differ_in_blanks_and_comments_are_the_same():
    assert normalised("SELECT ?x{?x ?p 1}# all") == normalised("SELECT ?x\n{ ?x  ?p 1 }")
    assert normalised('SELECT ?x {?x ?p "a b"}') != normalised('SELECT ?x {?x ?p "a  b"}')


@given(st.text(alphabet=" \n{}()\"'#<>?:@\\abSELECTLIMIT12", max_size=60))
def test_any_text_is_cut_into_pieces_that_hold_all_of_it(text):
    pieces = "".join(token.text for token in tokenised(text))
    assert "".join(pieces.split()) == "".join(text.split())
    Modifiers.of(text).written(further=["?x"])
