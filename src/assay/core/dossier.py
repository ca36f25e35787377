"""`Dossier`: everything that a report shows of runs judged by one gold standard, before anything draws it."""

from dataclasses import dataclass, field

from assay.core.comparison import Comparison
from assay.core.costs import CostFigure
from assay.core.evaluation import Evaluation
from assay.core.explanation import ExplainedChange, Explanation
from assay.core.health import Health
from assay.core.slices import Slicing


@dataclass(frozen=True, slots=True)
class CurvePoint:
    """One measure at one cutoff for one run: its figure, and the highest that any ranking could reach."""

    run: str
    measure: str
    k: int
    mean: float | None
    ceiling: float | None


@dataclass(frozen=True, slots=True)
class RecallPoint:
    """The interpolated precision of one run at one recall, as mean over the queries."""

    run: str
    recall: float
    precision: float | None


@dataclass(frozen=True, eq=False)
class Dossier:
    """What a report is drawn from.

    `comparison` is None where there is one run only; slices, health and costs stand here in either case.
    `explained` holds, for the queries that a reader may ask about (the most changed, or the worst), how their number
    comes about, by (run, query, measure).
    """

    title: str
    evaluations: tuple[Evaluation, ...]
    labels: tuple[str, ...]
    comparison: Comparison | None
    curves: tuple[CurvePoint, ...]
    precision_recall: tuple[RecallPoint, ...]
    slices: tuple[Slicing, ...] = ()
    health: Health | None = None
    costs: tuple[CostFigure, ...] = ()
    explained: dict[tuple[str, str, str], Explanation | ExplainedChange] = field(default_factory=dict)
    command: tuple[str, ...] = ()
    seed: int | None = None

    def _repr_html_(self) -> str:
        """Return the comparison for a notebook, or the one evaluation."""
        return self.evaluations[0]._repr_html_() if self.comparison is None else self.comparison._repr_html_()
