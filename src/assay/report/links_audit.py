"""The audit of a knowledge graph for the terminal: what each split holds, what was found, the relations."""

import textwrap
from collections.abc import Iterator

from assay.core.audit import LEVELS, Finding
from assay.core.links_audit import LinksAudit, RelationAudit, RelationPair, SplitAudit
from assay.report.amounts import counted, percent
from assay.report.drawing import Table, listed, wrapped
from assay.report.names import shorten, visible

ROWS = {
    "triples": "triples",
    "repeats": "rows that repeat one (left out)",
    "in_train": "that train holds too",
    "reversed": "linked the other way in train",
    "symmetric": "  by the same relation",
    "inverse": "  by an inverse relation",
    "same_pair": "linked otherwise in train",
    "unseen_triples": "with something train lacks",
    "rare_triples": "with an entity seen once",
    "self_loops": "from an entity to itself",
}
"""The counts of a split, and how each is called."""
PLAIN = {"triples", "repeats"}
"""Counts that are no share of the triples."""
RELATIONS = 10
PAIRS = 5
LONGEST = 36
"""The most columns for an example or the name of a relation."""
IN_TABLES = {"inverse-relations", "duplicate-relations"}
"""Findings whose examples stand in a table below."""
SPARE = ("valid", "tails", "heads", "train")
"""What is left out first where there is no room."""


def render(found: LinksAudit, *, width: int = 80, colour: bool = False) -> str:
    """Return an audit as text, no line wider than `width` where it can be broken."""
    parts = [wrapped(_title(found), width), _splits(found.splits).fitted(width).draw(colour=colour)]
    parts += list(_findings(found, width))
    parts.append(_relations(found, width, colour=colour))
    for title, pairs in (("INVERSE RELATIONS", found.inverse), ("RELATIONS THAT SAY THE SAME", found.duplicate)):
        if pairs:
            parts.append(_pairs(title, pairs, width, colour=colour))
    parts.append("HOW TO READ THIS\n" + listed(_reading(found), width))
    return "\n\n".join(parts) + "\n"


def _title(found: LinksAudit) -> str:
    counts = ", ".join(f"{count} {level}{'' if count == 1 else 's'}" for level, count in found.count().items())
    return (
        f"LINKS of {visible(found.graph)}: {counted(found.entities, 'entity')}, "
        f"{counted(found.relations, 'relation')}; "
        f"train holds {found.seen_entities:,} and {found.seen_relations:,} of them. {counts}."
    )


def _splits(splits: tuple[SplitAudit, ...]) -> Table:
    rows = tuple((said, *(_count(split, name) for split in splits)) for name, said in ROWS.items())
    return Table(("triples of", *(split.name for split in splits)), rows)


def _count(split: SplitAudit, name: str) -> str:
    value: int | None = getattr(split, name)
    if value is None or (split.name == "train" and name == "unseen_triples"):
        return ""
    share = None if name in PLAIN else split.share(name)
    return f"{value:,}" if share is None else f"{value:,} {f'({percent(share)})':>9}"


def _findings(found: LinksAudit, width: int) -> Iterator[str]:
    for level in LEVELS:
        those = [_lines(one, width) for one in found.findings if one.level == level]
        if those:
            yield "\n".join([f"{level.upper()}S", *those])


def _lines(finding: Finding, width: int) -> str:
    """Return the title behind a dash, and below it what it means and examples."""
    shown = () if finding.code in IN_TABLES else finding.examples
    examples = f"e.g. {'; '.join(shorten(visible(example), LONGEST) for example in shown)}" if shown else ""
    below = textwrap.TextWrapper(width, initial_indent="  ", subsequent_indent="  ", break_on_hyphens=False)
    title = listed([f"{finding.title} [{finding.code}]"], width)
    return "\n".join([title, *(below.fill(visible(part)) for part in (finding.detail, examples) if part)])


def _relations(found: LinksAudit, width: int, *, colour: bool) -> str:
    shown = found.per_relation[:RELATIONS]
    names = {"heads", "tails", "train", "valid", "test"} - set(found.missing)
    table = Table(
        ("relation", "train", "valid", "test", "heads", "tails", "both ways", "filled"),
        tuple(_relation(one) for one in shown),
    )
    for head in ("valid", "test"):
        table = table if head in names else table.without(head)
    more = len(found.per_relation) - len(shown)
    rest = f" ({len(shown)} of {len(found.per_relation):,}, most test triples first)" if more else ""
    return f"RELATIONS{rest}\n{table.fitted(width, SPARE).draw(colour=colour)}"


def _relation(one: RelationAudit) -> tuple[str, ...]:
    counts = (one.train, one.valid, one.test, one.heads, one.tails)
    name = shorten(visible(one.name), 30)
    return (name, *(f"{count:,}" for count in counts), percent(one.symmetric, 0), percent(one.filled, 0))


def _pairs(title: str, pairs: tuple[RelationPair, ...], width: int, *, colour: bool) -> str:
    longest = max(8, (width - 40) // 2)
    rows = tuple(
        (
            shorten(visible(pair.first), longest), shorten(visible(pair.second), longest), f"{pair.shared:,}",
            percent(pair.of_first, 0), percent(pair.of_second, 0), f"{pair.test:,}",
        )
        for pair in pairs[:PAIRS]
    )  # fmt: skip
    heads = ("first", "second", "shared", "of first", "of second", "answers")
    rest = f" ({len(rows)} of {len(pairs):,})" if len(pairs) > len(rows) else ""
    return f"{title}{rest}\n{Table(heads, rows, frozenset({'second'})).fitted(width).draw(colour=colour)}"


def _reading(found: LinksAudit) -> Iterator[str]:
    yield "A triple is a head, a relation and a tail; a link predictor is asked for the tail or the head of each."
    yield (
        "linked the other way: train links the same two entities in the other direction, so the answer can be read "
        "off. linked otherwise: in the same direction, by another relation."
    )
    yield "both ways: pairs of the relation that stand in train in both directions. filled: triples of heads × tails."
    if found.inverse or found.duplicate:
        yield (
            "shared: pairs of entities of both relations; of first, of second: of the pairs of each. "
            "answers: triples asked for that the other relation gives away."
        )
