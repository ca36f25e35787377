"""Retrieval for answers: graphs and passages, judged by the facts that an answer needs."""

from assay.tasks.rag.compare import compare_rag
from assay.tasks.rag.evaluate import evaluate_rag
from assay.tasks.rag.questions import questions_of, several

__all__ = ["compare_rag", "evaluate_rag", "questions_of", "several"]
