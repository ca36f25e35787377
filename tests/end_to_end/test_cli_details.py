"""Judgments by aspect on the command line: the error that leads there, the values, and the proof of a result."""

import json

import pytest

QRELS = "1 1 a 1\n1 2 a 1\n1 2 b 1\n1 3 c 1\n2 1 a 0\n2 2 d 2\n"
RUN = "1 Q0 b 1 3 s\n1 Q0 a 2 2 s\n1 Q0 x 3 1 s\n2 Q0 d 1 1 s\n"


@pytest.fixture(autouse=True)
def files(tmp_path):
    (tmp_path / "web.qrels").write_text(QRELS, encoding="utf-8")
    (tmp_path / "a.run").write_text(RUN, encoding="utf-8")


def test_the_error_of_aspects_read_as_plain_qrels_says_what_to_type(assay):
    done = assay("evaluate", "web.qrels", "a.run", expect=2)
    assert "web.qrels, lines 1 and 2: item 'a' is judged more than once for query '1'" in done.err
    assert "--gold-format diversity" in done.err


def test_several_alphas_are_told_apart_and_the_result_can_be_verified(assay, tmp_path):
    asked = "alpha_nDCG(alpha=0.3)@5 αnDCG@5 NRBP(beta=0.8) AP_IA P@2"
    assay("evaluate", "--gold-format", "diversity", "web.qrels", "a.run", "-m", asked, "-o", "json", "--out", "r.json")
    measures = json.loads((tmp_path / "r.json").read_text(encoding="utf-8"))["runs"][0]["measures"]
    assert {name: round(found["mean"], 4) for name, found in measures.items()} == {
        "alpha_nDCG(alpha=0.3)@5": 0.8476,
        "alpha_nDCG@5": 0.8378,
        "NRBP(p=0.8)": 0.52,
        "AP_IA": 0.75,
        "P@2": 0.75,
    }
    assert "5 of 5 figures are exactly the same" in assay("verify", "r.json").out


def test_a_measure_of_aspects_without_aspects_is_refused(assay, small):
    assert "one grade for each item" in assay("evaluate", "gold.qrels", "a.run", "-m", "StRecall@5", expect=2).err


def test_the_page_of_such_a_measure_says_which_tie_rules_it_has(assay):
    text = " ".join(assay("measures", "alpha_nDCG").out.split())
    assert "--ties id-desc, id-asc and order are the rules it has." in text
    assert "alpha: the loss of an aspect met again" in text
