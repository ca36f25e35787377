"""`verify`: a published result, recomputed from its inputs, its conventions and its measures."""

from assay.verify.verify import verify

__all__ = ["verify"]
