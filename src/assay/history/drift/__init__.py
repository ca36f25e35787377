"""Drift: did quality fall over time, since when, and because of what?"""

from assay.history.drift.drift import drift

__all__ = ["drift"]
