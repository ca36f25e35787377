"""The graph and the model that are judged: the same options for every verb that scores triples."""

from collections.abc import Callable
from dataclasses import dataclass
from inspect import signature
from typing import TYPE_CHECKING, Annotated, Any

import typer

from assay.cli.links.models import Said
from assay.cli.links.options import Test, Train, TripleFormat, Valid
from assay.cli.verbs import with_options

if TYPE_CHECKING:
    from assay.tasks.links.graph import KnowledgeGraph
    from assay.tasks.links.models import Model as LinkModel

Model = Annotated[
    str | None,
    typer.Option(
        "--model",
        metavar="NAME",
        help="transe-l1, transe-l2, transh, transr, distmult, complex, rotate (sum of moduli, as in its paper), "
        "rotate-l2 (as in PyKEEN and PyG), rescal, simple, cp, tucker; of a graph network "
        "decoder-distmult, decoder-transe or decoder-dot.",
    ),
]
Entities = Annotated[
    list[str] | None,
    typer.Option(
        "--entities",
        metavar="FILE",
        help="The vectors of the entities, one a row: npy, npz ...; or model.npz:NAME. Of an array in several files "
        "a folder, a quoted pattern such as 'entities-*.npy', or each file.",
    ),
]
Relations = Annotated[
    list[str] | None,
    typer.Option(
        "--relations", metavar="FILE", help="The vectors of the relations; again for further arrays (projections ...)."
    ),
]
Setting = Annotated[
    list[str] | None,
    typer.Option("--set", metavar="NAME=VALUE", help="A convention of the model, such as gamma=12 or clamp=none."),
]
PyKEEN = Annotated[
    str | None, typer.Option("--pykeen", metavar="DIR", help="Instead of a model: what PyKEEN's pipeline saved.")
]
Layout = Annotated[
    str | None,
    typer.Option("--layout", metavar="NAME", help="Complex vectors as real numbers: halves or interleaved."),
]
Names = Annotated[
    str | None,
    typer.Option("--names", metavar="FILE", help="Names of the entities, one a row; else triples hold row numbers."),
]
RelationNames = Annotated[
    str | None, typer.Option("--relation-names", metavar="FILE", help="Names of the relations, in the same way.")
]
Scores = Annotated[
    str | None,
    typer.Option("--scores", metavar="FILE", help="Instead of a model: scored triples, head relation tail score."),
]


def _declared(
    *,
    train: Train,
    valid: Valid = None,
    test: Test = None,
    format: TripleFormat = None,  # noqa: A002 - the name of the option
    model: Model = None,
    entities: Entities = None,
    relations: Relations = None,
    setting: Setting = None,
    layout: Layout = None,
    names: Names = None,
    relation_names: RelationNames = None,
    scores: Scores = None,
    pykeen: PyKEEN = None,
) -> None:
    """Declare the options; never called."""


@dataclass(frozen=True, slots=True)
class Asked:
    """What was said about the graph and the model."""

    train: str
    valid: str | None
    test: str | None
    format: str | None
    model: str | None
    entities: list[str] | None
    relations: list[str] | None
    setting: list[str] | None
    layout: str | None
    names: str | None
    relation_names: str | None
    scores: str | None
    pykeen: str | None

    def read(self) -> "tuple[KnowledgeGraph, LinkModel]":
        """Return the graph, numbered as the rows of the model are, and the model."""
        said = Said(
            self.model, tuple(self.entities or ()), tuple(self.relations or ()), self.scores, self.pykeen,
            tuple(self.setting or ()), self.layout,
        )  # fmt: skip
        files = {"train": self.train, "valid": self.valid, "test": self.test}
        return said.graph(files, (self.names, self.relation_names), format=self.format)


def of_model(verb: Callable[..., Any]) -> Callable[..., Any]:
    """Give a verb the options of `Asked`, which it receives as `asked`."""
    return with_options(verb, "asked", signature(_declared).parameters, Asked, first=True)
