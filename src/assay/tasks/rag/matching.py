"""Which retrieved item is which needed one: by id, by the same text, or by texts that are much alike."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
import polars as pl

from assay.errors import MissingExtraError, ParameterError, UnknownNameError

THRESHOLD = 0.8
ROUNDING = 1e-12
"""A likeness of 4/5 is one of at least 0.8, however it is rounded."""
ROUGH = 1e-4
"""So far below the threshold rapidfuzz stops counting: its own cutoff is not exact."""
RULES = {
    "id": "ids are the same; a text without an id is its own id",
    "exact": "texts are the same",
    "fuzzy": "texts are alike: 1 - Levenshtein distance / length of the longer text is at least the threshold",
}
"""The rules, and when an item is another one under each."""


@dataclass(frozen=True, slots=True)
class Matching:
    """A rule, for precision and recall alike; only `fuzzy` has a threshold.

    Raises
    ------
    UnknownNameError
        No such rule.
    ParameterError
        A threshold that is not above 0 and at most 1, or one for another rule.

    >>> Matching("fuzzy").threshold, Matching("id").threshold
    (0.8, None)
    """

    rule: str = "id"
    threshold: float | None = None

    def __post_init__(self) -> None:
        if self.rule not in RULES:
            raise UnknownNameError.of("rule of matching", self.rule, RULES)
        if self.rule == "fuzzy" and self.threshold is None:
            object.__setattr__(self, "threshold", THRESHOLD)
        if self.threshold is not None and not 0 < self.threshold <= 1:
            raise ParameterError(f"threshold: expected a number above 0 and at most 1, found {self.threshold:g}")
        if self.threshold is not None and self.rule != "fuzzy":
            msg = f"threshold: expected the rule fuzzy, found {self.rule}"
            raise ParameterError(msg, hint="--match fuzzy compares texts up to a threshold.")

    def to_dict(self) -> dict[str, Any]:
        """Return rule and threshold."""
        return {"rule": self.rule, "threshold": self.threshold}

    def __str__(self) -> str:
        return self.rule if self.threshold is None else f"{self.rule} (similarity of at least {self.threshold:g})"


def alike(retrieved: pl.DataFrame, needed: pl.DataFrame, threshold: float) -> pl.DataFrame:
    """Return retrieved rows under the name of the needed item that their text is most like, where it is alike enough.

    Both have query and item, which is the text. Of needed items that are as like, the first by name counts; several
    texts that are like the same item are that item, found once.

    Raises
    ------
    MissingExtraError
        rapidfuzz is not installed.
    """
    wanted = needed.select("query", "item").unique().sort("query", "item")
    pairs = retrieved.select("query", "item").unique(maintain_order=True)
    left = pairs.group_by("query", maintain_order=True).agg(texts="item")
    joined = left.join(wanted.group_by("query", maintain_order=True).agg(known="item"), on="query")
    named = pl.DataFrame(
        list(_names(joined, threshold)), schema={"query": pl.String, "item": pl.String, "name": pl.String}, orient="row"
    )
    found = retrieved.join(named, on=["query", "item"], how="left", maintain_order="left")
    return found.with_columns(item=pl.coalesce("name", "item")).drop("name")


def _names(joined: pl.DataFrame, threshold: float) -> Iterator[tuple[str, str, str]]:
    """Yield the texts that are like a needed item: query, text, the item."""
    try:
        from rapidfuzz.distance import Levenshtein
        from rapidfuzz.process import cdist
    except ImportError:
        raise MissingExtraError.of("--match fuzzy", "rapidfuzz", "rag") from None
    least = threshold - ROUNDING
    scorer = Levenshtein.normalized_similarity
    for query, texts, known in joined.iter_rows():
        likeness = cdist(texts, known, scorer=scorer, score_cutoff=max(threshold - ROUGH, 0), dtype=np.float64)
        best = likeness.argmax(axis=1)
        for row in np.flatnonzero(likeness.max(axis=1) >= least).tolist():
            yield query, texts[row], known[best[row]]
