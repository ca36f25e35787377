"""Judgments by aspect, with probabilities and by stratum: read by name, and told apart in errors."""

import polars as pl
import pytest

from assay.convert import convert
from assay.errors import FormatError, GoldError
from assay.evaluate import evaluate
from assay.formats import read_gold


@pytest.fixture
def file(tmp_path):
    def write(text: str, name: str = "qrels.txt"):
        path = tmp_path / name
        path.write_text(text, encoding="utf-8")
        return path

    return write


def test_diversity_qrels_have_aspects(file):
    gold = read_gold(file("1 1 a 1\n1 2 a 0\n1 2  b 1\n# end\n"), "diversity")
    assert gold.table.rows() == [("1", "a", 1.0), ("1", "b", 1.0)]
    assert gold.details.sort("item", "group").select("item", "group", "grade").rows() == [
        ("a", "1", 1.0), ("a", "2", 0.0), ("b", "2", 1.0),
    ]  # fmt: skip
    assert evaluate(gold, {"1": {"a": 2.0, "b": 1.0}}, "StRecall@{1,2}").mean == {"StRecall@1": 0.5, "StRecall@2": 1.0}


def test_an_item_under_several_aspects_is_no_plain_qrels_and_the_error_says_what_to_type(file):
    with pytest.raises(GoldError, match=r"lines 1 and 3: item 'a' is judged more than once") as caught:
        read_gold(file("1 1 a 1\n1 1 b 1\n1 2 a 0\n"))
    assert "--gold-format diversity" in caught.value.hint


@pytest.mark.parametrize("text", ["1 0 a 1\n1 0 a 0\n", "1 1 a 1\n1 1 a 0\n1 2 a 1\n"])
def test_a_plain_duplicate_is_one(file, text):
    with pytest.raises(GoldError, match="judged more than once") as caught:
        read_gold(file(text))
    assert "diversity" not in caught.value.hint


def test_a_duplicate_within_an_aspect_names_its_lines(file):
    with pytest.raises(GoldError, match=r"qrels.txt, lines 1 and 2: item 'a' is judged more than once"):
        read_gold(file("1 1 a 1\n1 1 a 0\n"), "diversity")


def test_prels_have_probabilities(file):
    path = file("1 a 1 1 0.5\n1 b 1 2 1\n1 c 1 0 -1\n1 d 1 0 nan\n", "some.prels")
    gold = read_gold(path)
    assert gold.details["probability"].to_list() == [0.5, 1.0, 0.0, 0.0]
    assert evaluate(gold, {"1": {"c": 3.0, "b": 2.0, "a": 1.0}}, "statAP").mean["statAP"] == pytest.approx(11 / 18)


@pytest.mark.parametrize("wrong", ["1.5", "often"])
def test_a_probability_that_is_none_is_refused_with_its_line(file, wrong):
    with pytest.raises(FormatError, match=rf"line 2: expected a probability up to 1 \(column 5\), found '{wrong}'"):
        read_gold(file(f"1 a 1 1 0.5\n1 b 1 1 {wrong}\n"), "prels")


def test_pools_by_stratum_are_read(file):
    gold = read_gold(file("1 0 a x 1\n1 0 b y -1\n1 0 c y 1\n"), "strata")
    assert gold.details["group"].to_list() == ["x", "y", "y"]
    assert evaluate(gold, {"1": {"a": 2.0}}, "xinfAP").mean["xinfAP"] == pytest.approx(1 / 3)


def test_a_wrong_number_of_columns_names_the_right_ones(file):
    with pytest.raises(FormatError, match=r"line 1: expected 4 columns \(query group item grade\), found 3"):
        read_gold(file("1 a 1\n"), "diversity")


def test_diversity_qrels_become_plain_ones(file, tmp_path):
    path = file("1 1 a 1\n1 2 a 2\n1 2 b 1\n")
    assert convert(path, tmp_path / "plain.qrels", kind="gold", from_format="diversity") == 2
    assert (tmp_path / "plain.qrels").read_text(encoding="utf-8") == "1 0 a 2\n1 0 b 1\n"


COLUMNS = "query,item,grade,{}\n1,a,1,{}\n1,a,0,{}\n1,b,2,{}\n"


@pytest.mark.parametrize("name", ["aspect", "subtopic", "Intent", "stratum"])
@pytest.mark.parametrize("ending", ["csv", "tsv", "quoted.csv", "parquet", "arrow"])
def test_tables_with_a_column_of_aspects_have_details(file, tmp_path, name, ending):
    text = COLUMNS.format(name, "x", "2", "2")
    if ending == "tsv":
        text = text.replace(",", "\t")
    path = file(text.replace("1,b", '"1",b') if ending.startswith("quoted") else text, f"gold.{ending}")
    if ending in {"parquet", "arrow"}:
        frame = pl.read_csv(text.encode(), schema_overrides={name: pl.String})
        (frame.write_parquet if ending == "parquet" else frame.write_ipc)(path)
    gold = read_gold(path)
    assert gold.table.rows() == [("1", "a", 1.0), ("1", "b", 2.0)]
    assert gold.details["group"].to_list() == ["x", "2", "2"]
    assert evaluate(gold, {"1": {"a": 1.0}}, "StRecall@1").mean == {"StRecall@1": 0.5}


@pytest.mark.parametrize("ending", ["csv", "parquet"])
def test_tables_with_probabilities_have_details(file, ending):
    text = "query,item,grade,prob\n1,a,1,0.5\n1,b,1,1\n"
    path = file(text, f"gold.{ending}")
    if ending == "parquet":
        pl.read_csv(text.encode()).write_parquet(path)
    run = {"1": {"c": 3.0, "b": 2.0, "a": 1.0}}
    assert evaluate(read_gold(path), run, "statAP").mean["statAP"] == pytest.approx(11 / 18)


def test_a_table_with_an_empty_aspect_names_its_line(file):
    with pytest.raises(FormatError, match="line 3: expected a group, found nothing in its column"):
        read_gold(file("query,item,aspect\n1,a,x\n1,b,\n", "gold.csv"))
