"""`Judging`: one run and one gold, their ranks counted once for each set of engine conventions."""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Self

import polars as pl

from assay.core.gold import Gold
from assay.core.judged import Judged
from assay.core.policy import Policy
from assay.core.run import Run
from assay.engines import judge


@dataclass(eq=False)
class Judging:
    """One run and one gold, judged once for each set of engine conventions.

    `count` joins them, as `engines.judge` does or from a cache.
    """

    run: Run
    gold: Gold
    exclude: pl.DataFrame | None
    count: Callable[[Run, Gold, Policy, pl.DataFrame | None], Judged] = field(default=judge, kw_only=True)

    def __post_init__(self) -> None:
        self._counted: dict[tuple[str, ...], Judged] = {}
        self._made: dict[Policy, Judged] = {}

    @classmethod
    def known(cls, run: Run, gold: Gold, exclude: pl.DataFrame | None, policy: Policy, judged: Judged) -> Self:
        """Return a judging that has its ranks under one policy already."""
        made = cls(run, gold, exclude)
        made._made[policy] = judged
        return made

    def under(self, policy: Policy) -> Judged:
        """Return the judged ranks under a policy, all its fields applied but those of aggregation."""
        if policy not in self._made:
            key = policy.engine_fields()
            known = (made for other, made in self._counted.items() if _serves(other, key))
            self._counted[key] = next(known, None) or self.count(self.run, self.gold, policy, self.exclude)
            self._made[policy] = self._counted[key].under(policy)
        return self._made[policy]


def _serves(made: tuple[str, ...], wanted: tuple[str, ...]) -> bool:
    """Tell whether counts made for some engine fields serve others: the same, or any tie rule will do."""
    return made[1:] == wanted[1:] and wanted[0] in {made[0], "any"}
