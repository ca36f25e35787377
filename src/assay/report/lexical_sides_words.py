"""Systems side by side in words: what each alone finds, which is best, what fusion reaches and what it could."""

from collections.abc import Iterator, Sequence

from assay.core.comparison import Contrast
from assay.core.lexical_sides import Ceiling, Found, Sides
from assay.report.comparison import SHORT, probability, short
from assay.report.grid import number
from assay.report.names import visible


def sentences(sides: Sides) -> list[str]:
    """Return what it comes to, for someone who sees such a table for the first time."""
    said = [*_found(sides), *_best(sides, sides.ceilings[0]), *_fused(sides, sides.ceilings[0])]
    return [*map(visible, said)]


def set_names(sides: Sides, few: int) -> dict[tuple[int, ...], str]:
    """Name the sets of systems that alone find something: single systems, and of few systems each set but all."""
    every = len(sides.systems)
    single: dict[tuple[int, ...], str] = {(place,): f"only {system}" for place, system in enumerate(sides.systems)}
    if not 2 < every <= few:
        return single
    more = sorted({places for found in sides.found for places in found.together if 1 < len(places) < every})
    return single | {places: f"only {listing([sides.systems[place] for place in places])}" for places in more}


def listing(names: Sequence[str]) -> str:
    """Write names one after another.

    >>> listing(["a"]), listing(["a", "b", "c"])
    ('a', 'a, b and c')
    """
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"


def _found(sides: Sides) -> Iterator[str]:
    """Say what one system finds and the others do not, and what none finds."""
    top, whole = sides.found
    first, *others = sides.systems
    if not others[1:]:
        yield (
            f"Among its first {sides.cutoff}, {others[0]} finds {_items(top.only[1])} that {first} does not; "
            f"{first} finds {top.only[0]:,} that {others[0]} does not."
        )
    else:
        counted = listing([f"{name} {count:,}" for name, count in zip(sides.systems, top.only, strict=True)])
        yield f"Relevant items that one system alone finds among its first {sides.cutoff}: {counted}."
    yield f"Of {_items(top.relevant)}, {_nowhere(top, whole, sides.cutoff)}"


def _nowhere(top: Found, whole: Found, cutoff: int) -> str:
    """Say how many are lost to any fusion, and how many only stand too deep."""
    deep = top.none - whole.none
    lost = "each stands in some list." if not whole.none else f"{_stand(whole.none)} in no list: no fusion brings them."
    if not deep:
        return lost
    return f"{lost} {_stand(deep)} in a list, but not among the first {cutoff} of any: there another order would help."


def _stand(count: int) -> str:
    return f"{count:,} stand{'s' if count == 1 else ''}"


def _best(sides: Sides, ceiling: Ceiling) -> Iterator[str]:
    """Say which system is best, and what choosing and ordering could at best bring."""
    if ceiling.single is None:
        return
    told = f"By {ceiling.measure}, {ceiling.best} is the best system: {number(ceiling.single)}."
    if ceiling.chosen is not None:
        leading = listing([f"{name} on {count:,}" for name, count in zip(sides.systems, sides.leads, strict=True)])
        told += (
            f" A perfect choice of the system for each query would reach {number(ceiling.chosen)} (alone the best: "
            f"{leading} queries)."
        )
    yield f"{told} All lists together, in the best order, would reach {number(ceiling.union)}."


def _fused(sides: Sides, ceiling: Ceiling) -> Iterator[str]:
    """Say what fusions reach, and whether the best of them beats the best system."""
    known = {name: value for name, value in ceiling.fused.items() if value is not None}
    if not known or ceiling.single is None:
        return
    up = _higher_is_better(sides)
    name, value = (max if up else min)(known.items(), key=lambda entry: entry[1])
    reached = listing([f"{one} reaches {number(mean)}" for one, mean in known.items()])
    gain = (value - ceiling.single) * (1 if up else -1)
    word = "more" if gain > 0 else "less" if gain < 0 else "as much"
    than = f"{word} {'than' if gain else 'as'} {ceiling.best} alone"
    yield f"{reached}: {'' if len(known) == 1 else f'the best of them, {name}, '}{than}{_told(sides, name, ceiling)}."


def _told(sides: Sides, name: str, ceiling: Ceiling) -> str:
    """Say how sure that is, where the best system is the one that all are held against."""
    tested: Contrast | None = next((one for one in sides.comparison.of(ceiling.measure) if one.run == name), None)
    if tested is None or ceiling.best != sides.systems[0] or tested.significance.p is None:
        return ""
    p = f"p {probability(tested.significance.final)}"
    return (
        f" ({p})"
        if short(tested) in {SHORT["better"], SHORT["worse"]}
        else f", though these queries cannot tell them apart ({p})"
    )


def _higher_is_better(sides: Sides) -> bool:
    return sides.comparison.evaluations[0].figures[0].higher_is_better


def _items(count: int) -> str:
    return f"{count:,} relevant item{'' if count == 1 else 's'}"
