"""Options that the verbs of `assay rag` share, and the systems that they name."""

from typing import TYPE_CHECKING, Annotated, Any

import typer

from assay.cli.terms import Terms, number, whole
from assay.errors import ParameterError

if TYPE_CHECKING:
    from assay.tasks.rag.questions import Several

WITHOUT = ("format", "gold_format", "rel")
"""Options of other verbs that have no meaning here."""

Systems = Annotated[
    list[str],
    typer.Argument(metavar="FILE...", help="A file for each system: JSON Lines or JSON, with what was retrieved."),
]
GoldOption = Annotated[
    str | None,
    typer.Option("--gold", metavar="FILE", help="What each answer needs, where the files do not say it themselves."),
]
Unit = Annotated[
    str | None,
    typer.Option("--unit", metavar="NAME", help="What counts as one item: fact, passage, document or entity."),
]
Match = Annotated[
    str,
    typer.Option("--match", metavar="RULE", help="When an item is a needed one: by id, exact text, or fuzzy text."),
]
Threshold = Annotated[
    str | None,
    typer.Option("--threshold", metavar="N", help="How alike fuzzy texts are, from 0 to 1 [0.8]."),
]
Tokens = Annotated[
    str | None,
    typer.Option(
        "--tokens", metavar="N,N", help="Also tokens to the first complete proof, and what fits into these budgets."
    ),
]
By = Annotated[
    list[str] | None,
    typer.Option(
        "--by", metavar="WHAT", help="Also by group of questions: a key of the files (hops, type), relevant, or FILE."
    ),
]


def read_systems(files: list[str], gold: str | None, unit: str | None, match: str, threshold: str | None) -> "Several":
    """Return the systems of these files with the gold that they share."""
    from assay.tasks.rag.questions import several

    piped = [*files, gold].count("-")
    if piped > 1:
        raise ParameterError(f"standard input (-): expected once, found {piped} times")
    return several(files, gold=gold, unit=unit, match=match, threshold=number("--threshold", threshold))


def budgets(tokens: str | None) -> list[int] | None:
    """Return the budgets of tokens that were asked for."""
    return None if tokens is None else [whole("--tokens", one, lowest=1) for one in tokens.split(",")]


def wanted(by: list[str] | None) -> list[str] | None:
    """Return each breakdown that was asked for, parted by commas or by further options."""
    return [one.strip() for text in by for one in text.split(",")] if by else None


def conventions(terms: Terms, found: "Several") -> dict[str, Any]:
    """Return what a verb of the library is told: what was said outright, all else as suits retrieval for answers."""
    options = terms.options()
    if "profile" in options:
        return options
    said = {name: value for name, value in terms.said.items() if (name, value) != ("ties", "range")}
    return options | {"policy": found.policy(said)}
