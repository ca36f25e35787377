"""Completeness as it was reported or measured elsewhere, as small inputs with the right figures.

Each line of reported_graph.jsonl is one report: where it was made, the input and what must come out. Those of links
and of accuracy are looked at in files of their own.
"""

import json
from pathlib import Path

import pytest

from assay.core.answers import Question, Suite
from assay.core.terms import Term, iri
from assay.graph.completeness.completeness import completeness
from assay.graph.completeness.reference import Reference
from assay.graph.sparql.store import Store

pytest.importorskip("pyoxigraph")
LINES = Path(__file__).with_name("reported_graph.jsonl").read_text("utf-8").splitlines()
REPORTS = {report["id"]: report for report in map(json.loads, LINES)}
X = "http://x/"


def report(name):
    one = REPORTS[name]
    return one["input"], one["expected"]


def pair(found, class_name, name):
    return next(one for one in found.schema.filled if (one.class_name, one.predicate) == (class_name, name))


def store(lines):
    return Store.of(f"@prefix : <{X}> . " + " ".join(lines))


def facts(values):
    return Reference("truth", tuple((iri(X + s), iri(X + p), Term("text", o)) for s, p, o in values))


@pytest.mark.parametrize("beside", ["direct", "with_subclasses"])
def test_the_denominator_of_a_class_with_and_without_subclasses(data, beside):
    given, expected = report("comp-01-schema-ratio")
    graph = Store.open([data / given["file"]])
    found = pair(completeness(graph), given["class"], given["property"])
    counts = (
        {"have": found.direct_have, "of": found.direct_of, "ratio": found.direct_ratio}
        if beside == "direct"
        else {"have": found.have, "of": found.of, "ratio": found.ratio}
    )
    assert counts == pytest.approx(expected[beside])
    alone = pair(completeness(graph, subclasses=False), given["class"], given["property"])
    assert (alone.have, alone.of) == (expected["direct"]["have"], expected["direct"]["of"])


def test_missing_values_stay_in_the_denominator():
    given, expected = report("comp-02-null-denominator")
    flags = [None if one is None else str(one).lower() for one in given["values"]]
    lines = [
        f":e{place} a :Thing ." + (f" :e{place} :flag {flag} ." if flag else "") for place, flag in enumerate(flags)
    ]
    truth = facts((f"e{place}", "flag", "true") for place in range(len(flags)))
    found = completeness(store(lines), reference=truth)
    level = pair(found, f"{X}Thing", f"{X}flag")
    assert found.domain.ratio == pytest.approx(expected["share_true_of_all"])
    assert level.ratio == pytest.approx(expected["population"])
    assert found.domain.found / level.have == pytest.approx(expected["share_true_of_present"])


def test_three_denominators_of_one_relation():
    given, expected = report("comp-04-pca")
    lines = [f":{name} a :S ." for name in given["subjects"]]
    lines += [f":{name} :p '{value}' ." for name, values in given["kb"].items() for value in values]
    truth = facts((s, "p", o) for s, values in given["expected_true_values"].items() for o in values)
    marks = [(X + name, f"{X}p") for name in given["no_value_marks"]]
    graph = store(lines)
    found = completeness(graph, reference=truth, rules=["pca"], marks=marks)
    level = found.relations[0]
    pca = level.oracles[0]
    assert found.domain.ratio == level.ratio == expected["domain_level_fact_recall"]
    assert pair(found, f"{X}S", f"{X}p").ratio == pytest.approx(expected["schema_level_population_excluding_no_value"])
    assert pair(completeness(graph), f"{X}S", f"{X}p").ratio == expected["schema_level_population"]
    assert pca.complete == pca.judged == len(expected["pca_complete_subjects"])
    assert pca.complete / level.subjects == expected["pca_ratio_among_nonempty"]
    assert pca.precision == expected["pca_precision_vs_truth"]


def test_gaps_weigh_by_use():
    given, expected = report("comp-05-demand-weighted")
    lines = [f":c{place} a :Company ." for place in range(10)]
    lines += [f":c{place} :{name} :v ." for name, share in given["ratio"].items() for place in range(round(10 * share))]
    questions = [
        Question(name, gold_query=f"SELECT ?x {{ ?x <{X}{name}> ?y }}", weight=weight)
        for name, weight in given["queries"].items()
    ]
    level = completeness(store(lines), suite=Suite("log", tuple(questions))).demand
    assert {one.predicate.removeprefix(X): one.ratio for one in level.wanted} == given["ratio"]
    assert level.weighted == pytest.approx(expected["demand_weighted"])
    assert level.unweighted == pytest.approx(expected["unweighted"])
    shares = {one["property"].removeprefix(X): one["gap_share"] for one in level.to_dict()["properties"]}
    assert shares == pytest.approx(expected["gap_share"])


def test_every_report_of_completeness_is_looked_at():
    text = Path(__file__).read_text("utf-8")
    assert [name for name in REPORTS if name.startswith("comp-") and f'"{name}"' not in text] == []
