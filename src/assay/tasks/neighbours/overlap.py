"""How many of its neighbours each item kept."""

import numpy as np

from assay.core.judged import Floats, Ints


def kept(old: Ints, new: Ints) -> Ints:
    """Return for each item how many neighbours stand in both lists; ids of shape (items, k), -1 for none.

    >>> kept(np.array([[1, 2, -1]]), np.array([[2, 3, -1]])).tolist()
    [1]
    """
    many = 1 + max(int(old.max(initial=0)), int(new.max(initial=0)))
    row = np.arange(len(old))[:, None] * many
    both = np.isin(np.where(old < 0, -1, row + old), np.where(new < 0, -2, row + new))
    return np.asarray(both.sum(axis=1))


def overlaps(old: Ints, new: Ints) -> tuple[Floats, Floats]:
    r"""Return the overlap and the Jaccard index of the neighbours of each item, shapes (items,).

    $$ O = \frac{|A \cap B|}{\max(|A|, |B|)}, \quad J = \frac{|A \cap B|}{|A \cup B|} $$

    Both are 1 for the same neighbours in any order, 0 for none in common; J counts a changed neighbour twice.

    >>> overlaps(np.array([[1, 2]]), np.array([[2, 3]]))
    (array([0.5]), array([0.33333333]))
    """
    common = kept(old, new)
    a, b = (old >= 0).sum(axis=1), (new >= 0).sum(axis=1)
    return common / np.maximum(np.maximum(a, b), 1), common / np.maximum(a + b - common, 1)
