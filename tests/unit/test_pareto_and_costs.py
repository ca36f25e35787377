"""What queries cost: read from every kind of run, summed up beside quality."""

import json

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from assay.core.run import Run
from assay.errors import FormatError, InputError
from assay.evaluate.costs import cost_figures
from assay.formats import read_run
from assay.inputs import as_costs
from assay.statistics.pareto import front

ROWS = {
    "query": ["q2", "q2", "q1", "q1"],
    "item": ["a", "b", "a", "c"],
    "score": [2.0, 1.0, 2.0, 1.0],
    "latency_ms": [250.0, None, 100.0, 100.0],
    "Tokens": [7, 7, None, None],
    "usd": [0.25, 0.25, 0.5, None],
}
WANTED = [("q1", 0.1, None, 0.5), ("q2", 0.25, 7.0, 0.25)]
TABLE = pl.DataFrame(ROWS)


def write(path, kind):
    if kind in {"csv", "tsv"}:
        TABLE.write_csv(path, separator="," if kind == "csv" else "\t")
    elif kind == "parquet":
        TABLE.write_parquet(path)
    elif kind == "arrow":
        TABLE.write_ipc(path)
    else:
        path.write_text("\n".join(json.dumps(row) for row in TABLE.iter_rows(named=True)))
    return path


@pytest.mark.parametrize("kind", ["csv", "tsv", "parquet", "arrow", "jsonl"])
def test_costs_are_columns_of_a_file(kind, tmp_path):
    run = read_run(write(tmp_path / f"run.{kind}", kind))
    costs = run.costs()
    assert costs.columns == ["query", "latency", "tokens", "price"]
    assert costs.rows() == WANTED
    assert run.frame().select("query", "item", "score").rows() == TABLE.select("query", "item", "score").rows()
    assert run.costs().equals(costs)


@pytest.mark.parametrize("kind", ["csv", "tsv", "parquet", "arrow", "jsonl", "trec"])
def test_a_file_without_such_columns_costs_nothing_known(kind, tmp_path):
    path = tmp_path / f"run.{kind}"
    plain = TABLE.select("query", "item", "score")
    if kind == "jsonl":
        path.write_text("\n".join(json.dumps(row) for row in plain.iter_rows(named=True)))
    elif kind == "trec":
        path.write_text("q1 Q0 a 1 2.0 x\n")
    else:
        getattr(plain, {"parquet": "write_parquet", "arrow": "write_ipc"}.get(kind, "write_csv"))(path)
    assert read_run(path).costs() is None


def test_a_quoted_csv_is_read_as_exactly_as_its_rows(tmp_path):
    path = tmp_path / "run.csv"
    path.write_text('query,item,score,seconds\n"q ""1""\nx",a,1,0.5\n"q ""1""\nx",b,0,\n')
    assert read_run(path).costs().rows() == [('q "1"\nx', 0.5)]


def test_json_lines_may_say_it_once_for_a_query(tmp_path):
    path = tmp_path / "run.jsonl"
    path.write_text('{"qid": 1, "items": ["a", "b"], "latency": 0.5, "cost": "0.1"}\n{"qid": 2, "items": ["a"]}\n')
    assert read_run(path).costs().rows(named=True) == [{"query": "1", "latency": 0.5, "price": 0.1}]
    path.write_text('{"qid": 1, "items": [{"item": "a", "cost": 3}]}\n{"qid": 2, "items": ["a"], "usd": 2}\n')
    assert read_run(path).costs().rows(named=True) == [{"query": "2", "price": 2.0}]
    path.write_text('{"qid": 1, "items": [{"item": "a", "cost": 3}]}\n')
    assert read_run(path).costs() is None
    path.write_text('{"qid": 1, "item": "a", "score": 1, "cost": 3}\n{"qid": 1, "cost": }\n')
    with pytest.raises(FormatError, match="line 2: expected JSON"):
        read_run(path).costs()


def test_a_frame_has_costs_and_keeps_them_lazily():
    assert Run.from_frame(TABLE).costs().rows() == WANTED
    assert Run.from_frame(TABLE.select("query", "item", "score")).cost_source is None
    assert Run.from_frame(TABLE.to_pandas()).costs().rows() == WANTED


def test_the_time_of_a_callable_is_its_latency():
    run = Run.from_callable(lambda text: [text], {"q2": "x", "q1": "y"})
    costs = run.costs()
    assert costs["query"].to_list() == ["q1", "q2"]
    assert (costs["latency"] > 0).all()


@pytest.mark.parametrize("kind", ["csv", "parquet", "jsonl"])
def test_two_costs_for_one_query_are_an_error_that_names_it(kind, tmp_path):
    path = tmp_path / f"run.{kind}"
    rows = TABLE.with_columns(latency_ms=pl.Series([250.0, 300.0, 100.0, 100.0]))
    if kind == "jsonl":
        path.write_text("\n".join(json.dumps(row) for row in rows.iter_rows(named=True)))
    else:
        getattr(rows, {"csv": "write_csv", "parquet": "write_parquet"}[kind])(path)
    with pytest.raises(InputError, match=r"one number as latency for each query, found 0\.25 and 0\.3 for 'q2'"):
        read_run(path).costs()


@pytest.mark.parametrize(
    ("cells", "found"), [(["1", "fast"], "'fast'"), (["-1", "2"], "'-1'"), (["inf", "1"], "'inf'")]
)
def test_a_cost_is_a_number_of_at_least_0(cells, found):
    frame = pl.DataFrame({"query": ["a", "b"], "item": ["x", "x"], "score": [1, 1], "tokens": cells})
    with pytest.raises(InputError, match=f"as tokens, found {found}"):
        Run.from_frame(frame).costs()


@pytest.mark.parametrize("column", [["2024-01-01", "2024-01-02"], [None, None], ["", "nan"], [True, False]])
def test_a_column_without_a_number_is_no_column_of_cost(column):
    frame = pl.DataFrame({"query": ["a", "b"], "item": ["x", "x"], "score": [1, 1], "time": column})
    assert Run.from_frame(frame).costs() is None


def test_nan_is_an_unknown_cost():
    frame = pl.DataFrame({"query": ["a", "b"], "item": ["x", "x"], "score": [1, 1], "price": [float("nan"), 2.0]})
    assert Run.from_frame(frame).costs().rows() == [("a", None), ("b", 2.0)]


def test_costs_come_in_a_file_of_their_own(tmp_path):
    path = tmp_path / "costs.csv"
    path.write_text("run,query,latency,note\nbm25,q1,0.5,x\nbm25,q2,1.5,y\ndense,q1,2,z\n")
    assert as_costs(path).rows() == [("bm25", "q1", 0.5), ("bm25", "q2", 1.5), ("dense", "q1", 2.0)]
    runs = [Run.from_mapping({"q1": {"a": 1.0}}, name=name) for name in ("bm25", "dense")]
    figures = cost_figures(runs, ["bm25", "dense"], {"bm25": 0.3, "dense": 0.4}, costs=path)
    assert [(one.run, one.mean, one.total, one.queries, one.best) for one in figures] == [
        ("bm25", 1.0, 2.0, 2, True),
        ("dense", 2.0, 2.0, 1, True),
    ]


def test_a_file_of_costs_needs_a_cost_and_says_of_which_run():
    with pytest.raises(InputError, match="expected a column for latency, tokens or price"):
        as_costs(pl.DataFrame({"query": ["a"], "speed": [1]}))
    run = Run.from_mapping({"q1": {"a": 1.0}})
    given = pl.DataFrame({"query": ["q1"], "tokens": [5]})
    assert cost_figures([run], ["it"], {"it": 0.5}, costs=given)[0].to_dict() == {
        "run": "it", "cost": "tokens", "mean": 5.0, "median": 5.0, "p95": 5.0, "total": 5.0, "queries": 1, "best": True,
    }  # fmt: skip
    with pytest.raises(InputError, match="names the run, for 2 runs"):
        cost_figures([run, run], ["a", "b"], {"a": 0.5, "b": 0.5}, costs=given)


def test_what_is_given_comes_before_what_a_run_says_itself():
    run = Run.from_frame(TABLE)
    given = pl.DataFrame({"query": ["q1", "q2"], "tokens": [1, 3]})
    means = {one.cost: one.mean for one in cost_figures([run], ["r"], {"r": 0.5}, costs=given)}
    assert means == {"latency": pytest.approx(0.175), "tokens": 2.0, "price": 0.375}


def test_figures_are_those_of_numpy_and_a_lower_measure_may_be_better():
    chance = np.random.default_rng(0)
    spent = chance.exponential(size=(2, 50))
    queries = pl.DataFrame({"query": [f"q{n}" for n in range(50)], "item": ["a"] * 50, "score": [1.0] * 50})
    runs = [Run.from_frame(queries.with_columns(latency=pl.Series(row))) for row in (spent[0], spent[1] + 1)]
    first, second = cost_figures(runs, ["a", "b"], {"a": 3.0, "b": 5.0}, higher_is_better=False)
    assert (first.mean, first.median, first.p95) == pytest.approx(
        (spent[0].mean(), np.median(spent[0]), np.quantile(spent[0], 0.95))
    )
    assert (first.best, second.best) == (True, False)
    assert [one.best for one in cost_figures(runs, ["a", "b"], {"a": 3.0, "b": None})] == [True, False]


points = st.lists(st.tuples(st.integers(0, 4), st.integers(0, 4)), max_size=12)


@given(points)
def test_the_front_is_what_nothing_beats(pairs):
    flags = front([good for good, _ in pairs], [dear for _, dear in pairs])
    for (good, dear), flag in zip(pairs, flags, strict=True):
        beaten = any(g >= good and d <= dear and (g, d) != (good, dear) for g, d in pairs)
        assert flag == (not beaten)
