"""Gold standards, runs and settings that tests of the gate share."""

import numpy as np

GOLD = {f"q{i:02}": {"a": 1} for i in range(40)}


def run_of(ranks):
    """Return a run whose right answer stands at these ranks, one for each query of the gold; 0: nowhere."""
    return {query: _ranking(rank) for query, rank in zip(GOLD, ranks, strict=True)}


def _ranking(rank):
    others = [f"x{i}" for i in range(9)]
    return others if not rank else [*others[: rank - 1], "a", *others[rank - 1 :]]


GOOD = run_of([1] * 40)
"""Every answer stands first."""
WORSE = run_of([1] * 20 + [2] * 20)
"""Half of them stand second: RR falls by 0.25, and no query to 0."""
CHANCE = run_of([1] * 38 + [2, 0])
"""Two became worse: RR falls by 0.0375, which may be chance; one query to 0."""
MIXED = run_of([2] * 20 + [1] * 20)


def qrels(path, gold=None, order=None):
    """Write a gold standard in TREC form."""
    rows = [f"{query} 0 {item} {grade}" for query, items in (gold or GOLD).items() for item, grade in items.items()]
    path.write_text("\n".join(_shuffled(rows, order)) + "\n")
    return path


def trec(path, run, order=None):
    """Write a run in TREC form."""
    rows = [
        f"{query} Q0 {item} {rank} {20 - rank} s" for query, items in run.items() for rank, item in enumerate(items, 1)
    ]
    path.write_text("\n".join(_shuffled(rows, order)) + "\n")
    return path


def settings(path, text='measures = "RR"', *more):
    """Write settings: the lines of [gate], then further tables."""
    path.write_text("\n".join(["[gate]", text, *more]) + "\n")
    return str(path)


def _shuffled(rows, order):
    return rows if order is None else [rows[i] for i in np.random.default_rng(order).permutation(len(rows))]
