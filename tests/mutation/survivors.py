"""The changes that no test can notice, each with its reason: `SURVIVORS.md` read as data."""

import re
from pathlib import Path

PAGE = Path(__file__).with_name("SURVIVORS.md")

Change = tuple[str, str, str]
"""A file of measures, a line of it, and what the line was changed to, both without blanks."""


def change(module: str, before: str, after: str) -> Change:
    """Return a change by what it does to a line, however the line is broken and indented."""
    return module, re.sub(r"\s", "", before), re.sub(r"\s", "", after)


def change_of(module: str, diff: str) -> Change:
    """Return the change that a difference between two versions of a file shows."""
    lines = [line for line in diff.splitlines() if not line.startswith(("---", "+++"))]
    before, after = ("".join(line[1:] for line in lines if line.startswith(sign)) for sign in "-+")
    return change(module, before, after)


def explained() -> dict[Change, str]:
    """Return the reason for each change that the page explains."""
    found: dict[Change, str] = {}
    module = ""
    for line in PAGE.read_text("utf-8").splitlines():
        if line.startswith("## "):
            module = line[3:]
        elif line.startswith("| `"):
            before, after, reason = (cell.strip() for cell in re.split(r"(?<!\\)\|", line)[1:-1])
            found[change(module, *(cell.strip("`").replace("\\|", "|") for cell in (before, after)))] = reason
    return found
