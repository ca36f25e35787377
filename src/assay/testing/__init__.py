"""For authors of plug-ins: the contract of a measure, collections to try it on, and an oracle for engines.

Needs Hypothesis, which Assay itself does not; it is loaded when one of these names is first used, so that the
plugin of pytest, which lies here too (`assay.testing.plugin`), starts without.

>>> from assay.measures import MEASURES
>>> from assay.testing import check_measure
>>> check_measure(MEASURES["HR"] @ 3, examples=5)
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from assay.testing.brute_force import judge
    from assay.testing.measures import check_measure, variants
    from assay.testing.strategies import Collection, collections

__all__ = ["Collection", "check_measure", "collections", "judge", "variants"]

_HOMES = {
    "Collection": "strategies",
    "check_measure": "measures",
    "collections": "strategies",
    "judge": "brute_force",
    "variants": "measures",
}


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        msg = f"module 'assay.testing' has no attribute {name!r}"
        raise AttributeError(msg)
    return getattr(import_module(f"assay.testing.{_HOMES[name]}"), name)
