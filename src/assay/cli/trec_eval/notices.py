"""Notes on standard error: which fault of trec_eval this input meets, and what is printed."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np

from assay.cli.trec_eval.arguments import Arguments
from assay.cli.trec_eval.measures import gains_of
from assay.cli.trec_eval.parameters import pairs
from assay.cli.trec_eval.ranks import Ranked
from assay.cli.trec_eval.values import Column
from assay.core.gold import Gold
from assay.measures.interpolated import InterpolatedPrecision
from assay.report.amounts import counted

DOCUMENTED = "--as documented gives the defined value."


@dataclass(frozen=True, slots=True)
class Case:
    """One call as far as the notes look at it."""

    columns: Sequence[Column]
    ranked: Ranked
    gold: Gold
    arguments: Arguments
    fraction: float | None = None

    def asked(self, *names: str) -> bool:
        """Tell whether one of these measures was asked for."""
        return any(column.row.entry.name in names for column in self.columns)

    @property
    def as_10(self) -> bool:
        """Whether the numbers are those of trec_eval 10."""
        return self.arguments.version_of == "10"


def notices_of(case: Case) -> Iterator[str]:
    """Yield a sentence for each fault that this input meets."""
    for check in CHECKS:
        if said := check(case):
            yield said


def _left_out(case: Case) -> str:
    if not case.ranked.missing or case.arguments.complete or not case.as_10:
        return ""
    many = case.ranked.missing
    return (
        f"{many} judged {'query has' if many == 1 else 'queries have'} no results and count nowhere (-c counts them as "
        "0). trec_eval 10 stops here with exit code 4, against its help."
    )


def _phantom(case: Case) -> str:
    odd = [c.row.name for c in case.columns if c.row.name.startswith(("utility_", "relstring_", "rbp_resid_"))]
    if not (odd and case.as_10 and case.arguments.complete and case.ranked.absent.any()):
        return ""
    return (
        f"{', '.join(odd)}: as in trec_eval 10 a query without results is given one unknown document, which this "
        f"measure counts. {DOCUMENTED}"
    )


def _rounded(case: Case) -> str:
    if case.arguments.version_of == "documented":
        return ""
    made = {m for c in case.columns for m in c.row.measures if isinstance(m, InterpolatedPrecision)}
    judged = case.ranked.judged
    for measure in sorted(made, key=lambda m: m.recall):
        if not np.array_equal(measure.kernel(judged), replace(measure, rounding="ceil").kernel(judged), equal_nan=True):
            return (
                f"interpolated precision (recall {measure.recall:g} and maybe others): trec_eval "
                f"{case.arguments.version_of} rounds recall x R so that for some queries fewer relevant documents are "
                f"asked for than that recall needs. {DOCUMENTED}"
            )
    return ""


def _rescaled(case: Case) -> str:
    top = case.gold.table["grade"].max()
    if not (case.asked("rbp") and case.as_10 and isinstance(top, float) and top > 1):
        return ""
    return (
        "rbp: trec_eval 10 divides grades by the top grade of each query, by way of numbers that it never sets; "
        f"printed is what it gives where these are 0. {DOCUMENTED}"
    )


def _residual(case: Case) -> str:
    judged = case.ranked.judged
    full = judged.answered & (judged.hits.judged().count() == judged.retrieved)
    if not (case.asked("rbp_resid") and case.as_10 and full.any()):
        return ""
    return (
        f"rbp_resid: as in trec_eval 10 it is 0 for the {int(full.sum())} queries whose results are all judged, "
        f"though what comes after them is open. {DOCUMENTED}"
    )


def _fractions(case: Case) -> str:
    if case.fraction is None:
        return ""
    return f"grades lose their fraction, as in trec_eval: {case.fraction:g} counts {int(case.fraction)}. {DOCUMENTED}"


def _all_relevant(case: Case) -> str:
    if case.ranked.relevant is None or case.arguments.level == 1 or not case.asked("num_rel"):
        return ""
    return f"num_rel: with -c the total counts grades above 0, as in trec_eval, whatever -l says. {DOCUMENTED}"


def _nothing_left(case: Case) -> str:
    if not (case.asked("iprec_at_recall", "11pt_avg") and (case.ranked.judged.retrieved == 0).any()):
        return ""
    return "iprec_at_recall, 11pt_avg: some queries have no results left, where trec_eval prints nan; printed is 0."


def _too_high(case: Case) -> str:
    top = case.gold.table["grade"].max()
    if not (case.asked("bpref", "gm_bpref") and isinstance(top, float) and case.arguments.level > top):
        return ""
    return (
        f"bpref: no grade reaches -l {case.arguments.level} (the highest is {top:g}), where trec_eval reads memory "
        "that it should not; printed is the defined value."
    )


def _close_gains(case: Case) -> str:
    for column in case.columns:
        if column.row.entry.read is not pairs:
            continue
        given = gains_of(column.row.parameter)
        grades = np.arange(max(0, int(case.gold.table["grade"].max() or 0)) + 1)  # type: ignore[arg-type]
        gains = np.unique([float(given.get(int(grade), grade)) for grade in {*grades.tolist(), *given}])
        if given and (np.diff(gains) < 1).any():
            return (
                f"{column.row.name}: trec_eval cannot order gains that are less than 1 apart and may print 0; printed "
                "is the defined value."
            )
    return ""


def _negative_gains(case: Case) -> str:
    for column in case.columns:
        if column.row.entry.read is pairs and any(gain < 0 for gain in gains_of(column.row.parameter).values()):
            return f"{column.row.name}: gains below 0 count 0, where trec_eval takes them off."
    return ""


def _unordered(case: Case) -> str:
    for column in case.columns:
        levels = column.row.parameter
        if column.row.entry.name == "11pt_avg" and list(levels) != sorted(levels):
            return f"{column.row.name}: each level counts as it is, where trec_eval needs them in rising order."
    return ""


def _not_numbers(case: Case) -> str:
    many = case.ranked.judged.notes.nan
    which = counted(many, "score is no number and is", "scores are no number and are")
    return (many and f"{which} ranked last; trec_eval gives an arbitrary place.") or ""


CHECKS: tuple[Callable[[Case], str], ...] = (
    _left_out, _phantom, _all_relevant, _nothing_left, _rounded, _rescaled, _residual, _fractions, _too_high,
    _close_gains, _negative_gains, _unordered, _not_numbers,
)  # fmt: skip
