"""`Settings`: what the measures of a call have in common."""

from dataclasses import dataclass

from assay.cli.trec_eval.arguments import Version
from assay.measures import Measure

Made = tuple[Measure, ...]
"""Measures whose mean is one value of trec_eval."""


@dataclass(frozen=True, slots=True)
class Settings:
    """The lowest relevant grade, the size of the collection, and whose numbers are wanted."""

    level: int
    collection: int
    version: Version

    @property
    def rounding(self) -> str:
        """How recall times R becomes a count."""
        return {"9": "trunc", "10": "round", "documented": "ceil"}[self.version]

    @property
    def surplus(self) -> str:
        """What becomes of judged items of grade 0 beyond R in measures of preferences."""
        return "dropped" if self.version == "documented" else "paired"
