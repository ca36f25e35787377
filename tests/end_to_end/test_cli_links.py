"""`assay links evaluate` and `assay links compare`, as a newcomer and as a script use them."""

import json

import jsonschema
import numpy as np
import polars as pl
import pytest

TRAIN = ["ann likes bob", "bob likes cid", "cid likes dan", "ann knows cid", "dan knows ann"]
TEST = ["ann likes cid", "dan knows bob", "bob likes dan"]
ENTITIES = ["ann", "bob", "cid", "dan"]
RELATIONS = ["likes", "knows"]


@pytest.fixture
def files(tmp_path):
    """A small graph by names and by row numbers, and vectors of two models."""
    for name, lines in (("train", TRAIN), ("test", TEST)):
        rows = [line.split() for line in lines]
        (tmp_path / f"{name}.tsv").write_text("".join("\t".join(row) + "\n" for row in rows))
        numbers = [(ENTITIES.index(h), RELATIONS.index(r), ENTITIES.index(t)) for h, r, t in rows]
        (tmp_path / f"{name}_rows.tsv").write_text("".join("{}\t{}\t{}\n".format(*row) for row in numbers))
    (tmp_path / "entities.txt").write_text("\n".join(ENTITIES) + "\n")
    (tmp_path / "relations.txt").write_text("\n".join(RELATIONS) + "\n")
    rng = np.random.default_rng(5)
    for name in ("one", "two"):
        np.save(tmp_path / f"{name}_e.npy", rng.normal(size=(4, 6)).astype(np.float32))
        np.save(tmp_path / f"{name}_r.npy", rng.normal(size=(2, 6)).astype(np.float32))
    return tmp_path


def graph(rows=False):
    if rows:
        return ["--train", "train_rows.tsv", "--test", "test_rows.tsv"]
    named = ["--names", "entities.txt", "--relation-names", "relations.txt"]
    return ["--train", "train.tsv", "--test", "test.tsv", *named]


def vectors(name, model):
    return ["--model", model, "--entities", f"{name}_e.npy", "--relations", f"{name}_r.npy"]


def rank_by_hand(folder):
    """Return the filtered reciprocal ranks of TransE-L2 over both sides."""
    e, r = (np.load(folder / f"one_{kind}.npy").astype(np.float64) for kind in "er")
    known = {tuple(line.split()) for line in (*TRAIN, *TEST)}
    found = []
    for line in TEST:
        h, rel, t = line.split()
        for tail in (True, False):
            others = [x for x in ENTITIES if ((h, rel, x) if tail else (x, rel, t)) not in known]

            def score(x, h=h, rel=rel, t=t, tail=tail):
                ends = (h, x) if tail else (x, t)
                return -np.linalg.norm(
                    e[ENTITIES.index(ends[0])] + r[RELATIONS.index(rel)] - e[ENTITIES.index(ends[1])]
                )

            own = score(t if tail else h)
            found.append(1 / (1 + sum(score(x) > own for x in others)))
    return found


def test_the_standard_figures_are_those_by_hand(assay, files):
    done = assay("links", "evaluate", *graph(), *vectors("one", "transe-l2"), "-o", "json")
    document = json.loads(done.out)
    figure = document["runs"][0]["measures"]["RR"]
    assert figure["mean"] == pytest.approx(np.mean(rank_by_hand(files)))
    assert figure["requested"] == "MRR"
    assert figure["queries"] == 6
    assert document["command"][:2] == ["links", "evaluate"]
    assert set(document["protocols"]) == {"raw", "multi-answer"}
    assert "per_query" not in document["runs"][0]


def test_names_and_row_numbers_give_the_same(assay, files):
    named, rows = (
        json.loads(assay("links", "evaluate", *graph(rows=by), *vectors("one", "distmult"), "-o", "json").out)
        for by in (False, True)
    )
    assert named["runs"][0]["measures"] == rows["runs"][0]["measures"]


def test_the_table_explains_itself(assay, files):
    done = assay(
        "links", "evaluate", *graph(), *vectors("one", "transe-l1"), "--by", "relation,category", "--pooled", "all"
    )
    assert max(map(len, done.out.splitlines())) <= 80
    for words in ("FILTERED", "MULTI-ANSWER", "POOLED", "BY RELATION", "likes", "HOW TO READ THIS", "Protocol:"):
        assert words in done.out


def test_scored_triples_instead_of_a_model(assay, files):
    (files / "scores.tsv").write_text("ann\tlikes\tcid\t0.9\nann\tlikes\tdan\t0.2\nbob\tlikes\tann\t0.5\n")
    done = assay(
        "links",
        "evaluate",
        "--train",
        "train.tsv",
        "--test",
        "test.tsv",
        "--scores",
        "scores.tsv",
        "-o",
        "json",
        "-m",
        "HR@1",
    )
    figure = json.loads(done.out)["runs"][0]["measures"]["HR@1"]
    assert figure["ties"]["pessimistic"] < figure["ties"]["optimistic"]
    assert "tie with other candidates" in done.err


def test_the_long_form_as_csv_and_parquet(assay, files):
    options = [*graph(), *vectors("one", "transe-l2"), "-m", "MRR", "--by", "side", "--interval", "0.9"]
    lines = assay("links", "evaluate", *options, "-o", "csv").out.splitlines()
    assert lines[0].startswith("model,protocol,side,breakdown,group,measure,mean,low,high,optimistic")
    assay("links", "evaluate", *options, "--out", "found.parquet")
    frame = pl.read_parquet(files / "found.parquet")
    assert (
        frame.filter((pl.col("protocol") == "filtered") & (pl.col("breakdown").is_null()))["low"].drop_nulls().len()
        == 1
    )
    assert set(frame["group"].drop_nulls()) == {"tail", "head"}


def test_types_of_a_file(assay, files):
    (files / "types.tsv").write_text("ann\tchild\nbob\tchild\ncid\tadult\ndan\tadult\n")
    done = assay("links", "evaluate", *graph(), *vectors("one", "transe-l2"), "--by", "types.tsv", "-o", "json")
    (slicing,) = json.loads(done.out)["breakdowns"]
    assert slicing["groups"] == {"adult": 3, "child": 3}


def test_two_models_are_compared_triple_by_triple(assay, files):
    for name in ("one", "two"):
        assay("links", "evaluate", *graph(), *vectors(name, "transe-l2"), "--out-ranks", f"{name}.parquet", "--quiet")
    options = [*graph(), "--ranks", "one.parquet", "--ranks", "two.parquet"]
    done = assay("links", "compare", *options)
    assert "VERDICT by RR, against one" in done.out
    assert max(map(len, done.out.splitlines())) <= 80
    document = json.loads(assay("links", "compare", *options, "-o", "json", "-m", "MRR").out)
    (contrast,) = document["comparison"]["contrasts"]
    assert contrast["queries"] == 6
    assert contrast["run"] == "two"


def test_row_numbers_are_enough_to_compare(assay, files):
    for name in ("one", "two"):
        assay("links", "evaluate", *graph(rows=True), *vectors(name, "distmult"), "--out-ranks", f"{name}.parquet")
    done = assay("links", "compare", *graph(rows=True), "--ranks", "one.parquet", "--ranks", "two.parquet")
    assert "VERDICT" in done.out


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (["--model", "transe-l2"], "--entities FILE"),
        ([], "--scores FILE"),
        (["--scores", "x.tsv", "--model", "transe-l2"], "found several"),
        ([*vectors("one", "transe-l3")], "transe-l"),
        ([*vectors("one", "complex")], "layout"),
        ([*vectors("one", "transe-l2"), "--sides", "left"], "tail, head or both"),
        ([*vectors("one", "transe-l2"), "--pooled", "each"], "all, relation, head or tail"),
        ([*vectors("one", "transe-l2"), "--set", "gamma"], "NAME=VALUE"),
        ([*vectors("one", "transe-l2"), "--by", "nothing.tsv"], "nothing.tsv"),
    ],
)
def test_a_mistake_is_one_message(assay, files, options, said):
    done = assay("links", "evaluate", *graph(), *options, expect=2)
    assert said in done.err
    assert done.err.startswith("Error: ")


def test_ranks_that_are_none_are_named(assay, files):
    (files / "no.parquet").write_text("nothing")
    done = assay("links", "compare", *graph(), "--ranks", "no.parquet", "--ranks", "no.parquet", expect=2)
    assert "expected ranks of assay links evaluate --out-ranks" in done.err
    done = assay("links", "compare", *graph(), "--ranks", "no.parquet", expect=2)
    assert "two files of ranks" in done.err


@pytest.fixture
def valid(assay):
    """Run a verb of `links` and return its JSON, held against the schema that `assay schema` prints."""

    def call(verb, *args):
        schema = json.loads(assay("schema", "links", verb).out)
        jsonschema.Draft202012Validator.check_schema(schema)
        document = json.loads(assay("links", verb, *args, "-o", "json").out)
        jsonschema.validate(document, schema)
        return document

    return call


def test_an_evaluation_follows_its_schema(valid, files):
    document = valid("evaluate", *graph(), *vectors("one", "transe-l2"))
    run = document["runs"][0]
    assert (run["protocol"], run["ranks"], run["dropped"]) == ("filtered", 6, 0)
    assert document["graph"]["triples"] == {"train": 5, "test": 3}
    assert document["protocol"]["ties"] == "realistic"
    everything = ["--by", "relation,side,category,degree", "--interval", "0.9", "--pooled", "relation", "-q"]
    document = valid("evaluate", *graph(), *vectors("one", "distmult"), *everything, "--nan", "worst")
    assert len(document["breakdowns"]) == 4
    assert set(document["protocols"]) > {"raw", "multi-answer"}
    assert document["runs"][0]["measures"]["RR"]["interval"]["level"] == 0.9
    assert document["runs"][0]["per_query"]["(ann, likes, ?) cid"].keys() == document["runs"][0]["measures"].keys()


def test_a_comparison_follows_its_schema(valid, assay, files):
    for name in ("one", "two"):
        assay("links", "evaluate", *graph(), *vectors(name, "transe-l2"), "--out-ranks", f"{name}.parquet", "--quiet")
    document = valid("compare", *graph(), "--ranks", "one.parquet", "--ranks", "two.parquet", "--by", "side")
    assert [run["name"] for run in document["runs"]] == ["one", "two"]
    assert document["comparison"]["slices"]


def test_an_array_of_a_file_is_named_behind_a_colon(assay, files):
    arrays = {kind: np.load(files / f"one_{kind[0]}.npy") for kind in ("entity", "relation")}
    np.savez(files / "model.npz", **arrays)
    named = ["--model", "transe-l2", "--entities", "model.npz:entity", "--relations", "model.npz:relation"]
    options = [*graph(), "-m", "MRR", "-o", "csv"]
    assert assay("links", "evaluate", *options, *named).out == (
        assay("links", "evaluate", *options, *vectors("one", "transe-l2")).out
    )
    named[3] = "model.npz"
    done = assay("links", "evaluate", *options, *named, expect=2)
    assert "expected one array, found entity, relation" in done.err
    assert "Hint: say which as model.npz:NAME." in done.err


def test_a_score_that_is_no_number_is_refused_or_last(assay, files):
    vector = np.load(files / "one_e.npy")
    vector[1] = np.nan
    np.save(files / "one_e.npy", vector)
    options = [*graph(), *vectors("one", "transe-l2"), "-m", "MRR", "-o", "json"]
    done = assay("links", "evaluate", *options, expect=2)
    assert "NaN" in done.err
    assert "--nan worst" in done.err
    document = json.loads(assay("links", "evaluate", *options, "--nan", "worst").out)
    assert 0 < document["runs"][0]["measures"]["RR"]["mean"] < 1


def test_questions_are_the_units_of_a_comparison(assay, files):
    (files / "test.tsv").write_text("ann\tlikes\tcid\nann\tlikes\tdan\nbob\tlikes\tdan\ndan\tknows\tbob\n")
    for name in ("one", "two"):
        assay("links", "evaluate", *graph(), *vectors(name, "transe-l2"), "--out-ranks", f"{name}.parquet", "--quiet")
    done = assay("links", "compare", *graph(), "--ranks", "one.parquet", "--ranks", "two.parquet")
    assert "count as one unit: there are 6." in " ".join(done.out.split())


def test_all_ties_are_a_hundred_percent(assay, files):
    (files / "scores.tsv").write_text("ann\tlikes\tann\t0.9\n")
    done = assay("links", "evaluate", *graph()[:4], "--scores", "scores.tsv", "-m", "MRR")
    assert "6 of 6 true entities (100.0 %)" in done.out


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (["--worst", "-1"], "--worst: expected a whole number of at least 0, found '-1'"),
        (["--out-ranks", "none/x.parquet"], "none/x.parquet: expected a folder to write into"),
        (["--set", "norm=3"], "norm 2"),
    ],
)
def test_a_setting_that_cannot_be_is_refused_before_any_work(assay, files, options, said):
    done = assay("links", "evaluate", *graph(), *vectors("one", "transe-l2"), *options, expect=2)
    assert said in done.err


def test_a_model_that_needs_a_second_array_says_how(assay, files):
    done = assay("links", "evaluate", *graph(), *vectors("one", "transr"), expect=2)
    assert "--relations twice" in done.err


def test_each_file_of_ranks_is_looked_at(assay, files):
    assay("links", "evaluate", *graph(), *vectors("one", "transe-l2"), "--out-ranks", "one.parquet", "--quiet")
    done = assay("links", "compare", *graph(), "--ranks", "one.parquet", "--ranks", "none.parquet", expect=2)
    assert done.err.startswith("Error: none.parquet: expected ranks")


def test_long_names_keep_to_the_width(assay, files):
    names = [f"http://example.org/resource/{'x' * 70}/{name}" for name in ENTITIES]
    (files / "entities.txt").write_text("\n".join(names) + "\n")
    for split in ("train", "test"):
        rows = [line.split("\t") for line in (files / f"{split}_rows.tsv").read_text().splitlines()]
        lines = [f"{names[int(h)]}\t{RELATIONS[int(r)]}\t{names[int(t)]}\n" for h, r, t in rows]
        (files / f"{split}.tsv").write_text("".join(lines))
    done = assay("links", "evaluate", *graph(), *vectors("one", "transe-l2"), "--by", "relation")
    assert max(map(len, done.out.splitlines())) <= 80
    assert "(?, likes, http://" in done.out
