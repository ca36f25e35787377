"""`Analyzer`: how a text becomes terms."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Self

import numpy as np
import polars as pl

from assay.core.judged import Ints
from assay.tasks.lexical.stemming import LUCENE, stems_by
from assay.tasks.lexical.tokens import words_in, words_of

STOP_WORDS = frozenset(
    "a an and are as at be but by for if in into is it no not of on or such that the their then there these they this "  # noqa: SIM905
    "to was will with".split()
)
"""The 33 words that Lucene's English analyser leaves out."""
POSSESSIVE = ("'s", "’s", "＇s", "'S", "’S", "＇S")


@dataclass(frozen=True)
class Analyzer:
    """How a text becomes terms: words, without possessive 's, in lower case, without stop words, by their stems.

    Each step can be left out, which shows what it brings. The default is Lucene's English analyser, term for term.

    Parameters
    ----------
    stemmer
        "lucene" (Porter's with Martin's extensions), a name of PyStemmer such as english or german, or None.
    stop
        Whether stop words are left out.
    lower
        Whether case is forgotten.
    possessive
        Whether a final 's falls.
    stop_words
        Which words are left out, as they are after the steps before.

    Raises
    ------
    UnknownNameError, MissingExtraError
        When the first text is analysed: no such stemmer, or PyStemmer is not installed (extra `lexical`).

    >>> Analyzer().terms("The wolves' purse: the Wolf's.")
    ['wolv', 'purs', 'wolf']
    """

    stemmer: str | None = LUCENE
    stop: bool = True
    lower: bool = True
    possessive: bool = True
    stop_words: frozenset[str] = STOP_WORDS

    @classmethod
    def of(cls, language: str, stop_words: Sequence[str] | None = None) -> Self:
        """Return the analyser of a language.

        Parameters
        ----------
        language
            "english": Lucene's. Another name of PyStemmer: Snowball's stems, and no stop words unless they are given.
            "none": words in lower case, nothing more.
        stop_words
            Which words are left out.

        >>> Analyzer.of("german", ["die"]).terms("Die Häuser der Stadt")
        ['haus', 'der', 'stadt']
        """
        english = language == "english"
        stemmer = {"english": LUCENE, "none": None}.get(language, language)
        given = STOP_WORDS if english and stop_words is None else frozenset(stop_words or ())
        return cls(stemmer, possessive=english, stop_words=given)

    def terms(self, text: str) -> list[str]:
        """Return the terms of one text in order."""
        return [term for term in self.terms_for(words_in(text)) if term is not None]

    def terms_of(self, texts: pl.Series) -> pl.DataFrame:
        """Return the terms of many texts: row (its place, UInt32) and term, in the order of the texts."""
        found = self.coded(texts)
        terms = pl.Series("term", found.terms, pl.String).gather(pl.Series(found.codes))
        return pl.DataFrame({"row": pl.Series(found.rows, dtype=pl.UInt32), "term": terms})

    def coded(self, texts: pl.Series) -> "Coded":
        """Return the terms of many texts by numbers; each word is looked at once, however often it is there."""
        rows, words = words_of(texts)
        named = words.cast(pl.Categorical(pl.Categories.random()))
        kinds = named.unique()
        found = self.terms_for(kinds.cast(pl.String).to_list())
        terms = list(dict.fromkeys(term for term in found if term is not None))
        number = {term: place for place, term in enumerate(terms)}
        numbers = np.full(len(kinds), -1, np.int64)
        numbers[kinds.to_physical().to_numpy()] = [-1 if term is None else number[term] for term in found]
        codes = numbers[named.to_physical().to_numpy()]
        kept = codes >= 0
        return Coded(rows[kept], codes[kept], terms)

    def terms_for(self, words: Sequence[str]) -> list[str | None]:
        """Return the term of each word; None of one that is left out."""
        kept = list(words)
        if self.possessive:
            kept = [word[:-2] if word.endswith(POSSESSIVE) else word for word in kept]
        if self.lower:
            kept = [lower(word) for word in kept]
        stems = kept if self.stemmer is None else stems_by(self.stemmer)(kept)
        if not self.stop:
            return list(stems)
        return [None if word in self.stop_words else stem for word, stem in zip(kept, stems, strict=True)]


@dataclass(frozen=True, slots=True, eq=False)
class Coded:
    """The terms of many texts: which text each is of, shape (found,), its number, shape (found,), and what it is."""

    rows: Ints
    codes: Ints
    terms: list[str]


def lower(word: str) -> str:
    """Return a word in lower case, letter by letter: as many letters as before, and no sigma knows that it is last.

    >>> lower("ΣΟΦΟΣ"), lower("İ")
    ('σοφοσ', 'i')
    """
    return word.lower() if word.isascii() else "".join(letter.lower()[0] for letter in word)
