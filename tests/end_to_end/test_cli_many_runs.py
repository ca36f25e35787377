"""`assay evaluate` on many runs: jobs, a cache, and output that a program can read."""

import io

import polars as pl
import pytest


@pytest.fixture
def grid(tmp_path):
    """Thirty runs of one name in folders of their own, better from one to the next."""
    (tmp_path / "gold.qrels").write_text("".join(f"q{q} 0 d{q} 1\n" for q in range(30)))
    for number in range(30):
        folder = tmp_path / f"k={number:02}"
        folder.mkdir()
        lines = [f"q{q} Q0 {'d' if q <= number else 'x'}{q} 1 1 s\n" for q in range(30)]
        (folder / "bm25.run").write_text("".join(lines))
    return tmp_path


def paths(grid):
    return sorted(str(path.relative_to(grid)) for path in grid.glob("k=*/bm25.run"))


def test_jobs_change_nothing_and_the_last_lines_name_the_best(assay, grid):
    one, many = (assay("evaluate", "gold.qrels", *paths(grid), "-m", "P@1", "--jobs", jobs) for jobs in ("1", "8"))
    assert one.out == many.out
    assert one.err == many.err
    assert "P@1      1.0000  k=29/bm25.run\n" in one.out
    assert one.out.index("k=00/bm25.run") < one.out.index("k=01/bm25.run") < one.out.index("k=28/bm25.run")


def test_what_changed_is_judged_and_the_rest_taken_from_the_cache(assay, grid):
    command = ("evaluate", "gold.qrels", *paths(grid), "-m", "P@1 AP", "--cache", "judged/grid", "-q")
    first = assay(*command, "-o", "parquet")
    assert first.err.splitlines()[-1] == "Note: cache: 0 of 30 runs taken from it, 30 judged and kept."
    for number in (3, 4, 17):
        path = grid / f"k={number:02}" / "bm25.run"
        path.write_text(path.read_text().replace("d1 ", "x1 "))
    again = assay(*command, "-o", "parquet")
    assert again.err.splitlines()[-1] == "Note: cache: 27 of 30 runs taken from it, 3 judged and kept."
    assert assay(*command[:-3], "-q", "-o", "parquet").stdout == again.stdout
    before, after = (pl.read_parquet(io.BytesIO(done.stdout)) for done in (first, again))
    assert before.columns == ["run", "measure", "query", "value"]
    assert before.height == after.height == 30 * 2 * 30
    changed = before.filter(before["value"] != after["value"])
    assert changed.rows() == [
        (f"k={number:02}/bm25.run", name, "q1", 1.0) for number in (3, 4, 17) for name in ("P@1", "AP")
    ]


def test_a_wrong_file_among_many_is_named(assay, grid):
    (grid / "k=11" / "bm25.run").write_text("q1 Q0 d1 1 1 s\nq1 Q0 d1\n")
    done = assay("evaluate", "gold.qrels", *paths(grid), "--cache", "judged", expect=2)
    assert done.err.startswith("Error: k=11/bm25.run, line 2: expected 6 columns")
    assert done.out == ""


@pytest.mark.parametrize("jobs", ["0", "-2", "many", "1.5"])
def test_jobs_are_a_whole_number(assay, grid, jobs):
    done = assay("evaluate", "gold.qrels", *paths(grid), "--jobs", jobs, expect=2)
    assert done.err == f"Error: --jobs: expected a whole number of at least 1, found {jobs!r}\n"


def test_a_cache_that_is_a_file_is_one_line(assay, grid):
    done = assay("evaluate", "gold.qrels", *paths(grid), "--cache", "gold.qrels", expect=2)
    assert done.err == "Error: gold.qrels: expected a folder to keep judged runs in, found a file\n"
