"""What the pages say and which keys they take, by what is judged."""

from collections.abc import Mapping
from types import MappingProxyType

from assay.core.judging import Level, Material, Scale

ASKED: Mapping[Material, str] = MappingProxyType({
    "document": "How relevant is this?",
    "triple": "Is this statement correct?",
    "records": "Are these two records the same thing?",
    "fact": "Does this fact help to answer the question?",
})  # fmt: skip
REASONS = ("not enough information", "the question is unclear", "in a language I do not read", "cannot be shown")
"""Why a judge cannot tell; another reason can be written."""
HOME_ROW = "asdfghjkl"
EVERY = 20
"""After so many judgments a judge is told how far it agrees with others."""


def keys(scale: Scale) -> list[tuple[Level, tuple[str, ...]]]:
    """Return each level with its keys: the home row from the lowest grade on, and a digit.

    The digit is the grade itself where all grades are whole numbers from 0 to 9, else the place, from 1.

    >>> from assay.core.judging import TREC
    >>> [given for _, given in keys(TREC)]
    [('a', '0'), ('s', '1'), ('d', '2'), ('f', '3')]
    """
    own = all(level.grade in range(10) for level in scale.levels)
    found = []
    for place, level in enumerate(scale.levels):
        digit = f"{level.grade:g}" if own else str(place + 1)
        found.append((level, tuple(one for one in (HOME_ROW[place : place + 1], digit) if len(one) == 1)))
    return found
