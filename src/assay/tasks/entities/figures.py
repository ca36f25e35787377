"""The figures of clusters, each as its formula, over the cells of one table."""

import math

import numpy as np

from assay.core.entities import Agreement, PairCounts
from assay.core.judged import Floats, Ints
from assay.statistics.assignment import best_assignment
from assay.tasks.entities.contingency import Contingency, pairs


def pair_counts(table: Contingency) -> PairCounts:
    """Return the pairs of records that are together in both, in one only, and how many pairs there are."""
    shared, proposed, true = (
        int(pairs(sizes).sum()) for sizes in (table.shared, table.proposed_sizes, table.true_sizes)
    )
    possible = table.records * (table.records - 1) // 2
    return PairCounts(shared, proposed - shared, true - shared, possible)


def b_cubed(table: Contingency) -> Agreement:
    r"""Return B-cubed: for a mean record, the share of its proposed (true) cluster that is right (found).

    $$ P = \frac 1 N \sum_r \frac{|c(r) \cap \hat c(r)|}{|\hat c(r)|}, \quad
    R = \frac 1 N \sum_r \frac{|c(r) \cap \hat c(r)|}{|c(r)|} $$

    Source: Bagga and Baldwin 1998.
    """
    right, found = b_cubed_sums(table)
    counts = {"right": right, "found": found, "records": table.records}
    return Agreement.of_shares(right / table.records, found / table.records, counts)


def b_cubed_sums(table: Contingency) -> tuple[float, float]:
    """Return the sums over records of the right share of their proposed and the found share of their true cluster."""
    right, found = (float((table.squared / size).sum()) for size in (table.proposed_size, table.true_size))
    return right, found


def b_cubed_by_cluster(table: Contingency) -> Agreement:
    """Return B-cubed with every true cluster weighing the same: the mean of its records first, then over clusters."""
    right, found = (
        float((table.squared / size / table.true_size).sum()) for size in (table.proposed_size, table.true_size)
    )
    counts = {"right": right, "found": found, "clusters": table.true_clusters}
    return Agreement.of_shares(right / table.true_clusters, found / table.true_clusters, counts)


def exact_cluster(table: Contingency) -> Agreement:
    """Return how many clusters are proposed exactly as they are, of all proposed and of all true ones."""
    exact = int(np.count_nonzero((table.shared == table.true_size) & (table.shared == table.proposed_size)))
    return _of_clusters(table, exact, "exact")


def muc(table: Contingency) -> Agreement:
    r"""Return MUC: the links that hold the clusters together, of which each cluster of n records has n - 1.

    $$ R = \frac{\sum_k |k| - |p(k)|}{\sum_k |k| - 1} $$

    p(k) are the parts of true cluster k under the proposed ones; for P the roles are swapped. Single records have
    no links. Source: Vilain et al. 1995.
    """
    shared = table.records - len(table.shared)
    proposed, true = table.records - table.proposed_clusters, table.records - table.true_clusters
    return Agreement.of_counts(shared, proposed, true, {"shared": shared, "proposed": proposed, "true": true})


def ceaf_m(table: Contingency) -> Agreement:
    r"""Return CEAF by mentions: records in the best one-to-one assignment of clusters, of all.

    $$ \Phi_3 = \max_g \sum_k |k \cap g(k)|, \quad P = R = \Phi_3 / N $$

    Source: Luo 2005.
    """
    same = round(best_assignment(table.true, table.proposed, table.shared.astype(np.float64)))
    return Agreement.of_counts(same, table.records, table.records, {"aligned": same, "records": table.records})


def ceaf_e(table: Contingency) -> Agreement:
    r"""Return CEAF by entities: the likeness of clusters in the best one-to-one assignment.

    $$ \Phi_4 = \max_g \sum_k \frac{2 |k \cap g(k)|}{|k| + |g(k)|}, \quad R = \frac{\Phi_4}{|C|}, \quad
    P = \frac{\Phi_4}{|\hat C|} $$

    Source: Luo 2005.
    """
    likeness = 2 * table.shared / (table.true_size + table.proposed_size)
    return _of_clusters(table, best_assignment(table.true, table.proposed, likeness), "aligned")


def lea(table: Contingency) -> Agreement:
    r"""Return LEA: the share of its links that a cluster keeps, weighted by its records.

    $$ R = \frac{\sum_k |k| \sum_p link(k \cap p) / link(k)}{\sum_k |k|}, \quad link(n) = n (n - 1) / 2 $$

    A single record has one link, to itself, and keeps it where the other side has it alone, too.
    Source: Moosavi and Strube 2016.
    """
    found, right = (_links_kept(table, size) for size in (table.true_size, table.proposed_size))
    counts = {"right": right, "found": found, "records": table.records}
    return Agreement.of_shares(right / table.records, found / table.records, counts)


def v_measure(table: Contingency) -> tuple[float, float, float]:
    r"""Return homogeneity, completeness and their harmonic mean.

    $$ h = \frac{I(C; \hat C)}{H(C)}, \quad c = \frac{I(C; \hat C)}{H(\hat C)} $$

    1 where the entropy below is 0: one cluster cannot be broken. Source: Rosenberg and Hirschberg 2007.
    """
    true, proposed = _entropy(table.true_sizes / table.records), _entropy(table.proposed_sizes / table.records)
    share = table.shared / table.records
    ratio = table.shared / table.true_size * (table.records / table.proposed_size)
    common = float((share * np.log(ratio)).sum())
    homogeneous, complete = (min(1.0, max(0.0, common / most)) if most else 1.0 for most in (true, proposed))
    both = homogeneous + complete
    return homogeneous, complete, 2 * homogeneous * complete / both if both else 0.0


def adjusted_rand(counts: PairCounts) -> float:
    r"""Return the adjusted Rand index: 0 for what chance would give, 1 for the same clusters.

    $$ ARI = \frac{t - E}{\frac 1 2 (a + b) - E}, \quad E = a b / \binom N 2 $$

    t pairs are together in both, a in the true, b in the proposed clusters. Where both are trivial it is 1.
    Source: Hubert and Arabie 1985.
    """
    if not counts.possible:
        return 1.0
    expected = counts.proposed * counts.true / counts.possible
    most = (counts.proposed + counts.true) / 2
    return 1.0 if most == expected else (counts.true_positives - expected) / (most - expected)


def _of_clusters(table: Contingency, hits: float, name: str) -> Agreement:
    proposed, true = table.proposed_clusters, table.true_clusters
    return Agreement.of_counts(hits, proposed, true, {name: hits, "proposed": proposed, "true": true})


def _links_kept(table: Contingency, size: Ints) -> float:
    single = (table.true_size == 1) & (table.proposed_size == 1)
    kept = table.shared * (table.shared - 1) / np.maximum(size - 1, 1)
    return math.fsum((float(kept.sum()), float(np.count_nonzero(single))))


def _entropy(shares: Floats) -> float:
    present = shares[shares > 0]
    return 0.0 if len(present) < 2 else float(-(present * np.log(present)).sum())
