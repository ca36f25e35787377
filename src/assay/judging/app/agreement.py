"""How far judges agree, for the page of the admin; `assay gold agree` says more."""

from dataclasses import dataclass

from assay.core.agreement import Agreement, Between
from assay.core.judging import Scale
from assay.core.labels import Labels
from assay.errors import InputError
from assay.judging.agree import agree


@dataclass(frozen=True, slots=True)
class Matrix:
    """The agreement of all, and that of each two judges by their names."""

    found: Agreement
    cells: dict[tuple[str, str], Between]

    def cell(self, first: str, second: str) -> Between | None:
        """Return what is known of two judges, in either order; None of those who share no pair."""
        return self.cells.get((first, second)) or self.cells.get((second, first))


def matrix(labels: Labels, scale: Scale) -> Matrix | None:
    """Return how far judges agree; None where no pair was graded by two."""
    try:
        found = agree(labels, scale=[level.grade for level in scale.levels], interval=None, over_time="none", most=5)
    except InputError:
        return None
    return Matrix(found, {(one.first, one.second): one for one in found.between})
