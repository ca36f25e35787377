"""What a diagnosis says: what stands out, what could help, in text, JSON and tables."""

import json
from dataclasses import replace
from typing import Any

import numpy as np
import polars as pl
import pytest
from tests.unit.lexical_purses import DOCUMENTS, GOLD, QUERIES, blamed, bm25

from assay.core.lexical_diagnosis import LexicalDiagnosis
from assay.errors import InputError, ParameterError
from assay.evaluate import evaluate
from assay.report import lexical_diagnosis as report
from assay.report.schema import SCHEMAS
from assay.tasks.lexical.analysis import Analyzer
from assay.tasks.lexical.diagnosis.diagnose import diagnose
from assay.tasks.lexical.diagnosis.predictors import PREDICTORS
from assay.tasks.lexical.diagnosis.relations import SHARED, relations
from assay.tasks.lexical.diagnosis.remedies import remedies


@pytest.fixture(scope="module")
def found() -> LexicalDiagnosis:
    return diagnose(GOLD, bm25(), DOCUMENTS, QUERIES, cutoff=3)


def test_one_strong_figure_among_many_pays_for_all_of_them(found: LexicalDiagnosis) -> None:
    chance = np.random.default_rng(1)
    rows = []
    for place in range(30):
        figures = {name: float(chance.normal()) for name in (*PREDICTORS, *SHARED)}
        figures["coverage"] = place + 9 * float(chance.normal())
        facts: Any = {name: figures.pop(name) for name in SHARED}
        rows.append(replace(found.per_query[0], values={"P@3": float(place)}, predictors=figures, **facts))
    evaluation = evaluate({"1": {"best": 1}}, {"1": ["best"]}, "P@3")
    related = {one.figure: one for one in relations(rows, evaluation, level=0.95)}
    strong, tests = related["coverage"], len(SHARED) + len(PREDICTORS)
    assert strong.p is not None
    assert strong.adjusted == pytest.approx(tests * strong.p, abs=0)
    assert strong.adjusted < 0.05
    assert all(one.adjusted is not None and one.p is not None and one.adjusted >= one.p for one in related.values())


def test_what_does_not_happen_is_not_said() -> None:
    found = diagnose({"1": {"best": 1}}, {"1": ["best"]}, DOCUMENTS, {"1": "purses"})
    assert report.paragraph(found).startswith("run has")
    assert "1 query has 1 relevant document: 1 of them stands in the first 10 places, 0 are missed." in (
        report.paragraph(found)
    )
    assert "share no word" not in report.paragraph(found).split("Without stemming")[0]
    assert "Without stemming 100.0 % of the relevant documents would share no word" in report.paragraph(found)


def test_case_that_parts_queries_from_documents_is_named() -> None:
    loud = {query: text.upper() for query, text in QUERIES.items()}
    vectors = {"1": ["x4", "x1", "x2"], "2": ["x3", "x4", "x5"]}
    found = diagnose(GOLD, vectors, DOCUMENTS, loud, cutoff=3)
    (case,) = [one for one in found.findings if one.code == "case-apart"]
    assert (case.level, case.place) == ("warning", "run")
    assert "the queries are in upper case (100 % of their letters), the documents in lower case (0 %)" in case.title
    assert blamed(found)["2", "best"] == "spelling"
    fine = diagnose(GOLD, bm25(), DOCUMENTS, loud, cutoff=3)
    assert [one.level for one in fine.findings if one.code == "case-apart"] == ["note"]
    assert not [one for one in diagnose(GOLD, vectors, DOCUMENTS, QUERIES).findings if one.code == "case-apart"]


def test_a_search_that_finds_nothing_is_said_aloud() -> None:
    loud = {query: text.upper() for query, text in QUERIES.items()}
    found = diagnose(GOLD, bm25(), DOCUMENTS, loud, analyzer=Analyzer(stemmer=None, lower=False), cutoff=3)
    assert found.words is None
    assert found.overlaps[0].ceiling == 0.0
    assert any("no search by words" in line for line in found.notices)


def test_ids_that_are_written_otherwise_are_named() -> None:
    gold = {"1": {"CACM-7": 1, "elsewhere": 1}}
    found = diagnose(gold, {"1": ["cacm-0007"]}, {"cacm-0007": "gold", "b": "silk"}, {"1": "gold"})
    (one,) = [one for one in found.findings if one.code == "not-indexed"]
    assert one.title == "relevant items that are not among the documents: 2"
    assert "under another id 1 of them seem to be there, such as 'CACM-7', which the documents call 'cacm-0007'" in (
        one.detail
    )


def test_a_dense_run_says_what_it_finds() -> None:
    found = diagnose(GOLD, bm25(), DOCUMENTS, QUERIES, dense={"1": ["disjoint", "x1"], "2": ["x1"]}, cutoff=3)
    by_name = {one.name: one.dense for one in found.blames}
    assert (by_name["disjoint"], by_name["frequent"]) == (1, 0)
    vectors = next(one for one in found.remedies if one.name == "vectors")
    assert (vectors.documents, vectors.costs, found.found) == (1, 2, 2)


def test_queries_without_text_are_a_warning_and_none_at_all_an_error() -> None:
    found = diagnose(GOLD | {"9": {"best": 1}}, bm25(), DOCUMENTS, QUERIES)
    one, *_ = found.findings
    assert (one.code, one.level, one.title) == ("no-text", "warning", "queries of the gold without a text, left out: 1")
    assert "their texts are missing, or their ids are written otherwise. Such as '9'." in next(report.findings(found))
    one, *_ = diagnose(GOLD | {"02": {"best": 1}}, bm25(), DOCUMENTS, QUERIES).findings
    assert "under another id 1 of them seem to be there, such as '02', which is '2' there" in one.detail
    assert found.queries == 2
    with pytest.raises(InputError, match="expected the texts of queries that have something relevant, found queries"):
        diagnose(GOLD, bm25(), DOCUMENTS, {"7": "gold"})
    with pytest.raises(InputError, match="found none"):
        diagnose(GOLD, bm25(), DOCUMENTS, {})
    with pytest.raises(ParameterError, match="cutoff 0"):
        diagnose(GOLD, bm25(), DOCUMENTS, QUERIES, cutoff=0)


def test_queries_of_another_gold_are_told() -> None:
    documents = {f"d{n}": f"word{n} of{n} all{n % 3} same" for n in range(30)}
    queries = {f"q{n:02}": f"word{n} of{n} same" for n in range(30)}
    gold = {f"q{n:02}": {f"d{n}": 1} for n in range(30)}
    run = {query: ["d0"] for query in gold}
    assert "not-together" not in {one.code for one in diagnose(gold, run, documents, queries).findings}
    other = {f"q{n:02}": {f"d{(n + 7) % 30}": 1} for n in range(30)}
    (one,) = [one for one in diagnose(other, run, documents, queries).findings if one.code == "not-together"]
    assert one.title == "queries and gold do not seem to belong together"
    assert "have 33 % of the words of their query, and as much, 33 %, of those of the next one" in one.detail


def test_feedback_is_held_against_a_search_that_reads_texts_better() -> None:
    loud = {query: text.upper() for query, text in QUERIES.items()}
    found = diagnose(GOLD, {"1": ["x4"], "2": ["x3"]}, DOCUMENTS, loud, cutoff=3)
    known = {one.name: one for one in found.remedies}
    assert known["spelling"].documents == 2
    assert "feedback" not in known
    assert "feedback on top" not in known or known["feedback on top"].documents < 2
    pairs = [("1", "a"), ("1", "b"), ("1", "c")]
    missed = [replace(found.missed[0], query=query, item=item) for query, item in pairs]
    searches = {"spelling": {*pairs[:2], ("1", "f")}, "feedback on top": {*pairs[1:], ("1", "other")}}
    counted = {one.name: (one.documents, one.costs) for one in remedies(missed, {("1", "f")}, searches)}
    assert counted["feedback on top"] == (1, 2)
    assert counted["spelling"] == (2, 0)


def test_json_follows_its_schema_and_tables_hold_all(found: LexicalDiagnosis) -> None:
    jsonschema = pytest.importorskip("jsonschema")
    jsonschema.validate(json.loads(json.dumps(found.to_dict())), SCHEMAS["lexical diagnose"])
    assert report.to_frame(found, "missed").height == len(found.missed)
    queries = report.to_frame(found, "queries")
    assert queries["query"].to_list() == ["1", "2"]
    assert {"coverage", "P@3", "wig", "missed"} <= set(queries.columns)
    assert report.to_frame(diagnose({"2": {"best": 1}}, bm25(), DOCUMENTS, QUERIES), "missed").schema == (
        pl.Schema(report.MISSED)
    )


def test_text_stays_within_the_terminal(found: LexicalDiagnosis) -> None:
    text = report.render(found, width=80)
    assert max(map(len, text.splitlines())) <= 80
    assert text.startswith("run has P@3")
    assert "16.7 % of the" in text
    detail = report.of_queries(found, ["1"], width=80)
    assert max(map(len, detail.splitlines())) <= 80
    assert "QUERY 1: golden purse silk thieves" in detail
    assert "**WHY 5 RELEVANT DOCUMENTS ARE MISSED" in report.to_markdown(found)
