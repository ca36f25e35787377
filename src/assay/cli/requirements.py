"""What an installed package says that it needs: its libraries, and those of each of its extras."""

import ast
import operator
import platform
import re
import sys
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from importlib import metadata
from typing import Any

from assay.core.installation import Package

REQUIREMENT = re.compile(r"([\w.-]+)\s*(?:\[([^\]]*)\])?\s*\(?([^;)]*)\)?\s*(?:;(.*))?", re.DOTALL)
CLAUSE = re.compile(r"(===|==|~=|!=|<=|>=|<|>)\s*v?(\d+(?:\.\d+)*)[^,\s]*?(\.\*)?$")
COMPARED: dict[type[ast.cmpop], Callable[[Any, Any], bool]] = {
    ast.Eq: operator.eq, ast.NotEq: operator.ne, ast.Lt: operator.lt, ast.LtE: operator.le, ast.Gt: operator.gt,
    ast.GtE: operator.ge, ast.In: lambda part, whole: part in whole, ast.NotIn: lambda part, whole: part not in whole,
}  # fmt: skip
SIGNS = {
    "===": operator.eq, "==": operator.eq, "!=": operator.ne, "<": operator.lt, "<=": operator.le, ">": operator.gt,
    ">=": operator.ge,
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Requirement:
    """One line of `Requires-Dist`: a library, which extras of it, in which versions, and when."""

    name: str
    extras: tuple[str, ...]
    wanted: str
    marker: str

    @classmethod
    def read(cls, line: str) -> "Requirement":
        """Read a line.

        >>> Requirement.read("psycopg[binary]>=3.3; extra == 'store'")
        Requirement(name='psycopg', extras=('binary',), wanted='>=3.3', marker="extra == 'store'")
        """
        found = REQUIREMENT.match(line.strip())
        name, extras, wanted, marker = found.groups() if found else (line, "", "", "")
        asked = tuple(sorted(part.strip() for part in (extras or "").split(",") if part.strip()))
        return cls(name, asked, wanted.strip(), (marker or "").strip())

    def applies(self, extra: str = "") -> bool:
        """Tell whether it is wanted here, with this extra; a marker that cannot be read is taken to hold.

        >>> Requirement.read("a; python_version >= '3.9' and extra == 'x'").applies("x")
        True
        """
        if not self.marker:
            return True
        values = _here() | {"extra": extra}
        try:
            return bool(_value(ast.parse(self.marker, mode="eval").body, values))
        except (SyntaxError, KeyError):
            return True


def _here() -> dict[str, str]:
    return {
        "python_version": ".".join(map(str, sys.version_info[:2])),
        "python_full_version": platform.python_version(),
        "sys_platform": sys.platform,
        "platform_system": platform.system(),
        "platform_machine": platform.machine(),
        "platform_python_implementation": platform.python_implementation(),
        "implementation_name": sys.implementation.name,
    }


def _value(node: Any, values: dict[str, str]) -> Any:
    """Return what a part of a marker is worth."""
    if isinstance(node, ast.BoolOp):
        parts = (bool(_value(part, values)) for part in node.values)
        return all(parts) if isinstance(node.op, ast.And) else any(parts)
    if isinstance(node, ast.Compare):
        sides = (node.left, node.comparators[0])
        first, second = (_value(side, values) for side in sides)
        if any(isinstance(side, ast.Name) and side.id.endswith("version") for side in sides):
            first, second = release(first), release(second)
        return COMPARED[type(node.ops[0])](first, second)
    return values[node.id] if isinstance(node, ast.Name) else node.value


def release(version: str) -> tuple[int, ...]:
    """Return the numbers of a version without zeros at its end.

    >>> release("3.10.0rc1")
    (3, 10)
    """
    found = re.match(r"v?(?:\d+!)?(\d+(?:\.\d+)*)", version)
    numbers = [int(part) for part in found[1].split(".")] if found else []
    while numbers and numbers[-1] == 0:
        del numbers[-1]
    return tuple(numbers)


def fits(version: str, wanted: str) -> bool:
    """Tell whether a version is among those that are wanted; a clause that cannot be read is taken to hold.

    >>> fits("2.10", ">=2.9,<3"), fits("3.0", ">=2.9,<3"), fits("3.1.4", "~=3.1.2"), fits("3.2", "~=3.1.2")
    (True, False, True, False)
    """
    return all(_fits(version, clause.strip()) for clause in wanted.split(",") if clause.strip())


def _fits(version: str, clause: str) -> bool:
    found = CLAUSE.match(clause)
    if found is None:
        return True
    sign, number, star = found.groups()
    stem = [int(part) for part in number.split(".")]
    here, there = release(version), release(number)
    within = list(here) + [0] * len(stem)
    if star:
        return (within[: len(stem)] == stem) == (sign != "!=")
    if sign == "~=":
        return here >= there and within[: len(stem) - 1] == stem[:-1]
    return bool(SIGNS[sign](here, there))


def needed(lines: Iterable[str], extra: str = "", own: str = "assay") -> tuple[Package, ...]:
    """Return the libraries that requirements name: those that always hold, or those that an extra adds.

    What an extra of another library adds (psycopg[binary]) is asked of that library; `own` names the package itself,
    whose extra may stand for others of its own.
    """
    found: dict[str, Package] = {}
    for one in _wanted([Requirement.read(line) for line in lines], extra, own, set()):
        known = found.get(one.name)
        if known is None or (known.fits and not one.fits):
            found[one.name] = one
    return tuple(found.values())


def _wanted(lines: list[Requirement], extra: str, own: str, seen: set[tuple[str, str]]) -> Iterator[Package]:
    for line in lines:
        if not line.applies(extra) or (extra and line.applies()):
            continue
        if line.name != own:
            version = version_of(line.name)
            yield Package(line.name, line.wanted, version, version is None or fits(version, line.wanted))
        for more in line.extras:
            if (line.name, more) not in seen:
                seen.add((line.name, more))
                yield from _wanted(lines if line.name == own else _of(line.name), more, line.name, seen)


def _of(name: str) -> list[Requirement]:
    try:
        return [Requirement.read(line) for line in metadata.requires(name) or ()]
    except metadata.PackageNotFoundError:
        return []


def version_of(name: str) -> str | None:
    """Return the version of a library that is installed, else None."""
    try:
        return metadata.version(name)
    except metadata.PackageNotFoundError:
        return None
