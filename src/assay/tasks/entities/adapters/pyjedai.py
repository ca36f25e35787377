"""pyJedAI: graphs of matches, lists of clusters, candidates by record, blocks; its numbers turned into ids."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import combinations, product
from typing import Any

import polars as pl

from assay.tasks.entities.records import Listing, listing_of


def is_pyjedai(given: Any) -> bool:
    """Tell a graph (of networkx), a list of sets, or a mapping of blocks."""
    if isinstance(given, Mapping):
        return bool(given) and hasattr(next(iter(given.values())), "entities_D1")
    if isinstance(given, list | tuple):
        return bool(given) and all(isinstance(one, set | frozenset) for one in given)
    return hasattr(given, "edges") and hasattr(given, "nodes")


def of_pyjedai(given: Any, name: str = "pyjedai", *, data: Any = None) -> Listing:
    """Return a graph as pairs with scores, sets as clusters, blocks and candidates as pairs.

    pyJedAI numbers records in the order of its data sets; `data`, its object `Data`, gives them their ids again.
    Without it they keep their numbers. Between two clean sources the first of a pair is of the first source: ids that
    stand in both are then told apart by `mode="link"`.

    >>> of_pyjedai([{0, 1}, {2}]).table.sort("record").rows()
    [('0', '0'), ('1', '0'), ('2', '1')]
    >>> of_pyjedai({0: {2, 1}}).table.sort("right").rows()
    [('0', '1'), ('0', '2')]
    """
    named = _named(data)
    if isinstance(given, list | tuple):
        rows = [(*named(record), str(place)) for place, cluster in enumerate(given) for record in sorted(cluster)]
        kinds = dict.fromkeys(("record", "source", "entity"), pl.String)
        table = pl.DataFrame(rows, schema=kinds, orient="row")
        return listing_of(table if _two(data) else table.drop("source"), name)
    if isinstance(given, Mapping):
        found = [(*_ordered(pair, data, named), None) for pair in _candidates(given)]
    else:
        edges = given.edges(data=True)
        found = [(*_ordered((a, b), data, named), about.get("weight")) for a, b, about in edges]
    table = pl.DataFrame(found, schema={"left": pl.String, "right": pl.String, "score": pl.Float64}, orient="row")
    return listing_of(table.drop("score") if table["score"].null_count() else table, name)


def _candidates(given: Mapping[Any, Any]) -> Iterator[tuple[Any, Any]]:
    """Yield the pairs of blocks, those of each block, or of candidates by record."""
    for record, found in given.items():
        if not hasattr(found, "entities_D1"):
            yield from ((record, other) for other in sorted(found))
        elif getattr(found, "entities_D2", None):
            yield from product(sorted(found.entities_D1), sorted(found.entities_D2))
        else:
            yield from combinations(sorted(found.entities_D1), 2)


def _two(data: Any) -> bool:
    """Tell whether the data are two sources without duplicates in each."""
    return data is not None and not data.is_dirty_er


def _ordered(pair: tuple[Any, Any], data: Any, named: Callable[[Any], tuple[str, str]]) -> Iterable[str]:
    """Return the ids of a pair, that of the first source first."""
    ordered = sorted(pair) if _two(data) else pair
    return [named(record)[0] for record in ordered]


def _named(data: Any) -> Callable[[Any], tuple[str, str]]:
    """Return what gives a number of pyJedAI the id and the side that it has in the data."""
    if data is None:
        return lambda record: (str(record), "left")
    first = data._gt_to_ids_reversed_1  # noqa: SLF001 - pyJedAI gives no other way back to the ids
    second = {} if data.is_dirty_er else data._gt_to_ids_reversed_2  # noqa: SLF001 - the same
    limit = len(first) if data.is_dirty_er else data.dataset_limit

    def named(record: Any) -> tuple[str, str]:
        return (str(first[record]), "left") if record < limit else (str(second[record]), "right")

    return named
