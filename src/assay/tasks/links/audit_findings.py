"""What an audit of links says in words: each finding, its count, and what it does to published figures."""

from collections.abc import Iterator, Sequence

import numpy as np

from assay.core.audit import Finding, Level
from assay.core.links_audit import LinksAudit, SplitAudit
from assay.report.amounts import percent
from assay.tasks.links.graph import KnowledgeGraph

EXAMPLES = 5
MUCH = 0.01
"""From which share of the triples on something that makes them easier is a warning."""
FOREIGN = 0.5
"""From which share of unseen triples on the splits hardly belong together."""


def findings_of(found: LinksAudit, graph: KnowledgeGraph) -> Iterator[Finding]:
    """Yield what is noteworthy, in the order of the protocol: the splits, what leaks, what is unseen, the relations."""
    yield from _about_splits(found)
    asked = found.split("test") or found.split("valid")
    if asked is not None:
        yield from _about_leaks(asked)
    yield from _about_pairs(found)
    yield from _about_unseen(found, graph)
    yield from _about_relations(found)
    yield from _about_rows(found, graph)


def _about_splits(found: LinksAudit) -> Iterator[Finding]:
    if "valid" in found.missing:
        yield Finding(
            "warning", "no-valid", "no valid split was given: it is missing from the filter",
            "Published filtered ranks take the true answers of train, valid and test out of the candidates. Without "
            "valid, right answers count as wrong ones and every figure comes out lower.",
        )  # fmt: skip
    if "test" in found.missing:
        yield Finding(
            "note" if found.split("valid") else "warning", "no-test", "no test split was given",
            "What train gives away is counted for the triples of valid instead." if found.split("valid") else
            "Nothing can be said about the triples that will be asked for.",
        )  # fmt: skip
    for overlap in found.overlaps:
        if overlap.triples:
            split = found.split(overlap.second)
            of = f" of {split.triples:,}" if split else ""
            yield Finding(
                "warning", f"{overlap.second}-in-{overlap.first}",
                f"triples of {overlap.second} that {overlap.first} holds too: {overlap.triples:,}{of}",
                "They are known, not predicted. A model recalls them, so every figure comes out higher."
                if overlap.first == "train" else
                "Settings chosen on valid are then chosen on test triples; the figures on test come out higher.",
                tuple(map(" ".join, overlap.examples)),
            )  # fmt: skip


def _about_leaks(asked: SplitAudit) -> Iterator[Finding]:
    if asked.reversed:
        yield Finding(
            _level(asked.share("reversed")), "reversed",
            f"{asked.name} triples whose entities train links the other way round: {_counted(asked, 'reversed')}",
            f"By the same relation (symmetric): {_counted(asked, 'symmetric')}. By an inverse relation: "
            f"{_counted(asked, 'inverse')}. A rule that only turns training triples around finds such answers and "
            "has learned nothing: on WN18 (94 %) it reaches an MRR of .963, on WN18RR (35 %) one of .349. Give the "
            f"figures of the other {asked.triples - asked.reversed:,} triples too.",
        )  # fmt: skip
    if asked.same_pair:
        yield Finding(
            _level(asked.share("same_pair")), "same-pair",
            f"{asked.name} triples whose two entities train links by another relation: {_counted(asked, 'same_pair')}",
            "That two entities are linked at all is then known; only the kind of link is asked. Figures come out "
            "higher than on new pairs.",
        )  # fmt: skip


def _about_pairs(found: LinksAudit) -> Iterator[Finding]:
    if found.inverse:
        yield Finding(
            _level_of(found, sum(pair.test for pair in found.inverse)), "inverse-relations",
            f"pairs of relations that are inverses by {percent(found.threshold, 0)} of their pairs: "
            f"{len(found.inverse):,}",
            "The triples of one answer the questions about the other. FB15k-237 and WN18RR were made from FB15k and "
            "WN18 by leaving such relations out; without that, figures come out far higher.",
            tuple(
                f"{pair.first} and {pair.second} ({percent(pair.of_first, 0)}, {percent(pair.of_second, 0)})"
                for pair in found.inverse[:EXAMPLES]
            ),
        )  # fmt: skip
    if found.duplicate:
        yield Finding(
            _level_of(found, sum(pair.test for pair in found.duplicate)), "duplicate-relations",
            f"pairs of relations that hold between the same entities, by {percent(found.threshold, 0)}: "
            f"{len(found.duplicate):,}",
            "The triple of one says that of the other. Figures on these relations come out higher.",
            tuple(
                f"{pair.first} and {pair.second} ({percent(pair.of_first, 0)}, {percent(pair.of_second, 0)})"
                for pair in found.duplicate[:EXAMPLES]
            ),
        )  # fmt: skip


def _about_unseen(found: LinksAudit, graph: KnowledgeGraph) -> Iterator[Finding]:
    asked = [split for split in found.splits if split.name != "train" and split.unseen_triples]
    if asked:
        yield _unseen(found, graph, asked)
    if found.single_entities:
        test = found.split("test") or found.split("valid")
        more = f" {test.rare_triples:,} of {test.triples:,} {test.name} triples hold one of them." if test else ""
        yield Finding(
            "note", "single-entities", f"entities that stand in one training triple only: {found.single_entities:,}",
            f"Little can be learned about them; ranks there are near chance.{more}",
        )  # fmt: skip
    if found.unused_entities:
        yield Finding(
            "note", "unused-entities", f"entities with a number that no triple holds: {found.unused_entities:,}",
            "They are candidates all the same: each adds a wrong answer to every question.",
        )  # fmt: skip


def _unseen(found: LinksAudit, graph: KnowledgeGraph, asked: Sequence[SplitAudit]) -> Finding:
    counts = ", ".join(f"{split.unseen_triples:,} of {split.triples:,} in {split.name}" for split in asked)
    rest = " and ".join(f"{split.triples - split.unseen_triples:,} {split.name}" for split in asked)
    kinds = found.relations - found.seen_relations
    relations = f" and relations: {kinds:,}" if kinds else ""
    seen, used = graph.seen()[0], np.unique(graph.triples()[:, [0, 2]])
    names = graph.entities.gather(used[~seen[used]][:EXAMPLES]).to_list()
    foreign = any((split.share("unseen_triples") or 0) >= FOREIGN for split in asked)
    doubt = "Do these files belong together? " if foreign else ""
    return Finding(
        "error" if foreign else "warning", "unseen",
        f"entities that train does not hold: {found.unseen_entities:,}{relations}; triples with one: {counts}",
        f"{doubt}A model cannot have learned them. PyKEEN and AmpliGraph drop these triples ({rest} triples and "
        f"{found.seen_entities:,} entities stay); LibKGE, OpenKE and kbc keep them ({found.entities:,} entities): "
        "published figures of the two groups differ. Say which you do.",
        tuple(names),
    )  # fmt: skip


def _about_relations(found: LinksAudit) -> Iterator[Finding]:
    if found.symmetric:
        yield Finding(
            _level_of(found, _asked_symmetric(found)), "symmetric-relations",
            f"relations of which at least {percent(found.threshold, 0)} of the pairs stand both ways round: "
            f"{len(found.symmetric):,}",
            "Where a triple is in train and its reverse is asked for, the answer is known.",
            tuple(f"{one.name} ({percent(one.symmetric or 0, 0)})" for one in found.symmetric[:EXAMPLES]),
        )  # fmt: skip
    if found.cartesian:
        yield Finding(
            _level_of(found, sum(one.test for one in found.cartesian)), "cartesian-relations",
            f"relations that link (nearly) every head with every tail: {len(found.cartesian):,}",
            "Which entities stand on each side is all there is to know; such facts need no model.",
            tuple(
                f"{one.name} ({one.heads} × {one.tails}, {percent(one.filled or 0, 0)})"
                for one in found.cartesian[:EXAMPLES]
            ),
        )  # fmt: skip
    total = sum(one.test for one in found.per_relation)
    if total:
        yield from _about_test_relations(found, total)


def _about_test_relations(found: LinksAudit, total: int) -> Iterator[Finding]:
    without = [one for one in found.per_relation if not one.test]
    sums = np.cumsum([one.test for one in found.per_relation])
    half = int(np.searchsorted(sums, total / 2)) + 1
    yield Finding(
        "note", "test-by-relation",
        f"half of the test triples belong to {half:,} of {found.relations:,} relations"
        + (f"; without any: {len(without):,}" if without else ""),
        "A mean over triples is mostly about those few. A mean over relations says how the others do.",
        tuple(f"{one.name} ({one.test:,})" for one in found.per_relation[:EXAMPLES] if one.test),
    )  # fmt: skip


def _about_rows(found: LinksAudit, graph: KnowledgeGraph) -> Iterator[Finding]:
    yield from _about_repeats(found, graph)
    loops = ", ".join(f"{split.name} {split.self_loops:,}" for split in found.splits if split.self_loops)
    if loops:
        yield Finding(
            "note", "self-loops", f"triples from an entity to itself: {loops}",
            "A model that may not answer with the entity asked about misses them.",
        )  # fmt: skip
    if graph.literals:
        yield Finding(
            "note", "literals", f"statements with a literal as object, left out: {sum(graph.literals.values()):,}",
            "A literal is no entity; it can neither be asked for nor be a candidate.",
        )  # fmt: skip
    if graph.times:
        counts = ", ".join(
            f"{split.name} {split.at_other_time:,} of {split.triples:,}"
            for split in found.splits
            if split.at_other_time
        )
        yield Finding(
            "note", "times", f"the triples have times; held by train at another time: {counts or 'none'}",
            "Repeating the past answers those. A filter that does not look at the time takes out answers that are "
            "true at another time; figures come out higher.",
        )  # fmt: skip


def _about_repeats(found: LinksAudit, graph: KnowledgeGraph) -> Iterator[Finding]:
    for split in found.splits:
        if split.repeats:
            yield Finding(
                "note", "repeats", f"rows of {split.name} that repeat a triple: {split.repeats:,}",
                "Each triple counts once here. Tools that keep them ask the same question twice and give it double "
                "weight.",
                tuple(map(" ".join, graph.named(graph.repeats[split.name][:EXAMPLES]))),
            )  # fmt: skip


def _level(share: float | None) -> Level:
    return "warning" if share is not None and share >= MUCH else "note"


def _asked_symmetric(found: LinksAudit) -> int:
    asked = found.split("test") or found.split("valid")
    return (asked.symmetric or 0) if asked else 0


def _level_of(found: LinksAudit, count: int) -> Level:
    asked = found.split("test") or found.split("valid")
    return _level(count / asked.triples if asked and asked.triples else None)


def _counted(split: SplitAudit, name: str) -> str:
    share = split.share(name)
    return f"{getattr(split, name):,} of {split.triples:,} ({percent(share or 0)})"
