"""Any format into any other: whole, in full precision, or not at all."""

import gzip
import io
import json
import sys

import polars as pl
import pytest

from assay.convert import convert
from assay.errors import FormatError, InputError, ParameterError, UnknownNameError
from assay.formats import FORMATS, read_gold, read_run
from assay.formats.numbering import Ranks

RUN = "q1 Q0 a 9 0.1 t\nq1 Q0 b 9 0.30000000000000004 t\nq2 Q0 a 9 1e-17 t\nq1 Q0 c 9 5 t\n"
QRELS = "q1 0 a 1\nq1 0 b 0.5\nq2 0 c -1\n"


@pytest.fixture
def run(tmp_path):
    path = tmp_path / "bm25.run"
    path.write_text(RUN)
    return path


@pytest.fixture
def qrels(tmp_path):
    path = tmp_path / "gold.qrels"
    path.write_text(QRELS)
    return path


@pytest.mark.parametrize("to", FORMATS)
def test_gold_into_every_format_and_back(qrels, tmp_path, to):
    there, back = tmp_path / "there", tmp_path / "back.qrels"
    assert convert(qrels, there, to_format=to) == 3
    assert convert(there, back, kind="gold", from_format=to) == 3
    assert back.read_text() == QRELS


@pytest.mark.parametrize("to", [name for name in FORMATS if name != "msmarco"])
def test_a_run_into_every_format_and_back(run, tmp_path, to):
    there, back = tmp_path / "there", tmp_path / "back.run"
    assert convert(run, there, to_format=to) == 4
    assert convert(there, back, kind="run", from_format=to) == 4
    columns = ["query", "item", "score"]
    wanted = read_run(run).frame().select(columns).sort(columns)
    assert read_run(back).frame().select(columns).sort(columns).equals(wanted)


def test_ranks_stand_for_scores_in_ms_marco(run, tmp_path):
    convert(run, tmp_path / "a", to_format="msmarco")
    assert (tmp_path / "a").read_text() == "q1\ta\t2\nq1\tb\t1\nq2\ta\t1\nq1\tc\t3\n"


def test_ranks_of_trec_are_by_score_then_order(tmp_path):
    (tmp_path / "a.json").write_text('{"q": {"a": 1, "b": 3, "c": 1, "d": 2}}')
    convert(tmp_path / "a.json", tmp_path / "my system.run", kind="run")
    written = (tmp_path / "my system.run").read_text()
    assert written == "q Q0 a 3 1 a\nq Q0 b 1 3 a\nq Q0 c 4 1 a\nq Q0 d 2 2 a\n"


def test_ranks_do_not_depend_on_blocks():
    frame = pl.DataFrame(
        {"query": ["p", "q", "q", "q", "r"], "item": list("abcde"), "score": [1.0, 1.0, 3.0, 2.0, 0.0]}
    )
    whole = pl.concat(Ranks().number([frame]))
    assert whole["rank"].to_list() == [1, 3, 1, 2, 1]
    assert pl.concat(Ranks().number(frame[place] for place in map(slice, range(5), range(1, 6)))).equals(whole)
    assert list(Ranks().number([])) == []


def test_a_query_that_comes_back_is_numbered_on():
    frame = pl.DataFrame({"query": ["q", "p", "q"], "item": list("abc"), "score": [1.0, 1.0, 3.0]})
    parts = pl.concat(Ranks().number([frame[:1], frame[1:2], frame[2:]]))
    assert parts["rank"].to_list() == [1, 1, 2]


@pytest.mark.parametrize("suffix", ["gz", "zst"])
def test_the_suffix_says_how_to_pack(qrels, tmp_path, suffix):
    packed = tmp_path / f"a.csv.{suffix}"
    convert(qrels, packed)
    first = packed.read_bytes()
    assert first[:2] == {"gz": b"\x1f\x8b", "zst": b"\x28\xb5"}[suffix]
    assert read_gold(packed).table.height == 3
    convert(qrels, packed)
    assert packed.read_bytes() == first


def test_to_standard_output(qrels, monkeypatch):
    out = io.TextIOWrapper(io.BytesIO())
    monkeypatch.setattr(sys, "stdout", out)
    convert(qrels, "-", to_format="json")
    assert json.loads(out.buffer.getvalue()) == {"q1": {"a": 1, "b": 0.5}, "q2": {"c": -1}}


def test_from_standard_input(monkeypatch, tmp_path):
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(gzip.compress(QRELS.encode()))))
    assert convert("-", tmp_path / "a.parquet") == 3


def test_onto_itself(qrels):
    before = qrels.read_text()
    convert(qrels, qrels)
    assert qrels.read_text() == before


@pytest.mark.parametrize("broken", ["q1 0 a 1\nq1 0 b\n", "q1 0 a 1\nq1 0 a 1\n"])
def test_a_broken_input_leaves_the_target_alone(tmp_path, broken):
    (tmp_path / "a.qrels").write_text(broken)
    (tmp_path / "b.csv").write_text("kept")
    with pytest.raises(InputError):
        convert(tmp_path / "a.qrels", tmp_path / "b.csv")
    assert (tmp_path / "b.csv").read_text() == "kept"
    assert sorted(path.name for path in tmp_path.iterdir()) == ["a.qrels", "b.csv"]


def test_a_run_that_breaks_late_leaves_nothing(tmp_path):
    (tmp_path / "a.jsonl").write_text('{"query": "q", "items": ["a"]}\n' * 200_000 + "nonsense")
    with pytest.raises(FormatError, match="line 200001"):
        convert(tmp_path / "a.jsonl", tmp_path / "a.run", kind="run")
    assert [path.name for path in tmp_path.iterdir()] == ["a.jsonl"]


@pytest.mark.parametrize(
    ("query", "item", "named"), [("q 1", "a", "query 'q 1'"), ("q", "a\tb", "item 'a\\tb'"), ("#q", "a", "query '#q'")]
)
def test_ids_that_trec_cannot_hold(tmp_path, query, item, named):
    (tmp_path / "a.json").write_text(json.dumps({query: {item: 1}}))
    with pytest.raises(InputError) as caught:
        convert(tmp_path / "a.json", tmp_path / "a.qrels", kind="gold")
    assert f"found the {named}" in str(caught.value)
    assert "Hint: write jsonl, csv or parquet" in str(caught.value)
    assert not (tmp_path / "a.qrels").exists()


def test_what_cannot_be_known_is_asked_for(tmp_path, qrels):
    (tmp_path / "a.json").write_text('{"q": {"a": 1}}')
    with pytest.raises(ParameterError, match="expected a gold standard or a run, found content that may be either"):
        convert(tmp_path / "a.json", tmp_path / "b.csv")
    with pytest.raises(ParameterError, match="expected a suffix that names a format, found none"):
        convert(qrels, tmp_path / "b")
    with pytest.raises(ParameterError, match=r"found \.docx"):
        convert(qrels, tmp_path / "b.docx")
    with pytest.raises(ParameterError, match="expected a suffix that names a format"):
        convert(qrels, "-")
    with pytest.raises(UnknownNameError, match=r"no format is called 'parket'\. Did you mean 'parquet'"):
        convert(qrels, tmp_path / "b", to_format="parket")


def test_a_place_that_cannot_be_written(qrels, tmp_path):
    with pytest.raises(InputError, match="expected a place that can be written, found an error: No such file"):
        convert(qrels, tmp_path / "none" / "a.csv")
