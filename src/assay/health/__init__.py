"""`health`: how far the gold standard carries the numbers that were made with it."""

from assay.health.figures import ceiling
from assay.health.health import health, worklist
from assay.health.work import can_be_narrowed

__all__ = ["can_be_narrowed", "ceiling", "health", "worklist"]
