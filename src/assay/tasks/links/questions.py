"""The questions of one side: equal ones grouped, with their targets and the lists that filters take out."""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from assay.core.hits import Flags, Ints
from assay.engines.blocks import Lists
from assay.errors import ParameterError
from assay.tasks.links.graph import KnowledgeGraph
from assay.tasks.links.keys import row_keys
from assay.tasks.links.protocol import Protocol, Side

Constrained = Mapping[tuple[Side, int], Ints]
"""For a side and a relation the entities that may be answers; where none are given, all may."""
COLUMNS: dict[Side, tuple[int, int]] = {"tail": (0, 2), "head": (2, 0)}
"""Where the given and the wanted entity of each side stand in a triple."""


@dataclass(frozen=True, slots=True, eq=False)
class Questions:
    """The different questions of one side, sorted by relation, entity and time.

    `entity` and `relation` have one entry for each question, `question` and `target` one for each triple.
    `targets` are the targets of each question; `lists` what is counted apart from all entities: "unseen" (no
    candidates at all), "known" (true in a known split), "known answers" (those of the split that is asked about),
    "time" (true at the same time), "typed" (may be answers) and "typed known".
    """

    entity: Ints
    relation: Ints
    question: Ints
    target: Ints
    targets: Lists
    lists: Mapping[str, Lists]

    def places(self) -> Ints:
        """Return for each triple the place of its target among all targets, shape (triples,)."""
        sizes = np.diff(self.targets.start)
        span = int(self.target.max(initial=0)) + 1
        keys = np.repeat(np.arange(len(sizes)), sizes) * span + self.targets.entity
        return np.searchsorted(keys, self.question * span + self.target)


def kept(graph: KnowledgeGraph, protocol: Protocol, split: str) -> Flags:
    """Flag the triples of a split that the protocol keeps: all, or those of seen entities and relations."""
    triples = graph.splits.get(split, np.zeros((0, 3), np.int64))
    if protocol.unseen == "keep":
        return np.ones(len(triples), np.bool_)
    entities, relations = graph.seen()
    return entities[triples[:, 0]] & relations[triples[:, 1]] & entities[triples[:, 2]]


def questions(
    graph: KnowledgeGraph, protocol: Protocol, side: Side, constrained: Constrained | None = None
) -> Questions:
    """Group the triples of the split by what is asked, and gather what the filters of each question hold."""
    (given, wanted), drop = COLUMNS[side], protocol.unseen == "drop"
    triples, times = _triples(graph, protocol, (protocol.split,))
    asked = np.column_stack([triples[:, 1], triples[:, given], times])
    _, first, question = np.unique(row_keys(asked), return_index=True, return_inverse=True)
    different = asked[first]
    targets = Lists.of(question, triples[:, wanted], len(different))
    known, known_times = _triples(graph, protocol, protocol.known)
    facts = np.column_stack([known[:, 1], known[:, given], known_times]), known[:, wanted]
    lists = {"known": _matched(different[:, :2], facts[0][:, :2], facts[1])}
    lists["known answers"] = _both(targets, lists["known"], len(different))
    if graph.times:
        lists["time"] = _matched(different, *facts)
    if constrained is not None:
        allowed = {relation: given for (one, relation), given in constrained.items() if one == side}
        candidates = np.flatnonzero(graph.seen()[0]) if drop else np.arange(graph.entities.len())
        lists |= _typed(allowed, candidates, graph.entities.len(), different[:, 0], lists["known"])
    if drop:
        unseen = np.flatnonzero(~graph.seen()[0])
        lists["unseen"] = Lists(np.array([0, len(unseen)]), unseen, np.zeros(len(different), np.int64))
    return Questions(different[:, 1], different[:, 0], question, triples[:, wanted], targets, lists)


def _triples(graph: KnowledgeGraph, protocol: Protocol, splits: tuple[str, ...]) -> tuple[Ints, Ints]:
    """Return the triples of some splits that the protocol keeps, and their times (0 where there are none)."""
    parts, times = [np.zeros((0, 3), np.int64)], [np.zeros(0, np.int64)]
    for split in splits:
        flags = kept(graph, protocol, split)
        parts.append(graph.splits.get(split, parts[0])[flags])
        times.append(graph.times[split][flags] if split in graph.times else np.zeros(int(flags.sum()), np.int64))
    return np.concatenate(parts), np.concatenate(times)


def _matched(different: Ints, asked: Ints, answer: Ints) -> Lists:
    """Return for each question the answers of the facts that ask the same; equal questions share a list."""
    keys = row_keys(np.concatenate([different, asked]))
    groups, number = np.unique(keys[: len(different)], return_inverse=True)
    place = np.minimum(np.searchsorted(groups, keys[len(different) :]), max(len(groups) - 1, 0))
    same = groups[place] == keys[len(different) :] if len(groups) else np.zeros(len(answer), np.bool_)
    return Lists.of(place[same], answer[same], len(groups), number)


def _both(lists: Lists, others: Lists, questions: int) -> Lists:
    """Return what both lists of each question hold."""
    query, entity = lists.pairs(np.arange(questions))
    inside = others.has(query, entity)
    return Lists.of(query[inside], entity[inside], questions)


def _typed(
    allowed: Mapping[int, Ints], candidates: Ints, entities: int, relation: Ints, known: Lists
) -> dict[str, Lists]:
    """Return the constrained candidates of each question, and those of them that are known."""
    relations, number = np.unique(relation, return_inverse=True)
    parts = [np.zeros(0, np.int64)]
    for one in relations.tolist():
        given = np.asarray(allowed.get(one, candidates), np.int64)
        if given.size and not 0 <= given.min() <= given.max() < entities:
            raise ParameterError(
                f"constrained candidates of relation {one}: expected numbers of entities from 0 to {entities - 1}, "
                f"found {given.min()} to {given.max()}"
            )
        parts.append(np.intersect1d(given, candidates))
    start = np.cumsum([len(part) for part in parts])
    typed = Lists(start, np.concatenate(parts), number)
    return {"typed": typed, "typed known": _both(known, typed, len(relation))}
