"""Samples of a pool: strata by depth with the chance of each pair, and further strata beside a pool.

Each pair has a number of its own, made from the seed and its ids; of a stratum of a query the pairs with the smallest
numbers are drawn. So a larger sample holds the smaller one, and no query has a part in another's draw.
"""

import hashlib
import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
import polars as pl

from assay.core.judged import Floats, Ints
from assay.errors import ParameterError
from assay.judging.pool_rankings import Rankings

FIRST = 10
"""The first stratum reaches to this rank; each further one is twice as deep."""
LEAST = 2
"""So many pairs are drawn of each stratum of a query at least, if it has them."""


@dataclass(frozen=True, slots=True)
class Band:
    """Pairs whose best rank is at most `last` and above the band before; `share` of them are drawn."""

    last: int
    share: float | None = None


def read_bands(text: str) -> tuple[Band, ...]:
    """Read bands such as "10:1,100:0.1": all of the first ten ranks, a tenth of those down to a hundred.

    Raises
    ------
    ParameterError
        Ranks that do not rise, or shares that are not above 0 and at most 1.

    >>> read_bands("10:1,100:0.1")
    (Band(last=10, share=1.0), Band(last=100, share=0.1))
    """
    wrong = ParameterError(
        f"strata: expected RANK:SHARE,… with rising ranks and shares above 0 and at most 1, found {text!r}",
        hint="such as 10:1,30:0.5,100:0.1",
    )
    try:
        said = [part.split(":") for part in text.split(",")]
        bands = tuple(Band(int(last), float(share)) for last, share in said)
    except ValueError:
        raise wrong from None
    lasts = [0, *(band.last for band in bands)]
    if any(low >= high for low, high in pairwise(lasts)):
        raise wrong
    if not all(band.share is not None and 0 < band.share <= 1 for band in bands):
        raise wrong
    return bands


def doubling(depth: int) -> tuple[Band, ...]:
    """Return bands of which each is twice as deep as the one before.

    >>> [band.last for band in doubling(100)]
    [10, 20, 40, 80, 100]
    """
    lasts = [min(FIRST, depth)]
    while lasts[-1] < depth:
        lasts.append(min(2 * lasts[-1], depth))
    return tuple(Band(last) for last in lasts)


def stratified(rankings: Rankings, bands: Sequence[Band], budget: int | None, seed: int) -> pl.DataFrame:
    r"""Draw from each band of each query without replacement: query, item, stratum, probability, drawn.

    Where bands say no share, the budget is spread so that a band at rank m is drawn in proportion to 1 / sqrt(m): where
    relevant items thin out as 1 / m, this makes the estimated total surest (Neyman's allocation). At least two pairs
    of each stratum are drawn. The chance of a pair is n / N of its stratum.
    Source: Neyman 1934; Yilmaz, Kanoulas & Aslam 2008; Pavlu & Aslam 2007.

    Raises
    ------
    ParameterError
        A budget that is too small for two pairs of each stratum, or none where the bands say no share.
    """
    edges = [0, *(band.last for band in bands)]
    names = [f"{low + 1}-{high}" for low, high in pairwise(edges)]
    band = np.searchsorted(edges[1:], rankings.pairs["rank"].to_numpy())
    inside = rankings.pairs.with_columns(band=band).filter(pl.col("band") < len(bands))
    cells = inside.group_by("query", "band").agg(size=pl.len()).sort("query", "band")
    size, of = cells["size"].to_numpy().astype(np.int64), cells["band"].to_numpy()
    middle = np.sqrt(np.array([(low + 1) * high for low, high in pairwise(edges)]))
    shares = [one.share for one in bands]
    if None in shares:
        drawn = _spread(size, 1 / np.sqrt(middle)[of], budget)
    else:
        wanted = np.rint(size * np.array(shares, np.float64)[of])
        drawn = np.clip(wanted, np.minimum(LEAST, size), size).astype(np.int64)
    counted = cells.with_columns(n=drawn, stratum=pl.Series([names[place] for place in of.tolist()]))
    return draw(inside.join(counted, on=["query", "band"]), seed)


def beside(rankings: Rankings, pool: pl.DataFrame, random: int, per_run: int, seed: int) -> pl.DataFrame:
    """Return further strata for a pool (query, item): columns as of `stratified`, each pair once.

    `per_run` adds of each run and query its next items that are not in the pool, `random` so many for each query
    drawn from all that the runs hold deeper.
    """
    deeper = rankings.numbered.join(pool, on=["query", "item"], how="anti")
    turn = pl.col("rank").rank("ordinal").over("query", "run")
    own = deeper.filter(turn <= per_run).select("query", "item").unique()
    own = own.with_columns(stratum=pl.lit("run"), size=1, n=1)
    rest = deeper.select("query", "item").unique().join(own, on=["query", "item"], how="anti")
    rest = rest.with_columns(stratum=pl.lit("random"), size=pl.len().over("query"))
    rest = rest.with_columns(n=pl.min_horizontal("size", pl.lit(random)))
    counts = [pl.col("size", "n").cast(pl.Int64)]
    return draw(pl.concat([own.with_columns(counts), rest.filter(pl.col("n") > 0).with_columns(counts)]), seed)


def draw(pairs: pl.DataFrame, seed: int) -> pl.DataFrame:
    """Draw `n` of the `size` pairs of each query and stratum, without replacement."""
    numbers = pl.Series("number", own_numbers(pairs["query"], pairs["item"], seed), pl.UInt64)
    ordered = pairs.with_columns(numbers).sort("query", "stratum", "number", "item")
    turn = pl.int_range(1, pl.len() + 1).over("query", "stratum")
    return ordered.select(
        "query", "item", "stratum", probability=pl.col("n") / pl.col("size"), drawn=turn <= pl.col("n")
    ).sort("query", "item")  # fmt: skip


def own_numbers(queries: pl.Series, items: pl.Series, seed: int) -> list[int]:
    """Return for each pair a random number below 2^64 that hangs on nothing but its ids and the seed."""
    key = seed.to_bytes(8, "big", signed=True)

    def number(query: str, item: str) -> int:
        text = f"{len(query)}:{query}{item}".encode("utf-8", "surrogatepass")
        return int.from_bytes(hashlib.blake2b(text, digest_size=8, key=key).digest())

    return [number(query, item) for query, item in zip(queries, items, strict=True)]


def _spread(size: Ints, weight: Floats, budget: int | None) -> Ints:
    """Return how many are drawn of each stratum: in proportion to size and weight, in all at most the budget."""
    least, total = np.minimum(LEAST, size), int(size.sum())
    if budget is None:
        raise ParameterError("stratified: expected a budget or strata with shares, found neither")
    if budget < least.sum():
        msg = f"stratified: expected a budget of at least {least.sum():,}, two of each stratum, found {budget:,}"
        raise ParameterError(msg, hint="a larger budget, or a smaller depth, which has fewer strata.")
    if budget >= total:
        return size

    def drawn(factor: float) -> Ints:
        return np.clip(np.rint(factor * size * weight), least, size).astype(np.int64)

    low, high = 0.0, 1 / float(weight.min())
    while not math.isclose(low, high, rel_tol=1e-9):
        middle = (low + high) / 2
        low, high = (middle, high) if drawn(middle).sum() <= budget else (low, middle)
    return drawn(low)
