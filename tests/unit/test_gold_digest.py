"""A gold standard is known again by what it says: rows in another order and other ends of lines change nothing."""

import json

import pytest

import assay
from assay.history.gold_digest import gold_digest
from assay.history.record import record
from assay.history.rejudge import rejudge
from assay.history.results import results

ROWS = ["q1 0 a 1", "q1 0 b 0", "q2 0 a 2"]


def written(folder, rows, end="\n"):
    path = folder / "gold.qrels"
    path.write_bytes(end.join([*rows, ""]).encode())
    return path


@pytest.mark.parametrize(
    ("rows", "end", "same"),
    [
        (ROWS[::-1], "\n", True),
        (ROWS, "\r\n", True),
        ([ROWS[0], ROWS[1], "q2 0 a 1"], "\n", False),
        (ROWS[:2], "\n", False),
        ([*ROWS, "q3 0 a 0"], "\n", False),
    ],
    ids=["sorted", "crlf", "grade", "fewer", "more"],
)
def test_the_digest_is_that_of_what_the_gold_says(tmp_path, rows, end, same):
    first = gold_digest(assay.read_gold(written(tmp_path, ROWS)))
    assert (gold_digest(assay.read_gold(written(tmp_path, rows, end))) == first) == same
    assert gold_digest(assay.Gold.from_mapping({"q2": {"a": 2}, "q1": {"b": 0, "a": 1}})) == first


def test_details_and_queries_without_a_judgment_are_part_of_it():
    rows = {"query": ["q", "q"], "item": ["a", "b"], "grade": [1, 1], "group": ["1", "2"]}
    import polars as pl

    from assay import Gold

    digests = [
        gold_digest(Gold.from_rows(pl.DataFrame(rows))),
        gold_digest(Gold.from_rows(pl.DataFrame({**rows, "group": ["1", "1"]}))),
        gold_digest(Gold.from_mapping({"q": {"a": 1, "b": 1}})),
        gold_digest(Gold.from_mapping({"q": {"a": 1, "b": 1}, "r": {}})),
    ]
    assert len(set(digests)) == 4
    assert gold_digest(Gold.from_rows(pl.DataFrame(rows)[::-1])) == digests[0]


def test_a_result_and_what_it_was_made_of_name_the_same_gold(tmp_path):
    gold, run = written(tmp_path, ROWS), {"q1": ["a"], "q2": ["a"]}
    found = assay.evaluate(gold, run, "RR")
    wanted = gold_digest(assay.read_gold(gold))
    assert record(found, suite="web", gold=assay.read_gold(gold)).made.gold == wanted
    assert record(found, suite="web").made.gold == wanted
    result = tmp_path / "result.json"
    result.write_text(json.dumps(found.to_dict()))
    assert results(result)[0].made.gold == wanted


def test_of_a_result_whose_gold_has_gone_the_digest_of_its_bytes_is_left(tmp_path):
    gold = written(tmp_path, ROWS)
    result = tmp_path / "result.json"
    document = assay.evaluate(gold, {"q1": ["a"]}, "RR").to_dict()
    result.write_text(json.dumps(document))
    written(tmp_path, ROWS[:2])
    assert results(result)[0].made.gold == document["gold"]["sha256"]
    gold.unlink()
    assert results(result)[0].made.gold == document["gold"]["sha256"]


def test_a_run_judged_again_names_the_whole_gold(tmp_path):
    run = assay.Run.from_mapping({"q1": ["a"]})
    first = record(assay.evaluate({"q1": {"a": 1}}, run, "P@1"), suite="web", run=run, head=1)
    gold = assay.read_gold(written(tmp_path, ROWS))
    assert rejudge(first, gold).made.gold == gold_digest(gold)
