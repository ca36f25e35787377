"""Arguments that the verbs of `assay graph` share, and the graph that they name."""

from typing import TYPE_CHECKING, Annotated

import typer

from assay.errors import ParameterError

if TYPE_CHECKING:
    from assay.graph.sparql.asking import Graph

Graphs = Annotated[
    list[str],
    typer.Argument(metavar="GRAPH...", help="Files of RDF, or the address (http...) of one SPARQL endpoint."),
]
Ontology = Annotated[
    list[str] | None,
    typer.Option("--ontology", metavar="FILE", help="RDFS and OWL axioms, beside those that the graph holds."),
]
Shapes = Annotated[list[str] | None, typer.Option("--shapes", metavar="FILE", help="SHACL shapes.")]


def open_graph(places: list[str]) -> "Graph":
    """Return the graph of these files, or the endpoint at this address.

    Raises
    ------
    ParameterError
        An address beside other places.
    """
    remote = [place for place in places if place.startswith(("http://", "https://"))]
    if not remote:
        from assay.graph.sparql.store import Store

        return Store.open(places)
    if len(places) > 1:
        raise ParameterError(f"graph: expected files, or one address alone, found {', '.join(places)}")
    from assay.graph.sparql.endpoint import Endpoint

    return Endpoint(remote[0])


def open_beside(places: list[str] | None) -> "Graph | None":
    """Return the graph of files that stand beside the one that is judged; None without."""
    from assay.graph.sparql.store import Store

    return Store.open(places) if places else None
