"""`adjudicate`: settle what judges disagree about, and say what is worth another look."""

from collections.abc import Sequence
from typing import Any, Literal, get_args

import numpy as np
import polars as pl

from assay.core.adjudication import TABLE, Adjudication, Checked, Fit, JudgeRecord, Kind, Method, Together
from assay.core.gold import Gold
from assay.core.judged import Floats, Ints
from assay.core.labels import Labels
from assay.errors import GoldError, ParameterError, UnknownNameError
from assay.inputs import as_gold
from assay.judging.effect import effects
from assay.judging.panel import Panel, panel_of
from assay.judging.together import together
from assay.report.amounts import counted
from assay.statistics.dawid_skene import MOST, SMOOTHING, DawidSkene, dawid_skene
from assay.statistics.reliability import cohen_kappa

DEFAULT = "nDCG@10"
NEEDED = 3
"""With fewer judges nothing tells whose errors are whose."""
EXCESS = 0.1
"""From this correlation of errors beyond chance on, judges count as erring together."""
SAME = 1e-9
RARE = 1e-4
"""A grade that is given less often may be a slip."""


def adjudicate(
    labels: Labels,
    *,
    machines: Labels | None = None,
    method: Method | Literal["auto"] = "auto",
    known: Any = None,
    check: Any = None,
    scale: Sequence[float] = (),
    runs: Sequence[Any] = (),
    measure: Any = DEFAULT,
    most: int = 20,
    smoothing: float = SMOOTHING,
    iterations: int = MOST,
    seed: int = 0,
    **conventions: Any,
) -> Adjudication:
    """Settle one grade for each pair.

    Parameters
    ----------
    labels, machines
        What people say; what machines (LLM judges) say, who count as further judges.
    method
        "majority": the grade with most votes, open where several lead. "dawid-skene": the likeliest grade under that
        model, which learns how each judge errs. "auto": dawid-skene, but majority for fewer than three judges or where
        most judgments are those of machines, which err alike.
    known
        Gold that settles its pairs and teaches the model how judges err.
    check
        Gold that is used for nothing but to say how often each method is right.
    scale
        The grades that there are; judgments of others are left out. By default those that were given.
    runs, measure
        What the queue is ordered by: how far another grade moves the mean of the measure in the run it moves most.
    most
        How long the queue is.
    smoothing, iterations
        As `dawid_skene` has them.
    seed
        Of the draw of what independent judges would say.
    conventions
        `policy` and `rel`, as for `evaluate`.

    Raises
    ------
    GoldError
        No grades at all, or the same judge among people and machines.
    ParameterError, UnknownNameError
        Numbers that make no sense; a method that does not exist.

    >>> rows = [("q", item, judge, float(item in "ab")) for item in "abcd" for judge in ("ann", "bob", "eve")]
    >>> labels = Labels(pl.DataFrame(rows, schema=["query", "item", "judge", "grade"], orient="row"))
    >>> adjudicate(labels).gold.table["grade"].to_list()
    [1.0, 1.0, 0.0, 0.0]
    """
    if method not in {"auto", *get_args(Method)}:
        raise UnknownNameError.of("method", method, ["auto", *get_args(Method)])
    if most < 0:
        raise ParameterError(f"most: expected a whole number of at least 0, found {most}")
    settled, truth = (None if one is None else as_gold(one) for one in (known, check))
    panel = panel_of(labels, machines, settled, scale)
    fit = dawid_skene(*panel.votes, known=panel.known, smoothing=smoothing, most=iterations)
    chosen, why = (method, "") if method != "auto" else _usual(panel)
    chances = panel.shares if chosen == "majority" else fit.posterior
    table = _table(panel, chances, chosen)
    table, named = _with_effects(table, panel, chances, runs, {"measure": measure} | conventions)
    groups = together(panel, fit, truth, seed)
    return Adjudication(
        name=labels.name, method=chosen, why=why, grades=tuple(panel.grades.tolist()), table=table,
        judges=_records(panel, fit, table), together=groups, checks=_checks(panel, fit, truth),
        fit=Fit(fit.iterations, fit.converged, smoothing, fit.log_likelihood, tuple(fit.prior.tolist())),
        **named, most=most, notices=tuple(_notices(panel, fit, groups, chosen)),
    )  # fmt: skip


def _usual(panel: Panel) -> tuple[Method, str]:
    """Return the method where nobody named one, and why."""
    if len(panel.judges) < NEEDED:
        return "majority", f"{counted(len(panel.judges), 'judge is', 'judges are')} too few to learn how each errs"
    if 2 * panel.by_machines > len(panel.votes[0]):
        return "majority", "most judgments are those of machines, which err alike"
    return "dawid-skene", "three judges or more, most of them people"


def leading(chances: Floats) -> Ints:
    """Return the number of the likeliest grade of each pair; -1 where several lead or nothing is said."""
    highest = chances.max(axis=1, keepdims=True)
    alone = (chances >= highest - SAME).sum(axis=1) == 1
    return np.where(alone, chances.argmax(axis=1), -1)


def _table(panel: Panel, chances: Floats, method: Method) -> pl.DataFrame:
    """Return a row for each pair: those that somebody graded, then those of which nobody could tell."""
    lead, majority = leading(chances), leading(panel.shares)
    sure = panel.known >= 0
    chosen = np.where(sure, panel.known, lead)
    second = _second(panel, chances)
    likely = np.where(sure, 1.0, chances.max(axis=1))
    odds = np.where(sure[:, None], 1.0, chances)
    entropy = -(odds * np.log2(np.maximum(odds, 1e-300))).sum(axis=1)
    entropy[sure] = 0.0
    by = np.where(sure, "known", np.where(chosen < 0, "open", method))
    columns = {
        "grade": _graded(panel, chosen), "by": by.tolist(), "certainty": likely, "judges": panel.counts.sum(axis=1),
        "votes": panel.spelled(), "majority": _graded(panel, majority), "entropy": np.maximum(entropy, 0.0) + 0.0,
        "gap": np.where(sure, 0.0, np.abs(second - panel.grades[chances.argmax(axis=1)])),
    }  # fmt: skip
    rows = panel.pairs.with_columns(**{name: pl.Series(values) for name, values in columns.items()})
    every = pl.concat([rows, _untold(panel)], how="diagonal_relaxed").sort("query", "item")
    blank = every.with_columns(effect=pl.lit(None, pl.Float64), priority=pl.col("entropy") * pl.col("gap"))
    return blank.select(pl.col(name).cast(kind) for name, kind in TABLE.items())


def _second(panel: Panel, chances: Floats) -> Floats:
    """Return the second likeliest grade of each pair."""
    if len(panel.grades) == 1:
        return np.full(len(chances), panel.grades[0])
    rest = chances.copy()
    rest[np.arange(len(rest)), chances.argmax(axis=1)] = -1.0
    second: Floats = panel.grades[rest.argmax(axis=1)]
    return second


def _untold(panel: Panel) -> pl.DataFrame:
    """Return rows for pairs that somebody looked at and nobody could grade: as doubtful as can be."""
    bits, gap = float(np.log2(len(panel.grades))), float(np.ptp(panel.grades))
    return panel.untold.with_columns(
        by=pl.lit("open"), judges=pl.lit(0), votes=pl.lit(""), entropy=pl.lit(bits), gap=pl.lit(gap)
    )


def _graded(panel: Panel, codes: Ints) -> list[float | None]:
    return [None if code < 0 else float(panel.grades[code]) for code in codes]


def _with_effects(
    table: pl.DataFrame, panel: Panel, chances: Floats, runs: Sequence[Any], measured: dict[str, Any]
) -> tuple[pl.DataFrame, dict[str, Any]]:
    """Return the table ordered by what a grade does to the measure, where there are runs to measure it on."""
    if not runs:
        return table, {}
    likely = panel.pairs.with_columns(
        now=pl.Series(panel.grades[np.where(panel.known >= 0, panel.known, chances.argmax(axis=1))]),
        other=pl.Series(_second(panel, chances)),
    )
    gold = Gold(likely.select("query", "item", grade="now"))
    doubt = likely.join(table.select("query", "item", "entropy"), on=["query", "item"])
    asked = gold.table.join(doubt, on=["query", "item"], how="left", maintain_order="left")
    other = asked.select(pl.when(pl.col("entropy") > 0).then("other").fill_null(np.nan)).to_series().to_numpy()
    moved, named, names = effects(gold, other, runs, **measured)
    found = gold.table.select("query", "item", effect=pl.Series(moved))
    joined = table.drop("effect", "priority").join(found, on=["query", "item"], how="left", maintain_order="left")
    ranked = joined.with_columns(priority=pl.col("entropy") * pl.col("effect").fill_null(0.0))
    return ranked.select(list(TABLE)), {"measure": named, "runs": names}


def _records(panel: Panel, fit: DawidSkene, table: pl.DataFrame) -> tuple[JudgeRecord, ...]:
    """Return how each judge stands beside the settled grades."""
    grade = panel.pairs.join(table, on=["query", "item"], how="left", maintain_order="left")["grade"]
    thing, judge, said = panel.votes
    settled = grade.to_numpy()[thing]
    there = ~np.isnan(settled)
    same = np.bincount(judge, there & (panel.grades[said] == settled), len(panel.judges))
    beside, many = (np.bincount(judge, flags, len(panel.judges)) for flags in (there, np.ones(len(judge))))
    return tuple(
        JudgeRecord(
            name, panel.kinds[number], int(many[number]),
            float(same[number] / beside[number]) if beside[number] else None,
            tuple(tuple(map(float, row)) for row in fit.confusion[number]),
        )
        for number, name in enumerate(panel.judges)
    )  # fmt: skip


def _checks(panel: Panel, fit: DawidSkene, truth: Gold | None) -> tuple[Checked, ...]:
    """Return how often each method is right where the answer is known and was not told to it."""
    if truth is None:
        return ()
    answer = panel.answers(truth)
    asked = ~np.isnan(answer) & (panel.known < 0)
    if not asked.any():
        raise GoldError("check: expected judgments of pairs that were judged, found none in common")
    methods: tuple[tuple[Method, Floats], ...] = (("majority", panel.shares), ("dawid-skene", fit.posterior))
    found = []
    for name, chances in methods:
        lead = leading(chances)[asked]
        told = lead >= 0
        given, right = panel.grades[lead[told]], answer[asked][told]
        share = float((given == right).mean()) if told.any() else None
        found.append(Checked(name, int(asked.sum()), int((~told).sum()), share, cohen_kappa(given, right)))
    return tuple(found)


def _notices(panel: Panel, fit: DawidSkene, groups: Sequence[Together], method: Method) -> list[str]:
    said = []
    if method == "dawid-skene" and len(panel.judges) < NEEDED:
        said.append(
            f"{counted(len(panel.judges), 'judge is', 'judges are')} too few: the model cannot "
            "tell whose errors are whose."
        )
    if not fit.converged:
        said.append(
            f"Dawid-Skene stopped after {counted(fit.iterations, 'step')}, before its probabilities had settled."
        )
    said += [_warned(one) for one in groups if one.excess > EXCESS]
    kinds: dict[Kind, int] = {kind: panel.kinds.count(kind) for kind in ("person", "machine")}
    if kinds["machine"] and not any(one.group == "machines" and one.excess > EXCESS for one in groups):
        said.append("Machines that are made alike err alike, and their own votes cannot show it: --check a sample.")
    if panel.strange:
        said.append(f"{counted(panel.strange, 'judgment is', 'judgments are')} not on the scale; they are left out.")
    many = panel.counts.sum(axis=0)
    rare = [f"{grade:g}" for grade, n in zip(panel.grades, many, strict=True) if n < RARE * many.sum()]
    if rare:
        said.append(
            f"Hardly anybody says {', '.join(rare)}: if that is a slip, --scale names the grades that there are."
        )
    if panel.negative:
        said.append(f"{panel.negative:,} grades below 0 mean that a pair was not judged; they are left out.")
    return said


def _warned(one: Together) -> str:
    worth = "" if one.effective is None else f": {one.judges} of them are worth {one.effective:.1f} independent ones"
    return (
        f"The {one.group} err together (correlation {one.correlation:.2f} against {one.against}){worth}. They are not "
        "independent, as Dawid-Skene takes them to be: its probabilities are too sure."
    )
