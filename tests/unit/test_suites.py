"""Suites of questions, from every form that people have, and back."""

import gzip
import json
from contextlib import suppress
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assay.core.answers import Answer, Question, Suite
from assay.core.terms import XSD, Term, iri, literal
from assay.errors import AssayError, FormatError, GoldError, InputError, UnknownNameError
from assay.formats.suite_answers import gold_of, value_of
from assay.formats.suites import line_of, lines_of, read_suite, suite_of, yaml_of

OWN = """
# what the sales team asks
questions:
  - id: 1
    question: Who leads Marketing?
    gold_sparql: |
      SELECT ?x {
        ?x <http://x/leads> <http://x/marketing> }
    answers: [<http://x/anna>, Karl No]
    facts: [[anna, leads, marketing]]
    weight: 2.5
    hops: 2
    type: who
  - question: {de: Ist er da?, en: Is he here?}
    sparql: ASK {}
    answers: false
"""


def written(folder: Path, name: str, text: str) -> Path:
    path = folder / name
    path.write_text(text, encoding="utf-8")
    return path


def test_own_form_in_yaml(tmp_path: Path) -> None:
    suite = read_suite(written(tmp_path, "sales.yaml", OWN))
    first, second = suite.questions
    assert (suite.name, suite.format, len(suite)) == ("sales", "assay", 2)
    assert first.gold_query == "SELECT ?x {\n  ?x <http://x/leads> <http://x/marketing> }"
    assert first.gold == Answer("answered", ("answer",), ((iri("http://x/anna"),), (Term("text", "Karl No"),)))
    assert (first.facts, first.weight, first.groups) == (
        (("anna", "leads", "marketing"),),
        2.5,
        {"hops": "2", "type": "who"},
    )
    assert (second.name, second.query, second.asked) == ("Is he here?", "ASK {}", "ASK {}")
    assert second.gold is not None
    assert second.gold.boolean is False
    assert read_suite(tmp_path / "sales.yaml", language="de").questions[1].text == "Ist er da?"


def test_own_form_in_lines_and_packed(tmp_path: Path) -> None:
    lines = '{"id": "a", "sparql": "ASK {}", "ordered": true, "answers": [["x", 1], ["y", null]]}\n\n{"id": "b"}\n'
    path = tmp_path / "s.jsonl.gz"
    path.write_bytes(gzip.compress(lines.encode()))
    first, second = read_suite(path).questions
    assert first.gold is not None
    assert first.gold.ordered
    assert first.gold.columns == ("answer", "answer2")
    assert first.gold.rows == ((Term("text", "x"), literal("1", XSD + "integer")), (Term("text", "y"), None))
    assert second == Question("b")


@pytest.mark.parametrize(
    ("value", "rows"),
    [
        ([], ()),
        (["Bonn"], ((Term("text", "Bonn"),),)),
        (['"Bonn"@DE', '"4"^^<http://x/t>', "_:b1"], None),
        ([True, 1, 2.5], None),
        ([{"x": "a"}, {"y": "b"}], ((Term("text", "a"), None), (None, Term("text", "b")))),
        ([{"type": "uri", "value": "http://x/a"}], ((iri("http://x/a"),),)),
        ({"head": {"vars": ["x"]}, "results": {"bindings": [{}]}}, ((None,),)),
    ],
)
def test_answers_as_people_write_them(value: object, rows: tuple[object, ...] | None) -> None:
    found = gold_of(value)
    if rows is not None:
        assert found.rows == rows
    else:
        kinds = [(term.kind, term.value, term.datatype, term.language) for (term,) in found.rows if term]
        assert kinds in [
            [("literal", "Bonn", "", "de"), ("literal", "4", "http://x/t", ""), ("blank", "b1", "", "")],
            [
                ("literal", "true", XSD + "boolean", ""),
                ("literal", "1", XSD + "integer", ""),
                ("literal", "2.5", XSD + "double", ""),
            ],
        ]


@pytest.mark.parametrize(
    "value",
    ["Bonn", 4, {"a": 1}, [[]], [["a"], ["a", "b"]], [{"x": "a"}, "b"], [{"x": [1]}], {"results": {}}, {"boolean": 1}],
    ids=repr,
)
def test_answers_that_are_none(value: object) -> None:
    with pytest.raises(FormatError, match="line 3: expected"):
        suite_of([("line 3", {"id": "a", "answers": value})], "s.yaml")


text = st.text(st.characters(exclude_categories=["Cs"]), max_size=8)
terms = st.one_of(
    st.builds(lambda value: Term("text", value), text),
    st.builds(iri, st.from_regex(r"http://x/[a-z/%éü]*", fullmatch=True)),
    st.builds(literal, text, st.sampled_from(["", XSD + "date"])),
    st.builds(lambda value: literal(value, language="en-gb"), text),
)


@given(terms)
def test_a_term_is_read_as_it_was_written(term: Term) -> None:
    assert gold_of([value_of(term)]).rows == ((term,),)


names = st.lists(text.map(str.strip).filter(bool), min_size=1, max_size=4, unique=True)


@given(names, st.data())
def test_a_suite_is_read_as_it_was_written(ids: list[str], draw: st.DataObject) -> None:
    words = st.one_of(text, st.text("ab:#- \n\t'\"|", max_size=12)).map(str.strip)
    golds = st.one_of(
        st.none(),
        st.builds(lambda value: Answer("answered", boolean=value), st.booleans()),
        st.builds(
            lambda rows, ordered: Answer("answered", ("x", "y"), tuple(rows), ordered=ordered),
            st.lists(st.tuples(terms, st.one_of(st.none(), terms)), max_size=3),
            st.booleans(),
        ),
    )
    groups = st.dictionaries(st.sampled_from(["hops", "the type", "größe", "- a"]), words.filter(bool), max_size=2)
    questions = tuple(
        Question(
            name,
            draw.draw(words),
            draw.draw(words),
            draw.draw(words),
            draw.draw(golds),
            weight=draw.draw(st.sampled_from([0.0, 1.0, 3.0, 0.25])),
            groups=draw.draw(groups),
        )
        for name in ids
    )
    from assay.formats.documents import parsed
    from assay.formats.suite_json import json_lines

    lines = "".join(f"{line_of(one)}\n" for one in questions)
    assert suite_of(list(json_lines(lines, "s")), "s").questions == questions
    assert parsed(line_of(questions[0]), "s")["id"] == questions[0].name


@given(st.lists(st.text("ab{}?:#- \n\t'\"|éü\x85\u2028", max_size=20).map(str.strip), min_size=1, max_size=3))
def test_yaml_keeps_every_query(queries: list[str]) -> None:
    from assay.formats.source import Source
    from assay.formats.suite_yaml import items_of_yaml

    suite = Suite("s", tuple(Question(f"q{at}", gold_query=query) for at, query in enumerate(queries)))

    class Text(Source):
        def text(self) -> str:
            return yaml_of(suite)

    items = items_of_yaml(Text("s.yaml", Path("s.yaml"), None))
    assert suite_of(items, "s.yaml").questions == suite.questions


def test_a_bare_word_is_text_unless_json_says_otherwise(tmp_path: Path) -> None:
    bare = "questions:\n- id: no\n  answers: [yes, 2014-01-01, 12:30, 007, 1e3, 0x1F, -4, true]\n"
    gold = read_suite(written(tmp_path, "s.yml", bare)).questions[0].gold
    assert gold is not None
    kinds = [(term.kind, term.value) for (term,) in gold.rows if term]
    assert kinds[:4] == [("text", "yes"), ("text", "2014-01-01"), ("text", "12:30"), ("text", "007")]
    assert kinds[4:] == [("literal", "1000.0"), ("text", "0x1F"), ("literal", "-4"), ("literal", "true")]


@pytest.mark.parametrize(
    ("name", "content", "said"),
    [
        ("s.yaml", "questions:\n- &a {id: 1}\n- *a\n", r"line 3: expected YAML without aliases, found \*a"),
        ("s.yaml", "questions:\n- {id: 1, id: 2}\n", "line 2: expected YAML, found an error: a key twice"),
        ("s.yaml", "questions:\n- id: [1\n", "line 3: expected YAML"),
        ("s.yaml", "questions:\n- !!python/object:os.system {}\n", "line 2: expected YAML, found an error: could not"),
        ("s.yaml", "- " + "[" * 60 + "]" * 60, "line 1: expected at most 50 levels"),
        ("s.yaml", "name: x\n", "expected a list of questions, or a mapping with the key questions"),
        ("s.yaml", "# nothing\n", "found an empty file"),
        ("s.yaml", "questions: []\n", "expected questions, found none"),
        ("s.yaml", "- 4\n", "line 1: expected a question with each key once, found 4"),
        ("s.yaml", "- {question: 4}\n", "line 1: expected text as question, found 4"),
        ("s.jsonl", '{"id": 1}\n{"id": 1, "id": 2}\n', "line 2: expected a question with each key once"),
        ("s.jsonl", '{"id": 1}\n{"id": \n', "line 2: expected JSON"),
        ("s.jsonl", '{"id": ""}\n', "line 1: expected an id or a question, found '' as id"),
        ("s.jsonl", '{"id": 1, "weight": -1}', "line 1: expected a number of 0 or more as weight, found -1"),
        ("s.jsonl", '{"id": 1, "facts": [["a", "b"]]}', "line 1: expected a fact as"),
        ("s.jsonl", '{"id": 1, "ordered": "yes"}', "line 1: expected true or false as ordered"),
        ("s.jsonl", '{"id": 1, "sparql": ["ASK {}"]}', "line 1: expected SPARQL as text"),
        ("s.json", '{"a": 1}', "line 1: expected an id or a question, found neither"),
        ("s.json", '{"questions": [{"question": [], "query": {"sparql": ""}}]}', "question 1: expected an id or a"),
    ],
)
def test_errors_name_their_place(tmp_path: Path, name: str, content: str, said: str) -> None:
    with pytest.raises(InputError, match=said):
        read_suite(written(tmp_path, name, content))


def test_each_question_once(tmp_path: Path) -> None:
    with pytest.raises(GoldError, match="line 3: expected each question once, found 'a' in line 1 as well"):
        read_suite(written(tmp_path, "s.jsonl", '{"id": "a"}\n{"id": "b"}\n{"id": "a"}\n'))


def test_forms_by_name(tmp_path: Path) -> None:
    path = written(tmp_path, "s.jsonl", '{"id": "a", "sparql": "ASK {}", "answers": ["x"]}\n')
    assert read_suite(path).questions[0].query == "ASK {}"
    assert read_suite(path, "kgqa").questions[0].gold_query == "ASK {}"
    with pytest.raises(UnknownNameError, match=r"no form of a suite is called 'qualt'\. Did you mean 'qald'"):
        read_suite(path, "qualt")


@given(st.binary(max_size=200) | st.text(max_size=200).map(str.encode))
def test_any_file_gives_a_suite_or_an_error(content: bytes) -> None:
    import tempfile

    for ending in ("yaml", "json"):
        with tempfile.NamedTemporaryFile(suffix=f".{ending}") as file:
            file.write(content)
            file.flush()
            with suppress(AssayError):
                assert len(read_suite(file.name)) > 0


REAL = [
    ("ck25/questions.yml", "ck25", 50, 0, 0),
    ("qald9plus/qald_9_plus_test_dbpedia.json", "qald", 150, 35, 4),
    ("local-kgqa/pq2h.jsonl", "kgqa", 400, 0, 0),
    ("local-kgqa/wc14.jsonl", "kgqa", 400, 0, 0),
    ("spinach-qald10/spinach_output_test.json", "spinach", 387, 0, 61),
]


@pytest.mark.parametrize("real", REAL, ids=[one[0] for one in REAL])
def test_real_suites(data: Path, tmp_path: Path, real: tuple[str, str, int, int, int]) -> None:
    path, form, size, empty, boolean = real
    suite = read_suite(data / "sparql" / path)
    golds = [one.gold for one in suite.questions if one.gold is not None]
    assert (suite.format, len(suite)) == (form, size)
    assert sum(gold.empty for gold in golds) == empty
    assert sum(gold.boolean is not None for gold in golds) == boolean
    assert all(one.gold_query for one in suite.questions)
    for name, text in (("s.yaml", yaml_of(suite)), ("s.jsonl", lines_of(suite))):
        assert read_suite(written(tmp_path, name, text)).questions == suite.questions


def test_what_real_questions_hold(data: Path) -> None:
    kgqa = read_suite(data / "sparql" / "local-kgqa" / "pq2h.jsonl").questions[0]
    assert kgqa.gold is not None
    assert kgqa.gold.rows == ((Term("text", "united_kingdom"),),)
    assert kgqa.facts[0] == ("frederica_of_mecklenburg-strelitz", "spouse", "ernest_augustus_i_of_hanover")
    corporate = read_suite(data / "sparql" / "ck25" / "questions.yml").questions[14]
    assert (corporate.name, corporate.query, corporate.groups["features"]) == ("15", "", "SELECT ORDER FILTER LIMIT")
    spinach = read_suite(data / "sparql" / "spinach-qald10" / "spinach_output_test.json").questions[0]
    assert spinach.query.startswith("SELECT DISTINCT ?person")
    assert spinach.name == "After whom is the Riemannian geometry named?"
    raw = json.loads((data / "sparql" / "qald9plus" / "qald_9_plus_test_dbpedia.json").read_text())
    dutch = read_suite(data / "sparql" / "qald9plus" / "qald_9_plus_test_dbpedia.json", language="ru")
    by_hand = next(one["string"] for one in raw["questions"][0]["question"] if one["language"] == "ru")
    assert dutch.questions[0].text == by_hand
