"""Options that the verbs of `assay links` share."""

from typing import Annotated

import typer

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
