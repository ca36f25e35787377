"""Words and terms are those of Lucene, text by text: random signs of all scripts, words, words that are too long.

The file was made by Lucene; its first line says by which. Of the signs that Unicode 9 knows six are not what they are
to Lucene (U+19DA, U+1CF2, U+1CF3, U+FE10, U+FE14, U+111C9), and three letters that are emoji begin no chain of them.
"""

import json
from pathlib import Path

import polars as pl
import pytest

from assay.tasks.lexical.analysis import Analyzer
from assay.tasks.lexical.tokens import words_in, words_of

DIFFERENT = "\u19da\u1cf2\u1cf3\ufe10\ufe14\U000111c9"


@pytest.fixture(scope="module")
def rows():
    first, *lines = (Path(__file__).parent / "lucene_words.jsonl").read_text("utf-8").splitlines()
    assert json.loads(first)["lines"] == len(lines)
    rows = [json.loads(line) for line in lines]
    return [row for row in rows if not set(row["text"]) & set(DIFFERENT)]


def test_words_are_those_of_lucene(rows):
    texts = [row["text"] for row in rows]
    places, words = words_of(pl.Series(texts))
    found = [[] for _ in texts]
    for place, word in zip(places.tolist(), words, strict=True):
        found[place].append(word)
    assert found == [row["words"] for row in rows]
    assert [words_in(text) for text in texts] == found


def test_terms_are_those_of_lucene(rows):
    pytest.importorskip("Stemmer")
    assert [Analyzer().terms(row["text"]) for row in rows] == [row["terms"] for row in rows]
