"""Explanations as compact data: how the value of a query comes about, place by place, before and after."""

import json
from typing import Any

from assay.core.dossier import Dossier
from assay.core.explanation import ExplainedChange, Explanation
from assay.report.names import visible

MOST_BYTES = 1_500_000
"""What explanations may add to a page; those that come later in the dossier are left out."""
MOST_PLACES = 30
MOST_MISSED = 20


def explanations(dossier: Dossier, labels: list[str], measures: list[str], queries: list[str]) -> list[dict[str, Any]]:
    """Return the explanations for these runs, measures and queries, each known by their places in the lists."""
    runs = {label: place for place, label in enumerate(labels)}
    kinds = {name: place for place, name in enumerate(measures)}
    ids = {query: place for place, query in enumerate(queries)}
    found, size = [], 0
    for (run, query, measure), one in dossier.explained.items():
        if run not in runs or measure not in kinds or query not in ids:
            continue
        entry = {"run": runs[run], "measure": kinds[measure], "query": ids[query]} | _entry(dossier, one, runs)
        size += len(json.dumps(entry))
        if size > MOST_BYTES:
            break
        found.append(entry)
    return found


def _entry(dossier: Dossier, one: Explanation | ExplainedChange, runs: dict[str, int]) -> dict[str, Any]:
    if isinstance(one, Explanation):
        return {"after": _side(one)}
    names = {e.name: label for label, e in zip(dossier.labels, dossier.evaluations, strict=True)}
    before = one.before.run if one.before.run in runs else names.get(one.before.run, "")
    moves = [
        [
            visible(m.item),
            m.grade,
            m.rank_before,
            m.rank_after,
            *map(_short, (m.contribution_before, m.contribution_after)),
        ]
        for m in one.moves
    ]
    return {
        "base": runs.get(before, 0), "before": _side(one.before), "after": _side(one.after), "moves": moves,
        "other": _short(one.other), "difference": _short(one.difference),
    }  # fmt: skip


def _side(one: Explanation) -> dict[str, Any]:
    places = [
        [p.rank, visible(p.item), p.grade, *map(_short, (p.contribution, p.so_far, p.if_relevant)), p.tied]
        for p in one.places[:MOST_PLACES]
    ]
    rest = one.rest + sum(place.contribution for place in one.places[MOST_PLACES:])
    missed = [[visible(m.item), m.grade, m.rank, _short(m.would_be)] for m in one.missed[:MOST_MISSED]]
    return {
        "value": _short(one.value), "places": places, "rest": _short(rest), "missed": missed,
        "unshown": max(0, len(one.missed) - MOST_MISSED), "relevant": one.relevant, "retrieved": one.retrieved,
        "highest": _short(one.highest), "notices": list(map(visible, one.notices)),
    }  # fmt: skip


def _short(value: float | None) -> float | None:
    return None if value is None else round(value, 6)
