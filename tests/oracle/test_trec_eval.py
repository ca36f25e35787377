"""Equal to trec_eval 9 on any collection: ties, unjudged items, negative grades, empty and missing queries."""

from hypothesis import given, settings

from assay.testing.strategies import Collection, collections
from tests.oracle import trec


def shared(collection: Collection) -> bool:
    """Tell whether some query has answers and a real judgment: the others trec_eval does not score."""
    judged = {query for query, items in collection.gold.items() if max(items.values()) >= 0}
    return any(items and query in judged for query, items in collection.run.items())


@given(collections())
@settings(max_examples=300)
def test_every_measure_equals_trec_eval_on_any_collection(collection: Collection) -> None:
    if not shared(collection):
        return
    run = {query: items for query, items in collection.run.items() if items}
    expected = trec.oracle(collection.gold, run)
    assert trec.check(collection.gold, run, expected, trec.names()) > 0


@given(collections(scores=(1.0, 1.0 + 1e-9, 1.0 - 1e-9, 0.5)))
@settings(max_examples=100)
def test_scores_are_compared_in_32_bits(collection: Collection) -> None:
    if not shared(collection):
        return
    run = {query: items for query, items in collection.run.items() if items}
    expected = trec.oracle(collection.gold, run)
    assert trec.check(collection.gold, run, expected, trec.names()) > 0
