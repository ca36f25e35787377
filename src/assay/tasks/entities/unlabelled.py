"""Between what figures would lie if the records without a label had one."""

import numpy as np

from assay.core.entities import Bound, PairCounts
from assay.core.judged import Ints
from assay.tasks.entities.contingency import Contingency, pairs


def bounds(table: Contingency, counts: PairCounts) -> tuple[Bound, ...]:
    r"""Return the bounds of pairwise precision and recall and of B-cubed precision; none where all have labels.

    Precision looks into one proposed cluster at a time. It is lowest where each of its unlabelled records is an entity
    of its own, highest where all of them belong to the entity that has most records in it: both ends are reached.
    With t shared and T true pairs, x the most pairs that labels could add to the shared ones, u unlabelled records and
    m the size of the largest true cluster, no labels bring recall out of

    $$ \frac{t}{T + u m + \binom u 2} \le R \le \frac{t + x}{T + x} $$
    """
    free = table.whole_sizes - table.proposed_sizes
    unlabelled = int(free.sum())
    if not unlabelled:
        return ()
    most = _most(table)
    added = int((pairs(most + free) - pairs(most)).sum())
    together = int(pairs(table.whole_sizes).sum())
    hits, true = counts.true_positives, counts.true
    strangers = unlabelled * int(table.true_sizes.max()) + unlabelled * (unlabelled - 1) // 2
    precision = _share(hits, together), _share(hits + added, together)
    recall = _share(hits, true + strangers), _share(hits + added, true + added)
    return (
        Bound("pairwise precision", *precision, exact=True),
        Bound("pairwise recall", *recall, exact=False),
        _b_cubed_precision(table, free, most),
    )


def _b_cubed_precision(table: Contingency, free: Ints, most: Ints) -> Bound:
    every = int(table.whole_sizes.sum())
    size = np.maximum(table.whole_sizes, 1)
    right = float((table.squared / size[table.proposed]).sum())
    low = right + float((free / size).sum())
    high = right + float((((most + free) ** 2 - most**2) / size).sum())
    return Bound("b_cubed precision", low / every, high / every, exact=True)


def _most(table: Contingency) -> Ints:
    """Return the most records that any true cluster has in each proposed one, shape (proposed clusters,)."""
    most = np.zeros(len(table.whole_sizes), np.int64)
    np.maximum.at(most, table.proposed, table.shared)
    return most


def _share(part: int, whole: int) -> float | None:
    return part / whole if whole else None
