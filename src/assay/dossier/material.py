"""`Material`: runs judged by a gold standard, with everything needed to look further into them."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, Self

from assay.compare import Settings
from assay.core.evaluation import Evaluation
from assay.core.gold import Gold
from assay.core.profiles import Profile
from assay.core.run import Run
from assay.evaluate import Measures, evaluate_all
from assay.evaluate.compute import Gathering
from assay.evaluate.judging import Judging
from assay.evaluate.plan import Plan, conventions_of, plans_of
from assay.inputs import as_gold, as_loads, as_pairs, as_run
from assay.measures import parse_many
from assay.report.grid import labels_of

ONE_QUERY = frozenset({"policy", "profile", "rel", "exclude"})
"""The options that matter to a single query."""


@dataclass(frozen=True, slots=True, eq=False)
class Material:
    """Gold, runs and their evaluations; `options` are those of `evaluate`: policy, profile, rel, weights, exclude."""

    gold: Gold
    runs: tuple[Run, ...]
    measures: Measures
    evaluations: tuple[Evaluation, ...]
    options: dict[str, Any]
    labels: tuple[str, ...] = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "labels", tuple(labels_of(self.evaluations)))

    @classmethod
    def of(cls, gold: Any, runs: Sequence[Any], measures: Measures, settings: Settings, **options: Any) -> Self:
        """Judge the runs, which are read here, and give each figure its interval."""
        gold = as_gold(gold)
        answers = tuple(as_run(run, gold) for run in runs)
        found = evaluate_all(gold, answers, measures, interval=settings.level, seed=settings.seed, **options)
        return cls(gold, answers, measures, tuple(found), options)

    @property
    def conventions(self) -> Profile:
        """The conventions under which everything is judged."""
        return conventions_of(self.options.get("policy"), self.options.get("profile"))

    @property
    def of_one_query(self) -> dict[str, Any]:
        """The options for looking at a single query, which has no weight."""
        return {name: value for name, value in self.options.items() if name in ONE_QUERY}

    @property
    def gathering(self) -> Gathering:
        """How the values of queries become one figure."""
        weights = self.options.get("weights")
        return Gathering(None if weights is None else as_loads(weights, self.gold).weights)

    def plans(self, measures: Measures) -> list[Plan]:
        """Return further measures, fitted to the same conventions."""
        return plans_of(parse_many(measures), self.conventions, self.gold, self.options.get("rel"))

    def judgings(self) -> dict[str, Judging]:
        """Return the ranks that the evaluations hold already, by the label of the run."""
        exclude = as_pairs(self.options.get("exclude"))
        return {
            label: Judging.known(run, self.gold, exclude, one.policy, one.judged)
            for label, run, one in zip(self.labels, self.runs, self.evaluations, strict=True)
            if one.judged is not None
        }
