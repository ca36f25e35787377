"""`assay graph completeness` as people run it."""

import json
from io import StringIO

import jsonschema
import polars as pl
import pytest

from assay.report.schema import SCHEMAS

pytest.importorskip("pyoxigraph")
SHAPES = """@prefix sh: <http://www.w3.org/ns/shacl#> . @prefix p: <http://ld.company.org/prod-vocab/> .
[] sh:targetClass p:Employee ; sh:property [ sh:path p:phone ; sh:minCount 1 ] .
[] sh:targetClass p:Robot ; sh:property [ sh:path p:phone ; sh:minCount 1 ] ."""
TEXT = """@prefix : <http://x/> . :a a :Town ; :mayor :m . :b a :Town ; :mayor :n , :o . :c a :Town ."""


@pytest.fixture
def towns(tmp_path):
    file = tmp_path / "towns.ttl"
    file.write_text(TEXT, "utf-8")
    return file


def test_a_real_graph_with_its_shapes_and_its_questions(assay, data, tmp_path):
    shapes = tmp_path / "shapes.ttl"
    shapes.write_text(SHAPES, "utf-8")
    graph = data / "rdf" / "ck25" / "prod-inst.ttl"
    suite = data / "sparql" / "ck25" / "questions.yml"
    done = assay("graph", "completeness", graph, "--shapes", shapes, "--suite", suite, "--rule", "pca,2")
    assert done.err == ""
    lines = (
        "Employee  phone       42  53  0.7925  0.7660  shapes",
        "Not evaluated, for there are no entities: Robot. They are in no mean.",
        "phone              0.0210  0.7925",
        "Functionality below 0.9",
    )
    for line in lines:
        assert line in done.out
    assert max(map(len, done.out.splitlines())) <= 80


def test_json_follows_its_schema_and_names_its_inputs(assay, towns, tmp_path):
    reference = tmp_path / "mayors.csv"
    reference.write_text("s,p,o\nhttp://x/a,http://x/mayor,m\nhttp://x/c,http://x/mayor,q\n", "utf-8")
    done = assay("graph", "completeness", towns, "--reference", reference, "--sample-of", "20", "--recapture", "--rule",
                 "pca", "-o", "json")  # fmt: skip
    document = json.loads(done.out)
    jsonschema.validate(document, SCHEMAS["graph completeness"])
    assert document["domain"]["ratio"] == 0.5
    assert document["domain"]["interval"]["method"] == "hypergeometric"
    assert document["relations"][0]["oracles"][0]["precision"] == 1
    assert [one["role"] for one in document["inputs"]] == ["graph", "reference"]
    assert all(one["sha256"] for one in document["inputs"])


@pytest.mark.parametrize("form", ["csv", "tsv"])
def test_rows_for_programs_have_full_names(assay, towns, form):
    done = assay("graph", "completeness", towns, "--rule", "pca,cwa", "-o", form)
    frame = pl.read_csv(StringIO(done.out), separator="\t" if form == "tsv" else ",")
    assert frame["level"].to_list() == ["schema", "relation", "relation"]
    assert frame["property"].unique().to_list() == ["http://x/mayor"]
    assert frame["ratio"].to_list() == pytest.approx([2 / 3, 2 / 3, 1])


def test_markdown_has_tables_and_hides_nothing(assay, tmp_path):
    odd = tmp_path / "odd.nt"
    types = "<http://www.w3.org/1999/02/22-rdf-syntax-ns#type>"
    odd.write_text(f"<http://x/a> {types} <http://x/T\u202e> .\n<http://x/a> <http://x/p_q> '1' .\n", "utf-8")
    odd.write_text(odd.read_text("utf-8").replace("'", '"') + f"<http://x/b> {types} <http://x/T\u202e> .\n", "utf-8")
    done = assay("graph", "completeness", odd, "-o", "markdown")
    assert "\u202e" not in done.out
    assert "| class | entities | properties | ratio |" in done.out
    assert r"| T\\u202e | p\_q | 1 | 2 | 0.5000 |" in done.out


def test_entities_of_unknown_many_get_the_interval_of_wilson(assay, towns, tmp_path):
    listed = tmp_path / "towns.txt"
    listed.write_text("http://x/a\nhttp://x/z\n", "utf-8")
    done = assay("graph", "completeness", towns, "--reference", listed, "--sample-of", "unknown")
    assert "1 of 2 entities of the reference are in the graph: 0.5000, 95 % [0.0945" in done.out
    assert "(wilson)" in done.out


def test_mistakes_are_one_line_and_exit_with_two(assay, towns):
    for options, said in (
        (("--expect", "most"), "no rule is called 'most'."),
        (("--threshold", "2"), "threshold: expected a share above 0"),
        (("--rule", "pca,x"), "rule: expected cwa, pca or a number of values"),
        (("--sample-of", "some"), "--sample-of: expected a whole number"),
        (("--reference", "none.csv"), "none.csv: "),
        (("--suite", str(towns)), "towns.ttl"),
    ):
        done = assay("graph", "completeness", towns, *options, expect=2)
        assert said in done.err
        assert done.out == ""


def test_a_log_of_queries_says_what_is_in_demand(assay, towns, tmp_path):
    log = tmp_path / "log.csv"
    query = "SELECT ?x { ?x <http://x/%s> ?y }"
    log.write_text(f"query,count\n{query % 'mayor'},9\n{query % 'river'},1\n", "utf-8")
    document = json.loads(assay("graph", "completeness", towns, "--log", log, "-o", "json").out)
    jsonschema.validate(document, SCHEMAS["graph completeness"])
    found = {one["property"]: (one["weight"], one["used"]) for one in document["demand"]["properties"]}
    assert found == {"http://x/mayor": (0.9, True), "http://x/river": (0.1, False)}
    assert document["demand"]["weighted"] == pytest.approx(0.9 * 2 / 3)
    both = assay("graph", "completeness", towns, "--log", log, "--suite", log, expect=2)
    assert "expected --suite or --log, found both" in both.err
