"""`Audit`: everything wrong or noteworthy with a gold standard and its runs, before any number."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal

from assay.core.facts import GoldFacts, RunAudit
from assay.core.shown import Shown

Level = Literal["error", "warning", "note"]
LEVELS: tuple[Level, ...] = ("error", "warning", "note")
"""From the most serious down. An error makes numbers meaningless or impossible, a warning may change them
unnoticed, a note is good to know."""


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing that was noticed: a short `title`, what it means in `detail`, and some `examples`.

    `code` names the kind of finding for programs; `place` is the file or name it is about.
    """

    level: Level
    code: str
    title: str
    detail: str = ""
    examples: tuple[str, ...] = ()
    place: str = ""

    def to_dict(self) -> dict[str, Any]:
        """Return the finding as plain data."""
        return {
            "level": self.level,
            "code": self.code,
            "title": self.title,
            "detail": self.detail,
            "examples": list(self.examples),
            "place": self.place,
        }


@dataclass(frozen=True, slots=True)
class AuditedRun:
    """A run that was audited; `audit` is None where it could not be read or has no gold to be held against."""

    name: str
    path: str | None
    queries: int = 0
    rows: int = 0
    audit: RunAudit | None = None

    def to_dict(self) -> dict[str, Any]:
        """Return the run's counts as plain data."""
        return {
            "name": self.name,
            "path": self.path,
            "queries": self.queries,
            "rows": self.rows,
            "audit": None if self.audit is None else self.audit.to_dict(),
        }


@dataclass(frozen=True, slots=True)
class Audit(Shown):
    """What is known about the inputs before any number: findings, most serious first, and the counts behind.

    `gold` is None where the gold standard could not be read.
    """

    gold: GoldFacts | None
    runs: tuple[AuditedRun, ...]
    findings: tuple[Finding, ...]
    cutoffs: tuple[int, ...]

    @property
    def errors(self) -> tuple[Finding, ...]:
        """The findings that make numbers meaningless or impossible."""
        return tuple(finding for finding in self.findings if finding.level == "error")

    def count(self) -> dict[Level, int]:
        """Return how many findings each level has."""
        return {level: sum(finding.level == level for finding in self.findings) for level in LEVELS}

    def of(self, code: str) -> tuple[Finding, ...]:
        """Return the findings of one kind."""
        return tuple(finding for finding in self.findings if finding.code == code)

    def to_dict(self) -> dict[str, Any]:
        """Return the audit as plain data, in the shape of the JSON output."""
        from assay._version import __version__

        return {
            "assay": __version__,
            "cutoffs": list(self.cutoffs),
            "gold": None if self.gold is None else self.gold.to_dict(),
            "runs": [run.to_dict() for run in self.runs],
            "counts": dict(self.count()),
            "findings": [finding.to_dict() for finding in self.findings],
        }

    def __repr__(self) -> str:
        counts = ", ".join(f"{count} {level}s" for level, count in self.count().items())
        return f"Audit({counts})"


def in_order(findings: Sequence[Finding]) -> tuple[Finding, ...]:
    """Return findings from the most serious down, otherwise as they were found."""
    return tuple(sorted(findings, key=lambda finding: LEVELS.index(finding.level)))
