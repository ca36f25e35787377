"""Embedding quality: exact neighbours, index recall, labels, hubs, clusters, and drift between versions."""

from assay.tasks.neighbours.drift import drift
from assay.tasks.neighbours.evaluate import evaluate_vectors
from assay.tasks.neighbours.exact import exact_neighbours
from assay.tasks.neighbours.vectors import Vectors

__all__ = ["Vectors", "drift", "evaluate_vectors", "exact_neighbours"]
