"""Preferences as plain loops over every pair of items: the oracle of the measures that count them at once."""

import math
import random
from dataclasses import replace
from itertools import combinations, permutations, product

import numpy as np

from assay.core.policy import Policy
from assay.measures.grouped import judge_groups

MISSING = math.inf


def case(seed):
    """Make the groups of a query, each with parts that do not contradict each other, and a ranking."""
    rng = random.Random(seed)
    items = [f"d{number}" for number in range(rng.randint(1, 8))]
    groups = []
    for _ in range(rng.randint(1, 3)):
        worth = {item: rng.choice((0, 0, 1, 1, 2, 3, 5.5)) for item in items}
        parts = []
        for scale in range(1, rng.choice((1, 1, 2, 3)) + 1):
            chosen = [item for item in items if rng.random() < 0.7] or items[:1]
            parts.append({item: scale * worth[item] for item in chosen})
        groups.append(parts)
    ranking = [item for item in items if rng.random() < 0.7] + ["unknown 1", "unknown 2"]
    rng.shuffle(ranking)
    return groups, ranking


def preferred(parts):
    """Return the pairs of a group, the better item first, and those that follow from them."""
    pairs = {(a, b) for part in parts for a in part for b in part if part[a] > part[b]}
    while more := {(a, d) for a, b in pairs for c, d in pairs if b == c} - pairs:
        pairs |= more
    return pairs


def share(pairs, places, scope):
    """Return how many pairs of a scope are fulfilled, and how many there are; tied items are so by half."""
    right = many = 0
    for a, b in pairs:
        one, other = places.get(a, MISSING), places.get(b, MISSING)
        found = (one < MISSING) + (other < MISSING)
        if found >= {"": 0, "Imp": 1, "Ret": 2}[scope]:
            many += 1
            right += 1 if one < other else 0.5 if one == other < MISSING else 0
    return right, many


def over(above, below):
    return above / below if below else None


def mean(values):
    """Return the mean in which an undefined value counts 0."""
    return sum(value or 0 for value in values) / len(values)


def simple(groups, places, scope):
    counts = [share(preferred(parts), places, scope) for parts in groups]
    return over(sum(right for right, _ in counts), sum(many for _, many in counts)) or 0


def by_pair(groups, places, scope):
    votes = [preferred(parts) for parts in groups]
    shares = []
    for a, b in combinations(sorted({item for parts in groups for part in parts for item in part}), 2):
        for_a, for_b = sum((a, b) in pairs for pairs in votes), sum((b, a) in pairs for pairs in votes)
        right, many = share([(a, b)], places, scope)
        wrong, _ = share([(b, a)], places, scope)
        if many and for_a + for_b:
            shares.append((for_a * right + for_b * wrong) / (for_a + for_b))
    return over(sum(shares), len(shares)) or 0


def by_group(groups, places, scope):
    return mean([over(*share(preferred(parts), places, scope)) for parts in groups])


def with_as_many(groups, places, scope, surplus="dropped"):
    """Bring each group to as many items of grade 0 as above 0; `paired` is what trec_eval's program does."""
    values = []
    for parts in groups:
        grades = {item: max(part.get(item, 0) for part in parts) for part in parts for item in part}
        inside = {item for item in grades if scope == "" or item in places}
        relevant = [item for item in inside if grades[item] > 0]
        others = sorted(
            (item for item in inside if not grades[item]), key=lambda item: (places.get(item, MISSING), item)
        )
        everyone = [item for item in grades if grades[item] > 0]
        lack = max(len(relevant) - len(others), 0)
        most = len(everyone if surplus == "paired" and len(parts) > 1 else relevant)
        dropped = set(others[most:]) if len(others) > len(relevant) else set()
        right, many = share([pair for pair in preferred(parts) if not dropped & {*pair}], places, scope)
        right += lack * sum(item in places for item in relevant)
        many += lack * len(everyone if surplus == "paired" else relevant)
        if surplus == "paired" and len(parts) == 1 and len(others) > len(relevant):
            pairs = [(a, b) for a in others for b in others[: len(relevant)]]  # an item meets itself, too
            right += sum(a in places and others.index(a) < others.index(b) for a, b in pairs)
            many += len(pairs)
        values.append(over(right, many))
    if surplus == "paired":
        return 0 if None in values else sum(values) / len(values)
    return mean(values)


def plainly(measure, groups, places):
    """Return the value of a measure of preferences by loops."""
    name, scope = measure.name, measure.name[-3:] if measure.name[-3:] in {"Ret", "Imp"} else ""
    if name.startswith("Num"):
        counts = [share(preferred(parts), places, scope) for parts in groups]
        return sum(count[name == "NumPrefs"] for count in counts)
    if "Rnonrel" in name:
        if not any(grade > 0 for parts in groups for part in parts for grade in part.values()):
            return None
        return with_as_many(groups, places, scope, measure.surplus)
    if not any(map(preferred, groups)):
        return None
    loop = next(loop for start, loop in LOOPS.items() if name.startswith(start))
    return loop(groups, places, scope)


LOOPS = {"PrefsSimple": simple, "PrefsPair": by_pair, "PrefsAvgJG": by_group}


def ties_of(seed):
    """Make groups and what ties allow: several orders of one ranking."""
    groups, ranking = case(seed)
    rng = random.Random(-seed)
    scores = {item: float(rng.randint(1, 3)) for item in ranking[:6]}
    levels = [[item for item in scores if scores[item] == level] for level in (3.0, 2.0, 1.0)]
    orders = [[item for level in order for item in level] for order in product(*map(permutations, levels))]
    return groups, scores, orders


def judge_scores(groups, scores, ties="id-desc"):
    """Judge a run of scores against the groups."""
    ranked = judge_groups(groups, sorted(scores, key=lambda item: -scores[item]))
    values = np.array(sorted(scores.values(), reverse=True))
    above = np.array([(values > value).sum() for value in values])
    tied = np.array([(values == value).sum() for value in values])
    at = ranked.hits.rank.astype(int) - 1
    hits = replace(ranked.hits, above=above[at], tied=tied[at])
    return replace(ranked, hits=hits).under(Policy(ties=ties))
