"""Whether results may be compared: judged by the same gold, under the same conventions, by the same measures."""

from collections.abc import Iterator, Sequence
from dataclasses import replace

from assay.core.evaluation import Evaluation
from assay.errors import IncomparableError, ParameterError
from assay.report.amounts import counted


def require_comparable(evaluations: Sequence[Evaluation], *, anyway: bool = False) -> tuple[str, ...]:
    """Return what stands between the results as notices, if they are compared anyway.

    Raises
    ------
    IncomparableError
        Different gold, conventions or options, unless `anyway`.
    """
    reasons = tuple(dict.fromkeys(why for one in evaluations[1:] for why in _differences(evaluations[0], one)))
    if reasons and not anyway:
        msg = f"these results cannot be compared: {'; '.join(reasons)}"
        raise IncomparableError(
            msg, hint="evaluate the runs again in one way; --anyway (anyway=True) compares them as they are."
        )
    return tuple(f"compared anyway, although {why}." for why in reasons)


def with_shared_measures(evaluations: Sequence[Evaluation]) -> tuple[list[Evaluation], tuple[str, ...]]:
    """Return the evaluations with the measures that all of them have, and a notice of those that not all have.

    Raises
    ------
    ParameterError
        Results without any measure in common.
    """
    names = [{figure.name for figure in one.figures} for one in evaluations]
    shared = [figure.name for figure in evaluations[0].figures if all(figure.name in found for found in names)]
    if not shared:
        msg = "expected results with a measure in common, found none"
        raise ParameterError(msg, hint="evaluate the runs with the same measures.")
    lost = sorted(set().union(*names) - set(shared))
    if not lost and all([figure.name for figure in one.figures] == shared for one in evaluations):
        return list(evaluations), ()
    found = [replace(one, figures=tuple(one.figure(name) for name in shared)) for one in evaluations]
    return found, (f"left out, as not every result has them: {', '.join(lost)}.",) if lost else ()


def _differences(first: Evaluation, other: Evaluation) -> Iterator[str]:
    if not _same_gold(first, other):
        yield f"{first.name} and {other.name} were judged by different gold ({_which(first)} and {_which(other)})"
    mine, theirs = first.policy.to_dict(), other.policy.to_dict()
    for name, value in mine.items():
        if theirs[name] != value:
            yield f"{first.name} has {name}={value}, {other.name} has {name}={theirs[name]}"
    if first.profile != other.profile:
        yield f"{first.name} has {_profile(first)}, {other.name} has {_profile(other)}"
    yield from _options(first, other)


def _options(first: Evaluation, other: Evaluation) -> Iterator[str]:
    mine, theirs = first.options.to_dict(), other.options.to_dict()
    for name in ("rel", "aggregate"):
        if mine[name] != theirs[name]:
            yield f"{first.name} has {name}={mine[name]}, {other.name} has {name}={theirs[name]}"
    for name in ("weights", "exclude"):
        digests = [None if one[name] is None else (one[name]["sha256"] or "memory") for one in (mine, theirs)]
        if digests[0] != digests[1]:
            yield f"{first.name} and {other.name} were made with different {name}"


def _same_gold(first: Evaluation, other: Evaluation) -> bool:
    """Tell whether both were judged by the same bytes, or where these are unknown by gold that holds as much."""
    digests = first.gold.digest(), other.gold.digest()
    if None not in digests:
        return digests[0] == digests[1]
    return _held(first) == _held(other)


def _held(one: Evaluation) -> tuple[object, ...]:
    gold = one.gold
    return gold.queries, gold.judgments, gold.relevant, gold.empty_queries


def _which(one: Evaluation) -> str:
    digest = one.gold.digest()
    name = one.gold.path or one.gold.name
    return f"{name}, sha256 {digest[:8]}…" if digest else f"{name}, {counted(one.gold.judgments, 'judgment')}"


def _profile(one: Evaluation) -> str:
    return f"the conventions of {one.profile}" if one.profile else "no profile"
