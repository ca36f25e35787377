"""`explain_difference`: which convention makes two tools, or two numbers, differ."""

from assay.difference.explain import explain_difference

__all__ = ["explain_difference"]
