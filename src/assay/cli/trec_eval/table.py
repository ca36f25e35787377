"""Every measure of trec_eval in the order in which it prints them, and its nicknames."""

from collections.abc import Callable
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any, Literal

from assay.cli.trec_eval import parameters
from assay.cli.trec_eval.measures import (
    gained,
    limited,
    mean_precision,
    plain,
    rbp,
    rbp_residual,
    scored,
    utility,
    with_cutoff,
)  # fmt: skip
from assay.cli.trec_eval.settings import Made, Settings

Summary = Literal["mean", "sum", "relevant", "geometric", "queries", "run", "none"]
RANKS = (5, 10, 15, 20, 30, 100, 200, 500, 1000)
TENTHS = tuple(tenth / 10 for tenth in range(11))
FIFTHS = tuple(fifth / 10 for fifth in range(2, 21, 2))


@dataclass(frozen=True, slots=True)
class Entry:
    """One measure of trec_eval.

    `make` gives the measures of Assay whose mean is its value, from its parameter and the settings; `read`
    reads what stands after the dot, `default` is taken where there is nothing. `each` tells whether each
    parameter is a row of its own. `summary` says how queries become one figure, `shown` whether queries have
    a line of their own.
    """

    name: str
    make: Callable[[Any, Settings], Made] | None
    read: Callable[[str, str], tuple[Any, ...]] | None = None
    default: tuple[Any, ...] = ()
    each: str = ""
    summary: Summary = "mean"
    count: bool = False
    shown: bool = True
    needs: str = "qrels"


def _count(name: str, measure: str, needs: str = "qrels") -> Entry:
    return Entry(name, plain(measure), summary="sum", count=True, needs=needs)


def _ranks(name: str, measure: str, default: tuple[int, ...] = RANKS, needs: str = "qrels") -> Entry:
    return Entry(name, with_cutoff(measure), parameters.whole_cutoffs, default, each="{}_{}", needs=needs)


def _levels(
    name: str, make: Callable[[Any, Settings], Made], default: tuple[float, ...], needs: str = "qrels"
) -> Entry:
    return Entry(name, make, parameters.cutoffs, default, each="{}_{:3.2f}", needs=needs)


def _gains(name: str, measure: str) -> Entry:
    return Entry(name, gained(measure), parameters.pairs)


def _one(name: str, measure: str, needs: str = "qrels") -> Entry:
    return Entry(name, plain(measure), needs=needs)


_PREFS = (
    "prefs_simp", "prefs_pair", "prefs_avgjg", "prefs_avgjg_Rnonrel", "prefs_simp_ret", "prefs_pair_ret",
    "prefs_avgjg_ret", "prefs_avgjg_Rnonrel_ret", "prefs_simp_imp", "prefs_pair_imp", "prefs_avgjg_imp",
)  # fmt: skip
_PREF_COUNTS = ("prefs_num_prefs_poss", "prefs_num_prefs_ful", "prefs_num_prefs_ful_ret")

_ROWS = (
    Entry("runid", None, summary="run", shown=False, needs=""),
    Entry("num_q", None, summary="queries", count=True, shown=False, needs=""),
    _count("num_ret", "NumRet"),
    Entry("num_rel", plain("NumRel"), summary="relevant", count=True),
    _count("num_rel_ret", "NumRelRet"),
    _one("map", "AP"),
    Entry("gm_map", plain("GMAP"), summary="geometric", shown=False),
    _one("Rprec", "Rprec"),
    _one("bpref", "Bpref"),
    _one("recip_rank", "RR"),
    _levels("iprec_at_recall", limited("IPrec"), TENTHS),
    _ranks("P", "P"),
    Entry("relstring", None, parameters.numbers, (10.0,), summary="none"),
    _ranks("recall", "R"),
    _one("infAP", "infAP"),
    Entry("gm_bpref", plain("GMBpref"), summary="geometric", shown=False),
    _levels("Rprec_mult", limited("RprecMult"), FIFTHS),
    Entry("utility", utility, parameters.numbers, (1.0, -1.0, 0.0, 0.0)),
    Entry("11pt_avg", mean_precision, parameters.numbers, TENTHS),
    _one("binG", "BinG"),
    _gains("G", "G"),
    _gains("dcg", "DCG"),
    _gains("ideal_dcg", "IDCG"),
    _gains("ndcg", "nDCG"),
    _gains("ndcg_rel", "nDCGrel"),
    _gains("Rndcg", "RnDCG"),
    _ranks("ndcg_cut", "nDCG"),
    _ranks("map_cut", "AP"),
    _ranks("relative_P", "RelP"),
    _ranks("success", "HR", (1, 5, 10)),
    _one("set_P", "SetP"),
    _one("set_relative_P", "SetRelP"),
    _one("set_recall", "SetR"),
    _one("set_map", "SetAP"),
    Entry("set_F", scored, parameters.numbers, (1.0,)),
    _count("num_nonrel_judged_ret", "NumNonRelRet"),
    *(_count(name, name, "prefs") for name in _PREF_COUNTS),
    *(_one(name, name, "prefs") for name in _PREFS),
    _one("map_avgjg", "map_avgjg", "qrels_jg"),
    _ranks("P_avgjg", "P_avgjg", needs="qrels_jg"),
    _levels("Rprec_mult_avgjg", limited("Rprec_mult_avgjg"), FIFTHS, "qrels_jg"),
    _one("yaap", "YAAP"),
    Entry("rbp", rbp, parameters.pairs),
    Entry("rbp_resid", rbp_residual, parameters.pairs),
    _ranks("unj", "Unj", (5, 10, 20)),
)
TABLE = MappingProxyType({entry.name: entry for entry in _ROWS})
"""Every measure by its name, in the order of print."""

SINCE_10 = ("dcg", "ideal_dcg", "rbp", "rbp_resid", "unj")

_OFFICIAL = tuple(TABLE)[:12]
_COUNTS = ("runid", "num_q", "num_ret", "num_rel", "num_rel_ret")
NICKNAMES = MappingProxyType({
    "official": _OFFICIAL,
    "set": (*_COUNTS, "utility", "set_P", "set_recall", "set_relative_P", "set_map", "set_F"),
    "all_trec": tuple(
        name for name, entry in TABLE.items()
        if entry.needs in {"", "qrels"} and name not in {"dcg", "ideal_dcg", "yaap"}
    ),
    "all_prefs": ("runid", "num_q", *_PREF_COUNTS, *_PREFS),
    "prefs": ("runid", "num_q", *_PREF_COUNTS, *_PREFS[:3]),
    "qrels_jg": ("runid", "num_q", "map_avgjg", "P_avgjg", "Rprec_mult_avgjg"),
})  # fmt: skip
"""Names for sets of measures."""
