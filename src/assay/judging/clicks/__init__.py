"""Grades from clicks: one file is one model of why people click."""

from assay.judging.clicks.grading import MODELS, grade_clicks, model_of

__all__ = ["MODELS", "grade_clicks", "model_of"]
