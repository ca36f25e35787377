"""Synonyms: what files may say, and what queries become."""

import pytest

from assay.core.texts import Documents
from assay.errors import AssayError
from assay.tasks.lexical.index import Index
from assay.tasks.lexical.search import Searcher
from assay.tasks.lexical.synonyms import Rule, Synonyms, read_synonyms, synonyms

pytest.importorskip("Stemmer")

SEARCHER = Searcher(Index.build(Documents.of({"a": "cars and heart attacks", "b": "infarction of automobiles"})))


def written(folder, text, name="synonyms.txt"):
    path = folder / name
    path.write_text(text, "utf-8")
    return path


def expanded(rules, text, weight=0.5):
    way = Synonyms(tuple(rules), weight)
    return way.expand(SEARCHER, {"q": SEARCHER.terms(text)})["q"]


def test_lines_of_solr(tmp_path):
    path = written(tmp_path, "# a comment\n\ncar, automobile\r\nMI => heart attack, infarct\nc\\,d , e\nc#, csharp\n")
    assert read_synonyms(path) == (
        Rule("car", ("automobile",)), Rule("automobile", ("car",)),
        Rule("MI", ("heart attack", "infarct"), instead=True), Rule("c,d", ("e",)), Rule("e", ("c,d",)),
        Rule("c#", ("csharp",)), Rule("csharp", ("c#",)),
    )  # fmt: skip


def test_json(tmp_path):
    path = written(tmp_path, '{"car": ["automobile", "motor car"], "mi": "infarct"}', "synonyms.json")
    assert read_synonyms(path) == (Rule("car", ("automobile", "motor car")), Rule("mi", ("infarct",)))


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("a, b\nalone\n", "synonyms.txt, line 2: expected synonyms such as 'a, b' or 'a, b => c', found 'alone'"),
        ("a =>\n", "synonyms.txt, line 1: expected synonyms such as 'a, b' or 'a, b => c', found 'a =>'"),
        ("a => b => c", "synonyms.txt, line 1: expected synonyms such as 'a, b' or 'a, b => c', found 'a => b => c'"),
        ("# nothing\n", "synonyms.txt: expected synonyms, found no line with any"),
        ('{"a": [1]}', "synonyms.txt: expected a list of texts for 'a', found [1]"),
        ('{"a": []}', "synonyms.txt: expected a list of texts for 'a', found []"),
        ('{"a":\n [1', "synonyms.txt, line 2: expected JSON, found an error in column 4: Expecting ',' delimiter"),
        ('{"a":' * 9999, "synonyms.txt, line 1: expected JSON, found an error: maximum recursion depth exceeded"),
        ("[1]", 'synonyms.txt: expected an object such as {"car": ["automobile"]}, found a list'),
    ],
)
def test_mistakes_name_their_place(tmp_path, text, message):
    with pytest.raises(AssayError) as caught:
        read_synonyms(written(tmp_path, text))
    assert caught.value.message.startswith(f"{tmp_path}/{message}")


def test_terms_are_analysed_as_the_documents_were():
    assert expanded([Rule("Cars", ("the Automobiles",))], "a car") == {"car": 1.0, "automobil": 0.5}


def test_several_words_share_the_weight_of_one():
    found = expanded([Rule("infarct", ("heart attack",)), Rule("heart attack", ("infarct",))], "infarcts")
    assert found == {"infarct": 1.0, "heart": 0.25, "attack": 0.25}
    assert expanded([Rule("heart attack", ("infarct",))], "heart") == {"heart": 1.0}
    assert expanded([Rule("heart attack", ("infarct",))], "attack of the heart", 0.8) == {
        "attack": 1.0, "heart": 1.0, "infarct": 0.8,
    }  # fmt: skip


def test_an_arrow_takes_the_left_side_out():
    assert expanded([Rule("car", ("automobile",), instead=True)], "old cars") == {"old": 1.0, "automobil": 1.0}
    assert expanded([Rule("car", ("car", "automobile"), instead=True)], "car") == {"car": 1.0, "automobil": 1.0}


def test_rules_see_the_query_as_it_was_asked():
    rules = [Rule("a1", ("b1",)), Rule("b1", ("c1",))]
    assert expanded(rules, "a1") == {"a1": 1.0, "b1": 0.5}
    assert expanded([*rules, Rule("x1", ("b1",))], "a1 a1 x1") == {"a1": 2.0, "x1": 1.0, "b1": 1.0}


def test_settings_are_part_of_the_name(tmp_path):
    way = synonyms(written(tmp_path, "a, b"), weight=0.3)
    assert (way.weight, way.name) == (0.3, "synonyms(weight=0.3)")
    with pytest.raises(AssayError, match="no setting of synonyms is called 'wait'"):
        synonyms(written(tmp_path, "a, b"), wait=1)
