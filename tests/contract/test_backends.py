"""An engine can never change a number: each is held against the engine for files, on whatever collections hold."""

import gc
import random
import subprocess
import sys
from functools import cache

import polars as pl
import pytest
from tests.contract import backends_under_test as backends
from tests.contract.backends_under_test import assert_same, small
from tests.contract.collections_at_once import NAN, collections
from tests.contract.test_ties import WITHOUT_EXPECTATION

from assay.core.gold import Gold
from assay.core.lazy import LazyRows
from assay.core.policy import ENGINE_TIES, Policy
from assay.core.run import Run
from assay.engines import head, judge
from assay.engines.backends import BACKENDS
from assay.errors import InputError, ParameterError, RunError, UnsupportedError
from assay.evaluate import evaluate
from assay.measures import MEASURES
from assay.testing import variants

pytestmark = [
    pytest.mark.filterwarnings("ignore:The 'future.infer_string' option"),  # what Dask and PySpark make of pandas
    pytest.mark.filterwarnings("ignore:The inplace keyword in DataFrame.reset_index"),
    pytest.mark.filterwarnings("ignore:PySpark does not yet fully support pandas"),
]

CASES = {
    "plain": (Policy(), False),
    "rounded": (Policy(ties="id-asc", precision="float32", self_match="drop", unjudged="drop"), True),
    "by position": (Policy(ties="order", self_match="drop", negative="nonrelevant", missing="skip"), True),
    "expected": (Policy(ties="expected", precision="float32", empty="skip"), False),
    "first, rounded": (Policy(duplicates="first", nan="worst", precision="float32", self_match="drop"), True),
    "best": (Policy(duplicates="best", nan="worst", ties="id-asc", unjudged="drop"), False),
    "best by position": (Policy(duplicates="best", nan="worst", ties="order", precision="float32"), True),
    "first by position": (Policy(duplicates="first", nan="worst", ties="order", self_match="drop"), False),
    "realistic": (Policy(duplicates="best", nan="worst", ties="realistic", self_match="drop"), True),
}
"""Policies, and whether pairs are excluded: each two values that an engine sees meet in one of them."""


@pytest.fixture(scope="session")
def databases():
    with backends.postgres() as running:
        yield running


@pytest.fixture(scope="session", params=[*backends.MAKERS, "postgres", "postgres in a language"])
def engine(request, tmp_path_factory):
    """What turns a Polars frame into one of the engine."""
    if request.param in backends.MAKERS:
        return backends.MAKERS[request.param](tmp_path_factory.mktemp("engine"))
    name = "plain" if request.param == "postgres" else backends.LANGUAGE
    database = request.getfixturevalue("databases")[name]
    return lambda frame: backends.table_in(database, frame)


@pytest.fixture
def rows_stay(monkeypatch):
    """Fail where the rows of a frame leave its engine."""

    def blocks(self):
        pytest.fail("rows left their engine")

    monkeypatch.setattr(LazyRows, "blocks", blocks)


@cache
def measures_of(ties):
    """Return every measure in all its settings, without those that have no value under a tie rule."""
    found = [one for measure in MEASURES.values() for one in variants(measure)]
    if ties not in ENGINE_TIES:
        found = [one for one in found if not one.needs_facets]
    return [one for one in found if one.name not in WITHOUT_EXPECTATION] if ties == "expected" else found


@cache
def in_this_process(case):
    policy, excludes = CASES[case]
    made = collections(1, dirty=policy.nan == "worst")
    return evaluated(made, made.rows, policy, excludes=excludes)


def evaluated(made, rows, policy, *, excludes):
    exclude = made.exclude if excludes else None
    return evaluate(made.gold, Run.from_frame(rows), measures_of(policy.ties), policy=policy, exclude=exclude)


@pytest.mark.parametrize("case", CASES)
def test_every_measure_has_the_same_value_for_every_query(engine, case, rows_stay):
    policy, excludes = CASES[case]
    made = collections(1, dirty=policy.nan == "worst")
    found, wanted = evaluated(made, engine(made.rows), policy, excludes=excludes), in_this_process(case)
    assert_same(found.judged, wanted.judged)
    assert found.per_query.equals(wanted.per_query)
    assert (found.mean, found.audit, found.notices) == (wanted.mean, wanted.audit, wanted.notices)
    assert len(wanted.judged.hits) > 50


def any_policy(rng):
    choices = {"ties": ("id-desc", "id-asc", "order", "optimistic"), "precision": ("float64", "float32")}
    choices |= {"self_match": ("keep", "drop"), "duplicates": ("first", "best"), "nan": ("worst",)}
    return Policy(**{name: rng.choice(values) for name, values in choices.items()})


@pytest.mark.parametrize("name", ["polars", "duckdb"])
@pytest.mark.parametrize("seed", range(100, 110))
def test_any_collection_under_any_policy(name, seed, tmp_path):
    rng = random.Random(seed)
    made, policy = collections(seed, number=30, dirty=rng.random() < 0.8), any_policy(rng)
    rows = backends.MAKERS[name](tmp_path)(made.rows)
    exclude = rng.choice((None, made.exclude))
    found, wanted = (judge(Run.from_frame(one), made.gold, policy, exclude) for one in (rows, made.rows))
    assert_same(found, wanted)


GOLD = Gold.from_mapping({"q": {"a": 1, "b": 0}, "9": {"10": 1}})
REFUSED = {
    "twice": (small(("q", "a", 1.0), ("q", "a", 2.0)), {}, "item 'a' occurs more than once for query 'q'"),
    "no number": (small(("q", "a", 1.0), ("q", "b", NAN)), {}, "expected a number as score of item 'b' .* found NaN"),
    "no score": (small(("q", "a", 1.0), ("q", "b", None)), {}, "expected a number as score of item 'b' .* found NaN"),
    "extra": (small(("q", "a", 1.0), ("x", "b", 1.0)), {"extra": "error"}, "found 1 without: 'x'"),
    "no item": (small(("q", "a", 1.0), ("q", None, 1.0)), {}, "expected a item in each row"),
    "no query": (small(("q", "a", 1.0), (None, "b", 1.0)), {}, "expected a query in each row"),
}


@pytest.mark.parametrize("why", REFUSED)
def test_what_the_policy_calls_an_error_is_one_everywhere(engine, why):
    rows, changes, message = REFUSED[why]
    with pytest.raises(RunError, match=message):
        judge(Run.from_frame(engine(rows)), GOLD, Policy(**changes))


def test_what_is_taken_out_is_not_looked_at(engine, rows_stay):
    rows = small(("q", "a", 1.0), ("q", "q", NAN), ("q", "c", NAN), ("q", "d", 2.0), ("q", "d", 3.0), ("x", "x", NAN))
    exclude = pl.DataFrame({"query": ["q", "q", "q", "9"], "item": ["c", "d", "q", "c"]})
    policy = Policy(self_match="drop", precision="float32")
    found, wanted = (judge(Run.from_frame(one), GOLD, policy, exclude) for one in (engine(rows), rows))
    assert_same(found, wanted)
    assert (wanted.hits.rank.tolist(), wanted.notes.excluded, wanted.notes.self_matches) == ([1], 3, 1)


@pytest.mark.parametrize(
    ("policy", "message"),
    [
        (Policy(ties="order"), "column for the rank or the position, as ties='order' goes by it, found none"),
        (Policy(duplicates="first"), "column for the rank or the position, as duplicates='first' goes by it"),
    ],
    ids=["order", "first"],
)
def test_rules_that_go_by_the_order_of_rows_need_positions(engine, policy, message, request):
    if "polars" in request.node.callspec.id:
        pytest.skip("frames of Polars have an order")
    rows = small(("q", "a", 1.0), ("q", "b", 1.0), ("q", "b", 1.0))
    with pytest.raises(RunError, match=message):
        judge(Run.from_frame(engine(rows)), GOLD, policy)
    level = small(("q", "a", 1.0, 7), ("q", "b", 1.0, 7), ("q", "b", 1.0, 7))
    with pytest.raises(RunError, match="positions that differ"):
        judge(Run.from_frame(engine(level)), GOLD, policy.but(duplicates="first"))


def test_other_types_and_names_of_columns(engine, rows_stay):
    frame = pl.DataFrame({"qid": [9, 9, 9], "docno": [10, 11, 12], "score": pl.Series([1, 2, 1], dtype=pl.Float32)})
    ranks = frame.select("qid", "docno", rank=pl.Series([2, 1, 3]))
    for wide in (frame, frame.with_columns(score=pl.col("score").cast(pl.Int64)), ranks):
        assert_same(judge(Run.from_frame(engine(wide)), GOLD, Policy()), judge(Run.from_frame(wide), GOLD, Policy()))


@pytest.mark.parametrize("policy", [Policy(), Policy(ties="order", precision="float32")], ids=["plain", "order"])
def test_the_first_places_are_the_same(engine, policy):
    made = collections(1)
    rows, queries = engine(made.rows), made.gold.queries.to_list()
    for k, some in ((3, queries), (None, queries[:4])):
        found, wanted = (head(Run.from_frame(one), k, policy, some) for one in (rows, made.rows))
        assert found.equals(wanted)


@pytest.mark.parametrize("way", ["raises", "is killed"])
def test_a_task_of_spark_that_fails_once_changes_nothing(way, tmp_path):
    made, mark = collections(1), tmp_path / "failed"
    rows = backends.spark(tmp_path)(made.rows)
    flawed = rows.mapInArrow(backends.fail_once(str(mark), way), schema=rows.schema)
    found, wanted = (judge(Run.from_frame(one), made.gold, Policy()) for one in (flawed, made.rows))
    assert mark.exists()
    assert_same(found, wanted)


def test_spark_opens_files_in_the_session_that_runs(tmp_path):
    session = backends.spark_session()
    made = collections(1)
    opened = BACKENDS["spark"].open([str(backends.in_parts(made.rows, tmp_path))], {})
    assert opened.sparkSession is session
    assert_same(*(judge(Run.from_frame(one), made.gold, Policy()) for one in (opened, made.rows)))
    rows = small(
        ("q", "007", 1e-3), ("q", 'say "so"', 2.0), ("q", "a,b", float("inf")), columns=("query", "item", "score")
    )
    for ending, parted in (("csv", ","), ("tsv", "\t")):
        rows.write_csv(tmp_path / f"run.{ending}", separator=parted)
        opened = BACKENDS["spark"].open([str(tmp_path / f"run.{ending}")], {"spark.sql.shuffle.partitions": "2"})
        assert Run.from_frame(opened).frame().sort("item").equals(rows.sort("item"))
    parts = [tmp_path / f"query={query}" / "part.parquet" for query in ("007", "q")]
    for part in parts:
        part.parent.mkdir()
        rows.drop("query").write_parquet(part)
    opened = Run.from_frame(BACKENDS["spark"].open(list(map(str, parts)), {})).frame()
    assert set(opened["query"]) == {"007", "q"}
    with pytest.raises(InputError, match="expected Parquet or CSV files, found an error of Spark"):
        BACKENDS["spark"].open([str(tmp_path / "none.parquet")], {})
    with pytest.raises(ParameterError, match=r"expected the option master, remote or one .* 'spark\."):
        BACKENDS["spark"].open(["run.parquet"], {"memory": "1g"})


def test_a_collation_of_spark_changes_no_number(tmp_path):
    made = collections(1)
    rows = backends.spark(tmp_path)(made.rows).selectExpr(
        "query collate utf8_lcase query", "item collate unicode_ci item", "score", "position"
    )
    assert_same(*(judge(Run.from_frame(one), made.gold, Policy()) for one in (rows, made.rows)))


def test_databases_order_text_in_ways_of_their_own(databases):
    def order(name, *ids):
        rows = backends.table_in(databases[name], pl.DataFrame({"item": ids}))
        return rows.order_by("item").to_polars()["item"].to_list()

    assert order("plain", "a", "B") == ["B", "a"]
    assert order(backends.LANGUAGE, "a", "B") == ["a", "B"]
    assert order("plain", "é", "€") == ["é", "€"]
    assert order(backends.OLD_CODES, "é", "€") == ["€", "é"]


def test_a_database_in_old_codes_changes_no_number(databases):
    rows = small(*(("q", item, 1.0) for item in ("é", "€", "a", "B", "\\x61")))
    gold = Gold.from_mapping({"q": dict.fromkeys(("é", "€", "B", "\U0001d4b3", "\0"), 1), "\ufffd": {"a": 1}})
    found = judge(Run.from_frame(backends.table_in(databases[backends.OLD_CODES], rows)), gold, Policy())
    assert_same(found, judge(Run.from_frame(rows), gold, Policy()))


def test_a_database_is_left_as_it_was(databases):
    place = databases["plain"]
    rows = backends.table_in(place, small(("q", "a", 1.0), ("q", "b", 1.0)))
    before = place.list_tables()
    judge(Run.from_frame(rows), GOLD, Policy(), pl.DataFrame({"query": ["q"], "item": ["b"]}))
    gc.collect()
    assert sorted(place.list_tables()) == sorted(before)


def test_tables_of_a_database_are_opened_by_their_names(databases):
    place = databases["plain"]
    parts = [backends.table_in(place, small(("q", item, 1.0))).get_name() for item in "ab"]
    url = databases.server.get_uri()
    opened = BACKENDS["ibis"].open([parts[0], f"public.{parts[1]}"], {"url": url})
    assert sorted(Run.from_frame(opened).frame()["item"]) == ["a", "b"]
    opened.get_backend().disconnect()
    for wrong in ({}, {"url": url, "size": "1"}):
        with pytest.raises(ParameterError, match="engine ibis: expected the option url, found"):
            BACKENDS["ibis"].open(parts, wrong)


@pytest.mark.filterwarnings("ignore:fetch_arrow_table")  # Ibis asks DuckDB in a way that is to go
def test_a_database_that_cannot_order_bytes_is_refused(tmp_path):
    place = backends.installed("ibis").duckdb.connect()
    small(("q", "a", 1.0), ("q", "B", 1.0)).write_parquet(tmp_path / "run.parquet")
    run, rows = Run.from_frame(place.read_parquet(tmp_path / "run.parquet")), pl.read_parquet(tmp_path / "run.parquet")
    assert_same(judge(run, GOLD, Policy()), judge(Run.from_frame(rows), GOLD, Policy()))
    place.disconnect()
    other = backends.installed("ibis").duckdb.connect()
    other.raw_sql("set default_collation = 'nocase'")
    run = Run.from_frame(other.read_parquet(tmp_path / "run.parquet"))
    for ties in ("id-desc", "expected"):  # it would take B for b as well
        with pytest.raises(UnsupportedError, match="duckdb: expected text to be ordered by its bytes, found the order"):
            judge(run, GOLD, Policy(ties=ties))
    other.disconnect()


def test_nothing_of_other_engines_is_loaded_unless_it_is_asked_for(tmp_path):
    code = """
import sys
import assay, polars
from assay.core.run import Run
from assay.engines import backends
assert {"polars", "duckdb", "dask", "spark", "ibis"} <= set(backends.BACKENDS)
rows = polars.LazyFrame({"query": ["q"], "item": ["a"], "score": [1.0]})
assert assay.evaluate({"q": {"a": 1}}, Run.from_frame(rows), "RR").mean == {"RR": 1.0}
known = ("pyspark", "py4j", "dask", "duckdb", "ibis", "sqlglot", "psycopg", "pandas", "pyarrow")
print(*(name for name in known if name in sys.modules))
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout.strip(), done.stderr) == (0, "", "")
