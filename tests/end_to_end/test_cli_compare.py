"""`assay compare`, as a newcomer and as a script use it."""

import csv
import io
import json
from xml.etree import ElementTree as ET

import pytest

DEMO = "Complete@8 R@4 RR"
ORDER = ("vdb", "lightrag", "nano-graphrag", "fast-graphrag")


@pytest.fixture
def three(tmp_path):
    """A gold standard of 20 queries, a run that finds all first, one that finds all second, one that finds nothing."""
    queries = [f"q{i:02}" for i in range(20)]
    (tmp_path / "gold.qrels").write_text("".join(f"{q} 0 a 1\n" for q in queries))
    for name, items in (("first", "ab"), ("second", "ba"), ("none", "bc")):
        rows = [f"{q} Q0 {item} {i} {9 - i} {name}\n" for q in queries for i, item in enumerate(items, 1)]
        (tmp_path / f"{name}.run").write_text("".join(rows))
    return tmp_path


def runs_of(folder):
    return [folder / f"{name}.run" for name in ORDER]


def test_the_demonstration_says_which_retriever_is_better(assay, demo):
    done = assay("compare", demo / "gold.qrels", *runs_of(demo), "-m", DEMO, "--duplicates", "first")
    shown = " ".join(done.out.split())
    assert "VERDICT by Complete@8, against vdb (0.4158)" in shown
    assert "fast-graphrag is better than vdb by Complete@8: 0.9307 against 0.4158, a difference of +0.515 [" in shown
    assert "lightrag and vdb cannot be told apart by Complete@8" in shown
    assert "Family: 9 tests (3 pairs of runs × 3 measures), corrected together by Holm." in shown
    assert max(map(len, done.out.splitlines())) <= 80
    assert "Note (fast-graphrag): 7 rows repeat an item of their query" in done.err


def test_seventeen_runs_of_robust_fit_into_80_columns(assay, data):
    folder = data / "ir" / "trec-robust03"
    runs = sorted((folder / "top100").glob("*.gz"))
    done = assay("compare", folder / "qrels.robust03.txt.gz", *runs, "-m", "AP P@10", "--by", "relevant")
    assert max(map(len, done.out.splitlines())) <= 80
    verdicts = [line.split()[-1] for line in done.out.splitlines() if line.startswith("input.")]
    assert sum(word in {"better", "worse", "unclear"} for word in verdicts) == 16 * 2
    assert "Worst by AP: relevant items 72–361 for all runs." in done.out


def test_a_worse_run_is_said_and_the_exit_code_is_0(assay, three):
    done = assay("compare", "gold.qrels", "first.run", "second.run", "-m", "RR")
    assert "second is worse than first by RR" in done.out


def test_the_baseline_may_be_named(assay, three):
    done = assay("compare", "gold.qrels", "first.run", "second.run", "-m", "RR", "--baseline", "second")
    assert "first is better than second by RR" in done.out
    wrong = assay("compare", "gold.qrels", "first.run", "second.run", "--baseline", "sceond", expect=2)
    assert "no run is called 'sceond'. Did you mean 'second'?" in wrong.err


def test_one_run_is_refused_with_the_verb_that_takes_it(assay, three):
    done = assay("compare", "gold.qrels", "first.run", expect=2)
    assert "expected two runs or more, found 1" in done.err
    assert "assay evaluate GOLD RUN" in done.err


def test_results_that_are_there_already_are_compared(assay, three):
    for name in ("first", "second"):
        assay("evaluate", "gold.qrels", f"{name}.run", "-m", "RR AP", "--out", f"{name}.json")
    done = assay("compare", "first.json", "second.json")
    assert "second is worse than first by RR" in done.out
    assert "gold.qrels: 20 queries, 20 judgments, 20 relevant" in done.out


def test_results_of_different_gold_end_with_3_unless_told(assay, three):
    assay("evaluate", "gold.qrels", "first.run", "-m", "RR", "--out", "first.json")
    (three / "gold.qrels").write_text((three / "gold.qrels").read_text() + "q00 0 b 1\n")
    assay("evaluate", "gold.qrels", "second.run", "-m", "RR", "--out", "second.json")
    done = assay("compare", "first.json", "second.json", expect=3)
    assert "first and second were judged by different gold (gold.qrels, sha256 " in done.err
    assert done.out == ""
    told = assay("compare", "first.json", "second.json", "--anyway")
    assert "Note: compared anyway, although first and second were judged by different gold" in told.err


def test_results_and_other_files_do_not_mix(assay, three):
    assay("evaluate", "gold.qrels", "first.run", "-m", "RR", "--out", "first.json")
    done = assay("compare", "first.json", "second.run", expect=2)
    assert "second.run: expected a result of assay evaluate -o json beside first.json" in done.err
    done = assay("compare", "first.json", "first.json", "--missing", "skip", expect=2)
    assert "expected results as they are, found measures or conventions for them" in done.err


def test_results_have_no_costs_and_a_figure_needs_its_mean(assay, three):
    assay("evaluate", "gold.qrels", "first.run", "-m", "RR", "--out", "first.json")
    done = assay("compare", "first.json", "first.json", "--costs", "costs.csv", expect=2)
    assert "--costs: expected GOLD and runs to show costs beside, found results and costs.csv" in done.err
    document = json.loads((three / "first.json").read_text())
    del document["runs"][0]["measures"]["RR"]["mean"]
    (three / "less.json").write_text(json.dumps(document))
    done = assay("compare", "first.json", "less.json", expect=2)
    assert "less.json: first: RR is None, but the values of its queries give 1.0" in done.err


def test_every_form_holds_the_same_difference(assay, three):
    common = ("compare", "gold.qrels", "first.run", "second.run", "-m", "RR")
    document = json.loads(assay(*common, "-o", "json").out)
    (contrast,) = document["comparison"]["contrasts"]
    assert (contrast["difference"], contrast["verdict"]) == (-0.5, "worse")
    (row,) = csv.DictReader(io.StringIO(assay(*common, "-o", "csv").out))
    assert (row["difference"], row["verdict"]) == ("-0.5", "worse")
    assert float(row["p"]) == contrast["significance"]["p"]
    assert "| RR | 1.0000 | 0.5000 | -0.500 " in assay(*common, "-o", "markdown").out
    assert r"\toprule" in assay(*common, "--out", "table.tex").out + (three / "table.tex").read_text()
    root = ET.fromstring(assay(*common, "-o", "junit").out)
    assert root.get("failures") == "1"


def test_equal_commands_print_equal_numbers(assay, demo):
    common = ("compare", demo / "gold.qrels", *runs_of(demo)[:2], "--duplicates", "first", "-m", DEMO, "-o", "csv")
    assert assay(*common).out == assay(*common).out
    assert assay(*common).out != assay(*common, "--seed", "1").out


def test_groups_weights_and_a_margin_reach_the_statistics(assay, three):
    lines = "".join(f"q{i:02}\t{'short' if i < 10 else 'long'}\t{1 + i % 2}\n" for i in range(20))
    (three / "about.tsv").write_text("query\tkind\tweight\n" + lines)
    (three / "kinds.tsv").write_text(
        "query\tkind\n" + "".join(f"{line.rsplit(chr(9), 1)[0]}\n" for line in lines.splitlines())
    )
    done = assay(
        "compare", "gold.qrels", "first.run", "first.run", "-m", "RR", "--margin", "0.2",
        "--by", "kinds.tsv", "--weights", "about.tsv",
    )  # fmt: skip
    shown = " ".join(done.out.split())
    assert "first.run (2) and first.run differ by less than 0.2 in RR" in shown
    assert "BY KIND: long: 10 queries; short: 10 queries" in shown


@pytest.mark.parametrize(
    ("option", "value", "message"),
    [
        ("--alpha", "x", "--alpha: expected a number, found 'x'"),
        ("--flips", "ten", "--flips: expected a whole number, found 'ten'"),
        ("--test", "sign", "no test is called 'sign'"),
        ("--correction", "hol", "Did you mean 'holm'?"),
        ("--alpha", "0.00001", "alpha: expected a number from 0.0001 to below 0.5, found 1e-05"),
        ("-m", "", "measures: expected one or more, found none"),
        ("--movers", "-1", "movers: expected a whole number of at least 0, found -1"),
        ("--ties", "range", "--ties range: expected one rule for tied items, found a range"),
        ("-o", "jsn", "no output is called 'jsn'. Did you mean 'json'?"),
    ],
)
def test_a_wrong_option_is_named(assay, three, option, value, message):
    done = assay("compare", "gold.qrels", "first.run", "second.run", option, value, expect=2)
    assert message in done.err


def test_the_help_shows_both_ways_to_call_it(assay):
    shown = assay("compare", "--help").out
    assert "assay compare gold.qrels old.run new.run" in shown
    assert "assay compare old.json new.json" in shown
