"""What differs between the circumstances of a baseline and those of now, and what of it may not."""

from collections.abc import Iterable, Iterator

from assay.core.gate import Unlike
from assay.core.history import Made, Recorded
from assay.errors import UnknownNameError
from assay.history.gate.settings import SAME

DIGESTS = ("gold", "queries", "corpus", "platform", "code")
GIVEN = ("exclude", "weights", "assay")
"""What is always known; None says that none were given."""


def require_accepted(accept: Iterable[str]) -> None:
    """Raise UnknownNameError for something that cannot be accepted because it is never compared."""
    for one in accept:
        if one not in SAME:
            raise UnknownNameError.of("part of a baseline", one, SAME)


def differences(before: Recorded, now: Recorded, wanted: Iterable[str], same: Iterable[str]) -> Iterator[Unlike]:
    """Yield what differs; what is to be the `same` is refused, and so is a measure that the baseline has not.

    A digest that is known on one side alone is a difference that is said and refuses nothing; but pairs that are left
    out and weights, which are given on one side alone, change figures. Another release of Assay is said.
    """
    refused = set(same)
    if before.made.task != now.made.task:
        yield Unlike("task", before.made.task, now.made.task, refused=True)
    for what in (*DIGESTS, *GIVEN):
        one, other = getattr(before.made, what), getattr(now.made, what)
        if one != other:
            yield Unlike(what, one, other, refused=what in refused and (what in GIVEN or None not in {one, other}))
    policies = _policies(before.made, now.made)
    if policies is not None:
        yield Unlike("policy", *policies, refused="policy" in refused)
    for measure in wanted:
        if measure not in before.values:
            yield Unlike("measure", None, measure, refused=True)


def _policies(before: Made, now: Made) -> tuple[str, str] | None:
    """Return the conventions that differ, as they were and as they are; None where all are the same."""
    names = sorted({*before.policy, *now.policy})
    unlike = [name for name in names if before.policy.get(name) != now.policy.get(name)]
    if not unlike:
        return None
    return tuple(", ".join(f"{name} {made.policy.get(name)}" for name in unlike) for made in (before, now))  # type: ignore[return-value]
