"""`assay evaluate`, as a newcomer and as a script use it."""

import csv
import io
import os
import pty
import subprocess
import sys
from pathlib import Path

import polars as pl

ROOT = Path(__file__).parents[2]
DEMO = "P@2 R@{4,8} Complete@8 nDCG@8 RR"


def runs_of(folder):
    return sorted(folder.glob("*.run"))


def test_the_demonstration_shows_four_runs_side_by_side_with_the_best_marked(assay, demo):
    done = assay("evaluate", demo / "gold.qrels", *runs_of(demo), "-m", DEMO, "--duplicates", "first")
    lines = {line.split()[0]: line.split() for line in done.out.splitlines() if line.strip()}
    assert lines["measure"] == ["measure", "fast-graphrag", "lightrag", "nano-graphrag", "vdb"]
    assert lines["Complete@8"] == ["Complete@8", "0.9307*", "0.4455", "0.7327", "0.4158"]
    assert lines["RR"][3].endswith("*")
    assert "101 queries, 248 judgments, 248 relevant" in " ".join(done.out.split())
    assert "Policy: ties id-desc, missing zero, empty zero, duplicates first." in done.out
    assert "Note (fast-graphrag): 7 rows repeat an item of their query" in done.err


def test_four_runs_with_the_default_measures_fit_into_80_columns(assay, demo):
    done = assay("evaluate", demo / "gold.qrels", *runs_of(demo), "--duplicates", "first")
    assert max(map(len, done.out.splitlines())) <= 80
    assert "nDCG@10" in done.out
    assert "…" not in done.out


def test_many_runs_become_rows_and_stay_within_80_columns(assay, small):
    for number in range(12):
        (small / f"a-system-with-a-long-name-{number:02}-and-a-long-ending.run").write_text("q1 Q0 x 1 1 s\n")
    done = assay("evaluate", "gold.qrels", *sorted(path.name for path in small.glob("*.run")))
    assert max(map(len, done.out.splitlines())) <= 80
    first = [line.split()[0] for line in done.out.splitlines() if line.startswith("a-sys")]
    assert len(set(first)) == 12


def test_equal_names_are_told_apart_by_their_folders(assay, small):
    for folder in ("old", "new"):
        (small / folder).mkdir()
        (small / folder / "bm25.run").write_text("q1 Q0 x 1 1 s\n")
    done = assay("evaluate", "gold.qrels", "old/bm25.run", "new/bm25.run", "new/bm25.run", "-m", "RR", "-o", "csv")
    assert [row["run"] for row in csv.DictReader(io.StringIO(done.out))] == [
        "old/bm25.run",
        "new/bm25.run",
        "new/bm25.run (2)",
    ]


def test_means_over_different_queries_are_not_compared(assay, small):
    (small / "b.run").write_text("q1 Q0 x 1 1 s\n")
    done = assay("evaluate", "gold.qrels", "a.run", "b.run", "-m", "RR", "--missing", "skip")
    assert "1.0000*" not in done.out
    assert "No best is marked where the runs have values for different queries: RR." in done.out


def test_lower_is_better_is_said_and_marked(assay, small):
    (small / "b.run").write_text("q1 Q0 x 1 9 s\nq2 Q0 z 1 9 s\n")
    done = assay("evaluate", "gold.qrels", "a.run", "b.run", "-m", "MR AP")
    assert "Lower is better: MR." in done.out
    assert "MR        1.2500  1.0000*" in done.out or "1.0000*" in done.out


def test_undefined_is_a_dash_with_a_footnote(assay, small):
    (small / "none.qrels").write_text("q1 0 x 0\nq2 0 z 0\n")
    done = assay("evaluate", "none.qrels", "a.run", "-m", "RR", "--empty", "skip")
    assert "RR       -" in done.out
    assert "- undefined for every query." in done.out


def test_range_shows_the_value_between_both_ends(assay, small):
    done = assay("evaluate", "gold.qrels", "a.run", "-m", "RR", "--ties", "range")
    assert "0.7500 [0.5000, 0.7500]" in done.out
    assert "[worst, best order of tied items]" in done.out


def test_a_policy_that_was_said_wins_over_the_profile(assay, small):
    done = assay("evaluate", "gold.qrels", "a.run", "-m", "RR", "--profile", "trec_eval-9", "--missing", "zero")
    assert "Policy (trec_eval-9): ties id-desc, missing zero, empty zero, precision float32." in done.out


def test_what_was_typed_stands_beside_the_canonical_name(assay, small):
    done = assay("evaluate", "gold.qrels", "a.run", "-m", "map", "-m", "ndcg_cut_5")
    assert "Asked for as: AP = map, nDCG@5 = ndcg_cut_5." in done.out


def test_judged_is_added_for_each_cutoff(assay, small):
    done = assay("evaluate", "gold.qrels", "a.run", "-m", "P@{1,2} RR", "--judged", "-o", "csv")
    assert [row["measure"] for row in csv.DictReader(io.StringIO(done.out))] == [
        "P@1",
        "P@2",
        "RR",
        "Judged@1",
        "Judged@2",
    ]


def test_per_query_lines_are_plain_and_the_means_follow(assay, small):
    done = assay("evaluate", "gold.qrels", "a.run", "-q", "-m", "RR")
    lines = done.out.splitlines()
    assert [line.split() for line in lines[:3]] == [
        ["query", "measure", "a"],
        ["q1", "RR", "0.5000"],
        ["q2", "RR", "1.0000"],
    ]
    assert "RR       0.7500" in done.out


def test_tables_for_programs(assay, small):
    done = assay("evaluate", "gold.qrels", "a.run", "-m", "RR", "-o", "csv")
    assert done.out == "run,measure,mean,queries,undefined\na,RR,0.75,2,0\n"
    done = assay("evaluate", "gold.qrels", "a.run", "-m", "RR", "-o", "tsv", "-q")
    assert done.out == "run\tmeasure\tquery\tvalue\na\tRR\tq1\t0.5\na\tRR\tq2\t1.0\n"
    assay("evaluate", "gold.qrels", "a.run", "-m", "RR", "--out", "r.parquet")
    assert pl.read_parquet(small / "r.parquet").rows() == [("a", "RR", 0.75, 2, 0)]


def test_tables_for_papers(assay, small):
    (small / "b_1.run").write_text("q1 Q0 x 1 1 s\nq2 Q0 z 1 1 s\n")
    markdown = assay("evaluate", "gold.qrels", "a.run", "b_1.run", "-m", "RR", "-o", "markdown").out
    assert r"| measure | a | b\_1 |" in markdown
    assert "| RR | 0.7500 | **1.0000** |" in markdown
    latex = assay("evaluate", "gold.qrels", "a.run", "b_1.run", "-m", "RR", "-o", "latex").out
    assert r"measure & a & b\_1 \\" in latex
    assert r"RR & 0.7500 & \textbf{1.0000} \\" in latex
    assert r"\toprule" in latex


def test_names_from_files_are_shown_and_never_obeyed(assay, small):
    wild = "[bold]<script>alert(1)<\\script>\x1b[31m\nx.run"
    (small / wild).write_text("q1 Q0 x 1 1 s\n")
    (small / "wild.csv").write_text('query,item,grade\n"q[red]\x1b[2J",x,1\nq1,x,1\n')
    done = assay("evaluate", "wild.csv", wild, "-m", "RR", "-q")
    assert "\x1b" not in done.out + done.err
    assert r"[bold]<script>alert(1)<\script>\x1b[31m\nx" in done.out
    assert r"q[red]\x1b[2J" in done.out


def test_weights_exclude_and_rel(assay, small):
    (small / "w.csv").write_text("query,weight\nq1,3\nq2,1\n")
    (small / "x.csv").write_text("query,item\nq1,y\n")
    weighted = assay("evaluate", "gold.qrels", "a.run", "-m", "RR", "--weights", "w.csv").out
    assert "RR       0.6250" in weighted
    assert "Weighted means over 2 queries." in weighted
    assert "RR       1.0000" in assay("evaluate", "gold.qrels", "a.run", "-m", "RR", "--exclude", "x.csv").out
    lowest = assay("evaluate", "gold.qrels", "a.run", "-m", "RR", "--rel", "2").out
    assert "RR(rel=2)  0.5000" in lowest
    assert "Asked for" not in lowest


def test_standard_input_and_a_named_format(assay, small):
    text = (small / "a.run").read_bytes()
    assert (
        "RR               0.7500"
        in assay("evaluate", "gold.qrels", "-", "--format", "trec", "-m", "RR", stdin=text).out
    )


def test_a_file_appears_whole_or_not_at_all(assay, small):
    out = small / "results.json"
    out.write_text("before")
    assay("evaluate", "gold.qrels", "missing.run", "--out", "results.json", expect=2)
    assert out.read_text() == "before"
    assert assay("evaluate", "gold.qrels", "a.run", "--out", "results.json").out == ""
    assert out.read_text().startswith("{")
    assert sorted(path.name for path in small.iterdir()) == ["a.run", "gold.qrels", "results.json"]


def test_quiet_leaves_out_the_notes(assay, small):
    (small / "b.run").write_text("q1 Q0 x 1 1 s\n")
    note = assay("evaluate", "gold.qrels", "b.run").err
    assert "Note: 1 of 2 gold queries has no answer; it counts as 0 (--missing skip changes that)." in note
    assert assay("evaluate", "gold.qrels", "b.run", "--quiet").err == ""


def on_a_terminal(small, *options, **environment):
    ours, theirs = pty.openpty()
    subprocess.run(
        [sys.executable, "-m", "assay", "evaluate", "gold.qrels", "a.run", "b.run", "-m", "RR", *options],
        cwd=small,
        env={k: v for k, v in os.environ.items() if k != "NO_COLOR"} | {"TERM": "xterm"} | environment,
        stdout=theirs,
        stderr=subprocess.DEVNULL,
        check=True,
    )
    os.close(theirs)
    try:
        return os.read(ours, 1 << 16).decode()
    finally:
        os.close(ours)


def test_colours_are_for_terminals_only_and_can_be_refused(small, monkeypatch):
    (small / "b.run").write_text("q1 Q0 x 1 1 s\n")
    monkeypatch.setenv("PYTHONPATH", str(ROOT / "src"))
    assert "\x1b[1m" in on_a_terminal(small)
    assert "\x1b" not in on_a_terminal(small, NO_COLOR="1")
    assert "\x1b" not in on_a_terminal(small, "--no-color")


def test_a_closed_pipe_is_no_error(small, monkeypatch):
    monkeypatch.setenv("PYTHONPATH", str(ROOT / "src"))
    (small / "long.qrels").write_text("".join(f"q{i} 0 x 1\n" for i in range(30_000)))
    (small / "long.run").write_text("".join(f"q{i} Q0 x 1 1 s\n" for i in range(30_000)))
    command = f"{sys.executable} -m assay evaluate long.qrels long.run -m RR -q | head -1"
    done = subprocess.run(command, shell=True, cwd=small, capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["query", "measure", "long"]
    assert done.stderr == ""
