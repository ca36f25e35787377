"""Mistakes that were reported of other evaluators of retrieval for answers, as small inputs with the right figures.

Each line of reported_rag.jsonl is one report: where it was made, the input and what must come out.
"""

import json
from pathlib import Path

import pytest

import assay

LINES = Path(__file__).with_name("reported_rag.jsonl").read_text("utf-8").splitlines()
REPORTS = {report["id"]: report for report in map(json.loads, LINES)}


def report(name):
    one = REPORTS[name]
    return one["input"], one["expected"]


def value(question, measure, **options):
    """Return the value of one question; None where it is undefined."""
    found = assay.evaluate_rag({"it": [{"id": "q", **question}]}, measure, **options)
    return found["it"].per_query["value"][0]


def asked(given):
    return {"retrieved": given["retrieved"], "needed": given["gold"]}


@pytest.mark.parametrize("place", [0, 1, 2])
def test_nothing_retrieved_is_zero_and_nothing_relevant_is_undefined(place):
    given, expected = report("rag-02-empty-lists")
    question, wanted = asked(given[place]), expected[place]
    assert value(question, "R@5") == wanted["recall"]
    assert value(question, "AP") == wanted["ap"]
    if "precision_of_retrieved" in wanted:  # undefined where nothing is retrieved
        assert value(question, "Noise@5") is None
    if not given[place]["gold"]:  # undefined for the question; what the mean makes of it is said, and may be 0
        assert value(question, "P@5") is None
        counted = assay.evaluate_rag({"it": [{"id": "q", **question}]}, "P@5", policy={"empty": "zero"})
        assert counted.mean["it"]["P@5"] == wanted.get("precision_at_k", 0)
    else:
        assert value(question, "P@5") == wanted["precision_at_k"]


def test_context_precision_is_not_average_precision():
    given, expected = report("rag-04-context-precision-vs-ap")
    names = {
        "ContextP": "ragas_context_precision", "AP": "average_precision", f"R@{given['k']}": "recall",
        "P@2": "precision_at_2", f"HR@{given['k']}": "hit_rate",
    }  # fmt: skip
    for measure, name in names.items():
        assert value(asked(given), measure) == expected[name]
    found = assay.evaluate_rag({"it": [{"id": "q", **asked(given)}]}, "AP ContextP")
    assert "puts first whoever finds one item early" in " ".join(found.notices)


def test_the_best_of_several_proofs_counts():
    given, expected = report("rag-06-all-facts")
    k = given.pop("k")
    rows = [{"id": name, **question} for name, question in given.items()]
    found = assay.evaluate_rag({"it": rows}, f"ProofR@{k} Deducible@{k} R@{k} Noise@{k}")["it"]
    wide = found.wide().sort("query")
    assert wide[f"ProofR@{k}"].to_list() == expected["fact_recall_best_proof"]
    assert [bool(one) for one in wide[f"Deducible@{k}"]] == expected["proof_complete"]
    assert wide[f"R@{k}"].to_list() == pytest.approx(expected["fact_recall_union"])
    assert [1 - one for one in wide[f"Noise@{k}"]] == pytest.approx(expected["precision_of_retrieved"])
    assert found[f"Deducible@{k}"] == pytest.approx(expected["share_answerable"])
    assert found[f"ProofR@{k}"] == pytest.approx(expected["mean_fact_recall"])


def test_the_unit_is_part_of_the_figure():
    given, expected = report("rag-07-unit-of-match")
    question = {"retrieved": given["retrieved"], "needed": given["gold_passages"]}
    measure = f"R@{given['k']}"
    assert value(question, measure, unit="document") == expected["title_level_recall"]
    assert value(question, measure, unit="passage") == expected["passage_level_recall"]
    assert assay.evaluate_rag({"it": [{"id": "q", **question}]}, measure, unit="document").unit == "document"


def test_recall_does_not_fall_when_more_is_retrieved():
    given, expected = report("rag-08-inverted-recall")
    question = {"retrieved": given["retrieved_facts"], "needed": given["gold_facts"]}
    assert value(question, "SetR") == expected["recall"]
    assert value(question, "SetP") == expected["precision"]


def test_every_report_is_looked_at():
    text = Path(__file__).read_text("utf-8")
    assert [name for name in REPORTS if f'"{name}"' not in text] == []
