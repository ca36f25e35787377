"""Files of retrieval results: every shape that is read, and an error with its place for every other."""

import gzip
import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from assay.errors import FormatError, InputError
from assay.formats.rag_files import read_records, read_rows, records_of

ROWS = [
    {"id": "q1", "question": "who?", "retrieved": ["b", "a"], "needed": ["a"], "hops": 2, "type": "bridge"},
    {"id": "q2", "question": "what?", "retrieved": [], "needed": [], "hops": 1, "type": None},
]


def written(path, rows):
    lines = path.suffix == ".jsonl"
    path.write_text("\n".join(map(json.dumps, rows)) + "\n" if lines else json.dumps(rows, indent=1))
    return path


def read(tmp_path, text, name="a.jsonl", **options):
    (tmp_path / name).write_text(text)
    return read_records(tmp_path / name, **options)


def items(value):
    """Return what one retrieved item says of itself."""
    row = records_of([{"id": "q", "retrieved": [value]}]).retrieved.row(0, named=True)
    return {name: said for name, said in row.items() if said is not None and name != "query"}


@pytest.mark.parametrize("name", ["a.jsonl", "a.json", "results.json"])
def test_lines_and_lists_are_the_same(tmp_path, name):
    found = read_records(written(tmp_path / name, {"results": ROWS} if name == "results.json" else ROWS))
    assert found.questions.select("query", "question", "hops", "type").rows() == [
        ("q1", "who?", 2, "bridge"),
        ("q2", "what?", 1, None),
    ]
    assert found.retrieved.select("query", "id", "text").rows() == [("q1", "b", "b"), ("q1", "a", "a")]
    assert found.needed.select("query", "proof", "id").rows() == [("q1", None, "a")]
    assert found.labelled.to_list() == ["q1", "q2"]  # that nothing is needed is known, too
    assert found.slices == ["hops", "type"]


def test_a_single_object_and_compressed_files(tmp_path):
    (tmp_path / "one.json").write_text(json.dumps(ROWS[0], indent=2))
    assert len(read_records(tmp_path / "one.json")) == 1
    (tmp_path / "a.jsonl.gz").write_bytes(gzip.compress(json.dumps(ROWS[0]).encode()))
    assert read_records(tmp_path / "a.jsonl.gz").name == "a"


@pytest.mark.parametrize(
    ("value", "said"),
    [
        ("p1", {"id": "p1", "text": "p1"}),
        (7, {"id": "7", "text": "7"}),
        (["a", "p", "b"], {"subject": "a", "predicate": "p", "object": "b"}),
        (["a", "p", "b", 0.5], {"subject": "a", "predicate": "p", "object": "b", "score": 0.5}),
        (["Paris", "p1"], {"id": '["Paris", "p1"]', "document": "Paris"}),
        (["Paris", 0], {"id": '["Paris", "0"]', "document": "Paris"}),
        ({"id": 3, "text": "t", "score": 1}, {"id": "3", "text": "t", "score": 1.0}),
        ({"triple": ["a", "p", "b"], "tokens": 9}, {"subject": "a", "predicate": "p", "object": "b", "tokens": 9.0}),
        ({"source": "a", "relation": "p", "target": "b"}, {"subject": "a", "predicate": "p", "object": "b"}),
        ({"Subject": "a", "PREDICATE": "p", "object": "b"}, {"subject": "a", "predicate": "p", "object": "b"}),
        ({"title": "Paris"}, {"document": "Paris"}),
        ({"page_content": "t", "metadata": {"source": "f", "id": "c1"}}, {"id": "c1", "text": "t", "document": "f"}),
    ],
)  # fmt: skip
def test_an_item_may_have_many_shapes(value, said):
    assert items(value) == said


def test_the_keys_of_other_tools():
    ragas = {
        "user_input": "who?", "retrieved_contexts": ["t1", "t2"], "retrieved_context_ids": ["c1", 2],
        "reference_contexts": ["t2"], "reference_context_ids": [2], "response": "Ada", "reference": "Ada Lovelace",
    }  # fmt: skip
    found = records_of([ragas])
    assert found.questions.select("query", "answer", "answers").rows() == [("who?", "Ada", ["Ada Lovelace"])]
    assert found.retrieved.select("id", "text").rows() == [("c1", "t1"), ("2", "t2")]
    assert found.needed.select("id", "text").rows() == [("2", "t2")]
    only_ids = records_of([{"id": 1, "retrieved_context_ids": ["c1"], "needed": ["c1"]}])
    assert only_ids.retrieved["id"].to_list() == ["c1"]


def test_ground_truth_is_what_is_needed_or_an_answer():
    lists, text = (records_of([{"id": 1, "retrieved": [], "ground_truth": truth}]) for truth in (["a"], "a"))
    assert (lists.needed["id"].to_list(), lists.questions["answers"][0]) == (["a"], None)
    assert (len(text.labelled), text.questions["answers"][0].to_list()) == (0, ["a"])


def test_proofs_are_alternatives():
    proofs = [[["a", "p", "b"], ["b", "q", "c"]], [["a", "r", "c"]]]
    found = records_of([{"id": 1, "retrieved": [], "proofs": proofs}]).needed
    assert found.select("proof", "predicate").rows() == [(0, "p"), (0, "q"), (1, "r")]


def test_scores_may_stand_beside_the_items():
    rows = [{"id": 1, "retrieved": ["a", "b"], "scores": [0.5, 2]}, {"id": 2, "retrieved": [], "scores": []}]
    found = records_of(rows)
    assert found.retrieved["score"].to_list() == [0.5, 2.0]


@pytest.mark.parametrize(
    ("said", "wanted"),
    [(True, 1.0), (0, 0.0), (0.5, 0.5), ("true", 1.0), (" False ", 0.0), (None, None)],
)
def test_correctness_is_true_false_or_a_share(said, wanted):
    assert records_of([{"id": 1, "retrieved": [], "correct": said}]).questions["correct"][0] == wanted


def test_further_columns_keep_their_kind_or_become_text():
    rows = [{"id": n, "retrieved": [], "hops": n, "x": v, "y": w, "deep": {}} for n, v, w in ((1, "a", 1), (2, 2, 0.5))]
    found = records_of([*rows, {"id": 3, "retrieved": [], "huge": 10**30, "at": "mine"}])
    assert found.questions["hops"].to_list() == [1, 2, None]
    assert found.questions["x"].to_list() == ["a", "2", None]
    assert found.questions["y"].to_list() == [1.0, 0.5, None]
    assert found.questions["huge"].to_list() == [None, None, "1" + "0" * 30]
    assert found.questions["at"].to_list() == [1, 2, 3]
    assert found.ignored == ("deep",)


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ('{"id": 1, "retrieved": "a text"}', "line 2: expected a list under retrieved, found 'a text'"),
        ('{"id": 1}', "line 2: expected a list under one of retrieved, evidence, contexts"),
        ('{"retrieved": []}', "line 2: expected a question or an id, found an object with neither"),
        ('{"id": 0, "retrieved": []}', "line 2: expected each question once, found '0' in line 1 as well"),
        ('{"id": 1, "retrieved": [null]}', "line 2: expected an item: text, .* found None"),
        ('{"id": 1, "retrieved": [["a"]]}', "line 2: expected an item"),
        ('{"id": 1, "retrieved": [{"x": 1}]}', "line 2: expected an item.* found an object with the keys x"),
        ('{"id": 1, "retrieved": [{"id": "a", "score": "high"}]}', "line 2: expected a number as score, found 'high'"),
        ('{"id": 1, "retrieved": [{"triple": ["a"]}]}', "line 2: expected a triple as"),
        ('{"id": 1, "retrieved": ["a"], "scores": [1, 2]}', "line 2: expected scores for each of 1 items, found 2"),
        ('{"id": 1, "retrieved": ["a"], "retrieved_ids": []}', "line 2: expected ids for each of 1 items, found 0"),
        ('{"id": 1, "retrieved": [], "proofs": [[]]}', "line 2: expected each proof as a list of one fact or more"),
        ('{"id": 1, "retrieved": [], "proofs": ["a"]}', "line 2: expected each proof as a list"),
        ('{"id": 1, "retrieved": [], "correct": 7}', "line 2: expected true, false or a number from 0 to 1"),
        ('{"id": 1, "retrieved": [], "answer": {}}', "line 2: expected text as answer"),
        ('{"id": 1, "retrieved": [], "answers": [[]]}', "line 2: expected texts as gold answers"),
        ('{"id": 1, "id": 2, "retrieved": []}', "line 2: expected an object with each key once, found a key twice"),
        ("[1]", r"line 2: expected an object with each key once, found \[1\]"),
        ('{"id": 1, "retrieved": [}', "line 2: expected JSON, found an error in column 25"),
        ('{"id": ' + "9" * 5000 + ', "retrieved": []}', "line 2: expected JSON, found an error"),
        ('{"id": 1, "retrieved": ' + "[" * 100_000, "line 2: expected JSON, found an error"),
        ('{"id": 1, "retrieved": ["\\ud800"]}', "expected text, found half of a surrogate pair"),
    ],
)  # fmt: skip
def test_what_is_wrong_is_named_with_its_line(tmp_path, line, message):
    with pytest.raises(FormatError, match=message):
        read(tmp_path, '{"id": 0, "retrieved": ["a"], "needed": ["a"]}\n' + line + "\n")


def test_records_of_a_list_are_counted(tmp_path):
    with pytest.raises(FormatError, match=r"a\.json, record 2: expected a list under contexts"):
        read(tmp_path, json.dumps([ROWS[0], {"id": 1, "contexts": 3}]), "a.json")
    with pytest.raises(FormatError, match="expected a list of objects, or an object in each line, found 3"):
        read(tmp_path, "3", "a.json")
    with pytest.raises(InputError, match="expected questions, found none"):
        read(tmp_path, "[]", "a.json")
    with pytest.raises(FormatError, match="system, record 1: expected a list"):
        records_of([{"id": 1, "contexts": 3}])


def test_a_gold_standard_need_not_say_what_was_retrieved():
    rows = [{"id": 1, "needed": ["a"]}]
    assert records_of(rows, gold=True).needed.height == 1
    with pytest.raises(FormatError, match="expected a list under one of retrieved"):
        records_of(rows)


def test_rows_with_their_places(tmp_path):
    places = [place for place, _ in read_rows(written(tmp_path / "a.jsonl", ROWS))]
    assert places == [f"{tmp_path / 'a.jsonl'}, line {number}" for number in (1, 2)]


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=12,
)
OBJECT = st.fixed_dictionaries(
    {"id": JSON},
    optional=dict.fromkeys(("retrieved", "needed", "proofs", "scores", "answer", "answers", "correct", "x"), JSON),
)


@settings(max_examples=150)
@given(st.lists(OBJECT | JSON, min_size=1, max_size=3))
def test_any_json_is_read_or_refused_with_its_place(rows):
    found, said = None, ""
    try:
        found = records_of(list(enumerate(rows)))
    except FormatError as error:
        said = str(error)
    assert said.startswith("system") if found is None else found.questions["query"].is_unique().all()
