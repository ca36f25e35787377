"""The contract of a measure, run on one measure or on several settings of it."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import fields, replace
from types import MappingProxyType
from typing import Any

from hypothesis import given, settings

from assay.measures import Measure
from assay.testing.measure_definition import DEFINITIONS
from assay.testing.measure_properties import PROPERTIES, Property
from assay.testing.strategies import Collection, collections

VALUES: Mapping[str, tuple[Any, ...]] = MappingProxyType({
    "k": (1, 3, 10),
    "recall": (0, 0.1, 0.35, 1),
    "rel": (2,),
    "beta": (0.5, 2),
    "p": (0.5, 0.95),
    "alpha": (0, 0.9),
    "gain": ("exp",),
    "gains": ({1: 1, 2: 5, 3: 5},),
    "base": (10,),
    "norm": ("R", "min", "found"),
    "max_rel": (4,),
    "rounding": ("trunc", "round"),
    "floor": (0.01,),
    "surplus": ("paired",),
    "multiple": (0, 0.35, 1, 2),
    "hit": (3,),
    "noise": (-0.5,),
    "miss": (-2,),
    "rest": (0.25,),
    "collection": (100,),
})  # fmt: skip
"""What each parameter is tried with."""


def variants(measure: type[Measure]) -> Iterator[Measure]:
    """Yield settings of a measure: each cutoff, then each other parameter changed alone.

    A measure that needs to know how many candidates there are is told: 100.

    >>> from assay.measures import MEASURES
    >>> [str(one) for one in variants(MEASURES["P"])]
    ['P@1', 'P@3', 'P@10', 'P(rel=2)@3']
    """
    plain = measure(collection=100) if measure.needs_candidates else measure()
    some = plain
    if measure.at is not None:
        if not measure.needs_at:
            yield plain
        yield from (plain @ value for value in VALUES[measure.at])
        some = plain @ VALUES[measure.at][1]
    else:
        yield plain
    for part in fields(measure):
        for value in VALUES.get(part.name, ()) if part.name != measure.at else ():
            if value != getattr(plain, part.name):
                yield replace(some, **{part.name: value})


def check_measure(measure: Measure | type[Measure], *, examples: int = 50) -> None:
    """Hold a measure, or several settings of a class of measures, to the contract of all measures.

    Raises
    ------
    AssertionError
        A rule is broken; the message names the measure, the values and a small collection that shows it.

    >>> from assay.measures import MEASURES
    >>> check_measure(MEASURES["P"] @ 3, examples=5)
    """
    for one in [measure] if isinstance(measure, Measure) else variants(measure):
        for definition in DEFINITIONS.values():
            definition(one)
        check_values([one], PROPERTIES.values(), examples=examples)


def check_values(measures: Sequence[Measure], properties: Iterable[Property], *, examples: int = 50) -> None:
    """Hold the numbers of measures to properties, on `examples` collections that Hypothesis makes.

    Measures that need aspects, groups or samples are left out: these collections have one grade for each item.
    """
    tested = [measure for measure in measures if not measure.needs_facets]

    @settings(max_examples=examples, deadline=None, database=None)
    @given(collections())
    def on_any(collection: Collection) -> None:
        for has_property in properties:
            for measure in tested:
                has_property(measure, collection)

    on_any()
