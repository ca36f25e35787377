"""Why one query lost: the first cause, in a stated order, for which there is evidence."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

import polars as pl

from assay.core.gold import Gold
from assay.core.history import Recorded
from assay.core.history_drift import Place
from assay.history.drift.evidence import Evidence
from assay.history.drift.judging_again import tells_wrong
from assay.report.amounts import counted, percent

HALF = 0.5
"""The gold is the cause where it explains this share of a loss."""
CIRCUMSTANCES = ("code", "platform", "assay")
Ranking = Mapping[str, int]


@dataclass(frozen=True, eq=False)
class Scene:
    """What is known of two evaluations: their first items, the gold of now, what other verbs know of items."""

    old: Recorded
    new: Recorded
    gold: Gold | None
    evidence: Evidence

    @cached_property
    def rankings(self) -> tuple[Mapping[str, Ranking], Mapping[str, Ranking]]:
        """The rank of each item that was kept, by query, before and now."""
        return _rankings(self.old.head), _rankings(self.new.head)

    @cached_property
    def shown(self) -> frozenset[str]:
        """All items of the rankings of now."""
        return frozenset() if self.new.head is None else frozenset(self.new.head["item"].to_list())

    @cached_property
    def grades(self) -> Mapping[tuple[str, str], float]:
        """The grade of each judged pair."""
        if self.gold is None:
            return {}
        rows = self.gold.table.select("query", "item", "grade").iter_rows()
        return {(query, item): grade for query, item, grade in rows if grade is not None}

    @cached_property
    def tells_wrong(self) -> bool:
        """Whether the gold says of items that they are wrong; where it lists right ones alone, there are no holes."""
        return self.gold is not None and tells_wrong(self.gold)

    @property
    def has_heads(self) -> bool:
        """Whether items of both were kept."""
        return self.old.head is not None and self.new.head is not None

    def places(self, query: str) -> tuple[Place, ...]:
        """Return the items of a query whose rank changed, those first that stood first."""
        before, now = (ranks.get(query, {}) for ranks in self.rankings)
        items = [item for item in {**before, **now} if before.get(item) != now.get(item)]
        found = [Place(item, before.get(item), now.get(item), self.grades.get((query, item))) for item in items]
        return tuple(sorted(found, key=lambda one: (one.before or 10**9, one.now or 10**9)))


def _rankings(head: pl.DataFrame | None) -> dict[str, Ranking]:
    if head is None:
        return {}
    groups = head.group_by("query", maintain_order=True).agg(pl.col("item"))
    return {query: {item: at for at, item in enumerate(items, 1)} for query, items in groups.iter_rows()}


@dataclass(frozen=True, eq=False)
class Loss:
    """A query that lost: by how much, how much of that by the gold alone (None: not known), which items moved."""

    scene: Scene
    query: str
    loss: float
    by_gold: float | None
    places: Sequence[Place]

    @property
    def why(self) -> tuple[str, str]:
        """The cause, a key of `CAUSES`, and the evidence in a few words."""
        for cause, look in LOOKS.items():
            if found := look(self):
                return cause, found
        return "unexplained", self.ranks

    @cached_property
    def fallen(self) -> tuple[Place, ...]:
        """The items that stand lower than before; where grades are known the relevant ones alone."""
        is_known = self.scene.gold is not None
        return tuple(one for one in self.places if _is_lower(one) and (not is_known or (one.grade or 0) > 0))

    @property
    def named(self) -> tuple[str, ...]:
        """The query and the items that stand lower."""
        return self.query, *(one.item for one in self.fallen)

    @property
    def ranks(self) -> str:
        """What became of the items, in a few words."""
        if not self.scene.has_heads:
            return "no items were kept"
        if not self.places:
            return "the same items in the same order"
        below = f"below {self.scene.new.depth}"
        said = [f"{one.item} {one.before} → {one.now or below}" for one in self.fallen]
        return ", ".join(said[:2]) or f"{counted(len(self.places), 'item')} changed their rank"


def _is_lower(one: Place) -> bool:
    return one.before is not None and (one.now is None or one.now > one.before)


def _conventions(loss: Loss) -> str:
    old, new = loss.scene.old.made, loss.scene.new.made
    if loss.places or not loss.scene.has_heads or old.gold is None or old.gold != new.gold:
        return ""
    names = sorted({*old.policy, *new.policy})
    unlike = [name for name in names if old.policy.get(name) != new.policy.get(name)]
    return ", ".join(f"{name} {old.policy.get(name)} → {new.policy.get(name)}" for name in unlike)


def _gold(loss: Loss) -> str:
    if loss.by_gold is None or loss.by_gold < HALF * loss.loss:
        return ""
    return f"the same ranking loses {loss.by_gold:.4f} by the other gold"


def _gone(loss: Loss) -> str:
    known = loss.scene.evidence.corpus
    return _missing(loss, "not in the index", known) if known is not None else ""


def _absent(loss: Loss) -> str:
    old, new = loss.scene.old.made.corpus, loss.scene.new.made.corpus
    if loss.scene.evidence.corpus is not None or old is None or new is None or old == new:
        return ""
    return _missing(loss, "in no ranking of another corpus", loss.scene.shown)


def _missing(loss: Loss, said: str, known: frozenset[str]) -> str:
    """Name the first item that fell out of the ranking and is not among those that are known."""
    gone = [one for one in loss.fallen if one.now is None and one.item not in known]
    return f"{said}: {gone[0].item} (rank {gone[0].before})" if gone else ""


def _link(loss: Loss) -> str:
    broken = loss.scene.evidence.invalid or frozenset()
    return next((f"named by an invalid link: {name}" for name in loss.named if name in broken), "")


def _moved(loss: Loss) -> str:
    moved = loss.scene.evidence.moved or {}
    found = (
        f"kept {percent(moved[name], 0)} of its neighbours: {name}" for name in loss.named if moved.get(name, 1) < 1
    )
    return next(found, "")


def _unjudged(loss: Loss) -> str:
    if not loss.scene.tells_wrong:
        return ""
    came = sum(one.before is None and one.grade is None for one in loss.places)
    went = sum(one.now is None and one.grade is None for one in loss.places)
    return f"{came} unjudged came in, {went} went" if came > went else ""


def _engine(loss: Loss) -> str:
    for name in CIRCUMSTANCES if loss.places else ():
        before, now = getattr(loss.scene.old.made, name), getattr(loss.scene.new.made, name)
        if before != now and None not in {before, now}:
            return f"{name} {before[:12]} → {now[:12]}; {loss.ranks}"
    return ""


LOOKS: Mapping[str, Callable[[Loss], str]] = {
    "conventions": _conventions, "gold": _gold, "gone": _gone, "link": _link, "moved": _moved,
    "unjudged": _unjudged, "engine": _engine, "absent": _absent,
}  # fmt: skip
"""Who looks for each cause; each returns its evidence, or nothing."""
