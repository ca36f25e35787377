"""`Comparison`: which of several runs is better, by how much, how sure that is, and on which queries."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from assay.core.costs import CostFigure
from assay.core.estimates import Interval, Margin, Power, Significance
from assay.core.evaluation import Evaluation, evaluations_to_dict
from assay.core.health import Health
from assay.core.shown import framed, listed, paragraph, table
from assay.core.slices import Slicing

BETTER, WORSE, UNRESOLVED, EQUAL = "better", "worse", "cannot be resolved", "no difference that matters"
"""The verdicts. The last needs a margin: the difference is shown to lie within it."""


@dataclass(frozen=True, slots=True)
class Mover:
    """A query whose value changed, and the ranks of its relevant items before and after (best first, at most 5).

    `grades_before` and `grades_after` are the grades of those items, in the order of the ranks.
    """

    query: str
    before: float
    after: float
    ranks_before: tuple[float, ...] = ()
    ranks_after: tuple[float, ...] = ()
    grades_before: tuple[float, ...] = ()
    grades_after: tuple[float, ...] = ()

    @property
    def change(self) -> float:
        """By how much the value rose."""
        return self.after - self.before

    def to_dict(self) -> dict[str, Any]:
        """Return the mover as plain data."""
        return {
            "query": self.query, "before": self.before, "after": self.after, "change": self.change,
            "ranks_before": list(self.ranks_before), "ranks_after": list(self.ranks_after),
        }  # fmt: skip


@dataclass(frozen=True, slots=True)
class Contrast:
    """One run held against another by one measure, over the queries that both have a value for.

    `difference` is run minus baseline; for a measure where lower is better a negative one is good, and
    `verdict`, `wins` and `losses` say so. `effect` is the mean difference over the standard deviation of the
    differences (Cohen's d of pairs). `left_out` counts queries with a value on one side only.
    """

    run: str
    baseline: str
    measure: str
    mean: float | None
    baseline_mean: float | None
    difference: float | None
    interval: Interval
    significance: Significance
    effect: float | None
    wins: int
    ties: int
    losses: int
    queries: int
    left_out: int
    power: Power
    verdict: str
    margin: Margin | None = None
    helped: tuple[Mover, ...] = ()
    hurt: tuple[Mover, ...] = ()
    higher_is_better: bool = True

    def to_dict(self) -> dict[str, Any]:
        """Return the contrast as plain data."""
        return {
            "run": self.run,
            "baseline": self.baseline,
            "measure": self.measure,
            "mean": self.mean,
            "baseline_mean": self.baseline_mean,
            "difference": self.difference,
            "interval": self.interval.to_dict(),
            "significance": self.significance.to_dict(),
            "effect": self.effect,
            "wins": self.wins,
            "ties": self.ties,
            "losses": self.losses,
            "queries": self.queries,
            "left_out": self.left_out,
            "power": self.power.to_dict(),
            "verdict": self.verdict,
            "margin": None if self.margin is None else self.margin.to_dict(),
            "helped": [mover.to_dict() for mover in self.helped],
            "hurt": [mover.to_dict() for mover in self.hurt],
            "higher_is_better": self.higher_is_better,
        }


@dataclass(frozen=True, slots=True)
class Family:
    """Which tests were corrected together: all pairs of runs that were asked for × all measures.

    `undefined` lists the tests that have no p value and left the family, as (run, baseline, measure, why).
    """

    tests: int
    correction: str
    alpha: float
    pairs: str
    undefined: tuple[tuple[str, str, str, str], ...] = ()

    def to_dict(self) -> dict[str, Any]:
        """Return the family as plain data."""
        return {
            "tests": self.tests, "correction": self.correction, "alpha": self.alpha, "pairs": self.pairs,
            "undefined": [dict(zip(("run", "baseline", "measure", "why"), one, strict=True)) for one in self.undefined],
        }  # fmt: skip


@dataclass(frozen=True, eq=False)
class Comparison:
    """Several runs judged by the same gold and held against each other.

    `pairs` is "baseline" (each run against the first or the named one) or "all". `labels` name the runs, no two
    alike, in the order of `evaluations`. `agreement` says for each pair of measures how alike they order the
    runs (Kendall's tau), `costs` what the runs cost where that is known.
    """

    baseline: str
    labels: tuple[str, ...]
    evaluations: tuple[Evaluation, ...]
    contrasts: tuple[Contrast, ...]
    family: Family
    test: str
    level: float
    seed: int
    slices: tuple[Slicing, ...] = ()
    health: Health | None = None
    costs: tuple[CostFigure, ...] = ()
    agreement: Mapping[tuple[str, str], float | None] = field(default_factory=dict)
    notices: tuple[str, ...] = ()

    @property
    def measures(self) -> tuple[str, ...]:
        """The names of the measures, in the order in which they were asked for."""
        return tuple(figure.name for figure in self.evaluations[0].figures)

    def of(self, measure: str) -> Iterator[Contrast]:
        """Yield the contrasts of one measure."""
        return (contrast for contrast in self.contrasts if contrast.measure == measure)

    def __getitem__(self, key: tuple[str, str]) -> Contrast:
        """Return the contrast of a run by a measure, against the baseline."""
        run, measure = key
        for contrast in self.contrasts:
            if (contrast.run, contrast.baseline, contrast.measure) == (run, self.baseline, str(measure)):
                return contrast
        raise KeyError(key)

    def letters(self, measure: str) -> dict[str, str]:
        """Return for each run the letters of the runs that it is significantly better than; a is the first run.

        With more than 26 runs letters become several, and commas part them.
        """
        names = dict(zip(self.labels, map(letter, range(len(self.labels))), strict=True))
        beaten: dict[str, list[str]] = {label: [] for label in self.labels}
        for contrast in self.of(measure):
            if contrast.verdict == BETTER:
                beaten[contrast.run].append(names[contrast.baseline])
            elif contrast.verdict == WORSE:
                beaten[contrast.baseline].append(names[contrast.run])
        comma = "," if len(self.labels) > 26 else ""
        return {label: comma.join(sorted(found, key=lambda mark: (len(mark), mark))) for label, found in beaten.items()}

    def to_dict(self, *, command: list[str] | None = None, per_query: bool = True) -> dict[str, Any]:
        """Return the comparison as plain data: the evaluations and, beside them, the block `comparison`."""
        out = evaluations_to_dict(list(self.evaluations), command=command, per_query=per_query)
        out["seed"] = self.seed
        out["comparison"] = {
            "baseline": self.baseline,
            "labels": list(self.labels),
            "test": self.test,
            "level": self.level,
            "family": self.family.to_dict(),
            "contrasts": [contrast.to_dict() for contrast in self.contrasts],
            "slices": [slicing.to_dict() for slicing in self.slices],
            "health": None if self.health is None else self.health.to_dict(),
            "costs": [cost.to_dict() for cost in self.costs],
            "agreement": [{"measures": list(pair), "tau": tau} for pair, tau in self.agreement.items()],
            "notices": list(self.notices),
        }
        return out

    def _repr_html_(self) -> str:
        """Return a table for a notebook; names from files are escaped."""
        heads = ("run", "baseline", "measure", "difference", f"{100 * self.level:g} % interval", "p", "verdict")
        family = f"{self.family.tests} tests, correction: {self.family.correction}, alpha {self.family.alpha:g}"
        caption = f"{', '.join(self.labels)} by {self.evaluations[0].gold.name}"
        drawn = table(heads, map(_cells, self.contrasts), caption)
        return framed(drawn, paragraph(family), listed(self.notices))

    def __repr__(self) -> str:
        return f"Comparison({', '.join(self.labels)}; baseline {self.baseline}; {self.family.tests} tests)"


def _cells(one: Contrast) -> tuple[str, ...]:
    """Return a contrast as the cells of a row; a dash where there is nothing."""
    low, high, p = one.interval.low, one.interval.high, one.significance.final
    return (
        one.run,
        one.baseline,
        one.measure,
        "-" if one.difference is None else f"{one.difference:+.4f}",
        "-" if low is None or high is None else f"[{low:.4f}, {high:.4f}]",
        "-" if p is None else f"{p:.4f}",
        one.verdict,
    )


def letter(place: int) -> str:
    """Return the letter of a run by its place.

    >>> letter(0), letter(25), letter(26), letter(128)
    ('a', 'z', 'aa', 'dy')
    """
    text = ""
    while place >= 0:
        place, letter = divmod(place, 26)
        text = chr(ord("a") + letter) + text
        place -= 1
    return text
