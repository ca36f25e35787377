"""SPARQL results and files of answers: read, written, cut short, resumed."""

import json
from contextlib import suppress
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assay.core.answers import Answer
from assay.core.terms import XSD, Term, iri, literal
from assay.errors import AssayError, FormatError, InputError
from assay.formats.answer_files import append_answer, line_of_answer, read_answers, write_answers
from assay.formats.sparql_results import document_of, read_results

ROWS = ((iri("http://x/a"), literal("4", XSD + "integer")), (Term("blank", "b"), None))
ANSWERS = {
    "q1": Answer("answered", ("x", "n"), ROWS, ordered=True, scores=(2.0, 1.5), seconds=0.25),
    "q2": Answer("timeout", message="after 5 s"),
    "q3": Answer("answered", boolean=False),
    "q4": Answer("error", message="HTTP 500"),
    "q5": Answer("answered", ("x",), truncated=True),
}


def test_results_of_an_endpoint() -> None:
    bound = {
        "a": {"type": "uri", "value": "http://x/a"},
        "b": {"type": "literal", "value": "Bonn", "xml:lang": "de-DE"},
        "c": {"type": "typed-literal", "value": "4", "datatype": XSD + "int"},
        "d": {"type": "bnode", "value": "r1"},
        "e": {"type": "literal", "value": "s", "datatype": XSD + "string"},
    }
    document = {"head": {"vars": ["e", "z"]}, "results": {"bindings": [bound, {}]}}
    found = read_results(json.dumps(document), "http://x/sparql")
    assert found.columns == ("e", "z", "a", "b", "c", "d")
    assert found.rows[0] == (
        literal("s"),
        None,
        iri("http://x/a"),
        literal("Bonn", language="de-de"),
        literal("4", XSD + "int"),
        Term("blank", "r1"),
    )
    assert found.rows[1] == (None,) * 6
    assert read_results(json.dumps(document_of(found)), "again") == found


def test_a_triple_within_an_answer() -> None:
    term = {"type": "uri", "value": "http://x/a"}
    triple = {"type": "triple", "value": {"subject": term, "predicate": term, "object": term}}
    found = read_results(json.dumps({"head": {}, "results": {"bindings": [{"t": triple}]}}), "x")
    assert found.rows == ((Term("blank", "<< <http://x/a> <http://x/a> <http://x/a> >>"),),)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("<html>", "http://x: expected|http://x, line 1: expected JSON"),
        ("[]", "expected a SPARQL result, an object"),
        ("{}", "expected a SPARQL result, an object with boolean or results.bindings"),
        ('{"boolean": "yes"}', "expected true or false as boolean, found 'yes'"),
        ('{"results": {"bindings": {}}}', "expected a SPARQL result"),
        ('{"head": [], "results": {"bindings": []}}', "expected names of variables as head.vars"),
        ('{"head": {"vars": "x"}, "results": {"bindings": []}}', "expected names of variables as head.vars"),
        ('{"results": {"bindings": [4]}}', "as each binding, found 4"),
        ('{"results": {"bindings": [{"x": "a"}]}}', "expected a term, an object with type and value, found 'a'"),
        ('{"results": {"bindings": [{"x": {"type": "url", "value": "a"}}]}}', "expected a term with type uri"),
        ('{"results": {"bindings": [{"x": {"type": "uri", "value": 4}}]}}', "and text as value"),
        ('{"results": {"bindings": [{"x": {"type": ["uri"], "value": ""}}]}}', "expected a term with type uri"),
    ],
)
def test_what_is_no_result(text: str, said: str) -> None:
    with pytest.raises(FormatError, match=said):
        read_results(text, "http://x")


def test_a_file_of_answers_is_read_as_it_was_written(tmp_path: Path) -> None:
    path = tmp_path / "system.jsonl"
    write_answers(path, ANSWERS, {"suite": "ab12", "graph": "g.ttl"})
    found = read_answers(path)
    assert found.answers == ANSWERS
    assert list(found.answers) == list(ANSWERS)
    assert (found.name, found.about, found.torn) == ("system", {"suite": "ab12", "graph": "g.ttl"}, False)
    write_answers(path, ANSWERS)
    assert read_answers(path).about == {}
    assert [one.name for one in tmp_path.iterdir()] == ["system.jsonl"]


@pytest.mark.parametrize("cut", [1, 5, 40])
def test_a_line_cut_short_is_left_out_and_written_again(tmp_path: Path, cut: int) -> None:
    path = tmp_path / "a.jsonl"
    write_answers(path, {}, {"graph": "g"})
    append_answer(path, "q1", ANSWERS["q1"])
    whole = path.read_bytes()
    append_answer(path, "q2", ANSWERS["q2"])
    path.write_bytes(whole + (line_of_answer("q2", ANSWERS["q2"]).encode()[:cut]))
    found = read_answers(path)
    assert (list(found.answers), found.torn, found.about) == (["q1"], True, {"graph": "g"})
    append_answer(path, "q3", ANSWERS["q3"])
    assert read_answers(path).answers == {"q1": ANSWERS["q1"], "q3": ANSWERS["q3"]}
    assert not read_answers(path).torn


def test_a_last_line_without_its_end_is_kept_if_it_is_whole(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    write_answers(path, {"q1": ANSWERS["q1"]})
    path.write_bytes(path.read_bytes().rstrip(b"\n"))
    append_answer(path, "q2", ANSWERS["q2"])
    assert list(read_answers(path).answers) == ["q1", "q2"]


def test_a_long_line_cut_short_goes_too(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    write_answers(path, {"q1": ANSWERS["q1"]})
    whole = path.read_bytes()
    path.write_bytes(whole + b'{"id": "q2", "message": "' + b"x" * 200_000)
    append_answer(path, "q3", ANSWERS["q3"])
    assert path.read_bytes().startswith(whole)
    assert list(read_answers(path).answers) == ["q1", "q3"]


def test_append_says_what_is_wrong_with_the_file(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="expected a file that can be written"):
        append_answer(tmp_path / "no.jsonl", "q1", ANSWERS["q1"])


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (
            '{"id": "a", "boolean": true}\n{"id": "a", "boolean": true}\n',
            "line 2: expected one answer to each question",
        ),
        ('{"id": "a", "status": "fine"}\n', "line 1: expected one of answered, error, timeout as status, found 'fine'"),
        ('{"id": "a", "status": "answered"}\n', "line 1: expected a SPARQL result"),
        ('{"id": "a"}\n', "line 1: expected an answer under status"),
        ('{"boolean": true}\n', "line 1: expected an id or a question, found the keys boolean"),
        ('{"id": "a", "boolean": true, "scores": [1]}\n', "line 1: expected 0 numbers as scores"),
        ('{"id": "a", "answers": ["x"]}\n{"id": \n', "line 2: expected JSON"),
        ('{"id": "a", "id": "b", "boolean": true}\n', "line 1: expected an object with each key once"),
        ("[]", "expected answers, found none"),
        ("[4]", "question 1: expected an object with each key once, found 4"),
        ('{"about": 4}\n', "line 1: expected an object as about, found 4"),
        ('{"id": "a", "boolean": true, "ordered": 1}', "expected true or false as ordered"),
    ],
)
def test_errors_name_their_place(tmp_path: Path, content: str, said: str) -> None:
    path = tmp_path / "a.jsonl"
    path.write_text(content)
    with pytest.raises(FormatError, match=said):
        read_answers(path)


def test_answers_in_plain_words(tmp_path: Path) -> None:
    path = tmp_path / "a.json"
    path.write_text(json.dumps([
        {"question": "Where?", "answer": "Bonn"},
        {"question": "Who?", "answers": ["Ann", "Bob"]},
        {"question": "Which?", "answer": {"Q42": "Adams"}},
        {"question": "Is it?", "answer": True},
    ]))  # fmt: skip
    found = read_answers(path).answers
    assert found["Where?"].rows == ((Term("text", "Bonn"),),)
    assert [row[0].value for row in found["Who?"].rows if row[0]] == ["Ann", "Bob"]
    assert found["Which?"].rows == ((Term("text", "Q42"),),)
    assert found["Is it?"].boolean is True


def test_real_answers(data: Path) -> None:
    folder = data / "sparql"
    spinach = read_answers(folder / "spinach-qald10" / "spinach_output_test.json").answers
    assert len(spinach) == 387
    assert sum(one.empty for one in spinach.values()) == 9
    assert sum(one.boolean is not None for one in spinach.values()) == 43
    tog = read_answers(folder / "spinach-qald10" / "tog_results.json").answers
    assert (len(tog), len(tog.keys() & spinach.keys())) == (333, 326)
    qald = read_answers(folder / "qald9plus" / "qald_9_plus_test_dbpedia.json").answers
    assert (len(qald), sum(one.empty for one in qald.values())) == (150, 35)


@given(st.binary(max_size=200) | st.text(max_size=200).map(str.encode))
def test_any_file_gives_answers_or_an_error(content: bytes) -> None:
    import tempfile

    with tempfile.NamedTemporaryFile(suffix=".jsonl") as file:
        file.write(content)
        file.flush()
        with suppress(AssayError):
            assert read_answers(file.name).path == file.name
