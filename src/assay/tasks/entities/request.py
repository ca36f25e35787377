"""`Request`: what is asked of proposals beside the proposals themselves."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import polars as pl

from assay.core.beside import Beside
from assay.core.evaluation import Evaluation
from assay.core.gold import Gold
from assay.core.health import Health
from assay.core.run import Run
from assay.core.slices import Slicing
from assay.errors import ParameterError
from assay.evaluate import Measures
from assay.tasks.entities.conventions import ENTITIES
from assay.tasks.entities.setting import Setting
from assay.tasks.entities.truth import Truth


@dataclass(frozen=True, slots=True, eq=False)
class Request:
    """Measures, conventions that were said outright, intervals, slices and bounds."""

    measures: Measures | None = None
    conventions: Mapping[str, str] = field(default_factory=dict)
    weights: Any = None
    exclude: Any = None
    interval: float | None = None
    seed: int = 0
    by: Any = None
    bounds: bool = False
    tie_range: bool = False
    rankings: bool = False
    """Whether only rankings will do: clusters are then refused as such, not for the measures that were asked for."""

    def figures(self) -> dict[str, Any]:
        """Return what is told to `evaluate` alone: intervals, and the range that ties allow."""
        return {"interval": self.interval, "seed": self.seed, "tie_range": self.tie_range}

    def options(self, units: pl.DataFrame | None = None) -> dict[str, Any]:
        """Return what the core is told; records of one entity are one unit unless other weights are given."""
        return {
            "profile": ENTITIES.but(**self.conventions),
            "weights": units if self.weights is None else self.weights,
            "exclude": self.exclude,
        }


@dataclass(frozen=True, slots=True, eq=False)
class Ranked:
    """Runs that were judged by the same measures, with all that is needed to judge them again."""

    gold: Gold
    runs: Sequence[Run]
    measures: Measures
    options: Mapping[str, Any]
    evaluations: Sequence[Evaluation]

    def health(self) -> Health:
        """Return how far the gold carries the figures."""
        from assay.health import health

        return health(self.gold, list(self.runs), self.measures, **self.options)


def slices_by(evaluations: Sequence[Evaluation], by: Any, truth: Truth, setting: Setting | None) -> tuple[Slicing, ...]:
    """Cut the records: by "size" of their true entity, by "source", or by a file or frame with a column record."""
    if not by or not evaluations:
        return ()
    from assay.compare import slices_of

    return slices_of(evaluations, None, columns_by(by, truth, setting), contrasts=False)


def columns_by(by: Any, truth: Truth, setting: Setting | None) -> Any:
    """Return what records are grouped by, as the core takes it."""
    if by == "size":
        return truth.labelled.select(query="record", size=pl.len().over("entity"))
    if by == "source":
        if setting is None or not setting.known["source"].count():
            msg = "by source: expected the source of each record, found none"
            raise ParameterError(msg, hint="--sources FILE names it (sources= in Python).")
        return setting.known.select(query="record", source="source")
    from assay.core.frames import is_frame, to_polars
    from assay.formats.table import read_table
    from assay.tasks.entities.records import NAMES

    if isinstance(by, str):
        table = read_table(by)
    elif is_frame(by):
        table = to_polars(by)
    else:
        return by
    named = next((name for name in NAMES["record"] if name in table.columns), None)
    return table if named in {None, "query"} or "query" in table.columns else table.rename({named: "query"})


def beside_of(slices: Sequence[Slicing], healths: Sequence[Health]) -> Beside:
    """Return slices and bounds of all groups of runs."""
    figures = tuple(figure for one in healths for figure in one.figures)
    return Beside(tuple(slices), Health(figures) if figures else None)
