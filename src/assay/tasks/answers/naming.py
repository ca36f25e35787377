"""What people call the things of a graph: their labels, else the words within their IRIs."""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from urllib.parse import unquote

from assay.core.terms import Term, iri
from assay.graph.sparql.asking import Graph
from assay.graph.sparql.clauses import pieces, values

LABELS = (
    "http://www.w3.org/2004/02/skos/core#prefLabel",
    "http://www.w3.org/2000/01/rdf-schema#label",
    "http://schema.org/name",
    "https://schema.org/name",
    "http://xmlns.com/foaf/0.1/name",
)
"""The properties that hold names, the best first; what they hold is nothing to ask about."""
_HUMP = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])|[_\s+]+")
_LEADS = re.compile(r"^(has|is|get) (?=\w)")


@dataclass(frozen=True, slots=True)
class Names:
    """The labels of things by their IRIs."""

    labels: Mapping[str, str]

    @classmethod
    def of(cls, graph: Graph, names: Iterable[str], language: str) -> "Names":
        """Ask a graph for labels: in the language, else in none, else in the first by the alphabet.

        Raises
        ------
        QueryError
            The graph did not answer.
        """
        found: dict[str, tuple[int, int, str]] = {}
        wanted = ((iri(name),) for name in sorted(set(names)))
        properties = values(["p"], [[iri(one)] for one in LABELS])
        for piece in pieces(wanted):
            for thing, kind, label in graph.select(
                f"SELECT ?x ?p ?l {{ {values(['x'], piece)} {properties} ?x ?p ?l }}"
            ).rows:
                if thing is not None and kind is not None and label is not None and label.kind == "literal":
                    rank = (_distance(label, language), LABELS.index(kind.value), label.value)
                    found[thing.value] = min(rank, found.get(thing.value, rank))
        return cls({name: " ".join(label.split()) for name, (_, _, label) in found.items() if label.strip()})

    def thing(self, name: str) -> str:
        """Return what a thing is called."""
        return self.labels.get(name) or words(name)

    def property(self, name: str) -> str:
        """Return what a property is called, without a verb before it: `hasBoss` is the boss."""
        return _LEADS.sub("", self.thing(name))


def words(name: str) -> str:
    """Return the words within the last part of an IRI.

    >>> words("http://x/prod#ProductCategory"), words("http://x/empl-Karen.Brant%40x.org")
    ('product category', 'empl-Karen.Brant@x.org')
    """
    end = re.split("[/#:]", name.rstrip("/#:"))[-1]
    plain = unquote(end)
    if re.fullmatch(r"[A-Za-z0-9]+", plain) is None:
        return " ".join(_HUMP.sub(" ", plain).split()) if "." not in plain else plain
    return " ".join(
        part if part.isupper() and len(part) > 1 else part.lower() for part in _HUMP.sub(" ", plain).split()
    )


def _distance(label: Term, language: str) -> int:
    if label.language.partition("-")[0] == language.lower():
        return 0
    return 1 if not label.language else 2
