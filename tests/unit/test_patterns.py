"""What queries ask of a graph."""

import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assay.core.terms import XSD, Term, iri, literal
from assay.formats.suites import read_suite
from assay.graph.sparql.patterns import RDF_TYPE, Parts, Pattern, parts

PIECES = "SELECT ASK ?x ?y { } <http://x/p> x:p a . ; , [ ] ( ) PREFIX x: LIMIT 3 FILTER OPTIONAL 'v' * + / ^"
PREFIX = "PREFIX : <http://x/>\n"


def asked(query: str) -> Parts:
    found = parts(PREFIX + query)
    assert found.reason == ""
    return found


def shown(slot: Term | str | None) -> str:
    return "" if slot is None else slot.value.removeprefix("http://x/") if isinstance(slot, Term) else f"?{slot}"


def drawn(query: str) -> list[str]:
    """Return the patterns of a query as `subject predicate object role`, a path as its predicates in brackets."""
    return [
        " ".join([
            shown(one.subject),
            shown(one.predicate) or f"({'|'.join(path.removeprefix('http://x/') for path in one.through)})",
            shown(one.object),
            one.role,
        ])
        for one in asked(query).patterns
    ]  # fmt: skip


def test_patterns_of_a_plain_query() -> None:
    found = asked('SELECT ?y { ?x a :C ; :p "v"@EN, 4 ; ?any ?y }')
    kind = iri(RDF_TYPE)
    number = literal("4", XSD + "integer")
    assert set(found.patterns) == {
        Pattern("x", kind, iri("http://x/C"), (RDF_TYPE,)),
        Pattern("x", iri("http://x/p"), literal("v", language="en"), ("http://x/p",)),
        Pattern("x", iri("http://x/p"), number, ("http://x/p",)),
        Pattern("x", "any", "y"),
    }
    assert found.predicates == ("http://www.w3.org/1999/02/22-rdf-syntax-ns#type", "http://x/p")
    assert (found.classes, found.entities, found.columns) == (("http://x/C",), (), ("y",))


@pytest.mark.parametrize(
    ("path", "patterns"),
    [
        (":p/:q", ["a p ?_:step1 needed", "?_:step1 q ?b needed"]),
        ("^:p", ["?b p a needed"]),
        ("^(:p/:q)", ["?b p ?_:step1 needed", "?_:step1 q a needed"]),
        (":p+", ["a (p) ?b needed"]),
        ("(:p|^:q)*", ["a (p|q) ?b needed"]),
        ("!(:p|:q)", ["a () ?b needed"]),
        (":p/:q?/:r", ["a p ?_:step1 needed", "?_:step1 (q) ?_:step2 needed", "?_:step2 r ?b needed"]),
    ],
)
def test_paths(path: str, patterns: list[str]) -> None:
    assert drawn(f"SELECT ?b {{ :a {path} ?b }}") == patterns


@pytest.mark.parametrize(
    ("group", "patterns"),
    [
        ("OPTIONAL { ?x :p ?y }", ["?x p ?y optional"]),
        ("{ ?x :p ?y } UNION { ?x :q ?y }", ["?x p ?y either", "?x q ?y either"]),
        ("?x :q ?z MINUS { ?x :p/:r ?y }", ["?x q ?z needed", "?x p ?_:step1 negated", "?_:step1 r ?y negated"]),
        ("FILTER NOT EXISTS { ?x :p ?y . ?y :q [ :r 1 ] }", None),
        ("FILTER EXISTS { ?x :p ?y }", ["?x p ?y needed"]),
        ("FILTER (!EXISTS { ?x :p ?y })", ["?x p ?y negated"]),
        ("OPTIONAL { { ?x :p ?y } UNION { ?x :q ?y } }", ["?x p ?y optional", "?x q ?y optional"]),
        ("{ SELECT ?x { ?x :p ?y } LIMIT 2 }", ["?x p ?y needed"]),
        ("GRAPH :g { ?x :p ?y }", ["?x p ?y needed"]),
        ("?x :p ?y SERVICE <http://e/> { ?x :else ?y }", ["?x p ?y needed"]),
    ],
)
def test_what_answers_make_of_a_pattern(group: str, patterns: list[str] | None) -> None:
    found = drawn(f"SELECT ?x {{ {group} }}")
    wanted = patterns or ["?x p ?y negated", "?y q ?_:1 negated", "?_:1 r 1 negated"]
    assert sorted(found) == sorted(wanted)


def test_entities_come_from_patterns_values_and_conditions() -> None:
    found = asked("""SELECT ?x (xsd:int(?n) AS ?m) {
        VALUES ?x { :v1 :v2 } ?x :p :e ; wdt:P31/wdt:P279* wd:Q5 ; a/rdfs:subClassOf* :C .
        FILTER (?x != :f) BIND (IF(?n = 1, :g, "x"^^:datatype) AS ?w) OPTIONAL { ?x :n ?n } }""")
    assert [one.rpartition("/")[2] for one in found.entities] == ["e", "f", "g", "v1", "v2"]
    assert found.classes == ("http://www.wikidata.org/entity/Q5", "http://x/C")


@pytest.mark.parametrize(
    ("query", "said"),
    [
        ("SELECT DISTINCT ?x { ?x :p ?n } ORDER BY ?n LIMIT 3 OFFSET 2", ("SELECT", True, 3, 2, True, ("x",), ())),
        ("SELECT * { ?b ?c ?a } OFFSET 4", ("SELECT", False, None, 4, False, ("a", "b", "c"), ())),
        ("ASK { :a :p :b }", ("ASK", False, None, 0, False, (), ())),
        ("SELECT (COUNT(*) AS ?n) { { SELECT ?x { ?x :p 1 } ORDER BY ?x LIMIT 3 } }",
         ("SELECT", False, None, 0, False, ("n",), ("COUNT",))),
        ("SELECT ?x (MAX(?n) AS ?m) { ?x :p ?n } GROUP BY ?x HAVING (AVG(?n) > 2) ORDER BY ?m",
         ("SELECT", True, None, 0, False, ("x", "m"), ("AVG", "MAX"))),
        ("CONSTRUCT { ?x :n ?y } { ?x :p ?y } LIMIT 1", ("CONSTRUCT", False, 1, 0, False, (), ())),
    ],
)  # fmt: skip
def test_what_the_outermost_query_says(query: str, said: tuple[object, ...]) -> None:
    found = asked(query)
    assert (
        found.form,
        found.ordered,
        found.limit,
        found.offset,
        found.distinct,
        found.columns,
        found.aggregates,
    ) == said


@pytest.mark.parametrize(
    ("query", "reason"),
    [
        ("", "line 1, column 1: not well formed"),
        ("SELECT ?x {\n ?x <http://x/p> }", "line 2"),
        ("SELECT ?x { ?x nope:p ?y }", "nothing declares the prefix nope:"),
        ("INSERT DATA { <http://a> <http://b> 1 }", "line 1, column 1: not well formed"),
        ("SELECT ?x " + "{" * 3000 + "}" * 3000, "nested too deep"),
    ],
    ids=["empty", "half", "prefix", "update", "deep"],
)
def test_what_is_no_query(query: str, reason: str) -> None:
    found = parts(query)
    assert found.form is None
    assert reason in found.reason
    assert found.patterns == ()


@given(st.text() | st.lists(st.sampled_from(PIECES.split()), max_size=14).map(" ".join))
def test_any_text_has_parts_or_a_reason(query: str) -> None:
    found = parts(query)
    assert (found.form is None) is bool(found.reason)


def test_the_same_in_every_process() -> None:
    query = (
        PREFIX + "SELECT * { ?b :p/:q [ :r ?c ] . { ?c a :C } UNION { ?b (:s|:t)+ :e } FILTER (?c IN (:k, :l, :m)) }"
    )
    code = f"from assay.graph.sparql.patterns import parts; print(parts({query!r}))"
    said = {
        subprocess.run(
            [sys.executable, "-c", code],
            env={"PYTHONHASHSEED": seed, "PYTHONPATH": ":".join(sys.path)},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for seed in ("1", "2", "3")
    }
    assert said == {f"{parts(query)}\n"}


def test_real_queries(data: Path) -> None:
    corporate = [parts(one.asked) for one in read_suite(data / "sparql" / "ck25" / "questions.yml").questions]
    assert [one.form for one in corporate].count("ASK") == 3
    assert sum(one.limit is not None for one in corporate) == 13
    assert all(one.reason == "" for one in corporate)
    assert any(one.endswith("hasSupplier") for found in corporate for one in found.predicates)
    wikidata = read_suite(data / "sparql" / "spinach-qald10" / "spinach_output_test.json").questions
    assert all(parts(one.asked).reason == "" for one in wikidata)
    qald = read_suite(data / "sparql" / "qald9plus" / "qald_9_plus_test_dbpedia.json").questions
    unread = [one.gold_query for one in qald if parts(one.gold_query).form is None]
    assert len(unread) == 10
    assert all("xsd:date(" in query or "SELECT COUNT(" in query.upper() for query in unread)


def test_two_prefixes_of_one_namespace() -> None:
    query = "PREFIX a: <http://x/> PREFIX b: <http://x/> SELECT ?x { ?x a:p ?y . ?y b:q 'a:p' . # b:r\n ?y :s ?x }"
    assert parts(query).reason == "nothing declares the prefix :"
    assert parts(query.replace(":s", "b:s")).predicates == ("http://x/p", "http://x/q", "http://x/s")
