"""Documents and queries from files of every form, and what is said of files that break theirs."""

import gzip
import io
import json

import polars as pl
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from assay.core.texts import Documents, Queries
from assay.errors import FormatError, InputError
from assay.formats.corpora import read_documents
from assay.formats.topics import read_queries

ROWS = [("d1", "Gold", "about gold & mines"), ("d2", None, "silver\nspoons")]
TABLE = pl.DataFrame(ROWS, {"docno": pl.String, "title": pl.String, "text": pl.String}, orient="row")


def packed(write):
    file = io.BytesIO()
    write(file)
    return file.getvalue()


JSONL = "".join(json.dumps({"_id": item, "title": title, "text": text}) + "\n" for item, title, text in ROWS).encode()
TREC = (
    b"<DOC>\n<DOCNO> d1 </DOCNO>\n<TITLE>Gold</TITLE>\n<TEXT>about <b>gold</b> &amp; mines</TEXT>\n</DOC>\n"
    b"<doc><docno>d2</docno>\nsilver\nspoons\n</doc>\n"
)
SMART = b".I d1\n.T\nGold\n.A\nSmith, J.\n.W\nabout gold & mines\n.X\n1\t5\t1\n.I d2\n.W\nsilver\nspoons\n"
FILES = {
    "docs.jsonl": JSONL,
    "docs.jsonl.gz": gzip.compress(JSONL),
    "docs.json": json.dumps([{"id": item, "title": title, "contents": text} for item, title, text in ROWS]).encode(),
    "by_id.json": json.dumps({item: {"title": title, "text": text} for item, title, text in ROWS}, indent=1).encode(),
    "docs.trec": TREC,
    "docs.all": SMART,
    "docs.parquet": packed(TABLE.write_parquet),
    "docs.arrow": packed(TABLE.write_ipc),
    "docs.csv": packed(TABLE.write_csv),
    "docs.tsv": packed(lambda file: TABLE.rename({"docno": "doc_id"}).write_csv(file, separator="\t")),
}


@pytest.fixture
def put(tmp_path):
    def call(content, name="file"):
        path = tmp_path / name
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        return path

    return call


def plain(documents):
    words = [" ".join(text.split()) for text in documents.whole]
    return list(zip(documents.items, words, strict=True))


@pytest.mark.parametrize("name", list(FILES))
def test_documents_of_every_form(put, name):
    found = read_documents(put(FILES[name], name))
    assert plain(found) == [("d1", "Gold about gold & mines"), ("d2", "silver spoons")]
    assert found.name == name.partition(".")[0] or name == "docs.all"


def test_two_columns_without_names_are_id_and_text(put):
    found = read_documents(put("0\tThe presence of “gold”\n1\t\n", "collection.tsv"))
    assert found.table.rows() == [("0", "The presence of “gold”"), ("1", "")]


def test_several_files_are_one_collection(put):
    told = []
    parts = [put(JSONL, "a.jsonl"), put('{"_id": 7, "text": "x"}', "b.jsonl")]
    found = read_documents(parts, progress=lambda done, total: told.append((done, total)))
    assert found.items.to_list() == ["d1", "d2", "7"]
    assert told[-1] == (100, 100)
    assert told == sorted(told)


def test_fields_that_are_named_make_the_text(put):
    found = read_documents(put(SMART), fields=["author", "title"])
    with pytest.raises(InputError, match="expected the field colour, found no document that has it"):
        read_documents(put(SMART), fields=["colour"])
    assert found.whole.to_list() == ["Smith, J.\nGold", ""]


def test_pages_are_read_without_tags(put):
    page = "<html><head><script>var gold = 1;</script></head><pre>a <= b &lt;c&gt; sil<b>ver</b></pre></html>"
    found = read_documents(put(json.dumps({"id": "1", "contents": page})))
    assert found.whole[0].split() == ["a", "<=", "b", "<c>", "silver"]


TOPICS = {
    "one <DOC> each": "<DOC>\n<DOCNO> 1 </DOCNO>\n gold\nmines?\n</DOC>\n<DOC><DOCNO>2</DOCNO>silver</DOC>",
    "tags closed": (
        "<top>\n<num>1</num><title>\ngold\nmines?\n</title>\n</top>\n<top><num>2</num><title>silver</title></top>"
    ),
    "tags open": (
        "<top>\n<num> Number: 1\n<title> gold\nmines?\n<desc> Description:\nWhat of gold?\n</top>\n"
        "<top>\n<num> Number: 2\n<title> Topic: silver\n<desc> Description:\nWhat of silver?\n</top>"
    ),
    "XML": (
        '<?xml version="1.0"?><topics task="x"><topic number="1"><query>gold\nmines?</query><question>why</question>'
        '</topic><topic number="2"><query>silver</query><question>who</question></topic></topics>'
    ),
    "SMART": ".I 1\n.W\ngold\nmines?\n.I 2\n.W\nsilver\n",
    "JSON Lines": '{"_id": "1", "text": "gold\\nmines?"}\n{"_id": "2", "text": "silver"}\n',
    "JSON": '{\n "1": "gold\\nmines?",\n "2": "silver"\n}',
    "CSV": 'qid,query\n1,"gold\nmines?"\n2,silver\n',
    "tabs": "1\tgold mines?\n2\tsilver\n",
}


@pytest.mark.parametrize("form", list(TOPICS))
def test_queries_of_every_form(put, form):
    found = read_queries(put(TOPICS[form])).texts
    assert {query: " ".join(text.split()) for query, text in found.items()} == {"1": "gold mines?", "2": "silver"}


@pytest.mark.parametrize(
    "content",
    [
        pytest.param(
            ".I 1\n.T\nGold\n.A\nSmith, J.\n.W\nabout mines\n.I 2\n.T\nSilver\n.I 3\n.W\nspoons\n", id="SMART"
        ),
        pytest.param(
            '{"_id": "1", "title": "Gold", "text": "about mines"}\n{"_id": "2", "title": "Silver", "text": ""}\n'
            '{"_id": "3", "text": "spoons"}\n', id="JSON Lines",
        ),
    ],
)  # fmt: skip
def test_a_title_belongs_to_what_is_asked(put, content):
    assert read_queries(put(content)).texts == {"1": "Gold\nabout mines", "2": "Silver", "3": "spoons"}
    assert read_queries(put(content), field="text").texts["1"] == "about mines"


def test_another_field_can_be_asked(put):
    assert read_queries(put(TOPICS["tags open"]), field="desc").texts == {"1": "What of gold?", "2": "What of silver?"}
    assert read_queries(put(TOPICS["XML"]), field="Question").texts == {"1": "why", "2": "who"}
    with pytest.raises(FormatError, match="line 1: expected the field narr, found title"):
        read_queries(put(TOPICS["tags closed"]), field="narr")


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ('{"_id": "1", "text": "a"}\n{"text": "b"}\n', r"line 2: expected an id \(_id, item, .*\), found text"),
        ('{"_id": "1", "text": "a"}\n{"_id": 1, "text": "b"}\n', "line 2: expected each id once, found '1', as in .*1"),
        ('{"_id": "1", "said": "a"}\n', r"line 1: expected a text \(text, contents, content …\), found said"),
        ('{"_id": "1", "text": "a"}\n{"_id": "2", \n', "line 2: expected JSON, found an error in column"),
        ('{"_id": "1", "text": "a"}\n[]\n', r"line 2: expected an object, found '\[\]'"),
        (b'{"_id": "1", "text": "\xff"}\n', "line 1: expected UTF-8 text, found the byte 0xff"),
        ("[" * 100_000, "line 1: expected JSON, found an error"),
        ('{"a":' * 100_000, "line 1: expected JSON, found an error"),
        ("<DOC>\n<DOCNO>1</DOCNO> a\n</DOC>\n<DOC> b", "line 4: expected </DOC> after <DOC>, found the end"),
        ("<DOC> a </DOC>", "line 1: expected an id"),
        ("<html>", "expected <DOC>, <top> or <topic>, found none"),
        (".I 1\n.W\na\n.I\n", "line 4: expected .I and an id, found '.I'"),
        ("1\ta\tb\n", "line 1: expected an id and a text with a tab between, found 3 columns"),
        ("some words\n", "line 1: expected an id and a text with a tab between, found 1 columns"),
        ("[]", "expected texts, found none"),
        ("", "expected content, found an empty file"),
        (b"PAR1\x00\x00", "expected a table in parquet"),
    ],
)  # fmt: skip
def test_what_is_wrong_is_said_with_its_place(put, content, message):
    with pytest.raises(InputError, match=message):
        read_documents(put(content, "bad"))


def test_entities_are_not_expanded(put):
    bomb = '<!DOCTYPE t [<!ENTITY a "gold"><!ENTITY b "&a;&a;"><!ENTITY c SYSTEM "file:///etc/passwd">]>'
    found = read_queries(put(f'{bomb}<topics><topic number="1"><title>&b; &c; &lt;</title></topic></topics>'))
    assert found.texts == {"1": "&b; &c; <"}


def test_large_lines_and_many_open_tags_take_no_long_time(put):
    text = "<a>" * 200_000
    assert read_documents(put(f"<DOC><DOCNO>1</DOCNO>gold{text}</DOC>")).whole.to_list() == ["gold"]
    assert len(read_documents(put(json.dumps({"_id": "1", "text": text}))).whole[0]) == 600_000
    assert read_documents(put(f"<DOC><DOCNO>1</DOCNO>gold <{'a' * 200_000}</DOC>")).items.to_list() == ["1"]
    assert read_documents(put(f"<DOC {'a' * 200_000}><DOCNO>1</DOCNO>gold</DOC>")).items.to_list() == ["1"]
    with pytest.raises(FormatError):
        read_documents(put("<DOC>" * 100_000))


PIECES = st.sampled_from(
    ["<DOC>", "</DOC>", "<DOCNO>", "</DOCNO>", "<top>", "</top>", "<num>", "<title>", ".I 1", ".I", ".W",
     "\n", "\t", "{", "}", '{"_id": "a", "text": "b"}', '"', "[", "]", ",", ":", '"id"', "id", "text", "1", "2", "é",
     "&lt;", "<!--", "-->", "\ud800"]
)  # fmt: skip


@given(st.one_of(st.binary(max_size=200), st.lists(PIECES, max_size=20).map("".join)))
@example("{" * 50_000)
def test_any_file_gives_rows_or_an_error(tmp_path_factory, content):
    path = tmp_path_factory.mktemp("fuzz") / "file"
    path.write_bytes(content if isinstance(content, bytes) else content.encode(errors="surrogatepass"))
    for read, kind in ((read_documents, Documents), (read_queries, Queries)):
        try:
            assert isinstance(read(path), kind)
        except InputError as error:
            assert "expected" in str(error)  # noqa: PT017 - either rows or an error
