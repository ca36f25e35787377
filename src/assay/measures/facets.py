"""What measures of judgments by aspect, group or sample have in common."""

from collections.abc import Sequence

from assay.errors import UnsupportedError
from assay.measures.base import Measure


class FacetMeasure(Measure):
    """A measure that reads `judged.facets`: the grades of a ranking alone do not say its value."""

    needs_facets = True

    def by_the_book(self, grades: Sequence[float], gold: Sequence[float]) -> float:
        """Raise UnsupportedError: the definition as a plain loop stands in the tests, which know the facets."""
        del grades, gold
        msg = f"{self}: grades alone do not say by which aspect, group or sample an item was judged"
        raise UnsupportedError(msg, hint="evaluate() takes a gold standard that says it.")
