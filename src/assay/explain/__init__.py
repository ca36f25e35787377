"""`explain`: where one number of one query comes from, place by place; and what lies between two runs."""

from assay.explain.change import explain_change, explain_changes
from assay.explain.explain import explain, explain_many, require_places
from assay.explain.worst import most_changed, worst

__all__ = [
    "explain", "explain_change", "explain_changes", "explain_many", "most_changed", "require_places", "worst",
]  # fmt: skip
