"""Versions of a gold file: what each was made from, and what changed from one to the next."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields
from typing import Any, Self

import polars as pl

from assay.core.shown import Shown
from assay.errors import InputError

PAIR = ("query", "item")


@dataclass(frozen=True, slots=True)
class Change:
    """A judgment that is not as it was: None before, it is new; None after, it was withdrawn."""

    query: str
    item: str
    before: float | None
    after: float | None

    @property
    def kind(self) -> str:
        """What became of it: added, withdrawn or changed."""
        return "added" if self.before is None else "withdrawn" if self.after is None else "changed"


def changes(old: pl.DataFrame, new: pl.DataFrame) -> tuple[Change, ...]:
    """Return what changed between two tables of query, item and grade, in the order of the pairs.

    >>> old = pl.DataFrame({"query": ["q", "q"], "item": ["a", "b"], "grade": [1.0, 0.0]})
    >>> new = pl.DataFrame({"query": ["q", "q"], "item": ["b", "c"], "grade": [2.0, 1.0]})
    >>> [(one.item, one.kind) for one in changes(old, new)]
    [('a', 'withdrawn'), ('b', 'changed'), ('c', 'added')]
    """
    before = old.select(*PAIR, pl.col("grade").cast(pl.Float64).alias("before"))
    after = new.select(*PAIR, pl.col("grade").cast(pl.Float64).alias("after"))
    both = before.join(after, on=PAIR, how="full", coalesce=True)
    differ = both.filter(pl.col("before").ne_missing(pl.col("after"))).sort(PAIR)
    return tuple(Change(*row) for row in differ.select(*PAIR, "before", "after").iter_rows())


@dataclass(frozen=True, slots=True)
class GoldVersion:
    """One version of a gold file.

    Parameters
    ----------
    version, sha256, parent
        Its number, the SHA-256 of the file, and that of the version before (None for the first).
    project, rule
        Where it comes from, and how several judgments of a pair became one grade.
    guidelines
        The versions of the guideline that its judgments followed.
    decisions, last
        How many decisions had been recorded, and when the last of them was.
    judges, judgments
        How many judges said something; how many pairs have a grade in the file.
    settled, tied, untold
        Pairs with a settled grade; pairs on which judges were split, so that the rule took the lower grade; pairs that
        are not in the file as all who looked could not tell.
    changes
        What is not as in the version before, and nothing for the first.
    """

    version: int
    sha256: str
    parent: str | None
    project: str
    rule: str
    guidelines: tuple[int, ...]
    decisions: int
    last: str
    judges: int
    judgments: int
    settled: int
    tied: int
    untold: int
    changes: tuple[Change, ...] = ()

    def counts(self) -> dict[str, int]:
        """Return how many judgments were added, withdrawn and changed."""
        kinds = [one.kind for one in self.changes]
        return {kind: kinds.count(kind) for kind in ("added", "withdrawn", "changed")}

    def to_dict(self) -> dict[str, Any]:
        """Return the version as plain data."""
        return asdict(self) | {
            "guidelines": list(self.guidelines), "counts": self.counts(),
            "changes": [asdict(one) for one in self.changes],
        }  # fmt: skip

    @classmethod
    def of(cls, told: Mapping[str, Any]) -> Self:
        """Make a version from what `to_dict` returned."""
        held = {one.name: told[one.name] for one in fields(cls)}
        changed = tuple(Change(**one) for one in held["changes"])
        return cls(**held | {"guidelines": tuple(held["guidelines"]), "changes": changed})


@dataclass(frozen=True, slots=True)
class GoldHistory:
    """All versions of a gold file, the first one first; it lies beside the file."""

    versions: tuple[GoldVersion, ...] = ()

    @property
    def last(self) -> GoldVersion | None:
        """The last version; None where there is none."""
        return self.versions[-1] if self.versions else None

    def to_dict(self) -> dict[str, Any]:
        """Return the history as plain data."""
        from assay._version import __version__

        return {"assay": __version__, "versions": [one.to_dict() for one in self.versions]}

    @classmethod
    def of(cls, told: Any, place: str) -> Self:
        """Make a history from what `to_dict` returned.

        Raises
        ------
        InputError
            Content that is no history.
        """
        try:
            return cls(tuple(GoldVersion.of(one) for one in told["versions"]))
        except (KeyError, TypeError) as error:
            raise InputError(
                f"{place}: expected the history of a gold file, found another document ({error})"
            ) from None


@dataclass(frozen=True, slots=True)
class Exported(Shown):
    """What an export wrote.

    Parameters
    ----------
    path, history
        The gold file and the file of its versions; None where nothing was written.
    version
        What was made; its changes are from the version before, or from the file that was asked for.
    new
        Whether it is a new version: judgments of the same content make none.
    since
        The file from which changes are counted; None: from the version before.
    """

    path: str | None
    history: str | None
    version: GoldVersion
    new: bool
    since: str | None = None
    notices: tuple[str, ...] = ()

    def to_dict(self, *, command: list[str] | None = None) -> dict[str, Any]:
        """Return the export as plain data."""
        from assay._version import __version__

        return {
            "assay": __version__, "command": command or [], "path": self.path, "history": self.history,
            "new": self.new, "since": self.since, **self.version.to_dict(), "notices": list(self.notices),
        }  # fmt: skip
