"""Many runs in one call: the order given, whatever is faster; what may not be done at once; tables that can be read."""

import random
import sys
import threading
from collections import Counter
from dataclasses import replace
from time import sleep

import polars as pl
import pytest

from assay import Policy, Run
from assay.core.evaluation import Evaluation
from assay.errors import InputError, ParameterError, RunError
from assay.evaluate import evaluate_all
from assay.formats import read_run
from assay.report import documents
from assay.report.grid import merged_notices
from assay.report.names import labels
from assay.report.terminal import per_query, render

several = sys.modules["assay.evaluate.several"]
MEASURES = "P@{1,5,10} R@{10,100} F1@10 HR@10 RR AP nDCG@10"


@pytest.fixture
def files(tmp_path):
    """A gold standard of six queries and forty runs of different lengths, with ties."""
    rng = random.Random(4)
    queries, ids = [f"q{n}" for n in range(6)], [f"d{n}" for n in range(40)]
    gold = [(q, i, rng.choice((0, 1, 2))) for q in queries for i in rng.sample(ids, 12)]
    (tmp_path / "gold.qrels").write_text("".join(f"{q} 0 {i} {g}\n" for q, i, g in gold))
    for number in range(40):
        rows = [(q, i) for q in queries[: 6 - number % 3] for i in rng.sample(ids, 1 + number % 39)]
        lines = [f"{q} Q0 {i} 1 {rng.randint(0, 30)} s\n" for q, i in rows]
        (tmp_path / f"s{number:02}.run").write_text("".join(lines))
    return tmp_path


def runs(files):
    return sorted(files.glob("s*.run"))


def test_the_number_of_jobs_changes_nothing(files):
    alone, *others = (
        [one.to_dict() for one in evaluate_all(files / "gold.qrels", runs(files), MEASURES, jobs=jobs, interval=0.9)]
        for jobs in (1, 2, 7, None)
    )
    assert [one["runs"][0]["name"] for one in alone] == [path.stem for path in runs(files)]
    assert all(other == alone for other in others)


def test_results_come_in_the_order_given_whatever_is_faster():
    def work(run):
        sleep(0.05 if run.name == "0" else 0)
        return run.name

    done = several.Several(lambda name: Run.from_mapping({"q": ["a"]}, name=name), work, 3)
    assert list(done.results(map(str, range(30)))) == [str(number) for number in range(30)]


def test_the_first_wrong_file_in_the_order_given_is_the_one_that_is_named(files):
    (files / "s07.run").write_text("q1 Q0 d1 1 1 s\n" * 2)
    (files / "s05.run").write_text("q1 Q0 d1 1 1 s\n" + "q1 Q0 d9 2 1 s\n" * 90_000)
    for jobs in (1, 4):
        with pytest.raises(RunError, match=r"s05\.run, lines 2, 3"):
            evaluate_all(files / "gold.qrels", runs(files), "AP", jobs=jobs)


def test_a_file_that_is_not_there_is_named(files):
    with pytest.raises(InputError, match="s99"):
        evaluate_all(files / "gold.qrels", [*runs(files), files / "s99.run"], "AP", jobs=3)


def test_after_an_error_no_further_run_is_begun():
    begun = []

    def work(run):
        begun.append(run.name)
        sleep(0.02)
        raise RunError(run.name)

    done = several.Several(lambda name: Run.from_mapping({"q": ["a"]}, name=name), work, 2)
    with pytest.raises(RunError, match=r"^0$"):
        list(done.results(map(str, range(1000))))
    assert len(begun) < 20


@pytest.mark.parametrize("jobs", [0, -1])
def test_fewer_than_one_job_is_an_error(files, jobs):
    with pytest.raises(ParameterError, match=f"jobs: expected a whole number of at least 1, found {jobs}"):
        evaluate_all(files / "gold.qrels", runs(files), "AP", jobs=jobs)


@pytest.fixture
def busy(monkeypatch):
    """Record how many runs are worked on at the same time, the most for each name, and in which thread."""
    at_once, threads, now, lock = Counter(), {}, set(), threading.Lock()

    def work(run):
        with lock:
            now.add(run.name)
            for name in now:
                at_once[name] = max(at_once[name], len(now))
            threads[run.name] = threading.current_thread()
        sleep(0.02)
        with lock:
            now.discard(run.name)
        return run.name

    return work, at_once, threads


def test_what_must_not_be_disturbed_is_done_alone_in_the_thread_of_the_caller(busy):
    work, at_once, threads = busy
    kinds = [Run.from_mapping({"q": ["a"]}, name=f"plain{n}") for n in range(12)]
    kinds[5] = Run.from_frame(pl.LazyFrame({"query": ["q"], "item": ["a"], "score": [1.0]}), name="foreign")
    kinds[9] = replace(kinds[9], memory=1 << 30)
    kinds[8] = lambda query: [query]

    def opened(one):
        if not callable(one):
            return one
        return Run.from_callable(one, {"q": "q"}, name="asked")

    names = list(several.Several(opened, work, 4).results(kinds))
    assert names.index("foreign") == 5
    assert at_once["foreign"] == at_once["plain9"] == 1
    assert threads["foreign"] is threading.current_thread()
    assert at_once["plain0"] > 1


def test_a_callable_is_asked_while_nothing_else_is_done(busy):
    work, at_once, _ = busy
    working = []

    def counted(run):
        working.append(run.name)
        found = work(run)
        working.remove(run.name)
        return found

    def opened(one):
        if callable(one):
            assert not working
            return Run.from_callable(one, {"q": "q"}, name="asked")
        return one

    given = [*(Run.from_mapping({"q": ["a"]}, name=f"{n}") for n in range(8)), lambda query: [query]]
    assert list(several.Several(opened, counted, 4).results(given))[-1] == "asked"
    assert max(at_once.values()) > 1


def test_files_that_are_large_together_are_not_read_at_once(files, busy, monkeypatch):
    work, at_once, _ = busy
    sizes = sorted(path.stat().st_size for path in runs(files))
    monkeypatch.setattr(several, "HELD", 2 * sizes[-1] + 1)
    done = list(several.Several(read_run, work, 8).results(reversed(runs(files))))
    assert done == [path.stem for path in reversed(runs(files))]
    largest = [path.stem for path in runs(files) if path.stat().st_size > 0.9 * sizes[-1]]
    assert max(at_once[name] for name in largest) <= 3 < max(at_once.values())
    monkeypatch.setattr(several, "HELD", sizes[0])
    at_once.clear()
    list(several.Several(read_run, work, 8).results(runs(files)))
    assert set(at_once.values()) == {1}


def test_runs_may_come_one_by_one(files):
    alive = []

    def frames():
        for path in runs(files):
            alive.append(path.name)
            yield pl.DataFrame({"query": ["q1"], "item": ["d1"], "score": [1.0]})

    assert len(evaluate_all(files / "gold.qrels", frames(), "RR", jobs=2)) == len(alive) == 40


def test_runs_of_one_name_stay_apart(files):
    paths = []
    for number, path in enumerate(runs(files)[:12]):
        folder = files / f"grid{number:02}"
        folder.mkdir()
        paths.append(path.rename(folder / "bm25.run"))
    found = evaluate_all(files / "gold.qrels", paths, MEASURES)
    names = [f"grid{number:02}/bm25.run" for number in range(12)]
    assert labels([one.name for one in found], [one.path for one in found]) == names
    long = documents.to_frame(found, per_query=True)
    assert long["run"].unique(maintain_order=True).to_list() == names
    assert all(name in render(found) for name in names)


def test_the_long_form_holds_each_value_once(files):
    found = evaluate_all(files / "gold.qrels", runs(files), MEASURES)
    long = documents.to_frame(found, per_query=True)
    assert long.columns == ["run", "measure", "query", "value"]
    assert long.height == 40 * 10 * 6
    assert not long.select("run", "measure", "query").is_duplicated().any()
    for form, read in (("parquet", pl.read_parquet), ("csv", pl.read_csv)):
        assert read(documents.to_table(long, form)).equals(long)
    assert per_query(found[:2]).count("\n") == 6 * 10 + 2


def test_a_table_of_many_runs_ends_with_the_best_of_each_measure(files):
    lines = render(evaluate_all(files / "gold.qrels", runs(files), "RR nDCG@10 AP")).splitlines()
    start = lines.index(next(line for line in lines if line.startswith("measure")))
    rows = {line.split()[0]: line.split()[1:] for line in lines[start + 2 : start + 5]}
    table = {line.split()[0]: line for line in lines[:start] if line.startswith("s")}
    assert len(table) == 40
    for best, run, *more in rows.values():
        assert f"{best}*" in table[run]
        assert not more or more[0] == "and"
    assert max(map(len, lines)) <= 80
    assert "40 runs, in the order given; -o csv or parquet gives rows to sort and filter." in lines
    few = render(evaluate_all(files / "gold.qrels", runs(files)[:24], "RR"))
    assert not any(line.startswith("measure") for line in few.splitlines())
    assert "in the order given" not in few


def _noticed(*notices):
    plain = evaluate_all({"q": {"a": 1}}, [{"q": ["a"]}], "RR")[0]
    changes = {name: getattr(plain, name) for name in plain.__dataclass_fields__}
    return [Evaluation(**changes | {"name": f"s{n}", "notices": said}) for n, said in enumerate(notices)]


def test_notices_of_many_runs_that_differ_by_a_count_are_one():
    many = _noticed(*((f"{n} of 50 gold queries have no answer.",) for n in range(5, 1205, 100)))
    assert list(merged_notices(many)) == ["Note (all runs): 5 to 1105 of 50 gold queries have no answer."]
    assert len(list(merged_notices(many[:8]))) == 8


def test_cutoffs_and_names_are_no_counts():
    said = [
        (f"by cutoff {10 * (n % 2) + 10}: {n}; P@{n % 2} (k={n % 2}), such as 'q{n % 2}' or '30{n % 2}'.",)
        for n in range(10)
    ]
    first, second = merged_notices(_noticed(*said))
    assert first == "Note (s0, s2, s4 and 2 more): by cutoff 10: 0 to 8; P@0 (k=0), such as 'q0' or '300'."
    assert second == "Note (s1, s3, s5 and 2 more): by cutoff 20: 1 to 9; P@1 (k=1), such as 'q1' or '301'."


def test_a_notice_of_some_of_many_runs_names_a_few():
    said = [("odd",) if n % 2 else () for n in range(20)]
    assert list(merged_notices(_noticed(*said))) == ["Note (s1, s3, s5 and 7 more): odd"]
    assert list(merged_notices(_noticed(("both",), ("both", "one")))) == ["Note (all runs): both", "Note (s1): one"]


def test_ties_and_missing_queries_of_forty_runs_take_a_few_lines(files):
    found = evaluate_all(files / "gold.qrels", runs(files), MEASURES, policy=Policy(ties="id-asc"))
    lines = list(merged_notices(found))
    assert len({notice for one in found for notice in one.notices}) > 20
    assert all(len(line) < 250 for line in lines)
    assert len([line for line in lines if "have no answer" in line]) == 1


def test_pages_have_many_runs_as_rows(files):
    found = evaluate_all(files / "gold.qrels", runs(files), "RR AP")
    head, _, first, *_ = documents.to_markdown(found).splitlines()
    assert head == "| run | RR | AP |"
    assert first.startswith("| s00 | ")
    assert r"run & RR & AP \\" in documents.to_latex(found)
    assert documents.to_markdown(found[:8]).startswith("| measure | s00 | s01 |")
