"""Assay tells how good ranked answers are, and whether that number may be trusted.

    >>> import assay
    >>> from assay import RR, P, nDCG
    >>> gold = {"q1": {"a": 2, "b": 0, "c": 1}}
    >>> run = {"q1": {"b": 3.0, "a": 2.0, "c": 1.0}}
    >>> assay.evaluate(gold, run, [P @ 2, RR, nDCG @ 10]).mean
    {'P@2': 0.5, 'RR': 0.5, 'nDCG@10': 0.6696718165301941}

Every measure can be imported by its name; everything else public is listed in `__all__`. Names are loaded
when they are first used, so that `import assay` costs next to nothing.
"""

import importlib
from typing import TYPE_CHECKING, Any

from assay._version import __version__

if TYPE_CHECKING:
    from assay.core.evaluation import Evaluation as Evaluation
    from assay.core.gold import Gold as Gold
    from assay.core.policy import Policy as Policy
    from assay.core.profiles import PROFILES as PROFILES
    from assay.core.run import Run as Run
    from assay.core.scores import Scores as Scores
    from assay.evaluate import evaluate as evaluate
    from assay.evaluate import evaluate_all as evaluate_all
    from assay.measures.notation import parse as parse

_HOMES = {
    "Evaluation": "assay.core.evaluation",
    "Gold": "assay.core.gold",
    "PROFILES": "assay.core.profiles",
    "Policy": "assay.core.policy",
    "Run": "assay.core.run",
    "Scores": "assay.core.scores",
    "evaluate": "assay.evaluate",
    "evaluate_all": "assay.evaluate",
    "measure": "assay.measures.base",
    "Measure": "assay.measures.base",
    "parse": "assay.measures.notation",
    "read_gold": "assay.formats",
    "read_run": "assay.formats",
}

__all__ = ["__version__", *_HOMES]  # noqa: PLE0604 - the names are texts


def __getattr__(name: str) -> Any:
    if name in _HOMES:
        return getattr(importlib.import_module(_HOMES[name]), name)
    if name.startswith("_"):
        raise AttributeError(name)
    measures = importlib.import_module("assay.measures").MEASURES
    if name in measures:
        return measures[name]
    msg = f"module 'assay' has no attribute {name!r}"
    raise AttributeError(msg)


def __dir__() -> list[str]:
    return sorted({*__all__, *importlib.import_module("assay.measures").MEASURES})
