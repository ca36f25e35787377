"""`evaluate`: gold and a run in, measures with their policy and audit out."""

from assay.evaluate.cache import Cache
from assay.evaluate.compute import Gathering, compute
from assay.evaluate.evaluate import DEFAULT, evaluate, evaluate_all
from assay.evaluate.judging import Judging
from assay.evaluate.plan import Plan, plans_of
from assay.evaluate.standard import Aggregate, Measures, Standard

__all__ = [
    "DEFAULT", "Aggregate", "Cache", "Gathering", "Judging", "Measures", "Plan", "Standard", "compute", "evaluate",
    "evaluate_all", "plans_of",
]  # fmt: skip
