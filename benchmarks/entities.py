"""Benchmark of entity resolution: 1,000,000 records in clusters; the rivals are er-evaluation and scikit-learn.

`python -m benchmarks.entities CONTENDER [RECORDS]` computes once, for the peak memory of a whole process.
"""

import sys
import warnings
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from importlib.util import find_spec

import numpy as np
import polars as pl

from assay.tasks.entities.clusters import judge_clusters
from assay.tasks.entities.contingency import align
from assay.tasks.entities.figures import b_cubed_by_cluster, exact_cluster, pair_counts
from benchmarks.inputs import PART, SEED
from benchmarks.measuring import call, execute, in_turns
from benchmarks.options import Options
from benchmarks.table import difference, heading, row

ROUNDS, RECORDS, SIZE, NOISE = 3, 1_000_000, 3, 0.1
"""Records, the mean size of a true cluster, and the share of records that are put into any cluster."""


@dataclass(frozen=True)
class EntitiesBenchmark:
    """Pairwise, exact cluster and B-cubed precision and recall from one table, beside all figures and the rivals."""

    letter: str

    def run(self, options: Options) -> bool:
        """Compare the values, then the times; return whether all were equal."""
        records = round(RECORDS * (PART if options.small else 1.0))
        print(heading(self.letter, f"{records:,} records in clusters, the rows of both sides in different order"))
        contenders: dict[str, Callable[[int], list[float]]] = {"Assay": three, "Assay, all": every}
        equal = True
        for name, (package, contender, ours) in RIVALS.items():
            if find_spec(package) is None or name in options.without:
                print(f"   left out: no {name} (pip install {name})")
                continue
            values = list(zip(ours(records), contender(records), strict=True))
            apart = max(abs(one - other) for one, other in values)
            equal = difference(name, 1e-9, len(values), apart) and equal
            contenders[name] = contender
        if equal:
            self._print(contenders, records, options)
        return equal

    def _print(self, contenders: dict[str, Callable[[int], list[float]]], records: int, options: Options) -> None:
        for contender in contenders.values():
            contender(records)
        turns = [lambda c=contender: call(lambda: c(records)) for contender in contenders.values()]
        measured = in_turns(turns, options.times(ROUNDS))
        for name, spent in zip(contenders, measured, strict=True):
            print(row(name, spent, measured[0]))
            peak = execute([sys.executable, "-m", "benchmarks.entities", name, str(records)])[0].peak or 0
            print(f"   {'':14}{peak / 2**20:9,.0f} MiB at most, the whole process")


@cache
def codes(records: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return true and proposed clusters of the same records, and another order of them."""
    random = np.random.default_rng(SEED)
    true = random.integers(0, records // SIZE, records)
    proposed = np.where(random.random(records) < NOISE, random.integers(0, records // SIZE, records), true)
    return true, proposed, random.permutation(records)


@cache
def frames(records: int) -> tuple[pl.DataFrame, pl.DataFrame]:
    """Return both sides as tables."""
    true, proposed, order = codes(records)
    truth = pl.DataFrame({"record": np.arange(records), "entity": true})
    return truth, pl.DataFrame({"record": order, "entity": proposed[order]})


def three(records: int) -> list[float]:
    """Return precision and recall of pairs, exact clusters and B-cubed by cluster, from one table."""
    table = align(*frames(records)).table()
    found = pair_counts(table).agreement, exact_cluster(table), b_cubed_by_cluster(table)
    return [value for one in found for value in (one.precision, one.recall)]


def every(records: int) -> list[float]:
    """Return five figures of all, which are computed with their splits, merges and sizes."""
    found = judge_clusters(*frames(records))
    pairs = found.pairs.agreement
    return [pairs.precision, pairs.recall, found.homogeneity, found.completeness, found.adjusted_rand]


def scikit_learn(records: int) -> list[float]:
    """Return the same as `every` by scikit-learn, which has no B-cubed and takes records in the same order."""
    from sklearn import metrics

    true, proposed, _ = codes(records)
    (_, wrong), (missed, right) = metrics.cluster.pair_confusion_matrix(true, proposed).tolist()
    shares = metrics.homogeneity_completeness_v_measure(true, proposed)[:2]
    return [right / (right + wrong), right / (right + missed), *shares, metrics.adjusted_rand_score(true, proposed)]


def six_calls(records: int) -> list[float]:
    """Return the same as `three` by er-evaluation, which has a function for each."""
    from er_evaluation import metrics

    prediction, reference = series(records)
    names = [f"{name}_{part}" for name in ("pairwise", "cluster", "b_cubed") for part in ("precision", "recall")]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return [float(getattr(metrics, name)(prediction, reference)) for name in names]


@cache
def series(records: int) -> tuple[object, object]:
    """Return both sides as er-evaluation takes them."""
    import pandas as pd

    true, proposed, order = codes(records)
    return pd.Series(proposed[order], index=order), pd.Series(true, index=np.arange(records))


RIVALS = {"er-evaluation": ("er_evaluation", six_calls, three), "scikit-learn": ("sklearn", scikit_learn, every)}
"""The package of each rival, its values, and which of ours they are."""
ENTITIES = [EntitiesBenchmark("entities")]

if __name__ == "__main__":
    known = {"Assay": three, "Assay, all": every} | {name: rival for name, (_, rival, _) in RIVALS.items()}
    known[sys.argv[1]](int(sys.argv[2]))
