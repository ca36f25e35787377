"""Many small collections in one gold and one run, their queries kept apart by their names."""

import random
from dataclasses import dataclass
from functools import cache

import polars as pl

from assay.core.gold import Gold

IDS = ("10", "9", "a", "A", "ab", "a-b", "a ", "B", "Z", "é", "e\u0301", "€", "\ufffd", "\U0001d4b3", "\U0001f600")
ODD_IDS = ("\\x61", "it's", 'say "so"', "a,b", "a\tb", "a\nb", "%", "null", "NaN", "", " ")
"""Ids whose order differs between bytes, numbers, case, languages and UTF-16; ids that some writing takes apart."""

NEAR = tuple(1 + part for part in (0, 2**-52, 2**-25, 2**-24, 2**-24 + 2**-52, 2**-23, 3 * 2**-24, 2**-22))
"""Numbers that are ties when they are rounded to 32 bits, or halfway between two."""
LARGE = (3.4028234663852886e38, 3.4028235677973362e38, 3.4028235677973366e38, 1e39, 1e300, float("inf"))
"""Numbers about the largest of 32 bits."""
SMALL = (0.0, 5e-324, 1e-60, 7.006492321624085e-46, 7.006492321624086e-46, 1e-45, 1e-40, 1.1754943508222875e-38)
"""Numbers about the smallest of 32 bits."""
FEW = (-1.5, 0.0, -0.0, 0.25, 1.0, 2.0)
SCORES = tuple(dict.fromkeys((*NEAR, *LARGE, *SMALL, *(-score for score in (*NEAR, *LARGE, *SMALL)))))
NAN = float("nan")


@dataclass(frozen=True)
class Collections:
    """A gold that has everything that a measure may ask for, the rows of a run, and pairs that are taken out."""

    gold: Gold
    rows: pl.DataFrame
    exclude: pl.DataFrame


@cache
def collections(seed, *, number=40, dirty=False):
    """Make collections; only dirty ones hold items twice and scores that are no number in queries with gold."""
    rng = random.Random(seed)
    gold, rows, exclude = [], [], []
    for place in range(number):
        query = rng.choice(("q", "Q", "ü", "10", "9")) + f"/{place}"
        ids = [query, *rng.sample(IDS, rng.randint(1, len(IDS))), *rng.sample(ODD_IDS, 2)]
        judged, ranked = some(rng, ids), some(rng, ids)
        gold += [(query, item, *details(rng)) for item in judged]
        exclude += [(query, item) for item in some(rng, ids)[: rng.randint(0, 2)]] * rng.randint(1, 2)
        if rng.random() < 0.9:  # the others are missing from the run
            rows += ranking(rng, query, ranked, dirty=dirty)
        if rng.random() < 0.2:  # a query without gold, of which anything may be true
            rows += ranking(rng, f"extra/{place}", ranked, dirty=True)
    rows += [("heavy", f"{i}", 1.0) for i in range(95)] + [("one", "only", 0.0)]
    gold += [("heavy", f"{i * 3}", *details(rng)) for i in range(40)] + [("one", "only", *details(rng))]
    gold += [("unfound", "a", *details(rng)), ("empty", "b", 0.0, "1", 1.0)]
    rows += [("unfound", "b", 1.0), ("unfound", "c", 1.0)]
    positions = rng.sample(range(len(rows) * 2), len(rows))
    rng.shuffle(rows)
    columns = ["query", "item", "grade", "group", "probability"]
    return Collections(
        Gold.from_details(pl.DataFrame(gold, schema=columns, orient="row")),
        pl.DataFrame(rows, schema=["query", "item", "score"], orient="row").with_columns(position=pl.Series(positions)),
        pl.DataFrame(exclude, schema={"query": pl.String, "item": pl.String}, orient="row"),
    )


def some(rng, ids):
    return rng.sample(ids, rng.randint(1, len(ids)))


def details(rng):
    """Return a grade, a group and the chance with which it was drawn into a sampled pool."""
    return float(rng.choice((-1, 0, 0, 1, 1, 2, 3))), rng.choice("123"), rng.choice((0.25, 0.5, 1.0))


def ranking(rng, query, items, *, dirty):
    """Return the rows of one query."""
    scores = rng.choice((FEW, NEAR, LARGE, SMALL, SCORES))
    if dirty:
        scores = (*rng.sample(scores, 4), NAN)
        items = [*items, *rng.choices(items, k=rng.randint(0, 4))]
    return [(query, item, rng.choice(scores)) for item in items]
