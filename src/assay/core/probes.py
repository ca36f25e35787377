"""What a SPARQL engine answers where the right answer is known."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from assay._version import __version__
from assay.core.shown import Shown


@dataclass(frozen=True, slots=True)
class ProbeResult:
    """One probe of an engine.

    Parameters
    ----------
    name
        What the probe is called.
    what
        What a correct engine does.
    passed
        Whether this one does.
    expected, found
        The right answer and the one that came, as text.
    query
        The SPARQL that was asked.
    source
        Where engines were seen to fail it; empty where that is nowhere written.
    data
        The Turtle that was asked; empty where the query brings its own.
    """

    name: str
    what: str
    passed: bool
    expected: str
    found: str
    query: str
    source: str = ""
    data: str = ""

    def to_dict(self) -> dict[str, Any]:
        """Return what JSON holds."""
        return {field: getattr(self, field) for field in self.__dataclass_fields__}


@dataclass(frozen=True, slots=True)
class Conformance(Shown):
    """All probes of one engine, `name`."""

    name: str
    results: Sequence[ProbeResult]

    @property
    def failed(self) -> list[ProbeResult]:
        """The probes that gave something else than the right answer."""
        return [one for one in self.results if not one.passed]

    def to_dict(self, *, command: list[str] | None = None) -> dict[str, Any]:
        """Return what JSON holds; `command` is how it was asked for."""
        return {
            "assay": __version__,
            "command": command or [],
            "graph": self.name,
            "probes": len(self.results),
            "failed": len(self.failed),
            "results": [one.to_dict() for one in self.results],
        }
