"""How likely each rank is looked at: given in a file, and which ranks a log can compare at all."""

import os
from collections.abc import Mapping

import numpy as np
import polars as pl

from assay.core.clicks import Fit
from assay.core.hits import Flags
from assay.core.judged import Floats
from assay.errors import FormatError, InputError, ParameterError
from assay.formats.table import read_table
from assay.judging.clicks.cells import Cells
from assay.judging.clicks.model import divided

MOST_RANKS = 2**31
NAMES = {"rank": ("rank", "position", "pos"), "propensity": ("propensity", "propensity_score", "examination", "theta")}


def read_propensities(path: str | os.PathLike[str]) -> dict[int, float]:
    """Read a table of rank and propensity: how likely each rank is looked at, above 0 and at most 1.

    Raises
    ------
    InputError
        A table without these columns, a rank that is named twice, a number that is none or out of range.
    """
    table, place = read_table(path), os.fspath(path)
    lowered = {name.strip().lower(): name for name in reversed(table.columns)}
    found = [next((lowered[name] for name in known if name in lowered), None) for known in NAMES.values()]
    if None in found:
        raise InputError(f"{place}: expected the columns rank and propensity, found {', '.join(table.columns)}")
    made: dict[int, float] = {}
    for rank, chance in table.select(pl.col(str(name)).cast(pl.String) for name in found).iter_rows():
        number, share = _number(rank), _number(chance)
        if number is None or not 1 <= number <= MOST_RANKS or number != int(number) or int(number) in made:
            raise FormatError(f"{place}: expected each rank once, a whole number from 1 on, found {rank!r}")
        if share is None or not 0 < share <= 1:
            raise FormatError(f"{place}: expected a propensity above 0 and at most 1 for rank {rank}, found {chance!r}")
        made[int(number)] = share
    return made


def of_ranks(cells: Cells, given: Mapping[int, float]) -> Floats:
    """Return the propensity of each rank of a log, shape (ranks,).

    Raises
    ------
    ParameterError
        A rank of the log that is not among those given.
    """
    absent = [int(rank) for rank in cells.ranks if int(rank) not in given]
    if absent:
        shown = ", ".join(map(str, absent[:5])) + (" …" if len(absent) > 5 else "")
        raise ParameterError(f"propensities: expected one for each rank of the log, found none for {shown}")
    return np.array([given[int(rank)] for rank in cells.ranks], np.float64)


def comparable(cells: Cells) -> Flags:
    """Tell which ranks a log can compare, shape (ranks,): those that clicked items tie to the most shown rank.

    How much more one rank is looked at than another is seen only from items that stood at both; they may be tied by
    way of further ranks. Items that were never clicked tell nothing.
    """
    clicked = cells.by_pair("clicks")[cells.pair] > 0
    pair, rank = cells.pair[clicked], cells.rank[clicked]
    same = pair[1:] == pair[:-1]
    ties = np.unique(np.column_stack([rank[:-1][same], rank[1:][same]]), axis=0)
    group = np.arange(len(cells.ranks))
    for one, other in ties:
        group[group == group[other]] = group[one]
    if not len(group):
        return np.zeros(0, np.bool_)
    return np.asarray(group == group[np.argmax(cells.by_rank("shown"))])


def conditional(cells: Cells, steps: int = 1_000, tolerance: float = 1e-9) -> tuple[Floats, Fit]:
    r"""Return θ of each rank, shape (ranks,), the highest 1, by the likelihood of where the clicks of each pair fell.

    $$ P(click\ at\ r \mid a\ click\ on\ q, d) = \frac{shown_r \theta_r}{\sum_s shown_s \theta_s} $$

    Given how many clicks a pair got, its attraction does not matter: pairs shown once or twice mislead nobody. Clicks
    are taken for rare events (Poisson); what is estimated is right in the mean without.
    """
    shown, clicks = cells.column("shown"), cells.by_pair("clicks")
    at_rank, theta = cells.by_rank("clicks"), np.ones(len(cells.ranks))
    change, step = np.inf, 0
    while change > tolerance and step < steps:
        usual = np.nan_to_num(divided(clicks, cells.by_pair(shown * theta[cells.rank])))
        looked = np.nan_to_num(divided(at_rank, cells.by_rank(shown * usual[cells.pair])))
        looked /= max(float(looked.max()), 1e-300)
        change, theta, step = float(np.abs(looked - theta).max()), looked, step + 1
    return theta, Fit(step, change <= tolerance, change)


def _number(text: str | None) -> float | None:
    try:
        return None if text is None else float(text)
    except ValueError:
        return None
