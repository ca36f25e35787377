"""Grades from a source that knows: facts, links of what is the same, rows; with coverage and evidence."""

import json

import jsonschema
import pytest

from assay.core.judging import Pair
from assay.errors import FormatError, GoldError, InputError, ParameterError
from assay.graph.sparql.store import Store
from assay.judging.derive import derive
from assay.judging.links import Links, read_links
from assay.report import derived as report
from assay.report.schema.derived import GOLD_DERIVE

X = "http://x/"
TURTLE = """@prefix : <http://x/> .
:germany :capital :berlin ; :population 83000000 ; :name "Germany"@en .
:france :capital :paris ."""


def statement(item, subject, predicate, value):
    fields = {"subject": f"<{X}{subject}>", "predicate": f"{X}{predicate}", "object": value}
    return Pair(subject, item, fields=fields)


POOL = [
    statement("1", "germany", "capital", f"<{X}berlin>"),
    statement("2", "germany", "capital", f"<{X}bonn>"),
    statement("3", "germany", "population", '"83000000"^^<http://www.w3.org/2001/XMLSchema#integer>'),
    statement("4", "germany", "anthem", '"?"'),
    statement("5", "germany", "name", '"Germany"@en'),
]


@pytest.fixture
def turtle(tmp_path):
    path = tmp_path / "reference.ttl"
    path.write_text(TURTLE)
    return path


def grades(found):
    return dict(found.table.select("item", "grade").iter_rows())


def test_what_is_stated_is_right_and_the_rest_is_open(turtle):
    found = derive([turtle], pool=POOL)
    assert grades(found) == {"1": 1.0, "2": None, "3": 1.0, "4": None, "5": 1.0}
    assert found.coverage == 0.6
    assert found.gold.table["grade"].to_list() == [1.0] * 3


def test_a_complete_source_makes_other_values_wrong_and_says_nothing_of_the_rest(turtle):
    found = derive([turtle], pool=POOL, complete=True)
    assert grades(found) == {"1": 1.0, "2": 0.0, "3": 1.0, "4": None, "5": 1.0}
    row = found.table.filter(item="2").row(0, named=True)
    assert (row["rule"], row["source"], row["evidence"]) == ("other values", str(turtle), f"<{X}berlin>")


def test_a_graph_that_answers_gives_what_its_file_gives(turtle):
    graph = derive([Store.open([turtle])], pool=POOL, complete=True)
    assert grades(graph) == grades(derive([turtle], pool=POOL, complete=True))


def test_a_table_of_facts_is_a_source_and_its_texts_match_by_value(tmp_path):
    path = tmp_path / "facts.csv"
    path.write_text(f"subject,predicate,object\n{X}germany,{X}capital,berlin\n{X}germany,{X}population,83000000.0\n")
    assert grades(derive([path], pool=POOL)) == {"1": 1.0, "2": None, "3": 1.0, "4": None, "5": None}


def test_sources_that_contradict_each_other_give_no_grade(turtle, tmp_path):
    other = tmp_path / "old.ttl"
    other.write_text("@prefix : <http://x/> . :germany :capital :bonn .")
    found = derive([turtle, other], pool=POOL[:2], complete=True)
    assert grades(found) == {"1": None, "2": None}
    assert found.rules() == {"contradicted": 2}
    assert any("wrong by another" in line for line in found.notices)


def test_without_a_pool_all_that_is_stated_is_right(turtle):
    found = derive([turtle])
    assert (found.table.height, found.coverage, found.pooled) == (4, 1.0, False)
    assert set(found.table["query"]) == {f"{X}germany", f"{X}france"}


LINKS = (("a", "b"), ("b", "c"), ("d", "e"))


@pytest.fixture
def links(tmp_path):
    path = tmp_path / "links.csv"
    path.write_text("left,right\n" + "".join(f"{one},{other}\n" for one, other in LINKS))
    return path


def same(*pairs):
    return [Pair(one, other) for one, other in pairs]


def test_links_lead_over_several_and_both_ways(links):
    pool = same(("b", "a"), ("c", "a"), ("a", "d"), ("a", "z"))
    found = derive([links], basis="links", pool=pool, complete=True)
    rows = {(row["query"], row["item"]): row for row in found.table.iter_rows(named=True)}
    assert [(rows[key]["grade"], rows[key]["rule"]) for key in (("b", "a"), ("c", "a"), ("a", "d"), ("a", "z"))] == [
        (1.0, "stated"), (1.0, "chain"), (0.0, "other values"), (None, "not covered"),
    ]  # fmt: skip
    assert rows["c", "a"]["evidence"] == "2 links"


def test_links_alone_make_nothing_wrong(links):
    assert derive([links], basis="links", pool=same(("a", "d"))).table["grade"].to_list() == [None]


def test_links_of_rdf_are_read_by_their_property(tmp_path):
    path = tmp_path / "links.ttl"
    path.write_text(
        "@prefix : <http://x/> . @prefix owl: <http://www.w3.org/2002/07/owl#> . :a owl:sameAs :b . :c :like :d ."
    )
    assert read_links(path).stated == ((X + "a", X + "b"),)
    assert read_links(path, X + "like").stated == ((X + "c", X + "d"),)


def test_the_shortest_way_is_counted():
    ring = Links((("a", "b"), ("b", "c"), ("c", "d"), ("d", "a")))
    assert [ring.steps("a", one) for one in "bcda"] == [1, 2, 1, 0]


QUERY = "SELECT ?query ?item ?grade { VALUES (?query ?item ?grade) { ('q1' 'a' 2) ('q1' 'b' 0) ('q2' 'c' 1) } }"


def test_rows_of_a_query_are_gold(turtle):
    found = derive([turtle], basis="rows", query=QUERY)
    assert found.gold.table.rows() == [("q1", "a", 2.0), ("q1", "b", 0.0), ("q2", "c", 1.0)]


def test_rows_grade_a_pool_and_completeness_holds_query_by_query(turtle):
    pool = same(("q1", "a"), ("q1", "z"), ("q9", "z"))
    found = derive([turtle], basis="rows", query=QUERY, pool=pool, complete=True)
    assert found.table["grade"].to_list() == [2.0, 0.0, None]
    assert found.by_query.row(0) == ("q9", 1, 0, 0)


@pytest.mark.parametrize(
    ("given", "error", "said"),
    [
        ({"basis": "rows"}, ParameterError, "SPARQL"),
        ({"query": QUERY}, ParameterError, "SPARQL"),
        ({"basis": "rows", "query": "SELECT ?item { ?item ?p ?o }"}, InputError, r"\?query"),
        ({"basis": "rows", "query": "SELECT ?query ?item ?grade { VALUES (?query ?item ?grade) {('q' 'a' 'x')} }"},
         InputError, "number"),
        ({"basis": "links"}, InputError, "links"),
        ({"pool": [Pair("q", "a")]}, InputError, "IRI"),
        ({"pool": []}, GoldError, "found none"),
    ],
)  # fmt: skip
def test_what_makes_no_sense_is_refused(turtle, given, error, said):
    with pytest.raises(error, match=said):
        derive([turtle], **given)


def test_a_link_without_an_end_is_named_by_its_line(tmp_path):
    path = tmp_path / "links.csv"
    path.write_text("left,right\na,b\nc,\n")
    with pytest.raises(FormatError, match="line 3"):
        read_links(path)


def test_json_follows_its_schema_and_text_keeps_its_width(turtle):
    found = derive([turtle], pool=POOL, complete=True)
    jsonschema.validate(json.loads(json.dumps(found.to_dict())), GOLD_DERIVE)
    body = report.render(found, width=72).split("\n\n", 1)[1]
    assert max(map(len, body.splitlines())) <= 72
    assert "HOW GRADES FOLLOW" in report.to_markdown(found)
