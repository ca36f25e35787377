"""What every graph that can be asked has in common: embedded or remote."""

from typing import Protocol

from assay.core.answers import Answer
from assay.errors import AssayError


class QueryError(AssayError):
    """SPARQL that the engine does not take, or cannot finish."""


class Graph(Protocol):
    """Something that answers SPARQL, such as `Store` in this process or `Endpoint` by HTTP."""

    name: str

    def ask(self, query: str) -> Answer:
        """Return the answer to SELECT or ASK; errors and time-outs are answers with that status, never exceptions."""
        ...

    def select(self, query: str) -> Answer:
        """Return the answer to SELECT or ASK.

        Raises
        ------
        QueryError
            The graph did not answer.
        """
        ...
