"""`Term`: one thing that a graph names, or a value that it holds."""

import json
from dataclasses import dataclass
from typing import Literal

XSD = "http://www.w3.org/2001/XMLSchema#"
STRING = XSD + "string"
LANG_STRING = "http://www.w3.org/1999/02/22-rdf-syntax-ns#langString"

Kind = Literal["iri", "blank", "literal", "text"]


@dataclass(frozen=True, slots=True, order=True)
class Term:
    """An RDF term as a graph, an endpoint or a gold standard gives it.

    Parameters
    ----------
    kind
        iri, blank, literal; or text: what people write in a gold standard without saying which of these it is.
    value
        The IRI, the name of the blank node, the lexical form of the literal.
    datatype
        The IRI of a literal's datatype; empty for plain strings and for those of a language.
    language
        The language tag of a literal, in lower case.

    >>> Term("literal", "4.0", "http://www.w3.org/2001/XMLSchema#decimal").n3
    '"4.0"^^<http://www.w3.org/2001/XMLSchema#decimal>'
    """

    kind: Kind
    value: str
    datatype: str = ""
    language: str = ""

    @property
    def n3(self) -> str:
        """The term as N-Triples writes it; a text of unknown kind as a string."""
        if self.kind == "iri":
            return f"<{self.value}>"
        if self.kind == "blank":
            return f"_:{self.value}"
        quoted = json.dumps(self.value, ensure_ascii=False)
        if self.language:
            return f"{quoted}@{self.language}"
        return f"{quoted}^^<{self.datatype}>" if self.datatype else quoted


def iri(value: str) -> Term:
    """Return the term of an IRI."""
    return Term("iri", value)


def literal(value: str, datatype: str = "", language: str = "") -> Term:
    """Return a literal; the datatypes of plain and of language strings say nothing and are left out."""
    said = "" if datatype in {STRING, LANG_STRING} else datatype
    return Term("literal", value, said, language.lower())
