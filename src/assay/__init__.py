"""Assay tells how good ranked answers are, and whether that number may be trusted.

    >>> import assay
    >>> from assay import RR, P, nDCG
    >>> gold = {"q1": {"a": 2, "b": 0, "c": 1}}
    >>> run = {"q1": {"b": 3.0, "a": 2.0, "c": 1.0}}
    >>> assay.evaluate(gold, run, [P @ 2, RR, nDCG @ 10]).mean
    {'P@2': 0.5, 'RR': 0.5, 'nDCG@10': 0.66967181649423}

Every measure can be imported by its name; everything else public is listed in `__all__`. Names are loaded
when they are first used, so that `import assay` costs next to nothing.
"""

import importlib
import sys
from types import ModuleType
from typing import TYPE_CHECKING, Any

from assay._version import __version__

if TYPE_CHECKING:
    from assay.audit.inputs import audit as audit
    from assay.compare import compare as compare
    from assay.compare import compare_evaluations as compare_evaluations
    from assay.core.audit import Audit as Audit
    from assay.core.comparison import Comparison as Comparison
    from assay.core.difference import Difference as Difference
    from assay.core.estimates import Interval as Interval
    from assay.core.evaluation import Evaluation as Evaluation
    from assay.core.explanation import Explanation as Explanation
    from assay.core.gold import Gold as Gold
    from assay.core.health import Health as Health
    from assay.core.labels import Labels as Labels
    from assay.core.policy import Policy as Policy
    from assay.core.profiles import PROFILES as PROFILES
    from assay.core.run import Run as Run
    from assay.core.scores import Scores as Scores
    from assay.core.texts import Documents as Documents
    from assay.core.texts import Queries as Queries
    from assay.core.verification import Verification as Verification
    from assay.difference.explain import explain_difference as explain_difference
    from assay.dossier import dossier as dossier
    from assay.dossier import write_report as write_report
    from assay.engines.fuse import fuse as fuse
    from assay.evaluate import evaluate as evaluate
    from assay.evaluate import evaluate_all as evaluate_all
    from assay.evaluate.predicted import predicted as predicted
    from assay.explain import explain as explain
    from assay.explain import explain_change as explain_change
    from assay.formats.corpora import read_documents as read_documents
    from assay.formats.labels import read_labels as read_labels
    from assay.formats.suites import read_suite as read_suite
    from assay.formats.topics import read_queries as read_queries
    from assay.graph.accuracy.accuracy import estimate_accuracy as estimate_accuracy
    from assay.graph.completeness.completeness import completeness as completeness
    from assay.graph.gaps.gaps import gaps as gaps
    from assay.graph.sparql.endpoint import Endpoint as Endpoint
    from assay.graph.sparql.store import Store as Store
    from assay.graph.validity.suspects import rank_suspects as rank_suspects
    from assay.graph.validity.validity import validity as validity
    from assay.health import health as health
    from assay.health import worklist as worklist
    from assay.judging.adjudicate import adjudicate as adjudicate
    from assay.judging.agree import agree as agree
    from assay.judging.clicks import grade_clicks as grade_clicks
    from assay.judging.derive import derive as derive
    from assay.judging.pools import pool as pool
    from assay.measures.notation import parse as parse
    from assay.tasks.answers.check import check_suite as check_suite
    from assay.tasks.answers.evaluate import evaluate_answers as evaluate_answers
    from assay.tasks.answers.run import run_suite as run_suite
    from assay.tasks.entities.compare import compare_entities as compare_entities
    from assay.tasks.entities.evaluate import evaluate_entities as evaluate_entities
    from assay.tasks.lexical.dense import search_vectors as search_vectors
    from assay.tasks.lexical.diagnosis.diagnose import diagnose as diagnose_lexical  # noqa: F401 - public under this name
    from assay.tasks.lexical.expanding import expand as expand_queries  # noqa: F401 - public under this name
    from assay.tasks.lexical.sides import compare_sides as compare_sides
    from assay.tasks.lexical.texts import search_texts as search_texts
    from assay.tasks.links.audit import audit_links as audit_links
    from assay.tasks.links.compare import compare_links as compare_links
    from assay.tasks.links.evaluate import evaluate_links as evaluate_links
    from assay.tasks.links.graph import KnowledgeGraph as KnowledgeGraph
    from assay.tasks.links.ranking import rank as rank_links  # noqa: F401 - public under this name
    from assay.tasks.neighbours import drift as drift
    from assay.tasks.neighbours import exact_neighbours as exact_neighbours
    from assay.tasks.rag.compare import compare_rag as compare_rag
    from assay.tasks.rag.evaluate import evaluate_rag as evaluate_rag
    from assay.tasks.rag.retrievers import retrieve as retrieve
    from assay.tasks.rag.stages import judge_stages as judge_stages
    from assay.tasks.rag.tuning import tune_rag as tune_rag
    from assay.verify.verify import verify as verify

_HOMES = {
    "Audit": "assay.core.audit",
    "Comparison": "assay.core.comparison",
    "Difference": "assay.core.difference",
    "Documents": "assay.core.texts",
    "Endpoint": "assay.graph.sparql.endpoint",
    "Evaluation": "assay.core.evaluation",
    "Explanation": "assay.core.explanation",
    "Gold": "assay.core.gold",
    "Health": "assay.core.health",
    "Interval": "assay.core.estimates",
    "KnowledgeGraph": "assay.tasks.links.graph",
    "Labels": "assay.core.labels",
    "Measure": "assay.measures.base",
    "PROFILES": "assay.core.profiles",
    "Policy": "assay.core.policy",
    "Queries": "assay.core.texts",
    "Run": "assay.core.run",
    "Scores": "assay.core.scores",
    "Store": "assay.graph.sparql.store",
    "Verification": "assay.core.verification",
    "adjudicate": "assay.judging.adjudicate",
    "agree": "assay.judging.agree",
    "audit": "assay.audit.inputs",
    "audit_links": "assay.tasks.links.audit",
    "check_suite": "assay.tasks.answers.check",
    "compare": "assay.compare",
    "compare_entities": "assay.tasks.entities.compare",
    "compare_evaluations": "assay.compare",
    "compare_links": "assay.tasks.links.compare",
    "compare_rag": "assay.tasks.rag.compare",
    "compare_sides": "assay.tasks.lexical.sides",
    "completeness": "assay.graph.completeness.completeness",
    "derive": "assay.judging.derive",
    "diagnose_lexical": "assay.tasks.lexical.diagnosis.diagnose:diagnose",
    "dossier": "assay.dossier",
    "drift": "assay.tasks.neighbours",
    "estimate_accuracy": "assay.graph.accuracy.accuracy",
    "evaluate": "assay.evaluate",
    "evaluate_all": "assay.evaluate",
    "evaluate_answers": "assay.tasks.answers.evaluate",
    "evaluate_entities": "assay.tasks.entities.evaluate",
    "evaluate_links": "assay.tasks.links.evaluate",
    "evaluate_rag": "assay.tasks.rag.evaluate",
    "exact_neighbours": "assay.tasks.neighbours",
    "expand_queries": "assay.tasks.lexical.expanding:expand",
    "explain": "assay.explain",
    "explain_change": "assay.explain",
    "explain_difference": "assay.difference",
    "fuse": "assay.engines.fuse",
    "gaps": "assay.graph.gaps.gaps",
    "grade_clicks": "assay.judging.clicks",
    "health": "assay.health",
    "judge_stages": "assay.tasks.rag.stages",
    "measure": "assay.measures.base",
    "parse": "assay.measures.notation",
    "pool": "assay.judging.pools",
    "predicted": "assay.evaluate.predicted",
    "rank_links": "assay.tasks.links.ranking:rank",
    "rank_suspects": "assay.graph.validity.suspects",
    "read_documents": "assay.formats.corpora",
    "read_gold": "assay.formats",
    "read_labels": "assay.formats.labels",
    "read_queries": "assay.formats.topics",
    "read_run": "assay.formats",
    "read_suite": "assay.formats.suites",
    "retrieve": "assay.tasks.rag.retrievers",
    "run_suite": "assay.tasks.answers.run",
    "search_texts": "assay.tasks.lexical.texts",
    "search_vectors": "assay.tasks.lexical.dense",
    "tune_rag": "assay.tasks.rag.tuning",
    "validity": "assay.graph.validity.validity",
    "verify": "assay.verify",
    "worklist": "assay.health",
    "write_report": "assay.dossier",
}

__all__ = ["__version__", *_HOMES]  # noqa: PLE0604 - the names are texts


def __getattr__(name: str) -> Any:
    if name in _HOMES:
        home, _, other = _HOMES[name].partition(":")
        return getattr(importlib.import_module(home), other or name)
    if name.startswith("_"):
        raise AttributeError(name)
    measures = importlib.import_module("assay.measures").MEASURES
    if name in measures:
        return measures[name]
    msg = f"module 'assay' has no attribute {name!r}"
    raise AttributeError(msg)


class _Package(ModuleType):
    """Keeps the name of a verb for its function: loading the module of that name must not hide it."""

    def __setattr__(self, name: str, value: object) -> None:
        if not (isinstance(value, ModuleType) and name in _HOMES):
            super().__setattr__(name, value)


sys.modules[__name__].__class__ = _Package


def __dir__() -> list[str]:
    return sorted({*__all__, *importlib.import_module("assay.measures").MEASURES})
