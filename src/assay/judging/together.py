"""Which judges err together, held against the best answers that there are."""

from collections.abc import Iterator, Sequence

import numpy as np

from assay.core.adjudication import Together
from assay.core.gold import Gold
from assay.core.judged import Floats, Ints
from assay.judging.panel import Panel
from assay.statistics.dawid_skene import DawidSkene
from assay.statistics.joint_errors import LEAST, JointErrors, effective_judges, joint_errors, mean_correlation

JUDGES, PAIRS = 60, 20_000
"""So many judges (those of most judgments) and pairs (evenly spread) are looked at."""
DRAWS, MANY = 20, 20_000
"""How often independent judges are drawn, once where there are many judgments: chance then evens out."""
GROUPS = (("people", "person"), ("machines", "machine"))


def together(panel: Panel, fit: DawidSkene, truth: Gold | None, seed: int) -> tuple[Together, ...]:
    """Return how far people err together, and how far machines do.

    Answers that are known come first; without them machines are held against what most people say, and people, or
    machines that stand alone, against the other judges. In that last case even independent judges seem to err together,
    where the others are wrong; how far, is drawn from the model.
    """
    return tuple(_groups(panel, fit, truth, seed))


def _groups(panel: Panel, fit: DawidSkene, truth: Gold | None, seed: int) -> Iterator[Together]:
    rows = _spread(panel.pairs.height)
    answers = _answers(panel, truth)[rows]
    for group, kind in GROUPS:
        judges = _busiest(panel, kind)
        if len(judges) < 2:
            continue
        against: str = "known answers"
        right: Floats | None = answers
        people = _busiest(panel, "person")
        if (~np.isnan(answers)).sum() < LEAST:
            against, right = "the other judges", None
            if kind == "machine" and len(people):
                against, right = "what most people say", _most_say(panel.matrix(rows, people))
        said = panel.matrix(rows, judges)
        found = joint_errors(said, right)
        by_chance: float | None = 0.0
        if right is None:
            chance = np.random.default_rng(seed)
            habits = fit.posterior[rows], fit.confusion[judges], panel.grades
            draws = [_drawn(said, *habits, chance) for _ in range(1 if said.size > MANY else DRAWS)]
            by_chance = mean_correlation([one for drawn in draws for one in joint_errors(drawn)])
        names = [panel.judges[judge] for judge in judges]
        yield _summed(group, names, found, against, max(0.0, by_chance or 0.0))


def _summed(group: str, judges: Sequence[str], found: list[JointErrors], against: str, by_chance: float) -> Together:
    mean = mean_correlation(found)
    excess = None if mean is None else max(0.0, mean - by_chance) / max(1e-9, 1 - by_chance)
    most = max(found, key=lambda one: (one.correlation, -one.first, -one.second), default=None)
    closest = None if most is None else (judges[most.first], judges[most.second], most.correlation)
    return Together(
        "people" if group == "people" else "machines", len(judges), len(found), against, mean, by_chance,
        None if excess is None else effective_judges(len(judges), excess), closest,
    )  # fmt: skip


def _answers(panel: Panel, truth: Gold | None) -> Floats:
    """Return what is known of each pair, by the check or by what was settled; NaN: nothing."""
    settled = np.where(panel.known >= 0, panel.grades[panel.known], np.nan)
    if truth is None:
        return settled
    checked = panel.answers(truth)
    return np.where(np.isnan(checked), settled, checked)


def _spread(pairs: int) -> Ints:
    return np.unique(np.linspace(0, pairs - 1, min(pairs, PAIRS)).astype(np.int64))


def _busiest(panel: Panel, kind: str) -> Ints:
    """Return the judges of a kind with most judgments, in the order of their names."""
    many = np.bincount(panel.votes[1], minlength=len(panel.judges))
    judges = np.array([number for number, one in enumerate(panel.kinds) if one == kind], np.int64)
    return np.sort(judges[np.argsort(-many[judges], kind="stable")[:JUDGES]])


def _most_say(said: Floats) -> Floats:
    """Return the grade that leads among judges, NaN where none does."""
    values = np.unique(said[~np.isnan(said)])
    votes = (said[:, :, None] == values).sum(axis=1)
    highest = votes.max(axis=1, keepdims=True)
    leads = ((votes == highest).sum(axis=1) == 1) & (highest[:, 0] > 0)
    return np.where(leads, values[votes.argmax(axis=1)], np.nan)


def _drawn(said: Floats, posterior: Floats, confusion: Floats, grades: Floats, chance: np.random.Generator) -> Floats:
    """Return what independent judges with these habits might say of the same pairs."""
    true = _pick(posterior, chance)
    drawn = np.stack([grades[_pick(habits[true], chance)] for habits in confusion], axis=1)
    return np.where(np.isnan(said), np.nan, drawn)


def _pick(chances: Floats, chance: np.random.Generator) -> Ints:
    """Return one number for each row, drawn by its probabilities."""
    edges = np.cumsum(chances, axis=1)[:, :-1]
    picked: Ints = (chance.random((len(chances), 1)) > edges).sum(axis=1)
    return picked
