"""`LabelAnalyzer`: how labels and questions become terms."""

import re
import threading
import unicodedata
from dataclasses import dataclass
from itertools import chain

import numpy as np
import polars as pl

from assay.errors import UnknownNameError
from assay.tasks.lexical.analysis import Analyzer, Coded
from assay.tasks.lexical.stemming import languages

WORD = re.compile(r"\w+")
STEMMING = threading.Lock()
"""A stemmer serves one thread at a time."""


@dataclass(frozen=True)
class LabelAnalyzer(Analyzer):
    """Words of letters and digits without case and compatibility forms, by their stems; none is left out.

    >>> label_analyzer("english").terms("The ﬁrst Straße, DEPARTMENTS")
    ['the', 'first', 'strass', 'depart']
    """

    stop: bool = False
    lower: bool = False
    possessive: bool = False

    def terms(self, text: str) -> list[str]:
        """Return the terms of one text in order."""
        words = WORD.findall(unicodedata.normalize("NFKC", text).casefold())
        with STEMMING:
            return [term for term in self.terms_for(words) if term is not None]

    def coded(self, texts: pl.Series) -> Coded:
        """Return the terms of many texts by numbers."""
        found = [self.terms(text) for text in texts]
        number = {term: place for place, term in enumerate(dict.fromkeys(chain.from_iterable(found)))}
        codes = np.array([number[term] for term in chain.from_iterable(found)], np.int64)
        return Coded(np.repeat(np.arange(len(found)), list(map(len, found))), codes, list(number))


def label_analyzer(language: str) -> LabelAnalyzer:
    """Return the analyser of a language: the stems of PyStemmer, or whole words for none.

    Raises
    ------
    UnknownNameError
        A language without stems.
    MissingExtraError
        PyStemmer is not installed (extra `lexical`).
    """
    if language != "none" and language not in languages():
        raise UnknownNameError.of("language", language, ["none", *languages()])
    return LabelAnalyzer(None if language == "none" else language)
