"""Whether clusters of vectors agree with types: B-cubed and the adjusted Rand index."""

from collections.abc import Sequence

import polars as pl

from assay.core.neighbours import Clustering
from assay.errors import InputError
from assay.tasks.entities.contingency import number, tabulate
from assay.tasks.entities.figures import adjusted_rand, b_cubed_sums, pair_counts


def clustering(
    clusters: Sequence[object], types: Sequence[object], *, method: str = "given", seed: int | None = None
) -> Clustering:
    r"""Return the agreement of clusters with types, one of each for each item; items where either is None are left out.

    With n_ij items of cluster i and type j, a_i and b_j the sums, and n items:

    $$ P = \frac 1 n \sum_{ij} \frac{n_{ij}^2}{a_i}, \quad R = \frac 1 n \sum_{ij} \frac{n_{ij}^2}{b_j}, \quad
    F_1 = \frac{2PR}{P + R} $$

    $$ ARI = \frac{\sum_{ij} \binom{n_{ij}}{2} - E}{\frac 1 2 (A + B) - E}, \quad A = \sum_i \binom{a_i}{2},
    \quad B = \sum_j \binom{b_j}{2}, \quad E = A B / \binom n 2 $$

    B-cubed precision is, for a mean item, the share of its cluster that has its type (itself counted), recall the
    share of its type in its cluster. ARI is 0 for what chance would give, 1 for the same partition (also where both
    are trivial). Source: Bagga and Baldwin 1998; Hubert and Arabie 1985. Same ARI as scikit-learn.

    Raises
    ------
    InputError
        No item with both, or different numbers of items.

    >>> found = clustering([0, 0, 1, 1], ["a", "a", "a", "b"])
    >>> found.precision, round(found.recall, 4), found.adjusted_rand
    (0.75, 0.6667, 0.0)
    """
    if len(clusters) != len(types):
        msg = f"clustering: expected a type for each of {len(clusters):,} items, found {len(types):,}"
        raise InputError(msg)
    both = [(str(c), str(t)) for c, t in zip(clusters, types, strict=True) if c is not None and t is not None]
    if not both:
        msg = "clustering: expected an item with a cluster and a type, found none"
        raise InputError(msg)
    given, true = (number(pl.Series(names))[0] for names in zip(*both, strict=True))
    table = tabulate(true, given)
    precision, recall = (found / table.records for found in b_cubed_sums(table))
    return Clustering(
        items=table.records,
        clusters=table.proposed_clusters,
        types=table.true_clusters,
        precision=precision,
        recall=recall,
        f1=2 * precision * recall / (precision + recall),
        adjusted_rand=adjusted_rand(pair_counts(table)),
        method=method,
        seed=seed,
    )
