"""How texts become terms: words, each step alone, languages, and the two ways to the same terms."""

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from assay.errors import UnknownNameError
from assay.tasks.lexical.analysis import STOP_WORDS, Analyzer
from assay.tasks.lexical.stemming import stems_by
from assay.tasks.lexical.tokens import LONGEST, words_in, words_of

pytest.importorskip("Stemmer")
ASCII = st.text("aB1._:,;'_ -#\n", max_size=40)
ANY = st.text(
    st.one_of(st.sampled_from("aZ's’_.1é漢ひカ한אก😀©\u0301\u200d '"), st.characters(exclude_categories=["Cs"]))
)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", []),
        ("... !?", []),
        ("don't U.S.A. 3.5 1,000 a:b", ["don't", "U.S.A", "3.5", "1,000", "a:b"]),
        ("foo_bar __ _x_", ["foo_bar", "_x_"]),
        ("漢字ひらカタ 한국", ["漢", "字", "ひ", "ら", "カタ", "한국"]),
        ("ภาษาไทย", ["ภาษาไทย"]),
        ("© → ↔ 👍🏻", ["©", "↔", "👍🏻"]),
        ("cafe\u0301", ["cafe\u0301"]),
        ("a" * 300, ["a" * LONGEST, "a" * 45]),
    ],
)
def test_words(text, words):
    assert words_in(text) == words


@given(st.one_of(ASCII, ANY))
def test_one_text_and_many_have_the_same_words(text):
    _, words = words_of(pl.Series([text]))
    assert words_in(text) == words.to_list()


@given(st.lists(st.one_of(ASCII, ANY, st.sampled_from(["the wolf's", "Wolves of gold", ""])), max_size=5))
def test_terms_of_many_texts_are_those_of_each(texts):
    analyzer = Analyzer()
    found = analyzer.terms_of(pl.Series(texts, dtype=pl.String))
    assert found.schema == {"row": pl.UInt32, "term": pl.String}
    assert found.rows() == [(row, term) for row, text in enumerate(texts) for term in analyzer.terms(text)]


def test_a_text_that_is_null_has_no_terms():
    assert Analyzer().terms_of(pl.Series(["gold", None, "silver"])).rows() == [(0, "gold"), (2, "silver")]


@pytest.mark.parametrize(
    ("left_out", "terms"),
    [
        ({}, ["wolf", "hous", "bibliographi"]),
        ({"stemmer": None}, ["wolf", "houses", "bibliographies"]),
        ({"stop": False}, ["the", "wolf", "hous", "in", "bibliographi"]),
        ({"lower": False}, ["The", "Wolf", "hous", "Bibliographi"]),
        ({"possessive": False}, ["wolf'", "hous", "bibliographi"]),
    ],
)
def test_each_step_can_be_left_out(left_out, terms):
    assert Analyzer(**left_out).terms("The Wolf's houses in Bibliographies") == terms


def test_stop_words_stay_where_they_are_not_lower_case():
    assert Analyzer(lower=False).terms("The the") == ["The"]
    assert len(STOP_WORDS) == 33


def test_languages():
    assert Analyzer.of("english") == Analyzer()
    assert Analyzer.of("none").terms("The wolf's Houses") == ["the", "wolf's", "houses"]
    assert Analyzer.of("german").terms("Die Häuser des Wolfs") == ["die", "haus", "des", "wolf"]
    assert Analyzer.of("english", ["wolf"]).terms("the wolf howls") == ["the", "howl"]


def test_a_stemmer_that_does_not_exist_is_named():
    with pytest.raises(UnknownNameError, match=r"no stemmer is called 'germn'\. Did you mean 'german'"):
        Analyzer("germn").terms("Haus")


@pytest.mark.parametrize(
    ("word", "stem"),
    [
        ("ecology", "ecolog"),
        ("ecologies", "ecolog"),
        ("biology", "biologi"),
        ("logy", "logi"),
        ("possibly", "possibl"),
        ("bly", "bly"),
        ("trekked", "trek"),
        ("is", "is"),
        ("relational", "relat"),
    ],
)
def test_stems_of_lucene(word, stem):
    assert stems_by("lucene")([word]) == [stem]


def test_half_a_surrogate_pair_is_no_word():
    assert words_in("gold \ud800 mine") == ["gold", "mine"]
