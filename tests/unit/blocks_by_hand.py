"""Counts by hand: one query, one candidate at a time, the way the definition says."""

import numpy as np

from assay.engines.blocks import Lists

LEVELS = np.array([-0.3, -0.1, 0.0, 0.1, 0.2, 0.7])


def value(kind, query, candidate):
    """Return what decides the order: terms in float64, added from the first to the last."""
    wide = np.complex128 if kind == "modulus" else np.float64
    total = 0.0
    for one, other in zip(query.astype(wide).tolist(), candidate.astype(wide).tolist(), strict=True):
        apart = one - other
        if kind == "dot":
            total += one * other
        elif kind == "l2":
            total -= apart * apart
        elif kind == "l1":
            total -= abs(apart)
        else:
            total -= float(np.sqrt(apart.real * apart.real + apart.imag * apart.imag))
    return total


def counted(scores, targets, lists=None):
    """Return greater and equal for each target, among all candidates or those of each query's list."""
    rows = []
    for query, row in enumerate(scores):
        among = range(len(row)) if lists is None else listed(lists, query)
        for target in listed(targets, query):
            others = [row[one] for one in among if one != target]
            rows.append((sum(one > row[target] for one in others), sum(one == row[target] for one in others)))
    return rows


def listed(lists, query):
    which = query if lists.number is None else lists.number[query]
    return lists.entity[lists.start[which] : lists.start[which + 1]].tolist()


def some_lists(random, queries, entities, size):
    return Lists.of(random.integers(0, queries, size), random.integers(0, entities, size), queries)


def vectors(random, count, dimensions, kind, dtype):
    """Return vectors of few levels, so that many scores tie, some twice."""
    made = random.choice(LEVELS, (count, dimensions))
    if kind == "modulus":
        made = made + 1j * random.choice(LEVELS, (count, dimensions))
        dtype = np.result_type(dtype, np.complex64)
    made[count // 2 :] = made[: count - count // 2]
    return made.astype(dtype)
