"""`fuse`: several runs made into one, by their ranks or by their scores, over all queries at once."""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Literal, get_args

import polars as pl

from assay.core.policy import Policy
from assay.core.run import FrameRows, Run
from assay.engines.fuse_norms import Norm, normalised
from assay.engines.head import head
from assay.errors import ParameterError, UnknownNameError

Method = Literal["rrf", "isr", "borda", "combsum", "combmnz", "combanz", "combmax", "combmin", "combmed"]

METHODS: dict[str, str] = {
    "rrf": "RRF", "isr": "ISR", "borda": "Borda", "combsum": "CombSUM", "combmnz": "CombMNZ", "combanz": "CombANZ",
    "combmax": "CombMAX", "combmin": "CombMIN", "combmed": "CombMED",
}  # fmt: skip
"""The methods, and what their authors call them."""
BY_RANK = frozenset({"rrf", "isr", "borda"})
"""The methods that see ranks only; the others add scores, which have to be on one scale."""
PART = pl.col("part")
"""What an item gets from each list that holds it."""


def fuse(
    runs: Sequence[Run],
    method: Method = "rrf",
    *,
    k: float = 60,
    norm: Norm = "min-max",
    weights: Sequence[float] | None = None,
    depth: int | None = None,
    keep: int | None = None,
    policy: Policy | None = None,
    name: str | None = None,
) -> Run:
    r"""Make one run out of several.

    With N(d) the lists that hold item d, r their ranks of it, s their normalised scores and w their weights:

    - `rrf`, reciprocal rank fusion: $$ \sum_{i \in N(d)} w_i / (k + r_i) $$
      Source: Cormack, Clarke & Büttcher 2009, "Reciprocal rank fusion outperforms Condorcet".
    - `isr`, inverse square rank: $$ |N(d)| \sum w_i / r_i^2 $$ Source: Mourão, Martins & Magalhães 2014.
    - `borda`: of c items in the union the one at rank r gets c - r + 1 points of a list; items that it does not hold
      share the points that are left. Source: Aslam & Montague 2001, "Models for metasearch".
    - `combsum` is the sum of all w·s, `combmnz` that sum times |N(d)|, `combanz` divided by it, `combmax`, `combmin`
      and `combmed` the highest, the lowest, the median. Source: Fox & Shaw 1993, "Combination of multiple searches".

    An item that a list does not hold gets nothing from it (but for `borda`), and a run that does not answer a query
    says nothing about it. A list of weight 0 takes no part. The result does not depend on the order of rows, nor,
    with equal weights, on that of runs.

    Parameters
    ----------
    runs
        One or more; of one run the result is that run, scored anew.
    k
        The constant of `rrf`.
    norm
        How the scores of each query of each run come onto one scale, for all methods that use scores.
    weights
        One for each run, at least 0; by default all count alike.
    depth
        How many of the first places of each list are read; None is all.
    keep
        How many of the first places of the fused list are kept; None is all.
    policy
        Ties, precision, duplicates, NaN and self matches, as `evaluate` treats them. Tied items have the ranks of the
        tie rule; a rule that gives no order is taken as id-desc.

    Raises
    ------
    RunError
        What the policy calls an error: an item twice in one ranking, a score that is no number.
    ParameterError
        No run, weights of another number or below 0, a depth below 1, scores that a norm cannot take.
    UnknownNameError
        No method or norm of that name.

    >>> a = Run.from_mapping({"q": {"x": 9.0, "y": 8.0}}, name="bm25")
    >>> b = Run.from_mapping({"q": {"y": 0.7, "z": 0.1}}, name="dense")
    >>> [(item, round(score, 4)) for _, item, score in fuse([a, b]).frame().rows()]
    [('y', 0.0325), ('x', 0.0164), ('z', 0.0161)]
    """
    asked = Fusion(method, k, norm, depth, keep, policy or Policy())
    shares = _shares(len(runs), weights)
    lists = [
        asked.read(run, share, place) for place, (run, share) in enumerate(zip(runs, shares, strict=True)) if share
    ]
    ordered = asked.ordered(asked.fused(pl.concat(lists), in_order(len(lists))))
    return Run(name or f"{method}({', '.join(run.name for run in runs)})", FrameRows(ordered))


@dataclass(frozen=True, slots=True)
class Fusion:
    """What is asked: the method, its constant, the scale of scores, how much is read and kept."""

    method: str
    k: float
    norm: str
    depth: int | None
    keep: int | None
    policy: Policy

    def __post_init__(self) -> None:
        if self.method not in METHODS:
            raise UnknownNameError.of("fusion", self.method, METHODS)
        if self.norm not in get_args(Norm):
            raise UnknownNameError.of("norm", self.norm, get_args(Norm))
        if not 0 <= self.k < math.inf:
            msg = f"k: expected a number of at least 0, found {self.k:g}"
            raise ParameterError(msg)
        for name, places in (("depth", self.depth), ("keep", self.keep)):
            if places is not None and places < 1:
                msg = f"{name}: expected at least 1 place, found {places}"
                raise ParameterError(msg)

    def read(self, run: Run, weight: float, place: int) -> pl.DataFrame:
        """Return what a run gives to each of its items: list, query, item, rank, part, weight."""
        rows = head(run, self.depth, self.policy)
        if self.method in BY_RANK:
            part = pl.lit(None, pl.Float64)
        else:
            rows, part = normalised(rows, self.norm, run.name), pl.col("score") * weight
        return rows.select("query", "item", "rank", part=part, weight=pl.lit(weight), list=pl.lit(place))

    def fused(self, rows: pl.DataFrame, part: pl.Expr) -> pl.DataFrame:
        """Return query, item, score: one row for each item of the union."""
        if self.method == "borda":
            return _borda(rows, part)
        if self.method in BY_RANK:
            rank = pl.col("rank").cast(pl.Float64)
            below = rank + self.k if self.method == "rrf" else rank * rank
            rows = rows.with_columns(part=pl.col("weight") / below)
        return rows.group_by("query", "item").agg(score=TOGETHER[self.method](part))

    def ordered(self, rows: pl.DataFrame) -> pl.DataFrame:
        """Return the rows best first, ties as the policy orders them, cut where that was asked for."""
        falling = self.policy.ties != "id-asc"
        ordered = rows.sort("query", "score", "item", descending=[False, True, falling])
        if self.keep is None:
            return ordered
        return ordered.filter(pl.int_range(pl.len()).over("query") < self.keep)


TOGETHER: dict[str, Callable[[pl.Expr], pl.Expr]] = {
    "rrf": lambda part: part.sum(),
    "isr": lambda part: part.sum() * pl.len(),
    "combsum": lambda part: part.sum(),
    "combmnz": lambda part: part.sum() * pl.len(),
    "combanz": lambda part: part.sum() / pl.len(),
    "combmax": lambda part: part.max(),
    "combmin": lambda part: part.min(),
    "combmed": lambda part: part.median(),
}
"""How the parts of one item become its score."""


def in_order(lists: int) -> pl.Expr:
    """Return the parts of an item; from three on in an order of their own, so that their sum is that of any order."""
    return PART if lists <= 2 else PART.sort()


def _borda(rows: pl.DataFrame, part: pl.Expr) -> pl.DataFrame:
    """Give the points of each list to its items, and share what is left of them among the others."""
    union = rows.group_by("query").agg(candidates=pl.col("item").n_unique().cast(pl.Float64))
    left = (pl.col("candidates") - pl.col("held") + 1) / 2
    lists = rows.group_by("query", "list").agg(held=pl.len(), weight=pl.col("weight").first())
    shared = lists.join(union, on="query").sort("query", "list").group_by("query", maintain_order=True)
    rest = shared.agg(rest=(left * pl.col("weight")).sort().sum())
    counted = rows.join(union, on="query").join(lists.drop("weight"), on=["query", "list"])
    gained = counted.with_columns(part=(pl.col("candidates") - pl.col("rank") + 1 - left) * pl.col("weight"))
    own = gained.group_by("query", "item").agg(gained=part.sum())
    return own.join(rest, on="query").select("query", "item", score=pl.col("gained") + pl.col("rest"))


def _shares(runs: int, weights: Sequence[float] | None) -> list[float]:
    """Return a weight for each run."""
    if not runs:
        msg = "runs: expected one or more to fuse, found none"
        raise ParameterError(msg)
    found = [1.0] * runs if weights is None else [float(weight) for weight in weights]
    if len(found) != runs:
        msg = f"weights: expected one for each of {runs} runs, found {len(found)}"
        raise ParameterError(msg)
    if not all(0 <= weight < math.inf for weight in found) or not any(found):
        msg = f"weights: expected numbers of at least 0, not all 0, found {', '.join(f'{one:g}' for one in found)}"
        raise ParameterError(msg)
    return found
