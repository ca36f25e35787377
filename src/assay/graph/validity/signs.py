"""What makes a statement suspect, each as a strength from 0 to 1: how unlike it is to the others of its property.

Two scales. Where less is worse (how like a thing is to its kind, how often a value comes), strength is
1 - x / median, not below 0. Where far is worse (numbers, dates, how many values), the distance from the median is taken
in robust standard deviations z, and strength is 1 - 3 / z beyond 3. Neither is a probability.
"""

import re
from collections.abc import Iterator

import numpy as np

from assay.core.judged import Floats, Ints
from assay.core.suspects import SIGNS
from assay.graph.validity.nodes import Features, Nodes, days_of, distinct, numbers_of

FEWEST = 8
"""Statements of a property (or values of a kind) below which nothing is usual, so that nothing is unusual."""
NEAR = 3.0
"""Robust standard deviations within which nothing is suspect."""
SCHEMA = re.compile(r"<?http://www\.w3\.org/(1999/02/22-rdf-syntax-ns#|2000/01/rdf-schema#|ns/shacl#|2002/07/owl#)")
"""What speaks of types and of the schema, and is never suspect here."""
THINGS = re.compile(r"<?http://www\.w3\.org/2002/07/owl#(sameAs|Thing|NamedIndividual)>?")
"""What of these vocabularies does speak of things."""
TYPED = 0.5
"""Types are compared where at least this share of things has one; else the links that things have."""


def unlike(nodes: Nodes, ends: Ints, places: Ints, role: int) -> Floats:
    r"""Return how unlike each thing is to the others at this end of a property.

    $$ \cos(x, d) = \frac{\sum_{f \in x} w_f^2 d_f}{\lVert w x \rVert \lVert w d \rVert} $$ with x the features of
    the thing (its types; where most things have none, the properties of its other links), d how often the others have
    each, and w the logarithm of how few things of the graph have it: what all have says nothing.
    `role` is 0 for subjects and 1 for objects: a link by the property itself says nothing either.
    What all things of a type do is no fault of one: the strength is lessened by the share of those that stand here.
    Source: SDValidate, Paulheim and Bizer 2014; the weights are those of document frequency.
    """
    things = ends[places]
    by_type = nodes.typed[things].mean() >= TYPED
    known: Features = nodes.types if by_type else nodes.links
    place, feature = known.of_each(things)
    if not by_type:
        other = feature != nodes.predicates[places[0]] + role * len(nodes.texts)
        place, feature = place[other], feature[other]
    _, first, number = np.unique(feature, return_index=True, return_inverse=True)
    often = np.bincount(number).astype(float)
    weight = known.weights[feature[first]] ** 2
    own = np.bincount(place, weights=weight[number], minlength=len(places))
    shared = np.bincount(place, weights=(weight * (often - 1))[number], minlength=len(places))
    left = np.bincount(place, weights=(weight * (2 * often - 1))[number], minlength=len(places))
    length = np.sqrt(np.maximum((weight * often**2).sum() - left, 0) * own)
    strength = below(np.divide(shared, length, out=np.zeros(len(places)), where=length > 1e-9))
    return strength * (1 - _habit(known, things, place, number, feature[first]))


def _habit(known: Features, things: Ints, place: Ints, number: Ints, features: Ints) -> Floats:
    """Return, for each thing, the largest share of others with one of its features that stand at this end as well."""
    most = int(things.max()) + 1
    pairs = distinct(number * most + things[place])
    others = np.bincount(pairs // most, minlength=len(features)) - 1
    share = others / np.maximum(known.have[features] - 1, 1)
    largest = np.zeros(len(things))
    np.maximum.at(largest, place, share[number])
    return largest


def below(values: Floats) -> Floats:
    """Return the strength where less is worse."""
    middle = float(np.median(values))
    return np.clip(1 - values / middle, 0, 1) if middle > 0 else np.zeros(len(values))


def far(values: Floats, least: float = 0.0) -> Floats:
    """Return the strength where far is worse; `least` is the smallest standard deviation that is believed."""
    away = np.abs(values - np.median(values))
    spread = max(1.4826 * float(np.median(away)), least)
    if spread <= max(least, 0):
        spread = max(1.2533 * float(away.mean()), least)
    z = away / spread if spread > 0 else np.zeros(len(values))
    return 1 - NEAR / np.maximum(z, NEAR)


def repeated(ends: Ints) -> Ints:
    """Return how often each thing of a list comes in it."""
    _, number, counts = np.unique(ends, return_inverse=True, return_counts=True)
    return np.asarray(counts[number])


def rare(ends: Ints) -> Floats:
    """Return how much less often a value comes than the values of its property do: SDValidate's relative frequency."""
    return below(repeated(ends).astype(float))


def many(ends: Ints) -> Floats:
    """Return how much more often a thing comes at its end of a property than other things do, in logarithms."""
    _, number, counts = np.unique(ends, return_inverse=True, return_counts=True)
    logs = np.log(counts)
    strength = np.where(logs > np.median(logs), far(logs, least=np.log(2) / 6), 0)
    return np.asarray(strength[number])


def values(nodes: Nodes, places: Ints, kind: str) -> Floats:
    """Return how far numbers or dates lie from those of subjects with the same types.

    Numbers that are all positive but for a few, and of several sizes, are compared by their logarithms; the few that
    are not positive are suspect the more, the fewer they are.
    """
    read = numbers_of if kind == "number" else days_of
    things, which = np.unique(nodes.objects[places], return_inverse=True)
    found = read(nodes.texts[thing] for thing in things.tolist())
    numbers = np.array([np.nan if value is None else value for value in found])[which]
    known, strength = ~np.isnan(numbers), np.zeros(len(places))
    if known.mean() < TYPED:
        return strength
    for group in _alike(nodes, places):
        some = group[known[group]]
        if len(some) >= FEWEST:
            strength[some] = _sized(numbers[some]) if kind == "number" else far(numbers[some])
    return strength


def _sized(numbers: Floats) -> Floats:
    positive = numbers > 0
    if positive.mean() < 0.95 or np.max(numbers) < 10 * np.min(numbers[positive]):
        return far(numbers)
    strength = np.full(len(numbers), max(0.0, 1 - 20 * float((~positive).mean())))
    strength[positive] = far(np.log(numbers[positive]))
    return strength


def _alike(nodes: Nodes, places: Ints) -> list[Ints]:
    """Return the statements, by their places in the list, of subjects with the same types."""
    place, feature = nodes.types.of_each(nodes.subjects[places])
    keys = np.zeros(len(places), np.uint64)
    np.add.at(keys, place, (feature.astype(np.uint64) + np.uint64(1)) * np.uint64(0x9E3779B97F4A7C15))
    _, number = np.unique(keys, return_inverse=True)
    order = np.argsort(number, kind="stable")
    return np.split(order, np.flatnonzero(np.diff(number[order])) + 1)


def all_signs(nodes: Nodes) -> dict[str, Floats]:
    """Return the strength of each sign for each statement; shape (statements,)."""
    found = {name: np.zeros(len(nodes.subjects)) for name in SIGNS}
    for places in _judged(nodes):
        for name, strength in _signs(nodes, places):
            found[name][places] = strength * (1 - _commonness(strength))
    return found


def _judged(nodes: Nodes) -> Iterator[Ints]:
    """Yield the statements of each property that has enough of them, those about the schema left out."""
    schema = np.array([bool(SCHEMA.match(text)) and not THINGS.fullmatch(text) for text in nodes.texts])
    place, feature = nodes.types.of_each(nodes.subjects)
    stated = feature < len(nodes.texts)
    of_schema = np.bincount(place[stated], weights=schema[feature[stated]], minlength=len(nodes.subjects)) > 0
    for every in nodes.by_predicate:
        places = every[~of_schema[every]]
        if len(places) >= FEWEST and not schema[nodes.predicates[places[0]]]:
            yield places


def _signs(nodes: Nodes, places: Ints) -> Iterator[tuple[str, Floats]]:
    yield "subject type", unlike(nodes, nodes.subjects, places, 0)
    yield "object type", unlike(nodes, nodes.objects, places, 1)
    yield "many values", many(nodes.subjects[places])
    if nodes.literal[nodes.objects[places]].mean() >= TYPED:
        yield "number", values(nodes, places, "number")
        yield "date", values(nodes, places, "date")
    else:
        yield "rare value", rare(nodes.objects[places])
        yield "many subjects", many(nodes.objects[places])


def _commonness(strength: Floats) -> Floats:
    """Return, for each statement, the share of the property's statements whose sign is as strong."""
    return 1 - np.searchsorted(np.sort(strength), strength, "left") / len(strength)


def surprise(strength: Floats) -> Floats:
    """Return -log10 of the share of all statements whose sign is as strong: 3 is one in a thousand, 0 no sign."""
    share = 1 - np.searchsorted(np.sort(strength), strength, "left") / max(len(strength), 1)
    return np.where(strength > 0, -np.log10(share), 0.0)
