"""The shapes of JSON that are read, and what is said about those that are not."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assay.errors import FormatError, GoldError, InputError
from assay.formats import Source, detect, read_gold, read_run
from assay.formats.jsonl import LineRows
from assay.formats.shapes import ShapeError, Table

SHAPES = {
    "rows": '{"query": "q", "item": "a", "score": 2}\n{"query": "q", "item": "b", "score": 1}',
    "other names": '{"qid": "q", "docno": "a", "sim": 2}\n{"qid": "q", "docno": "b", "sim": 1}',
    "pairs": '{"query": "q", "items": [["a", 2], ["b", 1]]}',
    "objects": '{"query_id": "q", "text": "why?", "hits": [{"docid": "a", "score": 2.0}, {"docid": "b", "score": 1}]}',
    "hits of Elasticsearch": '{"query": "q", "hits": [{"_id": "a", "_score": 2}, {"_id": "b", "_score": 1.0}]}',
    "mapping of one query": '{"query": "q", "results": {"a": 2, "b": 1}}',
    "mapping": '{"q": {"a": 2, "b": 1}}',
    "mapping to pairs": '{"q": [["a", 2], ["b", 1]]}',
    "mapping over lines": '{\n "q": {\n  "a": 2,\n  "b": 1\n }\n}\n',
    "list of rows": '[{"query": "q", "item": "a", "score": 2},\n {"query": "q", "item": "b", "score": 1}]',
    "one mapping in each line": '{"q": {"a": 2}}\n{"q": {"b": 1}}',
    "blank lines": '\n\n{"query": "q", "item": "a", "score": 2}\r\n\n{"query": "q", "item": "b", "score": 1}\n\n',
}
RANKINGS = {
    "ids": '{"query": "q", "ranking": ["a", "b"]}',
    "list of ids": '[{"query": "q", "evidence": ["a", "b"]}]',
    "mapping to ids": '{"q": ["a", "b"]}',
    "objects without score": '{"query": "q", "docs": [{"id": "a"}, {"id": "b"}]}',
}
GRADES = {
    "rows": '{"query": "q", "item": "a", "grade": 2}\n{"query": "q", "item": "b", "grade": 0}',
    "names": '{"qid": "q", "docid": "a", "relevance": 2}\n{"qid": "q", "docid": "b", "relevance": 0}',
    "mapping of one query": '{"query": "q", "relevant": {"a": 2, "b": 0}}',
    "mapping": '{"q": {"a": 2, "b": 0}}',
    "objects": '{"query": "q", "judgments": [{"item": "a", "grade": 2}, {"item": "b", "label": false}]}',
}


@pytest.fixture
def file(tmp_path):
    def write(content: str, ending: str = "txt"):
        path = tmp_path / f"a.{ending}"
        path.write_text(content, encoding="utf-8")
        return path

    return write


@pytest.mark.parametrize("content", SHAPES.values(), ids=SHAPES)
def test_shapes_of_a_run(file, content):
    assert read_run(file(content)).frame().select("query", "item", "score").rows() == [("q", "a", 2.0), ("q", "b", 1.0)]


@pytest.mark.parametrize("content", RANKINGS.values(), ids=RANKINGS)
def test_a_ranking_without_scores_is_best_first(file, content):
    assert read_run(file(content)).frame().rows() == [("q", "a", -1.0), ("q", "b", -2.0)]


def test_ranks_are_positions(file):
    content = '{"query": "q", "item": "b", "rank": 2}\n{"query": "q", "item": "a", "rank": 1}'
    assert read_run(file(content)).frame().rows() == [("q", "b", -2.0, 2), ("q", "a", -1.0, 1)]
    both = '{"query": "q", "item": "b", "rank": 2, "score": 9}'
    assert read_run(file(both)).frame().rows() == [("q", "b", 9.0, 2)]


@pytest.mark.parametrize("content", GRADES.values(), ids=GRADES)
def test_shapes_of_gold(file, content):
    assert read_gold(file(content)).table.rows() == [("q", "a", 2.0), ("q", "b", 0.0)]


def test_listed_items_are_relevant_and_a_query_without_any_is_unjudged(file):
    gold = read_gold(file('{"query": 1, "relevant": [17, "x"]}\n{"query": 2, "relevant": []}'))
    assert gold.table.rows() == [("1", "17", 1.0), ("1", "x", 1.0)]
    assert gold.unjudged == ("2",)
    assert read_gold(file('{"1": {"a": 1}, "2": {}}')).unjudged == ("2",)


def test_numbers_of_python(file):
    frame = read_run(file('{"q": {"a": NaN, "b": Infinity, "c": -Infinity, "d": null, "e": 1e999}}')).frame()
    assert [str(score) for score in frame["score"]] == ["nan", "inf", "-inf", "nan", "inf"]


def test_a_key_that_stands_twice_is_not_lost(file):
    assert read_run(file('{"q": {"a": 1, "a": 2}}')).frame().rows() == [("q", "a", 1.0), ("q", "a", 2.0)]
    assert read_run(file('{"q": {"a": 1}, "q": {"b": 2}}')).frame().height == 2
    with pytest.raises(GoldError, match=r"item 'a' is judged more than once for query 'q' \(1, 2\)"):
        read_gold(file('{"q": {"a": 1, "a": 2}}'))


def test_a_pair_judged_twice_names_its_lines(file):
    content = '{"query": "q", "items": {"é": 1}}\n\n{"query": "q", "item": "\\u00e9", "grade": 0}'
    with pytest.raises(GoldError, match=r"a\.txt, lines 1 and 3: item 'é' is judged more than once"):
        read_gold(file(content))


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (
            '{"query": "q", "item": "a", "score": 1}\n{"query": "q",',
            ", line 2: expected JSON, found an error in column 15",
        ),
        ('{"q": {"a": 1},\n "r": {"a": }}', ", line 2: expected JSON, found an error in column 13: Expecting value"),
        ('{"query": "q", "item": "a", "score": "high"}', ", line 1: expected a number as score, found 'high'"),
        ('{"query": "q", "item": "a", "score": true}', "expected a number as score, found True"),
        ('{"query": "q", "item": "a", "rank": 1.5}', "expected a whole number as rank, found 1.5"),
        ('{"query": "q", "item": "a", "item": "b", "score": 1}', "expected each key once, found 'item' twice"),
        ('{"query": "q", "text": "?"}', "expected an item, or a list of items (items, ranking, results, docs, hits …)"),
        ('{"query": "q", "items": ["a", ["b", 1]]}', "expected an id alone, as in the rows before"),
        ('{"query": "q", "items": [["a", 1, 2]]}', "expected a pair of an id and a number, found ['a', 1, 2]"),
        ('{"query": "q", "items": [{"text": "?"}]}', "(item, item_id, doc_id, doc-id, docid, docno …), found"),
        ('{"query": "q", "items": [1.5]}', "expected text or a whole number as item, found 1.5"),
        ('{"query": "q", "items": [""]}', "expected text or a whole number as item, found ''"),
        ('{"x": 1}', "expected a list or mapping of items for query 'x', found 1"),
        ('[["q", "a", 1]]', "expected an object with a query, found ['q', 'a', 1]"),
        ('{"q": {"\\ud800": 1}}', "expected ids of text, found half of a surrogate pair"),
        ('{"q": {"a": %s}}' % ("9" * 5000), "expected JSON, found an error: Exceeds the limit"),
        ('{"q": %s' % ("[" * 100_000), "expected JSON, found an error: maximum recursion depth"),
        ("{}", "expected answers, found a file that holds no answers"),
        ('{"query": "q", "items": []}', "expected answers, found a file that holds no answers"),
    ],
)
def test_what_is_wrong_is_named(file, content, said):
    path = file(content)
    with pytest.raises(InputError) as caught:
        read_run(path).frame()
    assert str(caught.value).startswith(str(path))
    assert said in str(caught.value)


def test_a_number_too_large_for_a_float(file):
    assert math.isinf(read_run(file('{"q": {"a": 1%s}}' % ("0" * 400))).frame()["score"][0])


def test_bad_utf8_names_its_line(tmp_path):
    path = tmp_path / "a.jsonl"
    path.write_bytes(b'{"query": "q", "items": ["a"]}\n{"query": "caf\xe9"}\n')
    with pytest.raises(FormatError, match=r"line 2: expected UTF-8 text, found the byte 0xe9"):
        read_run(path).frame()
    path.write_bytes(b'{"q":\n {"caf\xe9": 1}}')
    with pytest.raises(FormatError, match=r"line 2: expected UTF-8 text, found the byte 0xe9"):
        read_run(path, "json").frame()


@pytest.mark.parametrize(
    ("content", "ending", "name"),
    [
        ('{"q": {"a": 1}}', "json", "json"), ('{"q": {"a": 1}}', "jsonl", "jsonl"), ("[1]", "jsonl", "json"),
        ('{"query": "q", "items": []}', "json", "jsonl"), ('{"text": "a, b", "qid": 7}', "txt", "jsonl"),
        ('{\n"q": {}}', "txt", "json"), ('{"query": {"a": 1}}', "txt", "json"),
    ],
)  # fmt: skip
def test_detection(file, content, ending, name):
    assert detect(Source.open(file(content, ending))).name == name


def test_blocks_of_lines(file):
    content = "".join(f'{{"query": "q{place}", "items": ["a", "b"]}}\n' for place in range(100))
    blocks = list(LineRows(Source.open(file(content)), 100).blocks())
    assert len(blocks) > 20
    assert sum(block.height for block in blocks) == 200
    with pytest.raises(FormatError, match="line 101: expected JSON"):
        list(LineRows(Source.open(file(content + "nonsense")), 100).blocks())


ROWS = st.fixed_dictionaries(
    {"query": st.sampled_from(["q", "r", 1, "", None]), "item": st.sampled_from(["a", "b", 2])},
    optional={"score": st.sampled_from([1, 2.5, 10**30, None, "x", True]), "rank": st.sampled_from([1, 2, 1.0, 2**70])},
)
GOOD = st.fixed_dictionaries({"query": st.just("q"), "item": st.just("a"), "score": st.floats(0, 9)})


@given(st.lists(GOOD | GOOD | GOOD | ROWS, max_size=6), st.sampled_from(["run", "gold"]))
def test_rows_that_are_alike_are_read_as_others_are(rows, kind):
    def outcome(table, fast):
        try:
            if not (fast and rows and table.add_alike(rows)):
                table.add(rows)
        except ShapeError as error:
            return str(error)
        return repr(table.take().rows()), table.unjudged, table.pattern  # as text, NaN equals itself

    assert outcome(Table(kind), fast=True) == outcome(Table(kind), fast=False)


def test_the_first_error_is_said(file):
    content = '{"query": "q", "item": "a", "score": 1}\n{"query": "q", "item": "a", "score": "x"}\nnonsense'
    with pytest.raises(FormatError, match="line 2: expected a number as score"):
        read_run(file(content)).frame()
    swapped = file('{"query": "q", "item": "a", "score": 1}\nnonsense\n{"query": "q", "item": "a", "score": "x"}')
    with pytest.raises(FormatError, match="line 2: expected JSON"):
        read_run(swapped, "jsonl").frame()
