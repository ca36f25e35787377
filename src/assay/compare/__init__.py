"""`compare`: several runs held against each other: which is better, by how much, how sure that is, on which queries."""

from assay.compare.compare import compare, compare_evaluations
from assay.compare.recorded import is_result, read_results
from assay.compare.settings import COMPARED, Settings
from assay.compare.slicing import slice_evaluations, slices_of

__all__ = [
    "COMPARED", "Settings", "compare", "compare_evaluations", "is_result", "read_results",
    "slice_evaluations", "slices_of",
]  # fmt: skip
