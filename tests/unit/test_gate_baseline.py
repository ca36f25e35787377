"""The baseline in a file: text that a reader can compare line by line, and what is said of a broken one."""

import json
import re

import numpy as np
import pytest
from tests.unit.gates import CHANCE, GOLD, GOOD, WORSE, settings

from assay.core.gate import BLOCKED, PASSED, UNDECIDED
from assay.errors import InputError
from assay.history.gate import gate, update_baseline
from assay.history.gate.baseline_file import baseline_text, query_lines, read_baseline


@pytest.fixture
def path(tmp_path):
    return settings(tmp_path / "assay.toml", 'measures = "RR nDCG@10"')


@pytest.fixture
def file(tmp_path, path):
    update_baseline(GOLD, CHANCE, path, code="abc")
    return tmp_path / "assay.baseline.json"


def test_there_is_one_line_for_each_query_and_they_are_sorted(file):
    lines = file.read_text().splitlines()
    rows = [line for line in lines if re.match(r'    "q\d\d":', line)]
    assert rows == sorted(rows)
    assert rows[38] == '    "q38": {"RR": 0.5, "nDCG@10": 0.630929753571},'
    assert rows[39] == '    "q39": {"RR": 0.0, "nDCG@10": 0.0}'
    assert lines[-2:] == ["  }", "}"]


def test_it_holds_how_it_was_made_and_no_time(file):
    found = json.loads(file.read_text())
    assert (found["assay_baseline"], found["made"]["code"], found["name"]) == (1, "abc", "run")
    assert re.fullmatch(r"[0-9a-f]{64}", found["made"]["gold"])
    assert "Python" in found["made"]["platform"]
    assert "time" not in file.read_text()


def test_written_again_it_is_the_same(file, path, tmp_path):
    before = file.read_bytes()
    update_baseline(GOLD, CHANCE, path, code="abc")
    assert file.read_bytes() == before
    update_baseline(GOLD, {**CHANCE, "q05": ["x", "a"]}, path, code="abc")
    changed = [line for line in file.read_text().splitlines() if line not in before.decode().splitlines()]
    assert [line.split(":")[0].strip() for line in changed] == ['"RR"', '"nDCG@10"', '"q05"']
    assert [one.name for one in tmp_path.iterdir() if one.suffix == ".part"] == []


def test_it_is_read_as_it_was_written(file):
    found = read_baseline(str(file))
    assert baseline_text(found) == file.read_text()
    assert found.queries == tuple(GOLD)
    np.testing.assert_array_equal(found.values["RR"][-2:], [0.5, 0.0])
    assert found.figure("RR").mean == pytest.approx(38.5 / 40)


def test_each_query_has_its_line(file):
    lines = file.read_text().splitlines()
    for query, number in query_lines(str(file)).items():
        assert lines[number - 1].strip().startswith(f'"{query}":')
    assert len(query_lines(str(file))) == 40
    assert query_lines("none.json") == {}


def test_hostile_ids_come_back_as_they_were(tmp_path):
    odd = ["a\nb", 'say "x"', "::error::", "\u202e", "é", "a\\b", "\x7f\x1b[31m", "\U0001f600", "}"]
    gold = {f"{name}{i}": {"a": 1} for i, name in enumerate(odd * 2)}
    path = settings(tmp_path / "assay.toml")
    update_baseline(gold, {query: ["a"] for query in gold}, path)
    text = (tmp_path / "assay.baseline.json").read_text()
    assert text.isascii()
    assert set(read_baseline(str(tmp_path / "assay.baseline.json")).queries) == set(gold)
    assert set(query_lines(str(tmp_path / "assay.baseline.json"))) == set(gold)
    assert gate(gold, {query: ["a"] for query in gold}, path).decision == PASSED


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "line 1: expected a baseline in JSON, found Expecting value"),
        ("<<<<<<< ours\n", "line 1: expected a baseline in JSON"),
        ("[]", "expected a baseline of layout 1, found none"),
        ('{"assay_baseline": 9}', "expected a baseline of layout 1, found 9"),
        ('{"assay_baseline": 1}', "expected a baseline, found other content (KeyError: 'made')"),
        ('{"assay_baseline": 1, "made": {}, "measures": [], "queries": {"q": 1}}', "expected a baseline, found other"),
        ('{"assay_baseline": NaN}', "NaN is no number"),
    ],
)
def test_a_broken_one_is_a_mistake_of_the_input(file, path, text, said):
    file.write_text(text)
    with pytest.raises(InputError) as error:
        gate(GOLD, GOOD, path)
    assert error.value.message.startswith(f"{file}")
    assert said in error.value.message


def test_its_place_may_be_named_in_the_settings_or_given(tmp_path):
    path = settings(tmp_path / "assay.toml", 'measures = "RR"\nbaseline = "kept/rr.json"')
    (tmp_path / "kept").mkdir()
    update_baseline(GOLD, GOOD, path)
    assert (tmp_path / "kept" / "rr.json").is_file()
    assert gate(GOLD, WORSE, path).decision == BLOCKED
    other = str(tmp_path / "other.json")
    assert gate(GOLD, WORSE, path, baseline=other).decision == UNDECIDED
    update_baseline(GOLD, WORSE, path, baseline=other)
    assert gate(GOLD, WORSE, path, baseline=other).decision == PASSED


def test_a_place_that_cannot_be_written(tmp_path, path):
    with pytest.raises(InputError, match="expected a place that can be written"):
        update_baseline(GOLD, GOOD, path, baseline=str(tmp_path / "none" / "b.json"))
