"""When a term of an answer is a term of the gold standard."""

import pytest

from assay.core.answers import Answer
from assay.core.terms import XSD, Term, iri, literal
from assay.errors import UnknownNameError
from assay.tasks.answers.matching import Matching, label_columns, values


def typed(value, kind):
    return literal(value, XSD + kind)


SAME = {
    "integer-decimal": (typed("4", "integer"), typed("4.0", "decimal")),
    "integer-double": (typed("400", "int"), typed("4.0e2", "double")),
    "padded": (typed("+007", "integer"), typed("7", "long")),
    "zero": (typed("-0.0", "double"), typed("0", "integer")),
    "many-digits": (typed("12345678901234567890123456789012345", "integer"),
                    typed("12345678901234567890123456789012345.00", "decimal")),
    "boolean": (typed("1", "boolean"), typed("true", "boolean")),
    "moment": (typed("2020-01-01T01:00:00+01:00", "dateTime"), typed("2020-01-01T00:00:00.000Z", "dateTime")),
    "old-moment": (typed("-0044-03-15T00:00:00+00:00", "dateTime"), typed("-0044-03-15T00:00:00Z", "dateTime")),
    "text-literal": (Term("text", "Berlin"), literal("Berlin", language="de")),
    "text-iri": (Term("text", "http://x/a"), iri("http://x/a")),
    "text-local-name": (Term("text", "Karen Brant"), iri("http://x/empl#Karen%20Brant")),
    "text-urn": (Term("text", "united_kingdom"), iri("urn:pq2h:united_kingdom")),
    "text-number": (Term("text", "4.0"), typed("4", "integer")),
    "blank": (Term("blank", "b0"), Term("blank", "genid7")),
}  # fmt: skip
APART = {
    "number-string": (typed("4", "integer"), literal("4")),
    "numbers": (typed("4", "integer"), typed("4.0000000000000000000000000000001", "decimal")),
    "no-number": (typed("NaN", "double"), typed("INF", "double")),
    "hour": (typed("2020-01-01T00:00:00+01:00", "dateTime"), typed("2020-01-01T00:00:00Z", "dateTime")),
    "no-zone": (typed("2020-01-01T00:00:00", "dateTime"), typed("2020-01-01T00:00:00Z", "dateTime")),
    "date-moment": (typed("2020-01-01", "date"), typed("2020-01-01T00:00:00", "dateTime")),
    "iri-literal": (iri("http://x/a"), literal("http://x/a")),
    "case": (literal("berlin"), literal("Berlin")),
    "text-case": (Term("text", "berlin"), iri("http://x/Berlin")),
    "text-blank": (Term("text", "b0"), Term("blank", "b0")),
    "text-ending": (Term("text", ""), iri("http://x/")),
}


@pytest.mark.parametrize("name", SAME)
def test_alike_from_both_sides(name):
    one, other = SAME[name]
    assert Matching().same(one, other)
    assert Matching().same(other, one)


@pytest.mark.parametrize("name", APART)
def test_not_alike_from_either_side(name):
    one, other = APART[name]
    assert not Matching().same(one, other)
    assert not Matching().same(other, one)


@pytest.mark.parametrize(
    ("language", "expected"), [("ignore", [True] * 3), ("basic", [True, False, False]), ("exact", [False] * 3)]
)
def test_the_language_of_texts(language, expected):
    german, swiss, english, none = (literal("Rat", language=tag) for tag in ("de", "de-CH", "en", ""))
    matching = Matching(language)
    assert [matching.same(german, other) for other in (swiss, english, none)] == expected
    assert matching.same(german, literal("Rat", language="DE"))


@pytest.mark.parametrize("wrong", [{"language": "french"}, {"labels": "some"}])
def test_an_unknown_rule_is_named(wrong):
    with pytest.raises(UnknownNameError, match=next(iter(wrong.values()))):
        Matching(**wrong)


def test_a_text_takes_the_term_that_it_means_before_others():
    """An IRI that the gold names in full is that IRI, even where a text would mean it, too."""
    gold = [(iri("http://x/a"),), (Term("text", "a"),)]
    mine, theirs = Matching().keys(gold, [(iri("http://x/a"),), (iri("http://y/a"),)])
    assert theirs == mine


def test_blank_nodes_are_matched_by_their_number():
    mine, theirs = Matching().keys(
        [(Term("blank", "a"),), (Term("blank", "b"),)], [(Term("blank", "z"),), (Term("blank", "z"),)]
    )
    assert mine[0] == theirs[0] == theirs[1]
    assert mine[1] != mine[0]


def test_label_columns_name_things():
    found = Answer("answered", ("film", "filmLabel", "n"))
    assert label_columns(Matching(), Answer("answered", ("film",)), found) == [1]
    assert label_columns(Matching(), Answer("answered", ("label",)), found) == []
    assert label_columns(Matching(labels="keep"), Answer("answered", ("film",)), found) == []
    texts = Answer("answered", ("film",), ((Term("text", "Alien"),),))
    assert label_columns(Matching(), texts, found) == []


def test_values_leave_out_what_is_unbound():
    assert values([(("iri", "a"), None), (None, ("iri", "b"))], [1]) == [("iri", "a")]
