"""Logs of clicks, as files of every format have them."""

import gzip
import json

import polars as pl
import pytest
from tests.unit.click_logs import small

from assay.errors import FormatError, InputError
from assay.formats import click_rows as reader
from assay.formats.clicks import ClickLog, read_clicks

LOG = small(7)


def all_rows(log):
    return pl.concat(log.blocks())


def write(folder, kind):
    path = folder / f"log.{kind}"
    if kind in {"csv", "tsv"}:
        LOG.write_csv(path, separator="\t" if kind == "tsv" else ",")
    elif kind == "csv.gz":
        path.write_bytes(gzip.compress(LOG.write_csv().encode()))
    elif kind == "jsonl":
        LOG.write_ndjson(path)
    elif kind == "parquet":
        LOG.write_parquet(path)
    else:
        LOG.write_ipc(path)
    return path


@pytest.mark.parametrize("kind", ["csv", "tsv", "csv.gz", "jsonl", "parquet", "arrow"])
def test_every_format_holds_the_same_log(tmp_path, monkeypatch, kind):
    expected = all_rows(ClickLog.of(LOG))
    assert expected.height == LOG.height
    path = write(tmp_path, kind)
    assert all_rows(read_clicks(path)).equals(expected)
    for name in ("LINES", "BATCH"):
        monkeypatch.setattr(reader, name, 100)
    found = read_clicks(path)
    assert all_rows(found).equals(expected)
    assert len(found.digests[str(path)]) == 64


def test_several_files_and_a_folder_are_one_log(tmp_path):
    folder = tmp_path / "days"
    folder.mkdir()
    LOG[:100].write_parquet(folder / "a.parquet")
    LOG[100:].write_parquet(folder / "b.parquet")
    expected = all_rows(ClickLog.of(LOG))
    for given in ([folder / "a.parquet", folder / "b.parquet"], [folder], [f"{folder}/*.parquet"]):
        assert all_rows(read_clicks(given)).equals(expected)


def test_names_of_other_tools_and_names_that_are_said(tmp_path):
    (tmp_path / "log.csv").write_text("Keyword,doc_id,position,clicked,search_id\nx,a,1,True,9\n")
    log = read_clicks(tmp_path / "log.csv")
    assert (log.columns, all_rows(log).rows()) == (
        ("query", "item", "click", "rank", "session"),
        [("x", "a", 1, 1, "9")],
    )
    (tmp_path / "log.csv").write_text("term,sku,click\nx,a,0\n")
    log = read_clicks(tmp_path / "log.csv", {"query": "term", "item": "sku"})
    assert (log.columns, all_rows(log).rows()) == (("query", "item", "click"), [("x", "a", 0)])


def test_quoted_queries_and_bom(tmp_path):
    text = 'query,item,rank,click\n"shoes, red",a,1,1\n"a ""quote""",b,2,0\n'
    (tmp_path / "log.csv").write_bytes(b"\xef\xbb\xbf" + text.encode())
    assert all_rows(read_clicks(tmp_path / "log.csv"))["query"].to_list() == ["shoes, red", 'a "quote"']


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("query,item,rank,click\nq,a,1,1\nq,b,2,2\n", "log.csv, line 3: expected 1 or 0 as click, found '2'"),
        ("query,item,rank,click\nq,a,1,maybe\n", "line 2: expected 1 or 0 as click, found 'maybe'"),
        ("query,item,rank,click\nq,a,0,1\n", "line 2: expected a whole number from 1 on as rank, found '0.0'"),
        ("query,item,rank,click\nq,a,1.5,1\n", "line 2: expected a whole number as rank"),
        ("query,item,rank,click\nq,a,one,1\n", "line 2: expected a whole number as rank"),
        ("query,item,rank,click\nq,,1,1\n", "line 2: expected a item"),
        ("query,item,rank,click\nq,a,1\n", "line 2: expected 4 columns"),
        ("query,item,rank,click\n", "expected rows of what was shown, found none"),
        ("query,rank,click\nq,1,1\n", "expected a column for the item"),
        ("query,item,rank\nq,a,1\n", "expected a column for the click"),
    ],
    ids=["two", "word", "rank 0", "half", "no number", "no item", "short", "empty", "no items", "no clicks"],
)
def test_what_is_wrong_in_a_table_is_said_with_its_line(tmp_path, text, said):
    (tmp_path / "log.csv").write_text(text)
    with pytest.raises(InputError, match=said.replace("(", r"\(")):
        all_rows(read_clicks(tmp_path / "log.csv"))


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ({"query": "q", "item": "b", "rank": 2, "click": "x"}, "line 2: expected 1 or 0 as click, found 'x'"),
        ({"query": "q", "item": "b", "rank": -1, "click": 0}, "line 2: expected a whole number from 1 on as rank"),
        ({"item": "b", "rank": 2, "click": 0}, "expected a query in the row of item 'b'"),
        ([1], "line 2: expected an object"),
    ],
    ids=["click", "rank", "query", "list"],
)
def test_what_is_wrong_in_json_lines_is_said_with_its_line(tmp_path, line, said):
    first = {"query": "q", "item": "a", "rank": 1, "click": 1}
    (tmp_path / "log.jsonl").write_text(f"{json.dumps(first)}\n{json.dumps(line)}\n")
    with pytest.raises(FormatError, match=said):
        all_rows(read_clicks(tmp_path / "log.jsonl"))


def test_broken_json_is_said(tmp_path):
    (tmp_path / "log.jsonl").write_text('{"query": "q", "item": "a", "rank": 1, "click": 1}\n{"query": \n')
    with pytest.raises(FormatError, match=r"log.jsonl, line [23]: expected JSON"):
        all_rows(read_clicks(tmp_path / "log.jsonl"))
    (tmp_path / "log.jsonl").write_text('{"query": \n')
    with pytest.raises(FormatError, match="expected JSON"):
        read_clicks(tmp_path / "log.jsonl")


def test_frames_say_which_row(tmp_path):
    LOG.with_columns(click=pl.lit(3)).write_parquet(tmp_path / "log.parquet")
    with pytest.raises(FormatError, match="expected 1 or 0 as click in the row of item 'd"):
        all_rows(read_clicks(tmp_path / "log.parquet"))


def test_real_logs_of_recommendations(data):
    """Slots of a page in Open Bandit data: one query, three places."""
    from assay.judging.clicks import grade_clicks

    table = pl.read_csv(data / "ir" / "open-bandit-men" / "random.csv.gz").with_columns(query=pl.lit("men"))
    found = grade_clicks(table, "ctr", columns={"item": "item_id"}, min_exposure=100)
    assert found.log["shown"] == 10_000
    assert found.log["clicks"] == int(table["click"].sum())
    assert found.table["shown"].min() >= 100
    by_rank = grade_clicks(table, "coec", columns={"item": "item_id"}).ranks
    assert [round(100 * rate, 2) for rate in by_rank["rate"]] == [0.30, 0.65, 0.42]
