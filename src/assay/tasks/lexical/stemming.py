"""Stems of words: Porter's as Lucene computes them, and those of Snowball for other languages."""

import re
from collections.abc import Callable, Sequence
from typing import Any

from assay.errors import MissingExtraError, UnknownNameError

LUCENE = "lucene"
"""Porter's algorithm as he wrote it down in C and Java: in two rules it is not Snowball's `porter`."""
ADDED = re.compile(r"(.*)(bl|log)(?:[iy](?:ed|ing)?s?|ies)", re.DOTALL)
"""What ends in bli or logi once plurals, -ed and -ing are gone and y is i: it becomes ble, and log."""
DOUBLED = re.compile(r"(.*([chjkqvwxy]))\2(?:ed|ing)s?", re.DOTALL)
"""What has a double consonant once these are gone, of those that Snowball leaves double."""
ENDS = frozenset("iysdg")


def stems_by(name: str) -> Callable[[Sequence[str]], list[str]]:
    """Return what makes stems of many words: "lucene", or an algorithm of Snowball by its name, as english or german.

    Raises
    ------
    UnknownNameError
        No algorithm of that name.
    MissingExtraError
        PyStemmer is not installed (extra `lexical`).

    >>> stems_by("lucene")(["wolves", "ecology", "possibly"])
    ['wolv', 'ecolog', 'possibl']
    >>> stems_by("german")(["Häuser".lower()])
    ['haus']
    """
    if name == LUCENE:
        return _lucene
    return _snowball(name)


def _lucene(words: Sequence[str]) -> list[str]:
    stems = _snowball("porter")([_prepared(word) if word[-1:] in ENDS else word for word in words])
    return [stem if len(word) > 2 else word for word, stem in zip(words, stems, strict=True)]


def _prepared(word: str) -> str:
    """Return the word after the rules that Snowball lacks; none of its rules undoes them, and the later ones follow."""
    added = ADDED.fullmatch(word)
    if added and "vc" in _letters(added[1]):
        return added[1] + {"bl": "ble", "log": "log"}[added[2]]
    doubled = DOUBLED.fullmatch(word)
    if doubled and "v" in _letters(doubled[1]) and _letters(doubled[1] + doubled[2]).endswith("c"):
        return doubled[1]
    return word


def _letters(text: str) -> str:
    """Return v for each vowel and c for each consonant; y is a vowel after a consonant.

    >>> _letters("yearly")
    'cvvccv'
    """
    kinds = ""
    for letter in text:
        vowel = letter in "aeiou" or (letter == "y" and kinds.endswith("c"))
        kinds += "v" if vowel else "c"
    return kinds


def languages() -> list[str]:
    """Return the names of Snowball's algorithms.

    Raises
    ------
    MissingExtraError
        PyStemmer is not installed (extra `lexical`).

    >>> "german" in languages()
    True
    """
    return list(_library().algorithms())


def _snowball(name: str) -> Callable[[Sequence[str]], list[str]]:
    """Return an algorithm of its own to each caller: one serves one thread at a time."""
    library = _library()
    if name not in library.algorithms():
        raise UnknownNameError.of("stemmer", name, [LUCENE, *library.algorithms()])
    made: Callable[[Sequence[str]], list[str]] = library.Stemmer(name, 0).stemWords
    return made


def _library() -> Any:
    try:
        import Stemmer
    except ImportError:
        raise MissingExtraError.of("stemming", "PyStemmer", "lexical") from None
    return Stemmer
