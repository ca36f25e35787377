"""Benchmark of exact nearest neighbours: the rival is a bare matrix product and argpartition, in this process."""

from dataclasses import dataclass

import numpy as np

from assay.tasks.neighbours import exact_neighbours
from benchmarks.inputs import PART, SEED
from benchmarks.measuring import call, in_turns
from benchmarks.options import Options
from benchmarks.table import heading, row

ROUNDS = 3
VECTORS, DIMENSIONS, ASKED, K = 100_000, 128, 4_096, 10
BLOCK = 256
RIVAL = "bare product"


@dataclass(frozen=True)
class NeighboursBenchmark:
    """The nearest of some of many vectors; the rival leaves out order, ties, exact scores and the query itself."""

    letter: str

    def run(self, options: Options) -> bool:
        """Compare the neighbours, then the times; return whether both found the same."""
        part = PART if options.small else 1.0
        vectors = unit_vectors(round(VECTORS * part))
        asked = min(round(ASKED * part) + BLOCK, len(vectors))
        print(heading(self.letter, f"the {K} nearest of {asked:,} of {len(vectors):,} × {DIMENSIONS} vectors"))
        ours, theirs = exact_neighbours(vectors, np.arange(asked), K)[0], bare_product(vectors, asked)
        same = sum(set(a) == set(b) for a, b in zip(ours.tolist(), theirs, strict=True))
        equal = same == asked
        print(f"   {'equal' if equal else 'DIFFERENT'}: {same:,} of {asked:,} queries have the neighbours of a {RIVAL}")
        if equal:
            contenders = {
                "Assay": lambda: exact_neighbours(vectors, np.arange(asked), K),
                RIVAL: lambda: bare_product(vectors, asked),
            }
            measured = in_turns([lambda c=c: call(c) for c in contenders.values()], options.times(ROUNDS))
            for name, spent in zip(contenders, measured, strict=True):
                print(row(name, spent, measured[0]))
        return equal


def unit_vectors(rows: int) -> np.ndarray:
    """Return random unit vectors, so that a product is a cosine."""
    table = np.random.default_rng(SEED).normal(size=(rows, DIMENSIONS)).astype(np.float32)
    return table / np.linalg.norm(table, axis=1, keepdims=True)


def bare_product(vectors: np.ndarray, asked: int) -> list[set[int]]:
    """Return the highest products of each query but its own, as sets."""
    found = []
    for start in range(0, asked, BLOCK):
        products = vectors[start : min(start + BLOCK, asked)] @ vectors.T
        best = np.argpartition(products, len(vectors) - K - 1, axis=1)[:, -K - 1 :]
        found += [set(ids) - {start + place} for place, ids in enumerate(best.tolist())]
    return found


NEIGHBOURS = [NeighboursBenchmark("near")]
