"""The graph that the verbs of `assay answers` ask: files in processes of their own, or an endpoint."""

import os
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Annotated

import typer

from assay.cli.terms import number, whole
from assay.errors import ParameterError

if TYPE_CHECKING:
    from assay.core.answers import Answer
    from assay.graph.sparql.asking import Graph

GraphFiles = Annotated[
    list[str] | None,
    typer.Option("--graph", metavar="FILE", help="RDF, plain or packed, or a folder of Oxigraph; repeat for several."),
]
EndpointUrl = Annotated[str | None, typer.Option("--endpoint", metavar="URL", help="A SPARQL endpoint to ask.")]
Limit = Annotated[str, typer.Option("--limit", metavar="SECONDS", help="How long one query may take.")]
Concurrency = Annotated[str, typer.Option("--concurrency", metavar="N", help="How many queries are under way at once.")]
Retries = Annotated[
    str, typer.Option("--retries", metavar="N", help="How often a busy or failing endpoint is asked again.")
]
Headers = Annotated[
    list[str] | None,
    typer.Option(
        "--header",
        metavar="NAME:VALUE",
        help="Sent to the endpoint, and kept nowhere; env:KEY as value is read from the environment.",
    ),
]


@dataclass(slots=True)
class NoGraph:
    """Stands where none was named: a search may do without."""

    name: str = "no graph"

    def ask(self, query: str) -> "Answer":
        """Return an error, whatever is asked."""
        from assay.core.answers import Answer

        return Answer("error", message=f"expected a graph for this query, found none: {query[:80]!r}")

    def select(self, query: str) -> "Answer":
        """Refuse, whatever is asked."""
        from assay.graph.sparql.asking import QueryError

        raise QueryError(self.ask(query).message, hint="name one with --graph FILE or --endpoint URL.")


@dataclass(frozen=True, slots=True)
class Asking:
    """How a graph is asked."""

    limit_s: float = 60.0
    concurrency: int = 1
    retries: int = 3
    headers: Mapping[str, str] = field(default_factory=dict, repr=False)

    @contextmanager
    def of(self, files: Sequence[str] | None, url: str | None, *, needed: bool = True) -> "Iterator[Graph]":
        """Open the files or the endpoint, of which exactly one is named (none, where it is not needed); close it last.

        Raises
        ------
        AssayError
            Neither or both; files that cannot be read; an endpoint that does not answer at all.
        """
        if not (files or url or needed):
            yield NoGraph()
            return
        if bool(files) == bool(url):
            msg = f"graph: expected --graph FILE or --endpoint URL, found {'both' if files else 'neither'}"
            one = "leave out one of them." if files else "--graph FILE reads a graph, --endpoint URL asks one."
            raise ParameterError(msg, hint=one)
        if files:
            from assay.graph.sparql.worker import Worker

            with Worker(files, limit_s=self.limit_s, processes=self.concurrency) as graph:
                yield graph
        elif url:
            from assay.graph.sparql.endpoint import Endpoint

            options = {"concurrency": self.concurrency, "retries": self.retries}
            with Endpoint(url, limit_s=self.limit_s, headers=self.headers, **options) as endpoint:
                endpoint.select("ASK {}")
                yield endpoint


def asking_of(limit: str, retries: str, header: Sequence[str] | None, concurrency: str = "1") -> Asking:
    """Return how a graph is asked, of the options as they were typed."""
    return Asking(
        number("--limit", limit) or 0.0,
        whole("--concurrency", concurrency, lowest=1),
        whole("--retries", retries, lowest=0),
        headers_of(header),
    )


def headers_of(said: Sequence[str] | None) -> dict[str, str]:
    """Return headers by name.

    >>> headers_of(["Authorization: Bearer 1"])
    {'Authorization': 'Bearer 1'}
    """
    found = {}
    for text in said or ():
        name, colon, value = (part.strip() for part in text.partition(":"))
        key = value.removeprefix("env:")
        if not (name and colon and value.isprintable() and name.isascii() and name.isprintable() and " " not in name):
            raise ParameterError("--header: expected NAME:VALUE, found something else")
        if key != value and key not in os.environ:
            raise ParameterError(f"--header: expected a variable of the environment, found none called {key!r}")
        found[name] = os.environ[key] if key != value else value
    return found
