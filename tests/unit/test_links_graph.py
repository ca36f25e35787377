"""A knowledge graph from files, frames and arrays: which number each name gets, and what is kept once."""

import gzip

import numpy as np
import pandas as pd
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from assay.errors import InputError, ParameterError, UnknownNameError
from assay.tasks.links.graph import KnowledgeGraph
from assay.tasks.links.keys import among, first_of_each, row_keys, unique_rows

TRAIN = "Paris\tin\tFrance\nRome\tin\tItaly\n"
TEST = "Rome\tnear\tParis\n"


@pytest.fixture
def files(tmp_path):
    (tmp_path / "train.tsv").write_text(TRAIN)
    (tmp_path / "test.tsv").write_text(TEST)
    return tmp_path


def test_numbers_by_first_appearance_head_before_tail_train_before_test(files):
    graph = KnowledgeGraph.read(files / "train.tsv", test=files / "test.tsv")
    assert graph.entities.to_list() == ["Paris", "France", "Rome", "Italy"]
    assert graph.relations.to_list() == ["in", "near"]
    assert graph.splits["train"].tolist() == [[0, 0, 1], [2, 0, 3]]
    assert graph.splits["test"].tolist() == [[2, 1, 0]]
    assert list(graph.splits) == ["train", "test"]
    assert graph.splits["train"].dtype == np.int64
    assert graph.name == files.name


@pytest.mark.parametrize("as_file", [False, True])
def test_given_numbers_decide(files, as_file):
    entities, relations = {"Rome": 0, "Italy": 1, "Paris": 2, "France": 3, "Bonn": 4}, ["near", "in"]
    if as_file:
        (files / "entity2id.txt").write_text("5\nRome\t0\nItaly\t1\nParis\t2\nFrance\t3\nBonn\t4\n")
        (files / "relations.txt").write_text("near\nin\n")
        entities, relations = files / "entity2id.txt", files / "relations.txt"
    graph = KnowledgeGraph.read(files / "train.tsv", test=files / "test.tsv", entities=entities, relations=relations)
    assert graph.splits["train"].tolist() == [[2, 1, 3], [0, 1, 1]]
    assert graph.splits["test"].tolist() == [[0, 0, 2]]
    assert graph.entities.len() == 5


def test_with_names_triples_may_hold_row_numbers(files):
    (files / "numbers.tsv").write_text("2\t1\t3\n0\t1\t1\n")
    names = ["Rome", "Italy", "Paris", "France"]
    graph = KnowledgeGraph.read(files / "numbers.tsv", entities=names, relations=["near", "in"])
    assert graph.named(graph.splits["train"]) == [("Paris", "in", "France"), ("Rome", "in", "Italy")]
    counted = KnowledgeGraph.read(files / "numbers.tsv", entities=9, relations=2)
    assert counted.splits["train"].tolist() == [[2, 1, 3], [0, 1, 1]]
    assert (counted.entities.len(), counted.entities[8]) == (9, "8")


def test_names_that_are_numbers_come_before_rows(files):
    (files / "numbers.tsv").write_text("2\tr\t1\n")
    graph = KnowledgeGraph.read(files / "numbers.tsv", entities=["2", "1", "0"])
    assert graph.splits["train"].tolist() == [[0, 0, 1]]


def test_openke_frames_and_arrays_agree(tmp_path):
    (tmp_path / "train2id.txt").write_text("2\n0 1 0\n2 3 1\n")
    rows = [[0, 0, 1], [2, 1, 3]]
    columns = dict(zip(("head", "relation", "tail"), zip(*rows, strict=True), strict=True))
    given = [tmp_path / "train2id.txt", pl.DataFrame(columns), pd.DataFrame(columns), np.array(rows, np.int32), rows]
    for one in given:
        graph = KnowledgeGraph.read(one)
        assert graph.splits["train"].tolist() == rows
        assert graph.entities.to_list() == ["0", "1", "2", "3"]


@pytest.mark.parametrize("order", ["C", "F"])
@pytest.mark.parametrize(
    "rows", [[[0, 0, 1], [2, 1, 3], [4, 0, 2]], [[0, 1, 2, 10], [1, 0, 3, 20], [4, 1, 2, 30], [3, 0, 1, 40]]]
)
def test_square_arrays_hold_a_triple_in_each_row(rows, order):
    graph = KnowledgeGraph.from_arrays(np.array(rows, order=order))
    assert graph.splits["train"].tolist() == [row[:3] for row in rows]


def test_text_in_arrays_is_names():
    graph = KnowledgeGraph.from_arrays(np.array([["a", "r", "b"]], dtype=object), test=[("b", "r", "a")])
    assert graph.named(graph.splits["test"]) == [("b", "r", "a")]


def test_a_triple_twice_in_a_split_is_counted_and_kept_once():
    graph = KnowledgeGraph.from_arrays([[3, 0, 1], [0, 0, 1], [3, 0, 1], [3, 0, 1]], test=[[0, 0, 1]])
    assert graph.splits["train"].tolist() == [[3, 0, 1], [0, 0, 1]]
    assert graph.repeats["train"].tolist() == [[3, 0, 1], [3, 0, 1]]
    assert graph.triples().tolist() == [[0, 0, 1], [3, 0, 1]]
    assert graph.triples("test", "train").tolist() == graph.triples().tolist()
    assert graph.triples("valid").shape == (0, 3)


def test_seen_is_what_train_holds():
    graph = KnowledgeGraph.from_arrays([[0, 0, 1]], test=[[0, 1, 2]])
    entities, relations = graph.seen()
    assert (entities.tolist(), relations.tolist()) == ([True, True, False], [True, False])


def test_the_same_triple_at_another_time_is_another_fact():
    graph = KnowledgeGraph.from_arrays([[0, 0, 1, 10], [0, 0, 1, 20], [0, 0, 1, 10]], test=[[0, 0, 1, 30]])
    assert graph.splits["train"].tolist() == [[0, 0, 1], [0, 0, 1]]
    assert graph.times["train"].tolist() == [10, 20]
    assert graph.times["test"].tolist() == [30]
    assert len(graph.repeats["train"]) == 1
    assert graph.triples().tolist() == [[0, 0, 1]]


def test_dates_are_numbered_in_their_order_over_all_splits(tmp_path):
    (tmp_path / "train.tsv").write_text("a\tr\tb\t2014-02-01\na\tr\tc\t2014-01-01\n")
    (tmp_path / "test.tsv").write_text("a\tr\td\t2014-01-15\n")
    graph = KnowledgeGraph.read(tmp_path / "train.tsv", test=tmp_path / "test.tsv")
    assert (graph.times["train"].tolist(), graph.times["test"].tolist()) == ([2, 0], [1])
    with pytest.raises(InputError, match="expected a time in every split, as in train, found none"):
        KnowledgeGraph.from_arrays([[0, 0, 1, 10]], test=[[0, 0, 1]])


def test_a_name_without_a_number_is_named_with_its_line(files):
    path = files / "train.tsv"
    with pytest.raises(InputError) as caught:
        KnowledgeGraph.read(path, entities=["Paris", "France", "Roma", "Italy"])
    place = f"{path}, line 2"
    assert caught.value.message == f"{place}: expected one of the 4 names of entities (given) as head, found 'Rome'"
    (files / "e.txt").write_text("Paris\nFrance\nRome\nItaly2\n")
    with pytest.raises(InputError, match=r"line 2: .* \(.*e\.txt\) as tail, found 'Italy'") as caught:
        KnowledgeGraph.read(gzipped(path), entities=files / "e.txt")
    assert caught.value.hint == "did you mean 'Italy2'?"


def gzipped(path):
    packed = path.with_suffix(".tsv.gz")
    packed.write_bytes(gzip.compress(path.read_bytes()))
    return packed


@pytest.mark.parametrize(
    ("given", "options", "said"),
    [
        ([[0, 0, 5]], {"entities": 5}, r"train, row 1: expected a row number as tail, from 0 to 4, found '5'"),
        ([[0, 0, -1]], {}, r"train, row 1: expected a row number as tail, from 0, found '-1'"),
        ([["a", "r", "b"]], {"relations": 2}, r"expected a row number as relation, from 0 to 1, found 'r'"),
        ([[0, 3, 1]], {"relations": ["x", "y"]}, r"expected one of the 2 names of relations \(given\) as relation"),
        ([[0, 1]], {}, r"train: expected rows of head, relation, tail \(and time\), found an array of shape \(1, 2\)"),
        ([[0, 1, 2], [1]], {}, r"train: expected rows of equal length"),
        ([[0.5, 1, 2]], {}, r"train: expected names or whole numbers as head, found numbers with a fraction"),
        ([[0, 0, 1]], {"entities": ["a", "a"]}, r"entities: expected each name once, found 'a' twice"),
        ([[0, 0, 1]], {"entities": {"a": 0, "b": 2}}, r"entities: expected the numbers 0 to 1, each once, found no 1"),
    ],
)
def test_arrays_that_do_not_fit(given, options, said):
    with pytest.raises(InputError, match=said):
        KnowledgeGraph.from_arrays(given, **options)


def test_options_that_mean_nothing():
    with pytest.raises(ParameterError, match="entities: expected a file"):
        KnowledgeGraph.from_arrays([[0, 0, 1]], entities=1.5)
    with pytest.raises(UnknownNameError, match="no split is called 'tets'"):
        KnowledgeGraph.from_arrays([[0, 0, 1]]).triples("tets")


def test_it_says_what_it_is():
    graph = KnowledgeGraph.from_arrays([[0, 0, 1]], test=[[1, 0, 0]], name="toy")
    assert repr(graph) == "KnowledgeGraph('toy', 2 entities, 1 relations, 1 train, 1 test)"


NUMBER = st.one_of(st.integers(0, 3), st.integers(0, 2**62))
ROWS = st.lists(st.tuples(NUMBER, NUMBER, NUMBER), max_size=8)


@given(ROWS, ROWS)
def test_rows_are_told_apart_by_their_keys(rows, others):
    one, other = (np.array(part, np.int64).reshape(-1, 3) for part in (rows, others))
    keys = row_keys(one)
    assert [keys[i] == keys[j] for i in range(len(rows)) for j in range(len(rows))] == [
        a == b for a in rows for b in rows
    ]
    assert first_of_each(one).tolist() == [row not in rows[:at] for at, row in enumerate(rows)]
    assert list(map(tuple, unique_rows(one).tolist())) == sorted(set(rows))
    assert among(one, other).tolist() == [row in others for row in rows]


def test_real_graphs(data):
    folder = data / "kg" / "umls"
    maps = data / "kg" / "trained"
    graph = KnowledgeGraph.read(
        *(folder / f"{split}.txt" for split in ("train", "valid", "test")),
        entities=maps / "umls_entity_to_id.json",
        relations=maps / "umls_relation_to_id.json",
    )
    assert repr(graph) == "KnowledgeGraph('umls', 135 entities, 46 relations, 5,216 train, 652 valid, 661 test)"
    first = (folder / "test.txt").read_text().partition("\n")[0].split("\t")
    assert graph.named(graph.splits["test"][:1]) == [tuple(first)]


@pytest.mark.parametrize(("sizes", "option"), [({"entities": 5}, "--names"), ({"relations": 2}, "--relation-names")])
def test_names_where_rows_are_expected_ask_for_the_option_that_gives_them(sizes, option):
    with pytest.raises(InputError) as raised:
        KnowledgeGraph.from_arrays([["a", "r", "b"]], **sizes)
    assert f"{option} FILE" in raised.value.hint
