"""`plan_accuracy`: how many statements people must judge to know the accuracy of a graph, and what that costs."""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from assay.core.accuracy import Accuracy
from assay.core.accuracy_plan import Effort, Plan
from assay.errors import ParameterError
from assay.graph.accuracy.statements import Statements
from assay.report.amounts import counted
from assay.statistics.sample_plan import alikeness, design_effect, units_needed

ACCURACIES = (0.5, 0.85, 0.9, 0.95, 0.99)
WORST = 0.5
"""The accuracy that takes the most labels."""
ALIKE = 0.5
"""How alike statements of one subject are taken to be: measured .57 in a sample of NELL and .42 in one of DBpedia."""


def plan_accuracy(
    statements: Statements | None = None,
    *,
    margin: float = 0.05,
    accuracy: float | None = None,
    alike: float | None = None,
    pilot: Accuracy | None = None,
    per_subject: Sequence[int] = (1, 2, 3, 5, 10),
    seconds_per_subject: float = 45.0,
    seconds_per_statement: float = 25.0,
    price_per_hour: float | None = None,
    level: float = 0.95,
    method: str = "wilson",
) -> Plan:
    r"""Say how many statements of how many subjects to judge for a margin, and how long that takes.

    Drawn one by one, n statements do (`units_needed`; of a known graph, without replacement). Drawn by subject, at most
    m of each and $\bar m$ on average, it takes $n (1 + (\bar m - 1) \rho)$ of them, but fewer subjects to get to know:
    a draw costs `seconds_per_subject`, and each statement `seconds_per_statement`. Source: Gao et al. 2019, who also
    measured 45 and 25 seconds.

    Parameters
    ----------
    statements
        The graph, where there is one: it says how many statements subjects have.
    margin, level, method
        The interval wanted reaches so far to either side.
    accuracy, alike
        What is expected: the share of right statements, and ρ, how alike those of a subject are. Without a pilot the
        worst accuracy, 0.5, and ρ = 0.5.
    pilot
        An estimate from a few labels, which says both (ρ if it was drawn by subject).
    per_subject
        The m to weigh against each other.

    Raises
    ------
    ParameterError
        A margin outside 0 to 0.5, a share outside 0 to 1, an m below 1, a negative cost.

    >>> plan = plan_accuracy(accuracy=0.9)
    >>> [(effort.per_subject, effort.statements, effort.subjects) for effort in plan.by_design][:3]
    [(1, 141, 141), (2, 212, 106), (3, 282, 94)]
    """
    if min((*per_subject, 1)) < 1 or not per_subject:
        raise ParameterError(f"per subject: expected numbers of at least 1, found {list(per_subject)}")
    if min(seconds_per_subject, seconds_per_statement, price_per_hour or 0) < 0:
        raise ParameterError("cost: expected numbers of 0 or more, found one below")
    rho = _alike(alike, pilot)
    if not 0 <= rho <= 1:
        raise ParameterError(f"alike: expected a number from 0 to 1, found {rho:g}")
    share = accuracy if accuracy is not None else pilot.value if pilot else WORST
    request = _Request(
        statements, margin, level, method, rho, (seconds_per_subject, seconds_per_statement), price_per_hour
    )
    return Plan(
        margin, level, method, share, rho, len(statements) if statements else None,
        statements.subjects if statements else None, seconds_per_subject, seconds_per_statement, price_per_hour,
        by_design=tuple(request.effort(share, most) for most in sorted(set(per_subject))),
        by_accuracy=tuple(request.effort(one, 1) for one in ACCURACIES),
        notices=tuple(_notices(statements, accuracy, alike, pilot)),
    )  # fmt: skip


@dataclass(frozen=True, slots=True)
class _Request:
    """What is wanted, and what it is drawn from."""

    statements: Statements | None
    margin: float
    level: float
    method: str
    alike: float
    seconds: tuple[float, float]
    price: float | None

    def effort(self, share: float, most: int) -> Effort:
        """Return what it takes with at most so many statements of a subject."""
        population = len(self.statements) if self.statements and most == 1 else None
        alone = units_needed(self.margin, share, self.level, self.method, population)
        each = self._per_draw(most)
        effect = design_effect(self.alike, each)
        units = math.ceil(alone * effect - 1e-9)
        subjects = self._subjects(units if most == 1 else math.ceil(units / each - 1e-9), alone=most == 1)
        seconds = subjects * self.seconds[0] + units * self.seconds[1]
        price = None if self.price is None else seconds / 3600 * self.price
        return Effort(most, share, units, subjects, each, effect, seconds, price)

    def _per_draw(self, most: int) -> float:
        """Return how many statements a drawn subject brings on average."""
        if self.statements is None or most == 1:
            return float(most)
        sizes = np.diff(self.statements.starts)
        return float((sizes / sizes.sum()) @ np.minimum(sizes, most))

    def _subjects(self, draws: int, *, alone: bool) -> int:
        """Return how many different subjects so many draws, of statements or of subjects, are expected to meet."""
        if self.statements is None:
            return draws
        sizes = np.diff(self.statements.starts)
        missed = (1 - min(1.0, draws / sizes.sum())) ** sizes if alone else (1 - sizes / sizes.sum()) ** draws
        return math.ceil(float((1 - missed).sum()) - 1e-9)


def _alike(alike: float | None, pilot: Accuracy | None) -> float:
    if alike is not None:
        return alike
    if pilot and pilot.design.kind == "cluster":
        found = alikeness(pilot.design_effect, pilot.judged / pilot.draws)
        return ALIKE if found is None else found
    return ALIKE


def _notices(
    statements: Statements | None, accuracy: float | None, alike: float | None, pilot: Accuracy | None
) -> Iterator[str]:
    if statements is None:
        yield "no graph is given: every subject is taken to have as many statements as are wanted of it"
    if accuracy is None and pilot is None:
        yield f"no accuracy is expected: this is the most that can be needed, at {WORST}"
    if alike is None and (pilot is None or pilot.design.kind != "cluster"):
        yield f"how alike the statements of a subject are is not known: {ALIKE} is taken"
    if pilot:
        yield f"the pilot has {counted(pilot.judged, 'label')}: what it says is uncertain itself"
