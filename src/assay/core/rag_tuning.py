"""`Tuning`: the same measures at each setting of a retrieval system, over K, a threshold or a hop limit."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from assay.core.evaluation import Evaluation, Figure
from assay.core.shown import Shown


@dataclass(frozen=True, eq=False)
class TuningPoint:
    """One setting: `value` is its number where it has one, `items` and `tokens` how much a reader gets in the mean.

    `tokens` is None where nothing says how long items are. `evaluation` holds the figures, under names without
    cutoff where K is the setting.
    """

    setting: str
    value: float | None
    evaluation: Evaluation
    items: float
    tokens: float | None

    @property
    def figures(self) -> tuple[Figure, ...]:
        """The figures at this setting."""
        return self.evaluation.figures

    def to_dict(self) -> dict[str, Any]:
        """Return the point as plain data."""
        return {
            "setting": self.setting,
            "value": self.value,
            "items": self.items,
            "tokens": self.tokens,
            "measures": {figure.name: figure.to_dict() for figure in self.figures},
        }


@dataclass(frozen=True, slots=True)
class BestSetting:
    """The setting with the best mean of a measure; `alike` are those that the questions cannot tell from it.

    `lowest` is the first of these settings, `alike` and the best, in the order of the curve: where more costs more,
    the one to take.
    """

    measure: str
    setting: str
    mean: float
    alike: tuple[str, ...]
    lowest: str

    def to_dict(self) -> dict[str, Any]:
        """Return the setting as plain data."""
        return {
            "setting": self.setting, "mean": self.mean, "alike": list(self.alike), "lowest": self.lowest,
        }  # fmt: skip


@dataclass(frozen=True, eq=False)
class Tuning(Shown):
    """A curve of each measure over the settings of one system.

    `over` is what is set: k, score, or a name; `points` stand in the order of the settings, `best` holds for each
    measure its best setting, where there is one.
    """

    name: str
    over: str
    unit: str
    matching: Mapping[str, Any]
    level: float
    points: tuple[TuningPoint, ...]
    best: tuple[BestSetting, ...]
    notices: tuple[str, ...] = ()

    @property
    def measures(self) -> tuple[str, ...]:
        """The names of the measures."""
        return tuple(figure.name for figure in self.points[0].figures)

    def curve(self, measure: object) -> list[tuple[str, float | None]]:
        """Return the settings with the mean of a measure.

        Raises
        ------
        KeyError
            A measure that was not asked for.
        """
        return [(point.setting, point.evaluation[measure]) for point in self.points]

    def to_dict(self, *, command: list[str] | None = None) -> dict[str, Any]:
        """Return the curve as plain data."""
        from assay._version import __version__

        return {
            "assay": __version__,
            "command": command or [],
            "name": self.name,
            "over": self.over,
            "unit": self.unit,
            "matching": dict(self.matching),
            "level": self.level,
            "policy": self.points[0].evaluation.policy.to_dict(),
            "points": [point.to_dict() for point in self.points],
            "best": {one.measure: one.to_dict() for one in self.best},
            "notices": list(self.notices),
        }

    def __repr__(self) -> str:
        best = ", ".join(f"{one.measure} at {one.setting}" for one in self.best)
        return f"Tuning({self.name} over {self.over}: {len(self.points)} settings; best {best})"
