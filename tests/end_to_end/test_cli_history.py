"""`assay history add` and `show`: evaluations go into a store and are followed there."""

import json
import sqlite3

import jsonschema
import polars as pl
import pytest

from assay.report.schema import SCHEMAS

pytest.importorskip("sqlalchemy", reason="needs the extra store")


@pytest.fixture
def nights(small):
    """Gold, a run, and a file of slices."""
    (small / "by.csv").write_text("query,hops\nq1,1\nq2,2\n")
    return small


def add(assay, night, *more, **options):
    how = ["gold.qrels", "a.run", "--store", "h.db", "-m", "P@1 RR", "--time", f"2026-03-0{night}"]
    return assay("history", "add", *how, *more, **options)


def test_an_evaluation_is_added_with_all_that_is_said_of_it(assay, nights):
    (nights / "corpus.jsonl").write_text("{}\n")
    done = add(
        assay, 1, "--suite", "web", "--baseline", "--by", "by.csv", "--tag", "branch=main", "--corpus", "corpus.jsonl",
        "--code", "abc", "--note", "first", "--head", "1", "-o", "json",
    )  # fmt: skip
    document = json.loads(done.out)
    jsonschema.validate(document, SCHEMAS["history add"])
    (one,) = document["added"]
    assert (one["suite"], one["name"], one["time"], one["note"]) == ("web", "a", "2026-03-01T00:00:00+00:00", "first")
    assert (one["made"]["tags"], one["made"]["code"], one["baseline"]) == ({"branch": "main"}, "abc", True)
    assert all(len(one["made"][name]) == 64 for name in ("gold", "run", "corpus", "queries"))
    means = {(f["measure"], f["slice"]): f["mean"] for f in one["figures"]}
    assert means == {
        ("P@1", ""): 0.5, ("RR", ""): 0.75, ("P@1", "hops=1"): 0.0, ("RR", "hops=1"): 0.5, ("P@1", "hops=2"): 1.0,
        ("RR", "hops=2"): 1.0,
    }  # fmt: skip
    assert one["figures"][0]["low"] is not None


def test_what_is_added_is_told_in_lines_that_fit(assay, nights):
    done = add(assay, 1)
    assert "h.db: 1 evaluation added" in done.out
    assert "1 in gold: a, P@1" in done.out
    assert max(map(len, done.out.splitlines())) <= 80


def test_a_suite_is_followed(assay, nights):
    for night in (1, 2):
        add(assay, night, *(["--baseline"] if night == 1 else []))
    (nights / "a.run").write_text("q1 Q0 x 1 2 s\nq2 Q0 z 1 5 s\n")
    add(assay, 3, "--note", "fixed")
    shown = assay("history", "show", "--store", "h.db", "--suite", "gold").out
    assert "gold: 3 evaluations, 2026-03-01 to 2026-03-03" in shown
    assert "RR" in shown
    assert "▁▁█" in shown
    assert "2026-03-01 00:00*" in shown
    assert "3: fixed" in shown
    assert max(map(len, shown.splitlines())) <= 80
    one = assay("history", "show", "--store", "h.db", "--suite", "gold", "--measure", "RR", "--last", "2").out
    assert "2026-03-02" in one
    assert "2026-03-01" not in one.replace("2026-03-01 to", "")
    document = json.loads(assay("history", "show", "--store", "h.db", "--suite", "gold", "-o", "json").out)
    jsonschema.validate(document, SCHEMAS["history show"])
    assert [one["note"] for one in document["evaluations"]] == ["", "", "fixed"]
    rows = assay(
        "history", "show", "--store", "h.db", "--suite", "gold", "--measure", "RR", "-o", "csv"
    ).out.splitlines()
    assert len(rows) == 4


def test_all_suites_are_listed(assay, nights):
    add(assay, 1, "--baseline")
    add(assay, 2, "--suite", "other")
    shown = assay("history", "show", "--store", "h.db").out
    assert "2 suites, 2 evaluations" in shown
    assert max(map(len, shown.splitlines())) <= 80
    document = json.loads(assay("history", "show", "--store", "h.db", "-o", "json").out)
    jsonschema.validate(document, SCHEMAS["history show"])
    assert [(one["name"], one["baseline"] is not None) for one in document["suites"]] == [
        ("gold", True),
        ("other", False),
    ]
    assert assay("history", "show", "--store", "h.db", "-o", "csv").out.startswith(
        "suite,evaluations,time,measure,newest"
    )


def test_results_and_runs_of_mlflow_are_added(assay, nights):
    assay("evaluate", "gold.qrels", "a.run", "-m", "RR", "-o", "json", "--out", "r.json")
    done = assay("history", "add", "--result", "r.json", "--store", "h.db", "--suite", "web", "--time", "2026-03-01")
    assert "1 in web: a, RR" in done.out
    run = {"name": "night", "timestamp": 0, "metrics": {"RR": 0.25}, "params": {}, "tags": {}}
    (nights / "m.json").write_text(json.dumps(run))
    assay("history", "add", "--mlflow-json", "m.json", "--store", "h.db", "--suite", "web")
    document = json.loads(assay("history", "show", "--store", "h.db", "--suite", "web", "-o", "json").out)
    assert [one["made"]["task"] for one in document["evaluations"]] == ["mlflow", "ranking"]


def test_a_store_is_exported(assay, nights):
    add(assay, 1)
    done = assay("history", "show", "--store", "h.db", "--export", "out")
    assert "out/figures.parquet: 2 rows" in done.err
    assert pl.read_parquet(nights / "out" / "values.parquet").columns == ["id", "suite", "measure", "query", "value"]


def test_an_export_holds_what_is_asked_for(assay, nights):
    for night in (1, 2, 3):
        add(assay, night, "--tag", f"night={night}")
    add(assay, 3, "--suite", "other")

    def exported(*words):
        assay("history", "show", "--store", "h.db", "--export", "out", *words)
        return pl.read_parquet(nights / "out" / "figures.parquet")["id"].unique().sort().to_list()

    assert exported() == [1, 2, 3, 4]
    assert exported("--suite", "gold") == [1, 2, 3]
    assert exported("--suite", "gold", "--since", "2026-03-02") == [2, 3]
    assert exported("--since", "2030-01-01") == []
    assert pl.read_parquet(nights / "out" / "values.parquet").height == 0
    assert exported("--suite", "gold", "--tag", "night=2") == [2]
    assert exported("--last", "2") == [3, 4]
    done = assay("history", "show", "--store", "h.db", "--export", "out", "--measure", "RR", expect=2)
    assert "--measure: expected no --export beside it" in done.err


def test_an_evaluation_that_is_refused_keeps_those_beside_it_out(assay, nights):
    runs = [{"name": name, "timestamp": 0, "metrics": {"RR": 0.5}} for name in ("fine", "also")]
    runs[1]["metrics"] = {"R" * 1300: 0.5}
    (nights / "m.json").write_text(json.dumps({"runs": runs}))
    done = assay("history", "add", "--mlflow-json", "m.json", "--store", "h.db", expect=2)
    assert "m.json, run 2, measure: expected a name of 1 to 1,200 bytes" in done.err
    assert not (nights / "h.db").exists()


@pytest.mark.parametrize("store", ["", ":memory:", "sqlite://", "sqlite:///:memory:"])
@pytest.mark.parametrize("verb", ["add", "show"])
def test_a_store_that_keeps_nothing_is_refused(assay, nights, store, verb):
    given = ["gold.qrels", "a.run"] if verb == "add" else []
    done = assay("history", verb, *given, "--store", store, expect=2)
    assert "--store: expected a file or postgresql://, which keep what is added" in done.err


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (
            lambda figure: figure.update(mean=float("inf")),
            "r.json: expected JSON, found an error: Infinity is no number",
        ),
        (lambda figure: figure.update(low="abc"), "r.json: expected the JSON of a result of Assay, found an error"),
        (lambda figure: figure.update(queries=10**30), "r.json, RR, queries: expected a count, found 1000"),
        (lambda figure: figure.update(mean=10**400), "r.json: expected"),
    ],
    ids=["infinite", "text", "count", "digits"],
)
def test_a_result_with_numbers_that_are_none_is_refused_by_name(assay, nights, change, message):
    assay("evaluate", "gold.qrels", "a.run", "-m", "RR", "-o", "json", "--out", "r.json")
    document = json.loads((nights / "r.json").read_text())
    change(document["runs"][0]["measures"]["RR"])
    (nights / "r.json").write_text(json.dumps(document))
    done = assay("history", "add", "--result", "r.json", "--store", "h.db", expect=2)
    assert message in done.err
    assert not (nights / "h.db").exists()


def test_gold_in_another_order_is_the_same_gold(assay, nights):
    add(assay, 1)
    rows = (nights / "gold.qrels").read_text().splitlines()
    (nights / "gold.qrels").write_bytes("\r\n".join([*rows[::-1], ""]).encode())
    add(assay, 2)
    shown = json.loads(assay("history", "show", "--store", "h.db", "--suite", "gold", "-o", "json").out)
    assert len({one["made"]["gold"] for one in shown["evaluations"]}) == 1


def test_a_password_of_the_store_is_kept_nowhere(nights, monkeypatch, capsys):
    from assay.cli.main import run
    from assay.store.evaluations import HistoryStore

    kept, opened = str(nights / "h.db"), HistoryStore.open
    monkeypatch.setattr(HistoryStore, "open", lambda _url, **how: opened(kept, **how))
    monkeypatch.chdir(nights)
    url = "postgresql://ann:hunter2@db.example.org/quality"
    assert run(["history", "add", "gold.qrels", "a.run", "--store", url, "-m", "RR", "-o", "json"]) == 0
    added = capsys.readouterr()
    assert run(["history", "show", f"--store={url}", "-o", "json"]) == 0
    shown = capsys.readouterr()
    assert "hunter2" not in added.out + added.err + shown.out + shown.err
    document = json.loads(added.out)
    assert document["command"][5] == document["store"] == url.replace("hunter2", "***")


def test_an_evaluation_is_noted_and_pinned(assay, nights):
    for night in (1, 2):
        add(assay, night, "--note", "first")
    edit = ["history", "edit", "2", "--store", "h.db"]
    assert "expected --baseline or --note" in assay(*edit, expect=2).err
    assert "a: now the baseline of gold." in assay(*edit, "--baseline", "--note", "new index").err
    assert "a: noted." in assay("history", "edit", "1", "--store", "h.db", "--note", "").err
    shown = json.loads(assay("history", "show", "--store", "h.db", "--suite", "gold", "-o", "json").out)
    assert [(one["baseline"], one["note"]) for one in shown["evaluations"]] == [(False, ""), (True, "new index")]
    done = assay("history", "edit", "9", "--store", "h.db", "--baseline", expect=2)
    assert "evaluation 9: expected one of the store" in done.err


def test_a_recorded_run_is_judged_by_another_gold(assay, nights):
    add(assay, 1)
    (nights / "new.qrels").write_text("q1 0 x 1\nq2 0 y 0\n")
    wanted = assay("evaluate", "new.qrels", "a.run", "-m", "P@1 RR", "-o", "json").out
    done = assay("history", "rejudge", "new.qrels", "1", "--store", "h.db", "--suite", "again", "-o", "json")
    document = json.loads(done.out)
    jsonschema.validate(document, SCHEMAS["history rejudge"])
    (one,) = document["added"]
    means = {name: figure["mean"] for name, figure in json.loads(wanted)["runs"][0]["measures"].items()}
    assert {figure["measure"]: figure["mean"] for figure in one["figures"]} == means
    assert (one["id"], one["suite"], one["time"]) == (2, "again", "2026-03-01T00:00:00+00:00")
    assert one["note"] == "evaluation 1 judged again"
    add(assay, 2, "--head", "0")
    done = assay("history", "rejudge", "new.qrels", "1", "3", "--store", "h.db", expect=2)
    assert "expected items that were kept, found none" in done.err
    assert "3 evaluations" in assay("history", "show", "--store", "h.db").out


def test_several_runs_are_several_evaluations(assay, nights):
    (nights / "b.run").write_text("q1 Q0 x 1 2 s\n")
    done = assay("history", "add", "gold.qrels", "a.run", "b.run", "--store", "h.db", "-m", "RR")
    assert "h.db: 2 evaluations added" in done.out
    assay("history", "add", "gold.qrels", "a.run", "b.run", "--store", "h.db", "--baseline", expect=2)


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ([], "expected one of GOLD RUN, --result and --mlflow-json, found none"),
        (["gold.qrels"], "RUN: expected a run beside the gold, found none"),
        (["gold.qrels", "a.run", "--time", "noon"], "--time: expected a time such as"),
        (["gold.qrels", "a.run", "--tag", "main"], "--tag: expected NAME=VALUE, found 'main'"),
        (["gold.qrels", "a.run", "--head", "-1"], "--head: expected a whole number of at least 0"),
        (["gold.qrels", "a.run", "--corpus", "none"], "none: expected the file of a corpus"),
        (["gold.qrels", "a.run", "--ties", "range"], "--ties range: expected one rule"),
        (["gold.qrels", "a.run", "--result", "x.json"], "found GOLD RUN and --result"),
        (["--result", "gold.qrels"], "gold.qrels: expected JSON"),
        (["--result", "gold.qrels", "-m", "RR"], "-m: expected GOLD RUN beside it"),
        (["gold.qrels", "a.run", "--log-mlflow", "mlruns"], "mlruns: expected http:// or https://"),
    ],
    ids=["nothing", "run", "time", "tag", "head", "corpus", "range", "two", "json", "measures", "mlflow"],
)
def test_a_mistake_is_one_line_and_adds_nothing(assay, nights, words, message):
    done = assay("history", "add", *words, "--store", "h.db", expect=2)
    assert message in done.err
    assert not (nights / "h.db").exists()


def test_what_is_not_there_is_named(assay, nights):
    add(assay, 1)
    show = ["history", "show", "--store"]
    assert "found no such file" in assay(*show, "none.db", expect=2).err
    assert "Did you mean 'gold'?" in assay(*show, "h.db", "--suite", "glod", expect=2).err
    assert "Did you mean 'P@1'?" in assay(*show, "h.db", "--suite", "gold", "--measure", "P@2", expect=2).err
    sqlite3.connect(nights / "other.db").execute("CREATE TABLE t (a)").connection.close()
    before = (nights / "other.db").read_bytes()
    assert "expected a store of evaluations, found another database" in assay(*show, "other.db", expect=2).err
    assert (nights / "other.db").read_bytes() == before


def test_a_disk_that_is_full_is_one_line(assay, nights):
    add(assay, 1)
    content = (nights / "h.db").read_bytes()
    resource = pytest.importorskip("resource", reason="needs limits of a process")
    limit = resource.getrlimit(resource.RLIMIT_FSIZE)
    try:
        resource.setrlimit(resource.RLIMIT_FSIZE, (4096, limit[1]))
        done = add(assay, 2, "--quiet", expect=2, fresh=True)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, limit)
    assert done.err.count("\n") == 1
    assert (nights / "h.db").read_bytes() == content
