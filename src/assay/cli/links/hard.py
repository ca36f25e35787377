"""`--hard-model`: another link predictor, whose best answers are the hard candidates of `assay links sample`."""

from collections.abc import Callable
from dataclasses import astuple, dataclass
from inspect import signature
from typing import TYPE_CHECKING, Annotated, Any

import typer

from assay.cli.links.models import Said
from assay.cli.verbs import with_options
from assay.errors import ParameterError

if TYPE_CHECKING:
    from assay.tasks.links.graph import KnowledgeGraph
    from assay.tasks.links.models import Model as LinkModel

Model = Annotated[
    str | None,
    typer.Option(
        "--hard-model",
        metavar="NAME",
        help="With --kind hard: take the best wrong answers of this model, not the most frequent ones.",
    ),
]
Entities = Annotated[
    list[str] | None,
    typer.Option("--hard-entities", metavar="FILE", help="Its vectors, rows as in --entities."),
]
Relations = Annotated[
    list[str] | None,
    typer.Option("--hard-relations", metavar="FILE", help="Its relations, rows as in --relations."),
]
Setting = Annotated[list[str] | None, typer.Option("--hard-set", metavar="NAME=VALUE", help="As --set.")]
Layout = Annotated[str | None, typer.Option("--hard-layout", metavar="NAME", help="As --layout.")]
Scores = Annotated[
    str | None, typer.Option("--hard-scores", metavar="FILE", help="Instead: scored triples, as --scores.")
]


def _declared(
    *,
    hard_model: Model = None,
    hard_entities: Entities = None,
    hard_relations: Relations = None,
    hard_setting: Setting = None,
    hard_layout: Layout = None,
    hard_scores: Scores = None,
) -> None:
    """Declare the options; never called."""


@dataclass(frozen=True, slots=True)
class Hard:
    """What was said about the model of hard candidates."""

    hard_model: str | None
    hard_entities: list[str] | None
    hard_relations: list[str] | None
    hard_setting: list[str] | None
    hard_layout: str | None
    hard_scores: str | None

    def require(self, kind: str) -> None:
        """Raise ParameterError where a model is named for candidates of another kind."""
        if any(astuple(self)) and kind != "hard":
            raise ParameterError(f"--hard-model: expected --kind hard, found --kind {kind}")

    def read(self, graph: "KnowledgeGraph") -> "LinkModel | None":
        """Return the model, if there is one; its rows are those of the graph."""
        if not any(astuple(self)):
            return None
        said = Said(
            self.hard_model, tuple(self.hard_entities or ()), tuple(self.hard_relations or ()), self.hard_scores,
            None, tuple(self.hard_setting or ()), self.hard_layout, of="hard-",
        )  # fmt: skip
        return said.beside(graph)


def with_hard(verb: Callable[..., Any]) -> Callable[..., Any]:
    """Give a verb the options of `Hard`, which it receives as `hard`."""
    return with_options(verb, "hard", signature(_declared).parameters, Hard)
