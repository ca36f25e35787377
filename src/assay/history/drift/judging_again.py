"""A recorded run judged by the gold of another time, so that a change of the gold can be told from one of answers."""

from dataclasses import dataclass
from functools import cached_property
from typing import Any

from assay.core.gold import Gold
from assay.core.history import Recorded
from assay.core.history_change import JudgedShare
from assay.core.hits import Floats
from assay.errors import AssayError, ParameterError
from assay.history.gold_digest import gold_digest
from assay.history.rejudge import rejudge
from assay.inputs import as_gold

Values = tuple[Floats, tuple[str, ...]]
"""Values, and the queries that they are of."""


@dataclass(frozen=True, eq=False)
class JudgedAgain:
    """What is known of a change of the gold between two evaluations, for one measure.

    `again` are the values of the run of before by the gold of now, `back` those of the run of now by the gold of
    before. `is_same`: the gold did not change. `why`: why a change of it cannot be told apart.
    """

    is_same: bool
    again: Values | None = None
    back: Values | None = None
    share: JudgedShare | None = None
    why: str = ""


@dataclass(frozen=True, eq=False)
class Golds:
    """The gold of now and of before, each None where it was not given."""

    now: Any = None
    before: Any = None

    @cached_property
    def known(self) -> Gold | None:
        """The gold of now as it was read; None where it was not given."""
        return None if self.now is None else as_gold(self.now)

    @cached_property
    def earlier(self) -> Gold | None:
        """The gold of before as it was read; None where it was not given."""
        return None if self.before is None else as_gold(self.before)

    def require(self, old: Recorded, new: Recorded) -> None:
        """Refuse a gold that is not the one by which an evaluation was judged.

        Raises
        ------
        ParameterError
            It has another digest than the record.
        """
        for option, gold, one in (("gold", self.known, new), ("old gold", self.earlier, old)):
            if gold is not None and not _is_of(gold, one):
                expected = f"{option}: expected the gold of evaluation {one.id} ({(one.made.gold or '')[:12]}…)"
                raise ParameterError(f"{expected}, found another ({gold_digest(gold)[:12]}…)")

    def judge(self, old: Recorded, new: Recorded, measure: str) -> JudgedAgain:
        """Judge each run by the gold of the other time, as far as that can be had."""
        share = self._share(old, new)
        if old.made.gold is not None and old.made.gold == new.made.gold:
            return JudgedAgain(is_same=True, share=share)
        again, why = _values(old, self.known if _is_of(self.known, new) else None, measure)
        back, other = _values(new, self.earlier if _is_of(self.earlier, old) else None, measure)
        if again is None and back is None:
            why = why or other or "the gold changed: give the gold of now (--gold) to tell it from the answers"
            if None in {old.made.gold, new.made.gold}:
                why = "it is not known by which gold each was judged"
        return JudgedAgain(is_same=False, again=again, back=back, share=share, why=why)

    def _share(self, old: Recorded, new: Recorded) -> JudgedShare | None:
        """Return the share of judged items: as it was recorded, else of the items that were kept."""
        recorded = {one.measure: one.mean for one in old.figures if not one.slice}
        for figure in new.figures:
            kind, _, depth = figure.measure.partition("@")
            if kind == "Judged" and depth.isdecimal() and not figure.slice and figure.measure in recorded:
                return JudgedShare(int(depth), recorded[figure.measure], figure.mean, "figure")
        k = min(old.depth, new.depth, 10)
        if self.known is None or not k or not tells_wrong(self.known):
            return None
        same = old.made.gold == new.made.gold
        earlier = self.earlier if self.earlier is not None and not same else self.known
        shares = [_mean(one, gold, f"Judged@{k}") for one, gold in ((old, earlier), (new, self.known))]
        return JudgedShare(k, shares[0], shares[1], "head")


def tells_wrong(gold: Gold) -> bool:
    """Tell whether a gold says of some items that they are wrong, so that one of which it says nothing is a hole."""
    return bool((gold.table["grade"] == 0).any())


def _is_of(gold: Gold | None, one: Recorded) -> bool:
    """Tell whether a gold may be the one by which an evaluation was judged."""
    return gold is not None and one.made.gold in {None, gold_digest(gold)}


def _values(recorded: Recorded, gold: Gold | None, measure: str) -> tuple[Values | None, str]:
    """Return the values of a run by another gold, or why there are none."""
    if gold is None:
        return None, ""
    try:
        found = rejudge(recorded, gold, measure)
    except AssayError as error:
        return None, str(error)
    return (next(iter(found.values.values())), found.queries), ""


def _mean(recorded: Recorded, gold: Gold, measure: str) -> float | None:
    try:
        found = rejudge(recorded, gold, measure)
    except AssayError:
        return None
    return found.figures[0].mean
