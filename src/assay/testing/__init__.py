"""For authors of plug-ins: the contract of a measure, collections to try it on, and an oracle for engines.

Needs Hypothesis, which Assay itself does not.

>>> from assay.measures import MEASURES
>>> check_measure(MEASURES["HR"] @ 3, examples=5)
"""

from assay.testing.brute_force import judge
from assay.testing.measures import check_measure, variants
from assay.testing.strategies import Collection, collections

__all__ = ["Collection", "check_measure", "collections", "judge", "variants"]
