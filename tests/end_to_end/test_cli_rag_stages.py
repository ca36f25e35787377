"""`assay rag stages` and `assay rag tune` as people run them."""

import json
from io import StringIO
from pathlib import Path

import jsonschema
import polars as pl
import pytest

from assay.report.schema import SCHEMAS

EXAMPLE = Path(__file__).parents[2] / "examples" / "rag"
HOPS = [EXAMPLE / f"hops-{hops}.jsonl" for hops in (1, 2, 3)]
RERANKED = EXAMPLE / "reranked.jsonl"


def test_a_pipeline_from_candidates_to_answers(assay):
    done = assay("rag", "stages", HOPS[2], RERANKED, "--at", "30,8")
    assert done.out.startswith("12 questions; one item: a fact; retrieved and needed ones are matched by id\n")
    for line in ("no proof in hops-3@30", "no proof in reranked@8", "a proof, answered wrong", "omissions, wrong"):
        assert line in done.out
    assert max(map(len, done.out.splitlines())) <= 80
    assert done.err == ""


def test_stages_as_json_follow_their_schema(assay):
    document = json.loads(assay("rag", "stages", HOPS[2], RERANKED, "--at", "30,8", "-o", "json").out)
    jsonschema.validate(document, SCHEMAS["rag stages"])
    assert document["command"][:2] == ["rag", "stages"]
    assert [stage["k"] for stage in document["stages"]] == [30, 8]
    lost = sum(loss["questions"] for loss in document["losses"])
    assert lost + document["reached"]["questions"] == document["questions"] == 12
    answers = document["answers"]
    assert answers["given_deducible"]["questions"] + answers["given_not_deducible"]["questions"] == 12


def test_stages_as_a_table_for_programs(assay):
    frame = pl.read_csv(StringIO(assay("rag", "stages", RERANKED, "-o", "csv").out))
    assert frame["place"].to_list() == ["reranked", "answer", "reached"]
    assert frame["lost"].sum() == 12


def test_tokens_stand_beside_the_other_figures(assay):
    done = assay(
        "rag",
        "evaluate",
        HOPS[2],
        RERANKED,
        "-m",
        "Deducible@8",
        "--tokens",
        "20,40",
        "--interval",
        "0.95",
        "-o",
        "json",
    )
    document = json.loads(done.out)
    jsonschema.validate(document, SCHEMAS["rag evaluate"])
    figures = document["runs"][1]["measures"]
    assert (figures["TokensToProof"]["queries"], figures["TokensToProof"]["undefined"]) == (9, 3)
    assert figures["Deducible(tokens=40)"]["interval"]["method"] == "wilson"
    assert figures["Deducible(tokens=20)"]["mean"] <= figures["Deducible(tokens=40)"]["mean"]
    assert "tokens are as counted in their texts" in done.err
    assert "--tokens: expected a whole number of at least 1, found '0'" in assay(
        "rag", "evaluate", RERANKED, "--tokens", "0", expect=2
    ).err  # fmt: skip


def test_tokens_are_compared_too(assay):
    done = assay("rag", "compare", HOPS[2], RERANKED, "-m", "Deducible@8", "--tokens", "20", "-o", "json")
    document = json.loads(done.out)
    jsonschema.validate(document, SCHEMAS["rag compare"])
    assert {one["measure"] for one in document["comparison"]["contrasts"]} > {"Tokens", "Deducible(tokens=20)"}


def test_a_curve_over_k(assay):
    done = assay("rag", "tune", HOPS[2], "--values", "1,4,16", "-m", "Deducible Noise")
    assert done.out.startswith("hops-3 over k; one item: a fact; matched by id\n")
    assert "Deducible: best at 16" in done.out
    assert "█" in done.out
    assert max(map(len, done.out.splitlines())) <= 80


def test_files_are_settings_by_the_number_in_their_names(assay):
    document = json.loads(assay("rag", "tune", *HOPS, "-m", "Deducible@30", "-o", "json").out)
    jsonschema.validate(document, SCHEMAS["rag tune"])
    assert (document["over"], [point["value"] for point in document["points"]]) == ("file", [1, 2, 3])
    assert document["best"]["Deducible@30"]["setting"] == "3"


def test_a_threshold_of_the_score(assay, tmp_path):
    assay("rag", "tune", RERANKED, "--over", "score", "--values", "0,0.5", "-m", "R", "--out", "curve.csv")
    frame = pl.read_csv(tmp_path / "curve.csv")
    assert frame["setting"].to_list() == [0.0, 0.5]
    assert frame["mean"].is_sorted(descending=True)


@pytest.mark.parametrize(
    ("args", "said"),
    [
        (["stages", HOPS[0]], "expected which answers are correct, found nothing under correct"),
        (["stages", RERANKED, "--at", "0"], "--at: expected a whole number of at least 1, found '0'"),
        (["stages", RERANKED, "--at", "1,2,3"], "a cutoff of at least 1 for each of 1 stages, found 1,2,3"),
        (["stages", "none.jsonl"], "none.jsonl: expected a file, found nothing of that name"),
        (["tune", RERANKED, "--values", "few"], "--values: expected a number, found 'few'"),
        (["tune", HOPS[0], "--over", "score"], "expected items with scores"),
        (["tune", RERANKED, "-m", "R@5"], "expected names without a cutoff"),
        (["tune", RERANKED, "--level", "2"], "expected"),
    ],
)
def test_mistakes_are_said(assay, args, said):
    done = assay("rag", *args, expect=2)
    assert said in done.err
    assert "Traceback" not in done.err


def test_help_shows_how_to_begin(assay):
    assert "assay rag stages candidates.jsonl reranked.jsonl --at 100,10" in assay("rag", "stages", "--help").out
    assert "--over WHAT" in assay("rag", "tune", "--help").out
