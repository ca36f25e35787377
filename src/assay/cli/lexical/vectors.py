"""Options of a search by vectors that are given, and that search."""

from collections.abc import Callable
from dataclasses import dataclass
from inspect import signature
from typing import TYPE_CHECKING, Annotated, Any

import typer

from assay.cli.output import notice
from assay.cli.progress import progress
from assay.cli.verbs import with_options
from assay.errors import ParameterError

if TYPE_CHECKING:
    from assay.core.run import Run

DENSE = "dense"


def _declared(
    *,
    vectors: Annotated[
        str | None,
        typer.Option("--vectors", metavar="FILE", help="dense: of the documents; npy, safetensors, Parquet ..."),
    ] = None,
    names: Annotated[
        str | None, typer.Option("--names", metavar="FILE", help="dense: the ids of those, if not in their file.")
    ] = None,
    query_vectors: Annotated[
        str | None, typer.Option("--query-vectors", metavar="FILE", help="dense: vectors of the queries.")
    ] = None,
    query_names: Annotated[
        str | None, typer.Option("--query-names", metavar="FILE", help="dense: the ids of those, if not in their file.")
    ] = None,
    metric: Annotated[
        str | None, typer.Option("--metric", metavar="NAME", help="dense: cosine, dot or l2 [cosine].")
    ] = None,
) -> None:
    """Declare the options; never called."""


@dataclass(frozen=True, slots=True)
class VectorFiles:
    """What was said about vectors."""

    vectors: str | None = None
    names: str | None = None
    query_vectors: str | None = None
    query_names: str | None = None
    metric: str | None = None

    def __bool__(self) -> bool:
        return self != VectorFiles()

    def run(self, name: str, **options: Any) -> "Run":
        """Return the run of the nearest documents."""
        from assay.tasks.lexical.dense import search_vectors
        from assay.tasks.neighbours.vectors import Vectors

        if self.vectors is None or self.query_vectors is None:
            absent = "--vectors" if self.vectors is None else "--query-vectors"
            raise ParameterError(f"--model {DENSE}: expected --vectors and --query-vectors, found no {absent}")
        documents = Vectors.of(self.vectors, self.names)
        queries = Vectors.of(self.query_vectors, self.query_names)
        size = documents.matrix.shape[1]
        notice(f"{len(documents):,} vectors of {size:,} dimensions for documents, {len(queries):,} for queries.")
        metric: Any = self.metric or "cosine"
        with progress("searching") as bar:
            return search_vectors(documents, queries, metric=metric, name=name, progress=bar, **options)


def on_vectors(verb: Callable[..., Any]) -> Callable[..., Any]:
    """Give a verb the options of `VectorFiles`, which it receives as `vectors`."""
    return with_options(verb, "vectors", signature(_declared).parameters, VectorFiles)
