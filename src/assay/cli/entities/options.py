"""Options that the verbs of `assay entities` share."""

from typing import Annotated

import typer

from assay.cli.terms import Terms
from assay.errors import ParameterError

WITHOUT = ("format", "gold_format", "rel", "profile")
"""Options of other verbs that have no meaning here."""
DEFAULTS = {"self_match": "drop", "empty": "skip", "duplicates": "best"}
"""The conventions of entity resolution, as `tasks.entities.conventions` has them; the help names them."""

TruthPath = Annotated[
    str, typer.Argument(metavar="GOLD", help="True clusters (record,entity) or pairs (left,right); columns tell.")
]
Proposed = Annotated[
    list[str],
    typer.Argument(
        metavar="PROPOSED...",
        help="Candidates (record,candidate,score), pairs (left,right[,score]) or clusters (record,entity).",
    ),
]
Mode = Annotated[
    str | None,
    typer.Option("--mode", metavar="NAME", help="dedupe, link (across sources only) or both; else told by sources."),
]
Sources = Annotated[
    str | None,
    typer.Option("--sources", metavar="FILE", help="Columns record and source; all records, also those in no file."),
]
Members = Annotated[
    str | None, typer.Option("--members", metavar="FILE", help="Clusters (record,entity) that the candidates are.")
]
By = Annotated[
    str | None,
    typer.Option("--by", metavar="WHAT", help="Also by group: size (of the entity), source, or FILE with a record."),
]


def require_one_pipe(*paths: str | None) -> None:
    """Refuse standard input where it stands twice."""
    piped = paths.count("-")
    if piped > 1:
        raise ParameterError(f"standard input (-): expected once, found {piped} times")


def conventions(terms: Terms) -> dict[str, str]:
    """Return the conventions that were said outright; the range that ties allow is none."""
    return {name: value for name, value in terms.said.items() if (name, value) != ("ties", "range")}
