"""`--candidates`: ranks among the entities that fit the relation and the side, beside those among all."""

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Annotated

import typer

from assay.cli.links.asked import Asked
from assay.cli.links.options import require_word_or_file
from assay.cli.progress import progress
from assay.errors import ParameterError

if TYPE_CHECKING:
    from assay.tasks.links.graph import KnowledgeGraph
    from assay.tasks.links.models.base import Model as LinkModel
    from assay.tasks.links.protocol import Protocol
    from assay.tasks.links.questions import Constrained
    from assay.tasks.links.ranking import Ranking

Candidates = Annotated[
    str | None,
    typer.Option(
        "--candidates",
        metavar="WHAT",
        help="Also ranks among the entities that fit: train or train+valid (those that they hold at that side of the "
        "relation), or FILE: columns relation, side, entity; or OpenKE's type_constrain.txt.",
    ),
]


def ranked(
    asked: Asked, graph: "KnowledgeGraph", made: "LinkModel", protocol: "Protocol", candidates: str | None
) -> "tuple[Ranking, Sequence[str]]":
    """Return the ranks, and what is to be said of the candidates."""
    from assay.tasks.links.candidates import remarks
    from assay.tasks.links.ranking import rank

    given = None if candidates is None else _constrained(asked, graph, candidates)
    with progress("ranks") as bar:
        ranking = rank(graph, made, protocol, constrained=given, progress=bar)
    lines = () if given is None else remarks(graph, protocol.split, given)
    return replace(ranking, candidates=candidates), [f"--candidates {candidates}: {line}" for line in lines]


def _constrained(asked: Asked, graph: "KnowledgeGraph", candidates: str) -> "Constrained":
    """Return the candidates; numbers only where something says what they number.

    Raises
    ------
    ParameterError
        Numbers beside triples whose names were numbered as they came.
    """
    from assay.formats.link_questions import read_candidates
    from assay.tasks.links.candidates import SEEN, constrained, seen_candidates

    if candidates in SEEN:
        return seen_candidates(graph, candidates.split("+"))
    require_word_or_file("--candidates", candidates, SEEN)
    read = read_candidates(candidates)
    if read.are_numbers and asked.scores and not asked.names and graph.entities[-1] != str(len(graph.entities) - 1):
        msg = f"--candidates {candidates}: expected names, as the triples hold, found numbers"
        raise ParameterError(msg, hint="--names and --relation-names say which number is which name.")
    return constrained(graph, read)
