"""What the JSON of each task says of a run: answers, neighbours, entities, graphs."""

import hashlib
from collections.abc import Callable, Iterator, Mapping
from pathlib import PurePath
from typing import Any

from assay.core.entities import AGREEMENTS, SINGLE
from assay.core.history import RecordedFigure
from assay.history.results import Document, Result, figure_of
from assay.report.names import numbered

PARTS = ("precision", "recall", "f1")
WORSE = frozenset({"error", "timeout", "absent", "empty", "displacement"})
"""Figures of which less is better."""
SHARES = {
    "blocking": ("pair_completeness", "pair_quality", "reduction_ratio", "f_score"),
    "scorer": ("blocking_recall", "scorer_recall", "end_to_end_recall"),
    "linking": ("accuracy", "accuracy_known", "accuracy_nil", "nil_precision"),
}
"""What stands beside the measures of a run of entity resolution, by block."""


def of_entities(run: Document) -> Iterator[RecordedFigure]:
    """Yield what stands beside the measures of a run of entity resolution; nothing of other runs."""
    for block, names in SHARES.items():
        for name in names if isinstance(run.get(block), dict) else ():
            yield _share(f"{block} {name}".replace("_", " "), run[block][name])
    pairs, clusters = run.get("pairs"), run.get("clusters")
    if isinstance(pairs, dict):
        yield from _agreement("pairwise", pairs["pairwise"])
    if isinstance(clusters, dict):
        for name in AGREEMENTS:
            yield from _agreement(name, clusters[name])
        for name in SINGLE:
            yield _share(name.replace("_", " "), clusters[name])


def _agreement(name: str, block: Document) -> Iterator[RecordedFigure]:
    for part in PARTS:
        yield _share(f"{name.replace('_', ' ')} {part}", block[part])


def _share(
    name: str, value: float | None, of: int = 0, part: str = "", *, ends: Mapping[str, Any] | None = None
) -> RecordedFigure:
    """Return a figure of which only the number is known, of how many, and perhaps the ends of its interval."""
    undefined = of if value is None else 0
    block = {**(ends or {}), "mean": value, "queries": of - undefined, "undefined": undefined}
    return figure_of(name, block, part=part, up=name not in WORSE)


def _answers(document: Document) -> Iterator[Result]:
    """Yield each system of the JSON of `assay answers`."""
    convention = document["convention"]
    left_out = {one["question"] for one in document["left_out"]}
    for system in document["systems"]:
        questions = [one for one in system.get("questions") or () if one["question"] not in left_out]
        ranked = system.get("ranked") or {"measures": {}}
        values = _of_questions(questions, convention) | _turned(ranked.get("per_query") or {})
        keys = sorted({key for one in questions for key in one["groups"]})
        groups = {key: {q["question"]: q["groups"][key] for q in questions if key in q["groups"]} for key in keys}
        figures = [
            *_counts(system, values),
            *_conventions(system, values),
            *(figure_of(name, block, values=values.get(name)) for name, block in ranked["measures"].items()),
            *_groups(document, system["name"], groups, values),
        ]
        policy = {"convention": convention, **document["matching"]}
        yield Result(system["name"], "answers", tuple(figures), values, groups, policy)


def _of_questions(questions: list[Any], convention: str) -> dict[str, dict[str, float | None]]:
    if not questions:
        return {}
    values = {outcome: {q["question"]: float(q["outcome"] == outcome) for q in questions} for outcome in OUTCOMES}
    values["executed"] = values.pop("answered")
    values |= {_figure_name(part, convention): {q["question"]: q[part] for q in questions} for part in PARTS}
    others = {name for q in questions for name in q["f1_by"]} - {convention}
    by = {_figure_name("f1", name): {q["question"]: q["f1_by"].get(name) for q in questions} for name in others}
    return {name: dict(found) for name, found in (values | by).items()}


OUTCOMES = ("answered", "error", "timeout", "absent")


def _figure_name(part: str, convention: str) -> str:
    return f"{'F1' if part == 'f1' else part} ({convention})"


def _counts(system: Document, values: Mapping[str, Any]) -> Iterator[RecordedFigure]:
    for name, one in system["counts"].items():
        block = {"mean": one["share"], "queries": one["of"], "low": one["low"], "high": one["high"]}
        yield figure_of(name, block, values=values.get(name), up=name not in WORSE)


def _conventions(system: Document, values: Mapping[str, Any]) -> Iterator[RecordedFigure]:
    for convention, one in system["figures"].items():
        for part in PARTS:
            name = _figure_name(part, convention)
            yield figure_of(name, one[part] | {"queries": one["questions"]}, values=values.get(name))


def _groups(
    document: Document, system: str, groups: Mapping[str, Mapping[str, str]], values: Mapping[str, Any]
) -> Iterator[RecordedFigure]:
    """Yield the figures of each group of questions, under the chosen convention."""
    for group in document["groups"]:
        one, key, value = group["systems"][system], group["key"], group["value"]
        inside = {question for question, found in groups.get(key, {}).items() if found == value}
        for part in PARTS:
            name, block = _figure_name(part, document["convention"]), one[part] | {"queries": one["questions"]}
            there = {question: known for question, known in values.get(name, {}).items() if question in inside}
            yield figure_of(name, block, part=f"{key}={value}", values=there or None)


def _turned(rows: Mapping[str, Mapping[str, float | None]]) -> dict[str, dict[str, float | None]]:
    measures = {measure for row in rows.values() for measure in row}
    return {measure: {query: row.get(measure) for query, row in rows.items()} for measure in measures}


def _neighbours(document: Document) -> Iterator[Result]:
    """Yield the vectors of the JSON of `assay neighbours evaluate`."""
    blocks = {"similar": document["similar"]}
    blocks |= {name: (document[name] or {}).get("measures") for name in ("labels", "index")}
    figures = [
        figure_of(f"{name} ({block})", one) for block, found in blocks.items() for name, one in (found or {}).items()
    ]
    for name in ("skewness", "anti_hubs", "crowded") if document["hubs"] else ():
        block = {"mean": document["hubs"][name], "queries": document["queries"]}
        figures.append(figure_of(f"hubs {name}".replace("_", " "), block, up=False))
    names = (*PARTS, "adjusted_rand") if document["clustering"] else ()
    figures += [_share(f"clustering {name}".replace("_", " "), document["clustering"][name]) for name in names]
    by_label = (document["labels"] or {}).get("labels") or ()
    figures += [
        _share("precision (labels)", one["precision"], one["items"], f"label={one['label']}") for one in by_label
    ]
    policy = {"metric": document["metric"], "k": document["k"]}
    yield Result(document["vectors"]["name"], "neighbours", tuple(figures), policy=policy)


def _drift(document: Document) -> Iterator[Result]:
    """Yield the newer vectors of the JSON of `assay neighbours drift`."""
    figures = [figure_of(name, one, up=name not in WORSE) for name, one in document["measures"].items()]
    figures += [_share("overlap", one["overlap"], one["items"], f"type={one['type']}") for one in document["types"]]
    policy = {"metric": document["metric"], "k": document["k"], "old": document["old"]["name"]}
    yield Result(document["new"]["name"], "neighbours", tuple(figures), policy=policy)


def _estimated(document: Document) -> Iterator[Result]:
    """Yield the clusters of the JSON of `assay entities estimate`."""
    figures = tuple(
        figure_of(f"{name.replace('_', ' ')} {part}", one | {"queries": document["clusters"]})
        for name, parts in document["estimates"].items()
        for part, one in parts.items()
    )
    name = PurePath(document["proposed"]).stem
    yield Result(name, "entities", figures, policy={"design": document["design"]})


def _completeness(document: Document) -> Iterator[Result]:
    """Yield the graph of the JSON of `assay graph completeness`."""
    schema, domain, demand = document["schema"], document["domain"], document["demand"]
    figures = [_share("schema completeness", schema["ratio"], schema["of"])]
    figures += [
        _share("schema completeness", one["ratio"], one["entities"], f"class={one['class']}")
        for one in schema["classes"]
    ]
    figures += [
        _share("property completeness", one["ratio"], one["of"], f"property={one['class']} {one['property']}")
        for one in schema["pairs"]
    ]
    if domain:
        figures.append(_share("domain completeness", domain["ratio"], domain["of"], ends=domain["interval"]))
    for one in document["relations"]:
        part = f"property={one['property']}"
        figures.append(_share("relation completeness", one["ratio"], one["subjects"], part, ends=one["interval"]))
    for name in ("weighted", "unweighted") if demand else ():
        figures.append(_share(f"demand completeness, {name}", demand[name], demand["queries"]))
    yield Result(PurePath(document["graph"]).name, "graph", tuple(figures)).of(_inputs(document, "graph"))


def _validity(document: Document) -> Iterator[Result]:
    """Yield the graph of the JSON of `assay graph validity`."""
    figures = []
    if total := document["total"]:
        figures.append(_share("link validity", total["validity"], total["statements"]))
    figures += [
        _share("link validity", one["validity"], one["statements"], f"predicate={one['predicate']}")
        for one in document["predicates"] or ()
    ]
    rules = document["rules"]
    names = numbered([f"rule={one['rule']} {one['about']}" for one in rules])
    for part, one in zip(names, rules, strict=True):
        if one["evaluated"]:
            figures.append(_share("rule validity", one["validity"], one["checked"], part))
    yield Result(PurePath(document["graph"]).name, "graph", tuple(figures))


def _accuracy(document: Document) -> Iterator[Result]:
    """Yield the graph of the JSON of `assay graph estimate`."""
    figures = [figure_of("accuracy", {**document, "queries": document["judged"]})]
    for column, parts in (("predicate", document["by_predicate"]), ("stratum", document["strata"])):
        blocks = [(one["name"], one | {"queries": one["judged"]}) for one in parts]
        figures += [figure_of("accuracy", block, part=f"{column}={name}") for name, block in blocks]
    name = PurePath(document["paths"][0]).stem
    yield Result(name, "graph", tuple(figures), policy={"design": document["design"]["kind"]})


def _inputs(document: Document, role: str) -> dict[str, str | None]:
    """Return the digest of what was judged, and that of what it was judged by: of one file its own, of several one."""
    of_role: dict[bool, list[str]] = {True: [], False: []}
    for one in document["inputs"]:
        of_role[one["role"] == role].append(one["sha256"] or "")
    return {"run": _digest(of_role[True]), "gold": _digest(of_role[False])}


def _digest(digests: list[str]) -> str | None:
    if not digests or not all(digests):
        return None
    return digests[0] if len(digests) == 1 else hashlib.sha256(" ".join(sorted(digests)).encode()).hexdigest()


READERS: dict[tuple[str, ...], Callable[[Document], Iterator[Result]]] = {
    ("suite", "systems", "convention"): _answers,
    ("vectors", "hubs"): _neighbours,
    ("old", "new", "retraining"): _drift,
    ("estimates", "proposed"): _estimated,
    ("schema", "domain", "relations"): _completeness,
    ("predicates", "rules"): _validity,
    ("design", "by_predicate", "value"): _accuracy,
}
"""Who reads a document, by keys that only those of its verb have together."""
