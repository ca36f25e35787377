"""`evaluate_links` as a whole against brute force: every protocol, side, tie rule and average of tiny graphs."""

from collections import defaultdict
from itertools import groupby, permutations, product
from math import log2
from statistics import mean

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from assay.tasks.links.evaluate import evaluate_links
from assay.tasks.links.graph import KnowledgeGraph
from assay.tasks.links.models.scorer import Scorer
from assay.tasks.links.protocol import SPLITS, Protocol

ENTITIES, RELATIONS = 5, 2
ENDS = {"tail": (0, 2), "head": (2, 0)}
ALONE = {
    "RR": lambda rank: 1 / rank,
    "MR": lambda rank: rank,
    "HR@1": lambda rank: float(rank <= 1),
    "HR@2": lambda rank: float(rank <= 2),
}
"""Measures of one right answer by its rank; half ranks are realistic ones."""
LISTS = {
    "P@2": lambda ranks, _: sum(rank <= 2 for rank in ranks) / 2,
    "R@2": lambda ranks, right: sum(rank <= 2 for rank in ranks) / right,
    "HR@2": lambda ranks, _: float(min(ranks) <= 2),
    "RR": lambda ranks, _: 1 / min(ranks),
    "MR": lambda ranks, _: mean(ranks),
    "AP": lambda ranks, right: sum(place / rank for place, rank in enumerate(sorted(ranks), 1)) / right,
    "nDCG@3": lambda ranks, right: (
        sum(1 / log2(rank + 1) for rank in ranks if rank <= 3) / sum(1 / log2(i + 2) for i in range(min(3, right)))
    ),
}
"""Measures of a list by the ranks of its right answers."""
HALVES = {"P@2", "R@2", "HR@2", "RR", "MR"}
"""Those of them that mean something of ranks between two places."""
MEASURES = "RR MR HR@{1,2} P@2 R@2 AP nDCG@3"

entity, relation = st.integers(0, ENTITIES - 1), st.integers(0, RELATIONS - 1)


@st.composite
def graphs(draw):
    """Return facts (head, relation, tail, time, split) and whether the times count."""
    facts = draw(st.sets(st.tuples(entity, relation, entity, st.integers(0, 2)), min_size=4, max_size=20))
    timed = draw(st.booleans())
    facts = sorted(facts if timed else {(*fact[:3], 0) for fact in facts})
    splits = draw(st.lists(st.sampled_from(SPLITS), min_size=len(facts), max_size=len(facts)))
    return [(*fact, split) for fact, split in zip(facts, splits, strict=True)], timed


protocols = st.builds(
    Protocol,
    split=st.sampled_from(["valid", "test"]),
    sides=st.sampled_from([("tail", "head"), ("tail",), ("head",)]),
    known=st.sets(st.sampled_from(SPLITS)).map(lambda some: tuple(sorted(some))),
    unseen=st.sampled_from(["keep", "drop"]),
    ties=st.sampled_from(["optimistic", "realistic", "pessimistic", "expected"]),
    outside=st.sampled_from(["miss", "add"]),
)
types = st.dictionaries(st.tuples(st.sampled_from(["tail", "head"]), relation), st.sets(entity), min_size=1)


def graph_of(facts, timed):
    rows = {split: [fact[: 3 + timed] for fact in facts if fact[4] == split] or None for split in SPLITS}
    return KnowledgeGraph.from_arrays(*rows.values(), entities=ENTITIES, relations=RELATIONS)


def kept_facts(facts, protocol):
    """Return the facts that count and the entities that are candidates."""
    train = [fact for fact in facts if fact[4] == "train"]
    seen = {fact[end] for fact in train for end in (0, 2)}
    relations = {fact[1] for fact in train}
    if protocol.unseen == "keep":
        return facts, set(range(ENTITIES))
    return [fact for fact in facts if {fact[0], fact[2]} <= seen and fact[1] in relations], seen


def pools(facts, every, protocol, side, fact):
    """Return the candidates under each protocol, the right answers of the question, and the target."""
    mine, its = ENDS[side]
    alike = [one for one in facts if (one[1], one[mine]) == (fact[1], fact[mine])]
    known = {one[its] for one in alike if one[4] in protocol.known}
    now = {one[its] for one in alike if one[4] in protocol.known and one[3] == fact[3]}
    right = {one[its] for one in alike if one[3:] == fact[3:]}
    lists = {"raw": every, "filtered": every - known, "time": every - now, "multi-answer": every - known | right}
    return lists, right, fact[its]


def ranked_alone(scores, pool, target):
    """Return the rank of the target under each tie rule; of "expected", every place that it may have."""
    greater = sum(scores[one] > scores[target] for one in pool - {target})
    equal = sum(scores[one] == scores[target] for one in pool - {target})
    places = range(greater + 1, greater + equal + 2)
    return {"optimistic": places[:1], "realistic": [mean(places)], "pessimistic": places[-1:], "expected": places}


def ranked_list(scores, pool, right):
    """Return the ranks of the right answers under each tie rule, in each order that it allows."""
    ordered = sorted(pool, key=lambda one: (-scores[one], one))
    ties = [list(group) for _, group in groupby(ordered, key=lambda one: scores[one])]
    starts = np.cumsum([0, *map(len, ties)])[:-1]
    halves = [
        start + (len(tie) + 1) / 2 for start, tie in zip(starts, ties, strict=True) for one in tie if one in right
    ]

    def places(order):
        return [place for place, one in enumerate(order, 1) if one in right]

    def first(wanted):
        return [one for tie in ties for one in sorted(tie, key=lambda one: (one in right) != wanted)]

    orders = product(*(permutations(tie) for tie in ties))
    every = [places([one for tie in order for one in tie]) for order in orders]
    return {"optimistic": [places(first(True))], "realistic": [halves], "pessimistic": [places(first(False))],
            "expected": every}  # fmt: skip


def by_hand(facts, protocol, tables, constrained):
    """Yield protocol, side, question, measure and tie rule with the value; None for a miss without one."""
    facts, every = kept_facts(facts, protocol)
    asked = [fact for fact in facts if fact[4] == protocol.split]
    for side, fact in product(protocol.sides, asked):
        lists, right, target = pools(facts, every, protocol, side, fact)
        question = (side, fact[1], fact[ENDS[side][0]], fact[3])
        scores = tables[side][fact[1], fact[ENDS[side][0]]]
        typed = constrained.get((side, fact[1]), every)
        lists["typed"] = lists["filtered"] & typed
        for name in ("raw", "filtered", "time", "typed"):
            missed = name == "typed" and target not in typed and protocol.outside == "miss"
            for measure, rule, value in values_alone(ranked_alone(scores, lists[name], target)):
                worst = None if measure == "MR" else 0.0
                yield (name, side, question, measure, rule), worst if missed else value
        if target == min(right):  # one list for all answers of the question
            for measure, rule, value in values_of_list(ranked_list(scores, lists["multi-answer"], right), len(right)):
                yield ("multi-answer", side, question, measure, rule), value


def values_alone(ranks):
    for (rule, places), (measure, value) in product(ranks.items(), ALONE.items()):
        yield measure, rule, mean(map(value, places))


def values_of_list(ranks, right):
    for (rule, orders), (measure, value) in product(ranks.items(), LISTS.items()):
        if rule != "realistic" or measure in HALVES:
            yield measure, rule, mean(value(places, right) for places in orders)


def averages(rows):
    """Return the mean, the mean over questions and over relations, and how many values there are."""
    values = [(question, value) for question, value in rows if value is not None]
    if not values:
        return None, None, None, 0
    groups = defaultdict(list), defaultdict(list)
    for question, value in values:
        groups[0][question].append(value)
        groups[1][question[1]].append(value)
    macro = [mean(mean(some) for some in group.values()) for group in groups]
    return mean(value for _, value in values), *macro, len(values)


@settings(max_examples=25)
@given(made=graphs(), protocol=protocols, constrained=types, seed=st.integers(0, 2**32 - 1), levels=st.integers(1, 4))
def test_every_figure_is_that_of_brute_force(made, protocol, constrained, seed, levels):
    facts, timed = made
    asked = [fact for fact in kept_facts(facts, protocol)[0] if fact[4] == protocol.split]
    assume(asked and any(fact[4] == "train" for fact in facts))
    drawn = np.random.default_rng(seed).integers(0, levels, (2, RELATIONS, ENTITIES, ENTITIES)).astype(float)
    tables = {"tail": drawn[0], "head": drawn[1]}
    model = Scorer(lambda entity, relation, side: tables[side][relation, entity], ENTITIES, RELATIONS)
    limits = {key: np.array(sorted(some), np.int64) for key, some in constrained.items()}
    found = evaluate_links(graph_of(facts, timed), model, MEASURES, protocol=protocol, constrained=limits)

    rows = defaultdict(list)
    for (name, side, question, measure, rule), value in by_hand(facts, protocol, tables, constrained):
        if timed or name != "time":
            rows[name, side, measure, rule].append((question, value))
            rows[name, None, measure, rule].append((question, value))
    assert {result.protocol for result in found.results} == {key[0] for key in rows}
    both = len(protocol.sides) > 1
    for (name, side, measure, rule), values in rows.items():
        if side is not None and not both:
            continue
        figure = found.under(name).figure(measure, side)
        whole, by_query, by_relation, many = averages(values)
        assert figure.ties[rule] == pytest.approx(whole), (name, side, measure, rule)
        if rule == figure.rule:
            assert (figure.mean, figure.queries, figure.undefined) == (
                pytest.approx(whole), many, len(values) - many
            )  # fmt: skip
            assert (figure.by_query, figure.by_relation) == (pytest.approx(by_query), pytest.approx(by_relation))


def test_the_two_protocols_of_one_question_differ_as_by_hand():
    """Ranks 1, 2 and 4 of three right answers: 7/12 on the mean of three questions, 1 for the list of one."""
    facts = [(0, 0, tail, 0, "test") for tail in (0, 1, 3)]
    tables = {"tail": np.tile([4.0, 3.0, 2.0, 1.0, 0.0], (2, 5, 1))}
    protocol = Protocol(sides=("tail",), known=())
    rows = defaultdict(list)
    for (name, *_, measure, rule), value in by_hand(facts, protocol, tables, {}):
        rows[name, measure, rule].append(value)
    assert rows["filtered", "RR", "realistic"] == [1, 1 / 2, 1 / 4]
    assert rows["multi-answer", "RR", "expected"] == [1]
    assert rows["multi-answer", "AP", "expected"] == [pytest.approx((1 + 1 + 3 / 4) / 3)]
