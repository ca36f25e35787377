"""Suites made from a graph, and drawn from a log of queries."""

import json
from collections import Counter
from pathlib import Path
from urllib.parse import quote_plus

import pytest

from assay.errors import FormatError, InputError, ParameterError
from assay.formats.suites import read_suite, yaml_of
from assay.graph.sparql.patterns import parts
from assay.graph.sparql.store import Store
from assay.tasks.answers.naming import Names, words
from assay.tasks.answers.query_log import drawn, normal_form, suite_of_log
from assay.tasks.answers.scaffold import suite_of_graph

TOWNS = """
@prefix : <http://x/> . @prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
:ann a :Person ; rdfs:label "Ann"@en, "Anna"@de ; :hasBoss :bob ; :livesIn :bonn .
:bob a :Person ; rdfs:label "Bob" ; :hasBoss :eve ; :livesIn :bonn .
:eve a :Person ; :livesIn :ulm ; :knows [ :livesIn :ulm ] .
:bonn a :Town ; :inCountry :de ; :mayor :eve . :ulm a :Town ; :inCountry :de .
"""


def town_suite(**options: object) -> dict[str, list[str]]:
    options = {"least": 1, "questions": 1000} | options
    suite = suite_of_graph(Store.of(TOWNS), **options)  # type: ignore[arg-type]
    return {
        one.text: sorted(row[0].value.rpartition("/")[2] for row in one.gold.rows if row[0])
        for one in suite.questions
        if one.gold is not None
    }


def test_every_question_that_a_small_graph_can_answer() -> None:
    one_hop = town_suite(hops=[1])
    assert one_hop == {
        "What is the boss of Ann?": ["bob"],
        "What is the boss of Bob?": ["eve"],
        "What is the lives in of Ann?": ["bonn"],
        "What is the lives in of Bob?": ["bonn"],
        "What is the lives in of eve?": ["ulm"],
        "What is the in country of bonn?": ["de"],
        "What is the in country of ulm?": ["de"],
        "What is the mayor of bonn?": ["eve"],
        "Which person has Bob as boss?": ["ann"],
        "Which person has eve as boss?": ["bob"],
        "Which person has bonn as lives in?": ["ann", "bob"],
        "Which person has ulm as lives in?": ["eve"],
        "Which town has de as in country?": ["bonn", "ulm"],
        "Which town has eve as mayor?": ["bonn"],
    }
    two_hops = town_suite(hops=[2])
    assert two_hops["What is the boss of the boss of Ann?"] == ["eve"]
    assert two_hops["What is the mayor of the lives in of Bob?"] == ["eve"]
    assert len(two_hops) == 9
    assert town_suite() == one_hop | two_hops


def test_what_is_left_out() -> None:
    assert set(town_suite(classes=["http://x/Town"], hops=[1])) < set(town_suite(hops=[1]))
    assert "Which person has bonn as lives in?" not in town_suite(most=1)
    assert not any("mayor of bonn" in text for text in town_suite(least=2))
    with pytest.raises(InputError, match="expected classes whose entities have properties, found none"):
        town_suite(least=50)
    for wrong in ({"questions": 0}, {"hops": [3]}, {"hops": []}, {"most": 0}):
        with pytest.raises(ParameterError):
            town_suite(**wrong)


def test_the_seed_decides_which_and_nothing_else_does() -> None:
    shuffled = "\n".join(reversed(TOWNS.strip().split("\n")[1:]))
    prefixes = TOWNS.strip().split("\n")[0]
    graphs = Store.of(TOWNS), Store.of(f"{prefixes}\n{shuffled}")
    first, same = (suite_of_graph(graph, questions=6, least=1, seed=1).questions for graph in graphs)
    assert first == same
    others = [suite_of_graph(graphs[0], questions=6, least=1, seed=seed).questions for seed in range(2, 8)]
    assert any(other != first for other in others)


def test_real_scaffold_answers_itself(data: Path, tmp_path: Path) -> None:
    graph = Store.open([data / "rdf" / "ck25" / "prod-inst.ttl"])
    suite = suite_of_graph(graph, questions=60)
    assert len({one.name for one in suite.questions}) == 60
    assert Counter(one.groups["kind"] for one in suite.questions).keys() == {"value", "holders", "through"}
    assert len({one.groups["class"] for one in suite.questions}) >= 6
    for question in suite.questions:
        assert question.gold is not None
        assert set(graph.select(question.gold_query).rows) == set(question.gold.rows)
        assert len(question.facts) >= len(question.gold.rows)
        assert question.gold.rows
    path = tmp_path / "suite.yaml"
    path.write_text(yaml_of(suite))
    assert read_suite(path).questions == suite.questions


def test_names() -> None:
    graph = Store.of(TOWNS)
    both = [Names.of(graph, ["http://x/ann", "http://x/bob", "no IRI"], tag) for tag in ("en", "de")]
    assert [names.thing("http://x/ann") for names in both] == ["Ann", "Anna"]
    assert both[0].thing("http://x/somethingElse") == "something else"
    assert both[0].property("http://x/isPartOf") == "part of"
    assert words("http://x/HTTPServer_v2") == "HTTP Server v2"
    assert words("http://x/") == "x"


SAME = [
    "PREFIX x: <http://x/> SELECT ?a { ?a x:p 'v' }",
    "prefix y: <http://x/>\nselect $b { $b y:p 'v' } # all",
    "SELECT ?q {?q <http://x/p> 'v'}",
]


def test_spellings_of_one_query() -> None:
    assert len({normal_form(query) for query in SAME}) == 1
    other = ["SELECT ?a { ?a <http://x/p> 'V' }", "SELECT ?a { ?b <http://x/p> 'v' }", "ASK { ?a <http://x/p> 'v' }"]
    assert len({normal_form(query) for query in [SAME[0], *other]}) == 4


def log(folder: Path, name: str, text: str) -> Path:
    path = folder / name
    path.write_text(text)
    return path


def test_logs_of_all_forms(tmp_path: Path) -> None:
    ask = "ASK { <http://x/a> ?p ?o }"
    lines = [*(one.replace("\n", " ").partition(" #")[0] for one in SAME), ask, "DESCRIBE <http://x/a>", "", "no query"]
    found = suite_of_log(log(tmp_path, "plain.log", "\n".join(lines)))
    assert (found.demand, found.distinct, found.other) == (4, 2, 2)
    assert [(one.weight, one.groups["form"]) for one in found.suite.questions] == [(3, "SELECT"), (1, "ASK")]
    assert [one.name for one in found.suite.questions] == ["log-1", "log-2"]
    served = "\n".join(f'127.0.0.1 - "GET /sparql?format=json&query={quote_plus(one)} HTTP/1.1" 200' for one in SAME)
    table = "count,Query\n" + "".join(f'2,"{one}"\n' for one in SAME)
    objects = "".join(json.dumps({"sparql": one, "n": 2}) + "\n" for one in SAME)
    for name, text, demand in (("s.log", served, 3), ("s.csv", table, 6), ("s.jsonl", objects, 6)):
        drawn_all = suite_of_log(log(tmp_path, name, text))
        assert (drawn_all.demand, drawn_all.distinct) == (demand, 1)
        assert parts(drawn_all.suite.questions[0].gold_query).predicates == ("http://x/p",)


@pytest.mark.parametrize(
    ("name", "text", "said"),
    [
        ("s.log", "nothing\n", "expected SELECT or ASK queries, found none"),
        ("s.csv", "a,b\n1,2\n", "line 2: expected SPARQL under one of query, sparql, text"),
        ("s.csv", "query,count\nASK {},x\n", "line 2: expected a number above 0 as count, found 'x'"),
        ("s.jsonl", '{"query": "ASK {}", "count": -1}\n', "line 1: expected a number above 0 as count"),
        ("s.jsonl", '{"query": 4}\n', "line 1: expected SPARQL"),
    ],
)
def test_logs_that_cannot_be_read(tmp_path: Path, name: str, text: str, said: str) -> None:
    with pytest.raises(FormatError, match=said):
        suite_of_log(log(tmp_path, name, text))


def test_weights_add_up_to_the_demand_and_estimate_it_without_bias() -> None:
    import random

    often = {f"q{number}": float(1 + 400 // (1 + number)) for number in range(60)}
    good = {name: number % 3 == 0 for number, name in enumerate(often)}
    demand = sum(often.values())
    wanted = sum(often[name] for name, is_good in good.items() if is_good) / demand
    shares = []
    for seed in range(2000):
        weights = drawn(often, 12, random.Random(seed))
        assert len(weights) == 12
        assert sum(weights.values()) == pytest.approx(demand)
        assert {"q0", "q1"} <= weights.keys()
        shares.append(sum(weight for name, weight in weights.items() if good[name]) / demand)
    assert sum(shares) / len(shares) == pytest.approx(wanted, abs=0.005)
    assert drawn(often, None, random.Random(0)) == often
    assert drawn(often, 1000, random.Random(0)) == often


def test_the_order_of_a_log_changes_nothing(tmp_path: Path) -> None:
    queries = [f"ASK {{ <http://x/{number % 17}> ?p {number % 5} }}" for number in range(200)]
    one = suite_of_log(log(tmp_path, "a.log", "\n".join(queries)), questions=9, seed=3)
    two = suite_of_log(log(tmp_path, "a.log", "\n".join(reversed(queries))), questions=9, seed=3)
    assert one == two
    assert sum(question.weight for question in one.suite.questions) == pytest.approx(200)
