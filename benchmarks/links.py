"""Benchmarks of link prediction: FB15k-237, both sides, filtered, d = 200; the rivals are PyKEEN and a bare product.

`python -m benchmarks.links MODEL` ranks once, for the peak memory of a whole process.
"""

import os
import sys
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from importlib.util import find_spec
from pathlib import Path

import numpy as np

from assay.engines.compiled import available
from assay.tasks.links.graph import KnowledgeGraph
from assay.tasks.links.models.base import Model
from assay.tasks.links.models.complex import ComplEx
from assay.tasks.links.models.transe import TransE
from assay.tasks.links.ranking import Ranking, rank
from benchmarks.inputs import PART, SEED
from benchmarks.measuring import Measured, Spent, call, execute, in_turns
from benchmarks.options import Options
from benchmarks.table import heading, row

ROUNDS, DIMENSIONS, RIVAL = 3, 200, "PyKEEN"
ENTITIES, RELATIONS, TRIPLES = 14_541, 237, {"train": 272_115, "valid": 17_535, "test": 20_466}
SAMPLE, BATCH = 256, {"complex": 16, "transe-l1": 16, "transe-l2": 64}
"""PyKEEN ranks so many triples, in the batch that is fastest; its time is scaled to all."""
SQUARE, BLOCK = 4096, 1024
MODELS: dict[str, Callable[..., Model]] = {
    "complex": ComplEx,
    "transe-l1": lambda entity, relation: TransE(entity, relation, norm=1),
    "transe-l2": lambda entity, relation: TransE(entity, relation, norm=2),
}
WIDTH = {"complex": 2 * DIMENSIONS, "transe-l2": DIMENSIONS}
"""Columns of the matrix product that a model comes down to."""


@dataclass(frozen=True)
class LinksBenchmark:
    """One model of random vectors; NumPy alone, with numba, PyKEEN where it is installed, a bare matrix product."""

    letter: str
    model: str

    def run(self, options: Options) -> bool:
        """Compare the ranks, then the times; return whether all were equal."""
        test = graph(PART if options.small else 1.0)
        entity, relation = vectors(self.model)
        model = MODELS[self.model](entity, relation)
        first = rank(test, model, compiled=False)
        questions = int(first.table["query"].max()) + 1
        print(heading(self.letter, f"{self.model}, {first.table.height:,} ranks, {questions:,} different questions"))
        equal = self._same(test, model, first, options)
        if equal:
            contenders = {"Assay": lambda: call(lambda: rank(test, model, compiled=False))}
            if available():
                contenders["Assay, numba"] = lambda: call(lambda: rank(test, model, compiled=True))
            if self.model in WIDTH:
                contenders["bare product"] = lambda: call(lambda: product(questions, WIDTH[self.model]))
            if pykeen_is_there(options):
                contenders[RIVAL] = lambda: self._rival(test, entity, relation)
            contenders["square product"] = lambda: call(lambda: product(SQUARE, SQUARE, SQUARE))
            found = dict(zip(contenders, in_turns([*contenders.values()], options.times(ROUNDS)), strict=True))
            self._print(found, questions)
            if not options.small:
                spent, _ = execute([sys.executable, "-m", "benchmarks.links", self.model])
                print(f"   peak memory of a whole process: {(spent.peak or 0) / 2**20:,.0f} MiB")
        return equal

    def _same(self, test: KnowledgeGraph, model: Model, first: Ranking, options: Options) -> bool:
        """Say whether numba and PyKEEN find the same ranks; scores in float32 let PyKEEN differ by one place."""
        equal = not available() or rank(test, model, compiled=True).table.equals(first.table)
        print(f"   {'equal' if equal else 'DIFFERENT'}: {first.table.height:,} ranks with and without numba")
        if not pykeen_is_there(options):
            print(f"   left out: no {RIVAL} (pip install pykeen)")
            return equal
        ours = first.ranks().reshape(2, -1)[:, sampled(test)]
        theirs = pykeen_mean(test, self.model, *vectors(self.model))
        apart = abs(float(np.mean(1 / ours)) - theirs)
        print(f"   {'equal' if apart < 1e-3 else 'DIFFERENT'}: MRR of {ours.size} ranks, {apart:.1g} from {RIVAL}'s")
        return equal and apart < 1e-3

    def _rival(self, test: KnowledgeGraph, entity: np.ndarray, relation: np.ndarray) -> Spent:
        """Time PyKEEN on some triples, scaled to all."""
        spent = call(lambda: pykeen_mean(test, self.model, entity, relation))
        return Spent(spent.seconds * len(test.splits["test"]) / min(SAMPLE, len(test.splits["test"])))

    def _print(self, found: dict[str, Measured], questions: int) -> None:
        square = found.pop("square product").seconds
        peak = 2 * SQUARE**3 / square
        for name, spent in found.items():
            print(row(name, spent, found["Assay"]))
            if self.model in WIDTH and name != RIVAL:
                rate = 2 * questions * ENTITIES * WIDTH[self.model] / spent.seconds
                print(f"   {'':14}{rate / peak:9.0%} of a product of {SQUARE:,} × {SQUARE:,}")


def graph(part: float = 1.0) -> KnowledgeGraph:
    """Return FB15k-237 where ASSAY_DATA has it, else a graph of its size with frequencies like its own."""
    folder = Path(os.environ.get("ASSAY_DATA", "")) / "kg" / "fb15k-237-openke"
    if "ASSAY_DATA" in os.environ and folder.is_dir():
        whole = KnowledgeGraph.read(*(folder / f"{split}2id.txt" for split in TRIPLES))
    else:
        random, splits = np.random.default_rng(SEED), {}
        for split, many in TRIPLES.items():
            ends = (ENTITIES * random.power(0.5, (2, many))).astype(np.int64)
            kinds = (RELATIONS * random.power(0.5, many)).astype(np.int64)
            splits[split] = np.column_stack([ends[0], kinds, ends[1]])
        whole = KnowledgeGraph.from_arrays(**splits, entities=ENTITIES, relations=RELATIONS)
    test = whole.splits["test"]
    kept = {**whole.splits, "test": test[: max(round(len(test) * part), 1)]}
    return KnowledgeGraph(whole.entities, whole.relations, kept)


def sampled(test: KnowledgeGraph) -> np.ndarray:
    """Return the places of the triples that PyKEEN ranks."""
    many = len(test.splits["test"])
    return np.random.default_rng(SEED).choice(many, min(SAMPLE, many), replace=False)


@cache
def vectors(model: str) -> tuple[np.ndarray, np.ndarray]:
    """Return random vectors of all entities and relations in float32 or complex64."""
    random = np.random.default_rng(SEED)
    made = [random.normal(size=(2, many, DIMENSIONS)).astype(np.float32) for many in (ENTITIES, RELATIONS)]
    first, second = (one[0] + 1j * one[1] if model == "complex" else one[0] for one in made)
    return first, second


@cache
def matrices(rows: int, columns: int, width: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    random = np.random.default_rng(SEED)
    left, right = (random.normal(size=(many, width)).astype(np.float32) for many in (rows, columns))
    return left, right, np.empty((rows, columns), np.float32)


def product(rows: int, width: int, columns: int = ENTITIES) -> None:
    """Multiply as many numbers as the ranks need, block by block, and do nothing with them."""
    block = min(rows, BLOCK if columns == ENTITIES else rows)
    left, right, out = matrices(block, columns, width)
    for start in range(0, rows, block):
        many = min(block, rows - start)
        np.matmul(left[:many], right.T, out=out[:many])


def pykeen_is_there(options: Options) -> bool:
    """Tell whether PyKEEN takes part."""
    return find_spec("pykeen") is not None and RIVAL not in options.without


def pykeen_mean(test: KnowledgeGraph, name: str, entity: np.ndarray, relation: np.ndarray) -> float:
    """Return the mean reciprocal rank of the sampled triples, both sides, filtered, by PyKEEN."""
    import torch
    from pykeen import models
    from pykeen.evaluation import RankBasedEvaluator
    from pykeen.triples import CoreTriplesFactory

    splits = {split: torch.as_tensor(rows) for split, rows in test.splits.items()}
    factory = CoreTriplesFactory(splits["train"], num_entities=ENTITIES, num_relations=RELATIONS)
    settings = {} if name == "complex" else {"scoring_fct_norm": int(name[-1])}
    kind = models.ComplEx if name == "complex" else models.TransE
    model = kind(triples_factory=factory, embedding_dim=DIMENSIONS, random_seed=SEED, **settings)
    with torch.no_grad():
        for held, given in ((model.entity_representations, entity), (model.relation_representations, relation)):
            plain = torch.as_tensor(given)
            stored = next(held[0].parameters())
            stored.copy_((torch.view_as_real(plain) if plain.is_complex() else plain).reshape(stored.shape))
    found = RankBasedEvaluator(filtered=True).evaluate(
        model, splits["test"][torch.as_tensor(np.sort(sampled(test)))], batch_size=BATCH[name], use_tqdm=False,
        additional_filter_triples=[splits["train"], splits["valid"], splits["test"]],
    )  # fmt: skip
    return float(found.get_metric("both.realistic.inverse_harmonic_mean_rank"))


LINKS = [
    LinksBenchmark("links-complex", "complex"),
    LinksBenchmark("links-l2", "transe-l2"),
    LinksBenchmark("links-l1", "transe-l1"),
]

if __name__ == "__main__":
    rank(graph(), MODELS[sys.argv[1]](*vectors(sys.argv[1])))
