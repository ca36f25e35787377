"""`Grid`: the table of several runs and measures as data, before anything draws it; and the lines around it."""

import math
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from assay.core.evaluation import Evaluation, Figure
from assay.report.amounts import counted, percent, plural
from assay.report.names import labels, visible

UNDEFINED = "-"
OPTION = re.compile(r"\(rel=[^,)]*\)|rel=[^,)]*,")
"""What `--rel` adds to the name of a measure that does not say it."""
LABEL = re.compile(r" \((?:micro|pooled)\)$")
"""How a figure that is no mean over queries is labelled."""
SCREEN = 24
"""Runs of which no screen shows all: the best of each measure are then named once more, below."""
MANY = 8
"""Runs beyond which notices do not name them all, and pages have them as rows."""
NAMED = 3
"""How many of many runs are named."""
COUNT = re.compile(r"(?<![\w@.,:'\"=/-])(?<!cutoff )(?<!first )\d[\d,]*(?:\.\d+)?(?![\w'\"])")
"""A count in a notice: no cutoff, and no part of a name."""
ALWAYS = ("ties", "missing", "empty")
"""Conventions that are named even where they have their default: they matter most."""


@dataclass(frozen=True, slots=True)
class Cell:
    """One figure as text, and whether it is the best of its measure."""

    text: str
    best: bool = False

    @property
    def marked(self) -> str:
        """The text with a star behind the best."""
        return self.text + ("*" if self.best else "")


@dataclass(frozen=True, slots=True)
class Grid:
    """Runs, measures, and a cell for each pair: `cells[measure][run]`."""

    runs: tuple[str, ...]
    measures: tuple[str, ...]
    cells: tuple[tuple[Cell, ...], ...]

    @classmethod
    def of(cls, evaluations: Sequence[Evaluation]) -> "Grid":
        """Lay out evaluations of the same measures."""
        rows = list(zip(*(one.figures for one in evaluations), strict=True))
        return cls(
            tuple(labels_of(evaluations)),
            tuple(row[0].name for row in rows),
            tuple(_cells(row) for row in rows),
        )

    def laid_out(self) -> tuple[str, tuple[str, ...], list[tuple[str, tuple[Cell, ...]]]]:
        """Return the corner, the heads and the rows of a page: measures as rows; of many runs, the runs."""
        if len(self.runs) <= MANY:
            return "measure", self.runs, list(zip(self.measures, self.cells, strict=True))
        return "run", self.measures, list(zip(self.runs, zip(*self.cells, strict=True), strict=True))

    def leaders(self) -> Iterator[tuple[str, str, str, int]]:
        """Yield each measure that has a best, its figure, the first run that has it, and how many others do."""
        for measure, row in zip(self.measures, self.cells, strict=True):
            best = [place for place, cell in enumerate(row) if cell.best]
            if best:
                yield measure, row[best[0]].text, self.runs[best[0]], len(best) - 1


def labels_of(evaluations: Sequence[Evaluation]) -> list[str]:
    """Return a label for each run, no two alike."""
    return labels([one.name for one in evaluations], [one.path for one in evaluations])


def number(value: float | None, *, counted: bool = False) -> str:
    """Write a value with four decimals, a count as a whole number, an undefined one as a dash.

    >>> number(0.43215), number(808.0, counted=True), number(None)
    ('0.4321', '808', '-')
    """
    if value is None or not math.isfinite(value):
        return UNDEFINED
    return f"{value:.0f}" if counted and value.is_integer() else f"{value:.4f}"


def _cells(row: Sequence[Figure]) -> tuple[Cell, ...]:
    means = [figure.mean for figure in row if figure.mean is not None]
    if not means or not comparable(row):
        return tuple(Cell(_text(figure)) for figure in row)
    best = max(means) if row[0].higher_is_better else min(means)
    return tuple(Cell(_text(figure), _equal(figure.mean, best)) for figure in row)


def comparable(row: Sequence[Figure]) -> bool:
    """Tell whether the figures of one measure can be compared: several means over equally many queries."""
    return len(row) > 1 and not row[0].summed and len({figure.queries for figure in row}) == 1


def _equal(mean: float | None, best: float) -> bool:
    return mean is not None and math.isclose(mean, best, rel_tol=1e-12)


def _text(figure: Figure) -> str:
    text = number(figure.mean, counted=figure.summed)
    if figure.interval is not None:
        text += f" [{number(figure.interval.low)}, {number(figure.interval.high)}]"
    if figure.pessimistic is None or figure.optimistic is None:
        return text
    low, high = (number(value, counted=figure.summed) for value in (figure.pessimistic, figure.optimistic))
    return f"{text} {{{low}, {high}}}" if figure.interval else f"{text} [{low}, {high}]"


def heading(evaluations: Sequence[Evaluation]) -> str:
    """Say what the gold standard holds, in one line."""
    gold = evaluations[0].gold
    counts = counted(gold.queries, gold.asked)
    if gold.asked == "query":
        counts += f", {counted(gold.judgments, 'judgment')}, {gold.relevant:,} relevant"
    return f"{visible(gold.path or gold.name)}: {counts}"


def footing(evaluations: Sequence[Evaluation]) -> Iterator[str]:
    """Say how the table is to be read, line by line: marks, queries, conventions."""
    figures = [figure for one in evaluations for figure in one.figures]
    yield _reading(evaluations)
    lower = dict.fromkeys(figure.name for figure in figures if not figure.higher_is_better)
    if lower:
        yield f"Lower is better: {', '.join(lower)}."
    yield from _about_values(list(zip(*(one.figures for one in evaluations), strict=True)))
    if len(evaluations) > SCREEN:
        yield (
            f"{counted(len(evaluations), 'run')}, in the order given; -o csv or parquet gives rows to sort and filter."
        )
    typed = {f.name: visible(f.requested) for f in evaluations[0].figures if _renamed(f)}
    if typed:
        yield "Asked for as: " + ", ".join(f"{name} = {text}" for name, text in typed.items()) + "."
    yield conventions(evaluations[0])
    yield from _exceptions(evaluations[0])


def conventions(evaluation: Evaluation) -> str:
    """Name the policy in one line: what matters most and what differs from the default."""
    policy = evaluation.policy.to_dict()
    named = {name: policy[name] for name in ALWAYS} | evaluation.policy.changed()
    profile = f" ({evaluation.profile})" if evaluation.profile else ""
    return f"Policy{profile}: " + ", ".join(f"{name} {value}" for name, value in named.items()) + "."


def merged_notices(evaluations: Sequence[Evaluation]) -> Iterator[str]:
    """Yield each notice once, with the runs that it speaks of; of many runs, those that differ by a count as one."""
    many = len(evaluations) > MANY
    said: dict[str, dict[str, list[str]]] = {}
    for label, one in zip(labels_of(evaluations), evaluations, strict=True):
        for notice in map(visible, one.notices):
            said.setdefault(COUNT.sub("#", notice) if many else notice, {}).setdefault(notice, []).append(label)
    for notices in said.values():
        runs = list(dict.fromkeys(label for speakers in notices.values() for label in speakers))
        who = "all runs" if len(runs) == len(evaluations) else _named(runs, len(runs) if not many else NAMED)
        yield f"Note{'' if len(evaluations) == 1 else f' ({who})'}: {_spanned(list(notices))}"


def _named(runs: Sequence[str], most: int) -> str:
    """Name some runs, and say how many more there are."""
    shown = ", ".join(runs[:most])
    return shown if len(runs) <= most else f"{shown} and {len(runs) - most:,} more"


def _spanned(notices: Sequence[str]) -> str:
    """Return notices that differ by counts as one, with the lowest and the highest of each count."""
    counts = iter(list(zip(*(COUNT.findall(notice) for notice in notices), strict=True)))

    def span(_: re.Match[str]) -> str:
        found = sorted(set(next(counts)), key=lambda text: float(text.replace(",", "")))
        return found[0] if len(found) == 1 else f"{found[0]} to {found[-1]}"

    return notices[0] if len(notices) == 1 else COUNT.sub(span, notices[0])


KINDS = {"macro": "means", "micro": "sums of hits"}


def _reading(evaluations: Sequence[Evaluation]) -> str:
    star = "* best of its measure. " if len(evaluations) > 1 else ""
    brackets = _brackets(evaluations)
    if evaluations[0].options.aggregate == "pooled":
        return f"{star}One list of all answers of all queries, by score{brackets}."
    counts = sorted({figure.queries for one in evaluations for figure in one.figures if not figure.summed})
    kind = KINDS[evaluations[0].options.aggregate]
    weighted = f"Weighted {kind}" if evaluations[0].weighted else kind.capitalize()
    asked = evaluations[0].gold.asked
    means = (
        f"{weighted} over {_span(counts)} {asked if counts == [1] else plural(asked)}"
        if counts
        else "Sums over queries"
    )
    return f"{star}{means}{brackets}."


def _brackets(evaluations: Sequence[Evaluation]) -> str:
    """Say what stands in brackets behind a figure."""
    level = evaluations[0].options.interval
    text = "" if level is None else f" [{percent(level, None)} confidence interval]"
    if any(figure.optimistic is not None for one in evaluations for figure in one.figures):
        order = "worst, best order of tied items"
        text += f" [{order}]" if level is None else f" {{{order}}}"
    return text


def _about_values(rows: Sequence[Sequence[Figure]]) -> Iterator[str]:
    if any(figure.mean is None for row in rows for figure in row):
        yield f"{UNDEFINED} undefined for every query."
    counts = {row[0].name: sorted({figure.undefined for figure in row}) for row in rows}
    some = [f"{name} {_span(found)}" for name, found in counts.items() if found[-1]]
    if some:
        yield f"Queries without a value: {', '.join(some)}."
    unlike = [row[0].name for row in rows if len(row) > 1 and not row[0].summed and not comparable(row)]
    if unlike:
        yield f"No best is marked where the runs have values for different queries: {', '.join(unlike)}."


def _span(counts: Sequence[int]) -> str:
    return f"{counts[0]:,}" if len(set(counts)) == 1 else f"{counts[0]:,} to {counts[-1]:,}"


def _renamed(figure: Figure) -> bool:
    name = LABEL.sub("", figure.name)
    by_option = OPTION.sub("", name)
    return figure.requested.replace(" ", "").replace('"', "'") not in {name, by_option}


def _exceptions(evaluation: Evaluation) -> Iterator[str]:
    """Name the measures that the profile computes under a policy of their own."""
    groups: dict[str, list[str]] = {}
    for figure in evaluation.figures:
        if figure.policy is not None:
            base = evaluation.policy.to_dict()
            changes = [f"{k} {v}" for k, v in figure.policy.to_dict().items() if v != base[k]]
            groups.setdefault(", ".join(changes), []).append(figure.name)
    for conventions_there, names in groups.items():
        yield f"{', '.join(names)}: {conventions_there}."
