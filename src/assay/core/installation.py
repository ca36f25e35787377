"""`Installation`: what of Assay is here, what each extra would bring, and whether what is here works."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from assay._version import __version__
from assay.core.shown import Shown


@dataclass(frozen=True, slots=True)
class Package:
    """A library that is wanted, such as `>=2.1` of numpy, and the version that is here; None where there is none."""

    name: str
    wanted: str
    version: str | None
    fits: bool = True

    @property
    def state(self) -> str:
        """`here`, `missing`, or `unfit`: another version than is wanted.

        >>> Package("numpy", ">=2.1", "1.26.4", fits=False).state
        'unfit'
        """
        if self.version is None:
            return "missing"
        return "here" if self.fits else "unfit"

    def to_dict(self) -> dict[str, Any]:
        """Return the package as plain data."""
        return {"name": self.name, "wanted": self.wanted, "version": self.version, "state": self.state}


@dataclass(frozen=True, slots=True)
class Extra:
    """A part of Assay that is installed at will, what it brings, and the libraries that it needs."""

    name: str
    brings: str
    packages: tuple[Package, ...]

    @property
    def state(self) -> str:
        """`complete`, `partly` or `missing`.

        >>> Extra("stats", "", (Package("scipy", ">=1.15", None),)).state
        'missing'
        """
        here = sum(one.state == "here" for one in self.packages)
        if here == len(self.packages):
            return "complete"
        return "partly" if here or any(one.version for one in self.packages) else "missing"

    @property
    def install(self) -> str:
        """The line that brings it."""
        return f"pip install 'assay[{self.name}]'"

    @property
    def lacking(self) -> tuple[Package, ...]:
        """The libraries that are not here, or not in the version that is wanted."""
        return tuple(one for one in self.packages if one.state != "here")

    def to_dict(self) -> dict[str, Any]:
        """Return the extra as plain data."""
        return {
            "name": self.name, "state": self.state, "brings": self.brings, "install": self.install,
            "packages": [one.to_dict() for one in self.packages],
        }  # fmt: skip


@dataclass(frozen=True, slots=True)
class Program:
    """A program that Assay or its user may want, what for, and where it lies; None where it is not found."""

    name: str
    serves: str
    path: str | None

    def to_dict(self) -> dict[str, Any]:
        """Return the program as plain data."""
        return {"name": self.name, "serves": self.serves, "path": self.path}


@dataclass(frozen=True, slots=True)
class Check:
    """Something that was tried: `fine`, worth a `note`, or `broken`; `found` says what was seen."""

    name: str
    state: str
    found: str

    def to_dict(self) -> dict[str, str]:
        """Return the check as plain data."""
        return {"name": self.name, "state": self.state, "found": self.found}


@dataclass(frozen=True, slots=True)
class Installation(Shown):
    """What of Assay is here: Python and the platform, where the package lies and came from, libraries, extras.

    `place` names, in this order, what runs (`python`, `platform`, `path`) and how it came (`source`).
    """

    place: Mapping[str, str]
    packages: tuple[Package, ...]
    extras: tuple[Extra, ...]
    programs: tuple[Program, ...]
    checks: tuple[Check, ...]

    @property
    def works(self) -> bool:
        """Whether nothing is broken; a missing extra is not."""
        return all(one.state != "broken" for one in self.checks)

    def to_dict(self, *, command: list[str] | None = None) -> dict[str, Any]:
        """Return all as plain data, as `assay doctor -o json` prints it."""
        return {
            "assay": __version__,
            "command": list(command or ()),
            "works": self.works,
            **self.place,
            "packages": [one.to_dict() for one in self.packages],
            "extras": [one.to_dict() for one in self.extras],
            "programs": [one.to_dict() for one in self.programs],
            "checks": [one.to_dict() for one in self.checks],
        }
