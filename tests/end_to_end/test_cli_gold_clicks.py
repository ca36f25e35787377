"""`assay gold clicks` as people run it: from a log to a gold standard that runs are judged by."""

import json
from io import BytesIO, StringIO

import jsonschema
import polars as pl
import pytest
from tests.unit.click_logs import planted

from assay.report.schema import SCHEMAS

MODELS = ["ctr", "coec", "pbm", "ipw", "cascade", "sdbn"]


@pytest.fixture
def log(tmp_path):
    planted("pbm", 1, queries=4, searches=2_000)[0].write_csv(tmp_path / "log.csv")
    return "log.csv"


def test_a_log_becomes_gold_that_a_run_is_judged_by(assay, log, tmp_path):
    done = assay("gold", "clicks", log, "--out", "gold.csv")
    assert (done.out, done.err) == ("", "32 pairs graded, 0 looked at too seldom, 0 undefined.\n")
    table = pl.read_csv(tmp_path / "gold.csv")
    assert table.columns[:5] == ["query", "item", "grade", "low", "high"]
    assert ((table["low"] <= table["grade"]) & (table["grade"] <= table["high"])).all()
    table.select("query", "item", score="grade").write_csv(tmp_path / "best.csv")
    assert json.loads(assay("evaluate", "gold.csv", "best.csv", "-m", "nDCG@8", "-o", "json").out)["runs"][0][
        "measures"
    ]["nDCG@8"]["mean"] == pytest.approx(1)


@pytest.mark.parametrize("model", MODELS)
def test_json_follows_its_schema(assay, log, model):
    document = json.loads(assay("gold", "clicks", log, "--model", model, "-o", "json").out)
    jsonschema.validate(document, SCHEMAS["gold clicks"])
    assert (document["model"], document["log"]["shown"], document["graded"]) == (model, 16_000, len(document["grades"]))
    assert document["log"]["files"][0]["path"] == "log.csv"


@pytest.mark.parametrize("model", MODELS)
def test_the_table_fits_a_terminal(assay, log, model):
    done = assay("gold", "clicks", log, "--model", model)
    assert max(map(len, done.out.splitlines())) <= 80
    assert f"by {model}:" in " ".join(done.out.split())
    assert "HOW TO READ THIS" in done.out
    assert done.err == ""


def test_every_form_of_gold_holds_the_same(assay, log):
    said = ("gold", "clicks", log, "--model", "sdbn", "--quiet", "-o")
    csv = pl.read_csv(StringIO(assay(*said, "csv").out), schema_overrides={"query": pl.String, "item": pl.String})
    parquet = pl.read_parquet(BytesIO(assay(*said, "parquet").stdout))
    jsonl = pl.read_ndjson(BytesIO(assay(*said, "jsonl").stdout))
    assert csv.columns == parquet.columns == jsonl.columns
    assert {"attraction", "satisfaction"} <= set(csv.columns)
    for table in (csv, jsonl):
        assert table["grade"].to_list() == pytest.approx(parquet["grade"].to_list(), abs=1e-12)


def test_propensities_columns_and_several_files(assay, log, tmp_path):
    table = pl.read_csv(tmp_path / log)
    table.rename({"item": "sku", "query": "term"}).write_csv(tmp_path / "other.csv")
    ranks = pl.DataFrame({"rank": range(1, 9), "propensity": [1 / rank for rank in range(1, 9)]})
    ranks.write_csv(tmp_path / "looks.csv")
    done = assay("gold", "clicks", "other.csv", "--columns", "item=sku query=term", "--model", "ipw", "--clip", "0.2",
                 "--propensities", "looks.csv", "--interval", "beta", "-o", "json")  # fmt: skip
    document = json.loads(done.out)
    assert document["settings"]["model"] == {"propensities": "given", "clip": 0.2}
    assert document["notices"]
    table[:8_000].write_parquet(tmp_path / "one.parquet")
    table[8_000:].write_parquet(tmp_path / "two.parquet")
    halves = json.loads(assay("gold", "clicks", "one.parquet", "two.parquet", "-o", "json").out)
    assert halves["grades"] == json.loads(assay("gold", "clicks", log, "-o", "json").out)["grades"]


def test_standard_input(assay, log, tmp_path):
    done = assay("gold", "clicks", "-", "--model", "ctr", "-o", "json", stdin=(tmp_path / log).read_bytes())
    assert json.loads(done.out)["log"]["shown"] == 16_000


@pytest.mark.parametrize(
    ("args", "said"),
    [
        (("--model", "dcm"), "no click model is called 'dcm'"),
        (("--min-exposure", "x"), "--min-exposure: expected a number, found 'x'"),
        (("--min-exposure", "1e6"), "expected pairs looked at 1e+06 times or more, found none in 32 pairs"),
        (("--columns", "price=x"), "--columns: expected query=NAME"),
        (("--columns", "item=sku"), "expected a column for the item"),
        (("--model", "ctr", "--clip", "0.1"), "clip: expected the model ipw, found ctr"),
        (("--propensities", "absent.csv"), "absent.csv: expected a file"),
        (("-o", "html"), "no output is called 'html'"),
    ],
    ids=["model", "number", "exposure", "columns", "absent", "clip", "file", "form"],
)
def test_what_is_wrong_is_said(assay, log, args, said):
    done = assay("gold", "clicks", log, *args, expect=2)
    assert said in done.err
