"""Candidates of records against a reported example, and against the definitions as plain loops over sets."""

import itertools
import json
import random
from pathlib import Path

import pytest

from assay import Gold, Run, evaluate
from assay.tasks.entities.evaluate import evaluate_entities

pytestmark = pytest.mark.oracle

LINES = Path(__file__).with_name("reported_entities.jsonl").read_text("utf-8").splitlines()
REPORTS = {one["id"]: (one["input"], one["expected"]) for one in map(json.loads, LINES)}
RECORDS = 24


def test_a_record_is_no_candidate_of_itself():
    given, expected = REPORTS["er-07-topk-per-record"]
    k = given["k"]
    found = evaluate_entities(given["entity"], given["candidates"], f"P@{k} R@{k} HR@{k} Complete@{k}")
    means, right = found.evaluations[0].mean, expected["self_excluded"]
    names = {"P": "precision_at_k", "R": "recall_at_k", "HR": "hit_rate", "Complete": "all_found_rate"}
    assert {name: means[f"{name}@{k}"] for name in names} == pytest.approx(
        {name: right[key] for name, key in names.items()}
    )
    blocking, pairs = found.results[0].blocking, expected["pairs"]
    assert (blocking.distinct, blocking.true_pairs) == (pairs["distinct_candidates"], pairs["true_pairs"])
    shown = blocking.pair_completeness, blocking.pair_quality, blocking.reduction_ratio
    assert shown == pytest.approx((pairs["PC"], pairs["PQ"], pairs["RR"]))


def test_with_itself_counted_the_figures_are_the_reported_wrong_ones():
    given, expected = REPORTS["er-07-topk-per-record"]
    entity = given["entity"]
    gold = {one: {other: 1 for other in entity if entity[other] == entity[one]} for one in entity}
    found = evaluate(Gold.from_mapping(gold), Run.from_mapping(given["candidates"]), "R@2 P@2")
    wrong = expected["self_counted"]
    assert (found["R@2"], found["P@2"]) == pytest.approx((wrong["recall_at_k"], wrong["precision_at_k"]))


def drawn(seed):
    """Return entities, sources and lists by chance; some records have no label, some no list, some repeat."""
    chance = random.Random(seed)
    records = [f"r{i}" for i in range(RECORDS)]
    entity = {
        record: chance.choice([None, *"abcdefgh"]) if chance.random() < 0.9 else f"alone {record}" for record in records
    }
    source = {record: chance.choice("xyz") for record in records}
    lists = {record: chance.choices(records, k=chance.randint(0, 7)) for record in records if chance.random() < 0.9}
    return entity, source, {one: found for one, found in lists.items() if found}


def asked_for(one, other, source, mode):
    return one != other and (mode != "link" or source[one] != source[other])


@pytest.mark.parametrize("mode", ["dedupe", "link", "both"])
@pytest.mark.parametrize("seed", range(4))
def test_the_definitions_as_loops(seed, mode):
    entity, source, lists = drawn(seed)
    k = 3
    found = evaluate_entities(entity, lists, f"P@{k} R@{k} Complete@{k} HR@{k}", mode=mode, sources=source)
    precision, recall, complete, hit = {}, {}, {}, {}
    asking = {source[one] for one in lists} if mode == "link" else set(source.values())
    for one in entity:
        if entity[one] is None or source[one] not in asking:
            continue
        wanted = {o for o in entity if entity[o] == entity[one] and asked_for(one, o, source, mode)}
        offered = list(dict.fromkeys(o for o in lists.get(one, []) if asked_for(one, o, source, mode)))[:k]
        hits = len(wanted & set(offered))
        precision[one] = hits / k
        if wanted:
            recall[one], complete[one], hit[one] = hits / len(wanted), float(hits == len(wanted)), float(hits > 0)
    for name, values in {"P": precision, "R": recall, "Complete": complete, "HR": hit}.items():
        figure = found.evaluations[0].figure(f"{name}@{k}")
        assert figure.mean == pytest.approx(sum(values.values()) / len(values)), name
        assert figure.queries == len(values), name
    records = found.results[0].records
    assert (records.asked, records.with_match) == (len(precision), len(recall))


@pytest.mark.parametrize("mode", ["link", "both"])
@pytest.mark.parametrize("seed", range(4))
def test_pairs_of_sources_as_loops(seed, mode):
    entity, source, lists = drawn(seed)
    found = evaluate_entities(entity, lists, "R@2 Complete@2", mode=mode, sources=source).results[0].records.by_sources
    recalls: dict[tuple[str, str], list[float]] = {}
    for one, there in itertools.product(entity, "xyz"):
        same = [other for other in entity if source[other] == there and asked_for(one, other, source, mode)]
        wanted = {other for other in same if entity[one] is not None and entity[other] == entity[one]}
        if wanted:
            offered = list(dict.fromkeys(other for other in lists.get(one, []) if other in same))[:2]
            recalls.setdefault((source[one], there), []).append(len(wanted & set(offered)) / len(wanted))
    assert [(pair.left, pair.right, pair.records) for pair in found] == [
        (*key, len(values)) for key, values in sorted(recalls.items())
    ]
    for pair in found:
        values = recalls[pair.left, pair.right]
        assert pair.measures["R@2"] == pytest.approx(sum(values) / len(values))
        assert pair.measures["Complete@2"] == pytest.approx(sum(value == 1 for value in values) / len(values))


@pytest.mark.parametrize("mode", ["dedupe", "link", "both"])
@pytest.mark.parametrize("seed", range(4))
def test_blocking_as_sets(seed, mode):
    entity, source, lists = drawn(seed)
    blocking = evaluate_entities(entity, lists, "P@1", mode=mode, sources=source).results[0].blocking
    possible = {frozenset(p) for p in itertools.combinations(entity, 2) if asked_for(*p, source, mode)}
    true = {p for p in possible if len({entity[one] for one in p}) == 1 and None not in {entity[one] for one in p}}
    rows = [(one, other) for one, found in lists.items() for other in found]
    kept = {frozenset(p) for p in rows} & possible
    labelled = {p for p in kept if None not in {entity[one] for one in p}}
    assert (blocking.rows, blocking.distinct, blocking.possible) == (len(rows), len(kept), len(possible))
    assert (blocking.true_pairs, blocking.found) == (len(true), len(true & kept))
    assert blocking.unlabelled == len(kept - labelled)
    assert blocking.pair_quality == pytest.approx(len(true & kept) / len(labelled))
    assert blocking.quality_low == pytest.approx(len(true & kept) / len(kept))
    assert blocking.quality_high == pytest.approx((len(true & kept) + len(kept - labelled)) / len(kept))
    assert blocking.reduction_ratio == pytest.approx(1 - len(kept) / len(possible))
    assert blocking.own == sum(one == other for one, other in rows)
