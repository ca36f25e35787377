"""`evaluate`: gold and a run in, measures with their policy and audit out."""

from assay.evaluate.compute import Gathering, compute
from assay.evaluate.evaluate import DEFAULT, Aggregate, Measures, evaluate, evaluate_all
from assay.evaluate.judging import Judging
from assay.evaluate.plan import Plan, plans_of

__all__ = [
    "DEFAULT", "Aggregate", "Gathering", "Judging", "Measures", "Plan", "compute", "evaluate", "evaluate_all",
    "plans_of",
]  # fmt: skip
