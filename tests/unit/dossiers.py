"""Dossiers to draw: runs evaluated for real, with intervals and tests that are rough but have the right shape."""

from dataclasses import dataclass, replace
from functools import cache
from itertools import combinations

import numpy as np

from assay.core.comparison import BETTER, UNRESOLVED, WORSE, Comparison, Contrast, Family, Mover
from assay.core.costs import CostFigure
from assay.core.dossier import CurvePoint, Dossier, RecallPoint
from assay.core.estimates import Interval, Power, Significance
from assay.core.explanation import ExplainedChange, Explanation, Missed, Move, Place
from assay.core.health import Bounds, FigureHealth, Health, LeftOut, WorkItem
from assay.core.slices import SliceContrast, SliceFigure, Slicing
from assay.evaluate import evaluate

MEASURES = "nDCG@10 P@10 R@20 AP RR"
TEN_MEASURES = "nDCG@10 P@{5,10} R@{10,20} F1@10 HR@10 AP RR Rprec"
SCRIPT = "<script>alert(1)</script>"
ODD = f"{SCRIPT}</script><img src=x onerror=alert(2)>"


@dataclass(frozen=True)
class Study:
    """Some runs by one gold, and the value of each query by (run, measure)."""

    gold: dict
    rankings: dict
    evaluations: tuple
    values: dict

    @property
    def labels(self):
        return tuple(self.rankings)

    @property
    def measures(self):
        return tuple(figure.name for figure in self.evaluations[0].figures)

    @property
    def queries(self):
        return sorted(self.gold, key=str.encode)


def study(runs, queries, measures, *, hostile, seed=7):
    """Return runs of which the later find more. Hostile: one query, one run and some items are named like markup."""
    rng = np.random.default_rng(seed)
    odd = ODD if hostile else ""
    names = [f"q{i:03}" + (odd if i == 1 else "") for i in range(queries)]
    items = [f"doc-{i:03}" + (odd if i % 9 == 0 else "") for i in range(60)]
    gold = {name: {item: int(rng.integers(0, 4)) for item in rng.choice(items, 25, replace=False)} for name in names}
    rankings = {}
    for place in range(runs):
        skill = 0.5 + 0.3 * place / max(runs, 2)
        label = f"system-{place:02}" + (odd if place == 1 else "")
        rankings[label] = {
            name: {item: float(rng.normal() + skill * gold[name].get(item, 0)) for item in items} for name in names
        }
    evaluations = tuple(evaluated(gold, ranking, measures, label) for label, ranking in rankings.items())
    values = {
        (label, figure.name): values_of(one, figure.name)
        for label, one in zip(rankings, evaluations, strict=True)
        for figure in one.figures
    }
    return Study(gold, rankings, evaluations, values)


def evaluated(gold, ranking, measures, label):
    found = evaluate(gold, ranking, measures)
    figures = tuple(replace(f, interval=around(list(values_of(found, f.name).values()))) for f in found.figures)
    return replace(found, name=label, figures=figures, notices=(f"{label} has ties", "items without a judgment"))


def values_of(evaluation, measure):
    rows = evaluation.per_query.iter_rows()
    return {query: value for _, name, query, value in rows if name == measure and value is not None}


def around(values):
    """Return a rough interval: two standard errors either way."""
    mean, error = float(np.mean(values)), float(np.std(values, ddof=1) / np.sqrt(len(values)))
    return Interval(mean - 2 * error, mean + 2 * error, 0.95, "t", len(values))


def contrast(found, run, baseline, measure):
    after, before = found.values[run, measure], found.values[baseline, measure]
    changes = np.array([after[query] - before[query] for query in found.queries])
    interval = around(changes)
    verdict = BETTER if interval.low > 0 else WORSE if interval.high < 0 else UNRESOLVED
    p, adjusted = (0.2, 1.0) if verdict == UNRESOLVED else (0.0004, 0.02)
    order = [found.queries[i] for i in np.argsort(changes, kind="stable")]
    movers = [Mover(query, before[query], after[query], (1.0, 4.0), (2.0,)) for query in order]
    deviation = float(np.std(changes, ddof=1)) or 1.0
    return Contrast(
        run, baseline, measure, float(np.mean(list(after.values()))), float(np.mean(list(before.values()))),
        float(changes.mean()), interval,
        Significance(p, "sign flips, 10,000 drawn", len(changes), 1e-4, adjusted=adjusted),
        float(changes.mean() / deviation), int((changes > 0).sum()), int((changes == 0).sum()),
        int((changes < 0).sum()), len(changes), 0,
        Power(0.8, 2.8 * deviation / np.sqrt(len(changes)), 480), verdict,
        helped=tuple(reversed(movers[-5:])), hurt=tuple(movers[:5]),
    )  # fmt: skip


def comparison(found, pairs):
    labels = found.labels
    chosen = [(run, labels[0]) for run in labels[1:]]
    if pairs == "all":
        chosen = [(second, first) for first, second in combinations(labels, 2)]
    contrasts = tuple(contrast(found, *pair, name) for name in found.measures for pair in chosen)
    undefined = ((labels[1], labels[0], "GMAP", "no value for a query"),)
    family = Family(len(contrasts), "holm", 0.05, pairs, undefined)
    agreement = {found.measures[:2]: 0.8}
    notices = ("one query is answered by nobody",)
    return Comparison(
        labels[0], labels, found.evaluations, contrasts, family, "flips", 0.95, 42, agreement=agreement, notices=notices
    )


def slicing(found, *, hostile):
    groups = {"short": found.queries[::2], "long" + (SCRIPT if hostile else ""): found.queries[1::2]}
    figures = []
    for name in found.measures:
        for group, members in groups.items():
            for label in found.labels:
                part = [found.values[label, name][query] for query in members]
                figures.append(SliceFigure(group, label, name, float(np.mean(part)), len(part), around(part)))
    first, last = found.labels[0], found.labels[-1]
    significance = Significance(0.03, "paired t", 20, 0.0)
    tests = [
        SliceContrast(
            group, last, first, found.measures[0], 0.1, Interval(0.0, 0.2, 0.95, "bca", 20), significance, BETTER
        )
        for group in groups
    ]
    worst = {(label, name): "short" for label in found.labels for name in found.measures}
    sizes = {group: len(members) for group, members in groups.items()}
    reversals = ("In the group short the order is reversed.",)
    return Slicing("length", sizes, tuple(figures), tuple(tests), worst, reversals, 3)


def health(found):
    figures, left = [], []
    for name in found.measures:
        for place, label in enumerate(found.labels):
            mean = float(np.mean(list(found.values[label, name].values())))
            bounds = Bounds(mean * 0.8, min(1.0, mean * 1.3), name != "AP")
            figures.append(FigureHealth(label, name, mean, 0.7, bounds, mean * 1.05, 0.98, 0.05))
            without = min(place + 2, len(found.labels))
            left.append(LeftOut(label, name, 3 + place, mean, mean * 0.97, place + 1, without))
    work = tuple(WorkItem(q, f"doc-{i:03}", 0.01 / (i + 1), (i + 1.0, None)) for i, q in enumerate(found.queries[:12]))
    first = found.measures[0]
    return Health(tuple(figures), tuple(left), {first: 0.93}, 100, work, found.labels[:2], first)


def costs(found):
    for place, label in enumerate(found.labels):
        yield CostFigure(label, "latency", 0.1 + 0.07 * (place % 5), 0.1, 0.3, 12.0, 40, best=place == 0)
        yield CostFigure(label, "tokens", 500.0 + 90 * place, 480, 900, 20000, 40)


def explanation(found, label, query):
    """Return an explanation whose shape is right; its contributions are those of a plain share."""
    ranking, grades = found.rankings[label][query], found.gold[query]
    shown = sorted(ranking, key=ranking.get, reverse=True)[:10]
    gains = [0.1 * (grades.get(item, 0) > 0) for item in shown]
    totals = np.cumsum(gains)
    places = tuple(
        Place(rank, item, ranking[item], grades.get(item), gain, float(total), None if gain else 0.7)
        for rank, (item, gain, total) in enumerate(zip(shown, gains, totals, strict=True), 1)
    )
    missed = tuple(Missed(item, grade, 17.0, 0.8) for item, grade in grades.items() if grade > 2 and item not in shown)
    value = found.values[label, found.measures[0]][query]
    rest = value - float(totals[-1])
    return Explanation(label, query, found.measures[0], value, places, rest, missed, 12, len(ranking), 1.0)


def change(found, run, baseline, query):
    places = []
    for label in (baseline, run):
        ranking = found.rankings[label][query]
        places.append({item: rank for rank, item in enumerate(sorted(ranking, key=ranking.get, reverse=True), 1)})
    moves = []
    for item, grade in list(found.gold[query].items())[:14]:
        before, after = (side[item] for side in places)
        adds = 0.01 * grade
        moves.append(Move(item, grade, None if before > 45 else before, after, adds, adds * (2 - (after > before))))
    sides = [explanation(found, label, query) for label in (baseline, run)]
    return ExplainedChange(*sides, tuple(moves), 0.0)


def explained(found):
    first, *others = found.labels
    for query in list(found.gold)[:6]:
        if others:
            yield (others[0], query, found.measures[0]), change(found, others[0], first, query)
        else:
            yield (first, query, found.measures[0]), explanation(found, first, query)


def curves(found):
    for family in ("P", "R", "F1", "HR", "nDCG"):
        for label, ranking in found.rankings.items():
            for figure in evaluate(found.gold, ranking, f"{family}@{{1,3,5,10,20,50}}").figures:
                k = int(figure.name.rpartition("@")[2])
                yield CurvePoint(label, family, k, figure.mean, min(1.0, 18 / k) if family == "P" else 1.0)


def recalls(found):
    for label, ranking in found.rankings.items():
        points = evaluate(found.gold, ranking, " ".join(f"IPrec@{level / 10}" for level in range(11)))
        for level, figure in enumerate(points.figures):
            yield RecallPoint(label, level / 10, figure.mean)


@cache
def dossier(runs=2, queries=40, *, measures=MEASURES, hostile=False, pairs="baseline"):
    """Return a dossier with every part that so many runs can have."""
    found = study(runs, queries, measures, hostile=hostile)
    title = f"{SCRIPT} of {runs} runs" if hostile else f"{runs} runs on {queries} queries"
    return Dossier(
        title=title,
        evaluations=found.evaluations,
        labels=found.labels,
        comparison=comparison(found, pairs) if runs > 1 else None,
        curves=tuple(curves(found)),
        precision_recall=tuple(recalls(found)),
        slices=(slicing(found, hostile=hostile),),
        health=health(found),
        costs=tuple(costs(found)),
        explained=dict(explained(found)),
        command=("assay", "report", "gold.qrels", *found.labels),
        seed=42,
    )
