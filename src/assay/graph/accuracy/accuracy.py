"""`estimate_accuracy`: what people's labels of a drawn sample say of the whole graph, and whether they are enough.

How often a Wilson interval of 95 % holds the true accuracy, and how many labels it takes, was measured on graphs that
people labelled as a whole: 1,000 samples each, looked at after every third draw and ended by the rule (± .05 or less
after 30 draws).

| graph   | accuracy | one by one  | by subject, up to 3 of each | by predicate |
|---------|----------|-------------|-----------------------------|--------------|
| YAGO    | .9921    | .943 of 41  | .973 of 68                  | .954 of 44   |
| NELL    | .9134    | .980 of 112 | .957 of 160                 | .977 of 118  |
| DBpedia | .8507    | .929 of 189 | .938 of 265                 | .951 of 191  |

Ending where labels happen to be right favours them: the mean estimate is up to .009 too high.
"""

import math
import os
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from assay.core.accuracy import Accuracy, Agreement, Design, Drawn, PartAccuracy, Statement, Stop
from assay.core.judged import Floats
from assay.errors import InputError
from assay.graph.accuracy.label_file import LabelFile, read_labels
from assay.report.amounts import counted, percent
from assay.statistics.cluster_sample import SampledShare, cluster_share, part_share, simple_share, stratified_share
from assay.statistics.judges import krippendorff_alpha
from assay.statistics.sample_plan import require_sound, units_needed
from assay.statistics.share_intervals import METHODS

LEAST = 30
"""Before so many draws no interval ends a sample: by chance the first labels are all equal."""
Votes = Mapping[Statement, Mapping[str, bool]]


def estimate_accuracy(
    files: Sequence[str | os.PathLike[str] | LabelFile],
    *,
    margin: float = 0.05,
    level: float = 0.95,
    method: str = "wilson",
) -> Accuracy:
    """Estimate the share of right statements in the graph that a sample was drawn from.

    Several judges of a statement decide by majority; if they are split evenly it is undecided. What was labelled once
    counts wherever the statement was drawn again. Statements after the last label are not yet judged; undecided ones
    before it are left out of the estimate, which is also given as if all of them were wrong, or right.

    Parameters
    ----------
    files
        One label file, or several of one design (one for each judge).
    margin
        The sample is enough once the interval reaches at most so far to either side, after 30 draws or more.
    level, method
        Of the interval: its confidence, and wilson, exact, agresti-coull; or jeffreys, hpd, ahpd, which are shorter and
        say how sure a belief is, not how often they hold.

    Raises
    ------
    InputError
        No label file, files of different designs, no label at all, a stratum without one.
    ParameterError
        A margin outside 0 to 0.5, a level outside 0 to 1, or Wald's interval.
    UnknownNameError
        A method that does not exist.
    """
    require_sound(method)
    sample = _Sample.of([one if isinstance(one, LabelFile) else read_labels(one) for one in files])
    asked = _Asked(level, method)
    decided = sample.decided()
    share = _share(sample, decided)
    undecided = [row.statement for row in sample.reached if row.statement not in decided]
    return Accuracy(
        design=sample.design,
        paths=sample.paths,
        value=share.value,
        error=share.error,
        interval=share.interval(level, method),
        others={name: share.interval(level, name) for name in METHODS if name != method},
        draws=share.draws,
        **_counted(sample, decided, undecided),
        judged=share.units,
        worth=None if math.isinf(share.worth) else share.worth,
        design_effect=share.design_effect,
        stop=_stop(share, sample.design, margin, asked),
        strata=_strata(sample, decided, asked),
        parts=_parts(sample, decided, asked),
        agreement=sample.agreement(),
        notices=tuple(_notices(sample, share, undecided)),
    )


def _counted(sample: "_Sample", decided: Mapping[Statement, bool], undecided: Sequence[Statement]) -> dict[str, Any]:
    """Return what was judged, and the estimate if all that is undecided were wrong, or right."""
    judged = [row for row in sample.reached if row.statement in decided]
    return {
        "right": sum(decided[row.statement] for row in judged),
        "distinct": len({row.statement for row in judged}),
        "undecided": len(undecided),
        "open": len(sample.rows) - len(sample.reached),
        "at_worst": _share(sample, {**decided, **dict.fromkeys(undecided, False)}).value,
        "at_best": _share(sample, {**decided, **dict.fromkeys(undecided, True)}).value,
    }


@dataclass(frozen=True, slots=True)
class _Asked:
    """The interval that is wanted."""

    level: float
    method: str


@dataclass(frozen=True, slots=True)
class _Sample:
    """What was drawn, and who said what of it."""

    design: Design
    paths: tuple[str, ...]
    rows: Sequence[Drawn]
    votes: Votes
    last: int

    @classmethod
    def of(cls, files: Sequence[LabelFile]) -> "_Sample":
        if not files:
            raise InputError("labels: expected a file, found none")
        first = files[0]
        for other in files[1:]:
            if other.design != first.design:
                raise InputError(
                    f"{other.path}: expected the design of {first.path}, found another: {other.design.text}",
                    hint="each sample is estimated by itself.",
                )
        longest = max(files, key=lambda file: len(file.rows))
        votes = _votes(files, longest.rows)
        if not votes:
            raise InputError(
                f"{first.path}: expected labels, found none", hint="fill the column label: right or wrong."
            )
        labelled = {name for file in files for labels in file.labels.values() for name in labels}
        last = max(longest.rows[name].draw for name in labelled)
        return cls(first.design, tuple(file.path for file in files), list(longest.rows.values()), votes, last)

    @property
    def reached(self) -> list[Drawn]:
        """The statements up to the last draw that somebody labelled."""
        return [row for row in self.rows if row.draw <= self.last]

    def decided(self) -> dict[Statement, bool]:
        """Return what the majority of judges says of each statement; those split evenly are left out."""
        count = {one: Counter(said.values()) for one, said in self.votes.items()}
        return {one: said[True] > said[False] for one, said in count.items() if said[True] != said[False]}

    def agreement(self) -> Agreement | None:
        """Return how alike the judges are; None of one."""
        judges = sorted({judge for said in self.votes.values() for judge in said})
        several = [tuple(said.values()) for said in self.votes.values() if len(said) > 1]
        unanimous = sum(len(set(said)) == 1 for said in several)
        return Agreement(tuple(judges), len(several), unanimous, krippendorff_alpha(several)) if judges[1:] else None


def _votes(files: Sequence[LabelFile], rows: Mapping[str, Drawn]) -> Votes:
    votes: dict[Statement, dict[str, bool]] = defaultdict(dict)
    for file in files:
        for judge, labels in file.labels.items():
            for name, right in labels.items():
                statement = rows[name].statement
                if votes[statement].setdefault(judge, right) != right:
                    raise InputError(
                        f"{file.path}: expected one label of {judge!r} for {' '.join(statement)[:80]}, "
                        "found two that differ",
                        hint="the column judge tells people apart.",
                    )
    return votes


def _share(sample: _Sample, decided: Mapping[Statement, bool]) -> SampledShare:
    rows = [row for row in sample.reached if row.statement in decided]
    if not rows:
        raise InputError(f"{sample.paths[0]}: expected a label that decides, found none")
    values = _values(rows, decided)
    if sample.design.kind == "cluster":
        return cluster_share(values, np.array([row.draw for row in rows]))
    if sample.design.kind == "simple":
        return simple_share(values, sample.design.statements)
    names, sizes = _stratum_sizes(sample)
    numbers = np.array([names.index(row.stratum) for row in rows])
    missing = next((name for at, name in enumerate(names) if not (numbers == at).any()), None)
    if missing is not None:
        raise InputError(f"{sample.paths[0]}: expected a label in every stratum, found none in {missing!r}")
    return stratified_share(values, numbers, sizes)


def _stratum_sizes(sample: _Sample) -> tuple[list[str], Floats]:
    weights = {row.stratum: row.weight for row in sample.rows}
    total = sum(weights.values())
    if abs(total - 1) > 1e-6:
        raise InputError(
            f"{sample.paths[0]}: expected statements of every stratum, found none of strata with "
            f"{percent(1 - total)} of all",
            hint="draw more: assay graph sample --size.",
        )
    return list(weights), np.round(np.array(list(weights.values())) * sample.design.statements)


def _stop(share: SampledShare, design: Design, margin: float, asked: _Asked) -> Stop:
    """Say whether to stop, and if not, how many statements more it takes by what is known now."""
    population = None if design.kind == "cluster" else design.statements
    needed = units_needed(margin, share.value, asked.level, asked.method, population)
    found = share.interval(asked.level, asked.method)
    reached = None if found.low is None or found.high is None else (found.high - found.low) / 2
    census = design.kind != "cluster" and share.units >= design.statements
    if census or (reached is not None and reached <= margin and share.draws >= LEAST):
        return Stop(margin, reached, LEAST, enough=True, more=0)
    effect = 1.0 if population else share.design_effect
    least = (LEAST - share.draws) * share.units / share.draws
    more = max(1, math.ceil(max(needed * effect - share.units, least)))
    return Stop(margin, reached, LEAST, enough=False, more=min(more, population - share.units) if population else more)


def _strata(sample: _Sample, decided: Mapping[Statement, bool], asked: _Asked) -> tuple[PartAccuracy, ...]:
    if sample.design.kind != "stratified":
        return ()
    sizes = dict(zip(*_stratum_sizes(sample), strict=True))
    found = []
    for name, rows in _grouped(sample, decided, lambda row: row.stratum):
        values = _values(rows, decided)
        found.append(_part(name, simple_share(values, int(sizes[name])), int(values.sum()), asked))
    return tuple(found)


def _parts(sample: _Sample, decided: Mapping[Statement, bool], asked: _Asked) -> tuple[PartAccuracy, ...]:
    """Return the accuracy of each predicate."""
    found = []
    for name, rows in _grouped(sample, decided, lambda row: row.statement[1]):
        values = _values(rows, decided)
        if sample.design.kind == "cluster":
            weights, draws = np.array([row.weight for row in rows]), np.array([row.draw for row in rows])
            share = part_share(values, weights, draws)
        else:
            share = simple_share(values)
        found.append(_part(name, share, int(values.sum()), asked))
    return tuple(found)


def _grouped(
    sample: _Sample, decided: Mapping[Statement, bool], key: Callable[[Drawn], str]
) -> list[tuple[str, list[Drawn]]]:
    """Return the judged statements by group, the largest first."""
    groups: dict[str, list[Drawn]] = defaultdict(list)
    for row in sample.reached:
        if row.statement in decided:
            groups[key(row)].append(row)
    return sorted(groups.items(), key=lambda pair: (-len(pair[1]), pair[0]))


def _part(name: str, share: SampledShare, right: int, asked: _Asked) -> PartAccuracy:
    return PartAccuracy(name, share.units, right, share.value, share.interval(asked.level, asked.method))


def _values(rows: Iterable[Drawn], decided: Mapping[Statement, bool]) -> Floats:
    return np.array([float(decided[row.statement]) for row in rows])


def _notices(sample: _Sample, share: SampledShare, undecided: Sequence[Statement]) -> Iterator[str]:
    if math.isinf(share.worth):
        yield "all statements were judged: the accuracy is exact"
    elif share.draws < LEAST:
        yield f"{counted(share.draws, 'draw is', 'draws are')} few: no interval holds what it says"
    if undecided:
        split = sum(one in sample.votes for one in undecided)
        said = f" (judges are split evenly on {split:,})" if split else ""
        yield f"left out, without a clear label: {len(undecided):,}{said}"
    if sample.design.kind == "cluster" and share.value in {0, 1} and share.draws > 1:
        yield "all labels are equal: how alike statements of a subject are is unknown, so each draw counts as one"
