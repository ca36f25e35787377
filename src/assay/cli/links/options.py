"""Options that the verbs of `assay links` share."""

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

import typer

from assay.errors import InputError

Train = Annotated[str, typer.Option("--train", metavar="FILE", help="Triples to learn from: head, relation, tail.")]
Valid = Annotated[str | None, typer.Option("--valid", metavar="FILE", help="Triples to choose settings by.")]
Test = Annotated[str | None, typer.Option("--test", metavar="FILE", help="Triples that are asked for.")]
TripleFormat = Annotated[
    str | None,
    typer.Option(
        "--format",
        metavar="NAME",
        help="tsv, csv, blanks, openke, parquet, arrow, ntriples or turtle; else recognised.",
    ),
]
EntityNames = Annotated[
    str | None,
    typer.Option(
        "--entities", metavar="FILE", help="What numbers the entities: JSON {name: number}, entity2id, or names."
    ),
]
RelationNames = Annotated[
    str | None, typer.Option("--relations", metavar="FILE", help="What numbers the relations, in the same way.")
]
Labels = Annotated[bool, typer.Option("--labels", help="Call things of RDF files by their rdfs:label, not their IRI.")]


def require_word_or_file(option: str, given: str, words: Sequence[str]) -> None:
    """Raise InputError where an option was given neither one of its words nor a file that is there."""
    if given not in {*words, "-"} and not Path(given).exists():
        raise InputError(f"{option}: expected {', '.join(words)} or a file, found {given!r}, which is no file")
