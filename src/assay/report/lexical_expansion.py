"""What expansion brings, for the terminal, Markdown and tables: the gain, the queries helped and hurt, and why."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

import polars as pl

from assay.core.lexical_expansion import (
    HELPED,
    HURT,
    MEANINGS,
    SAME,
    Expansion,
    QueryExpansion,
    Selection,
    SelectionRule,
    Way,
)
from assay.report.amounts import percent
from assay.report.comparison import CORRECTIONS, method, signed, title, verdicts
from assay.report.comparison_tables import SPARE, main_tables
from assay.report.documents import markdown
from assay.report.drawing import Table, listed, wrapped
from assay.report.grid import conventions, heading, number
from assay.report.names import visible

TOP = 3
"""How many of the most helped and of the most hurt queries are shown."""
WORDS = 5
"""How many of its own words, and of the added ones, are shown of a query."""
LONG = 120
"""How much of the text of a query is shown."""


@dataclass(frozen=True, slots=True)
class Section:
    """A part of the report: a table, sentences, or entries of a line and what is said below it."""

    title: str
    table: Table | None = None
    sentences: tuple[str, ...] = ()
    entries: tuple[tuple[str, ...], ...] = ()
    spare: tuple[str, ...] = field(default=SPARE)


def render(found: Expansion, *, top: int = TOP, width: int = 80, colour: bool = False) -> str:
    """Return all that was found as text, no line wider than `width` where it can be broken."""
    parts = [wrapped(visible(line), width) for line in headings(found)]
    for one in sections(found, top):
        lines = [wrapped(visible(one.title), width)]
        if one.table is not None:
            lines.append(one.table.fitted(width, one.spare).draw(colour=colour))
        if one.sentences:
            lines.append(listed(one.sentences, width))
        lines += [_indented(entry, width) for entry in one.entries]
        parts.append("\n".join(lines))
    return "\n\n".join(part.rstrip("\n") for part in parts) + "\n"


def to_markdown(found: Expansion, *, top: int = TOP) -> str:
    """Return all that was found in Markdown."""
    lines = [f"{markdown(visible(line))}  " for line in headings(found)]
    for one in sections(found, top):
        lines += ["", f"**{markdown(visible(one.title))}**", ""]
        if one.table is not None:
            heads, rows = one.table.heads, one.table.rows
            lines += [_row(heads), "|---|" + "---|" * (len(heads) - 1), *map(_row, rows), ""]
        lines += [f"- {markdown(visible(sentence))}" for sentence in one.sentences]
        lines += [
            f"{'  ' * (place > 0)}- {markdown(visible(line))}"
            for entry in one.entries
            for place, line in enumerate(entry)
        ]
    return "\n".join(lines) + "\n"


def _indented(entry: Sequence[str], width: int) -> str:
    first, *rest = entry
    below = listed(rest, width - 2).splitlines()
    return "\n".join([listed([first], width), *(f"  {line}" for line in below)])


def _row(cells: Sequence[str]) -> str:
    return "| " + " | ".join(markdown(visible(cell)) for cell in cells) + " |"


def headings(found: Expansion) -> Iterator[str]:
    """Yield what was searched and by what it was judged."""
    yield heading(found.comparison.evaluations)
    yield f"{found.documents:,} documents; {found.comparison.baseline} against expanded, {found.depth:,} places each"


def sections(found: Expansion, top: int = TOP) -> Iterator[Section]:
    """Yield the parts of the report in their order."""
    yield Section(f"VERDICT {title(found.comparison)}", sentences=tuple(verdicts(found.comparison)))
    for titled in main_tables(found.comparison):
        yield Section(titled.title, titled.table)
    for way in found.ways:
        yield _groups(way, found.measure)
        yield from _causes(way, found.measure)
        for outcome in (HURT, HELPED):
            if top and way.of(outcome):
                yield _queries(way, outcome, top)
    for one in found.selections:
        yield _selection(one)
    notes = (*method(found.comparison), conventions(found.comparison.evaluations[0]), *_reading(found))
    yield Section("HOW TO READ THIS", sentences=(*notes, *found.comparison.notices, *found.notices))


def _groups(way: Way, measure: str) -> Section:
    """Return what helped, hurt and unchanged queries have in common."""
    said = ", ".join(f"{count} {'the same' if name == SAME else name}" for name, count in way.counts.items())
    groups = [way.of(outcome) for outcome in (HELPED, HURT, SAME)]
    rows = [("queries", *(str(len(group)) for group in groups))]
    for label, name in _FACTS:
        means = [_mean(group, name) for group in groups]
        if any(mean is not None for mean in means):
            rows.append((label.format(measure=measure), *map(number, means)))
    table = Table(("means", HELPED, HURT, SAME), tuple(rows))
    return Section(f"QUERIES, {way.name}: {said}, by {measure}", table, tuple(_room(way)))


def _room(way: Way) -> Iterator[str]:
    """Say how much of the feedback could be relevant at all, where queries have few relevant documents."""
    known = [(one.feedback, one.relevant) for one in way.queries if one.feedback]
    if known:
        most = sum(min(learned, relevant) / learned for learned, relevant in known) / len(known)
        relevant = sum(relevant for _, relevant in known) / len(known)
        yield (
            f"A query has {relevant:.1f} relevant documents in the mean and learns from {max(n for n, _ in known)}: at "
            f"most {percent(most, 0)} of what it learns from can be relevant."
        )


_FACTS = (
    ("{measure} before", "before"), ("{measure} after", "after"), ("{measure} of the other run", "other"),
    ("feedback documents that are relevant", "precision"), ("relevant documents with an added word", "on_relevant"),
    ("other documents found first with one", "on_others"), ("added weight no relevant document has", "absent"),
    ("relevant documents found anew, a query", "found"), ("relevant documents lost, a query", "lost"),
)  # fmt: skip


def _mean(group: Sequence[QueryExpansion], name: str) -> float | None:
    known = [value for one in group if (value := getattr(one, name)) is not None]
    return sum(known) / len(known) if known else None


def _causes(way: Way, measure: str) -> Iterator[Section]:
    """Yield why queries were helped and hurt, where that is known."""
    causes = list(way.causes())
    if not causes:
        return
    rows = tuple(
        (outcome, cause, str(len(queries)), signed(sum(one.change for one in queries) / len(queries)))
        for outcome, cause, queries in causes
    )
    heads = ("", "cause", "queries", f"mean change of {measure}")
    meanings = tuple(f"{outcome}, {cause}: {MEANINGS[outcome, cause]}." for outcome, cause, _ in causes)
    yield Section(f"{way.name}: why", Table(heads, rows, frozenset({"cause"})), meanings)


def _queries(way: Way, outcome: str, top: int) -> Section:
    """Return the most helped or hurt queries with their words."""
    group = way.of(outcome)
    shown = f"the {min(top, len(group))} most {outcome} of {len(group)}"
    return Section(f"{way.name}: {shown}", entries=tuple(tuple(_query(one)) for one in group[:top]))


def _query(one: QueryExpansion) -> Iterator[str]:
    text = " ".join(one.text.split())
    yield f"{one.query}: {number(one.before)} to {number(one.after)}, {one.cause or 'no cause found'}"
    yield f'"{text if len(text) <= LONG else text[: LONG - 1] + "…"}"'
    if one.reweighting is not None and one.adding is not None:
        yield f"own words weighed anew {signed(one.reweighting)}: {own_words(one)}"
        yield f"added words {signed(one.adding)}: {added_words(one)}"
    if one.feedback is not None:
        yield f"learned from {one.feedback} documents, {one.feedback_relevant} of them relevant"
    if one.other is not None:
        yield f"the other run alone: {number(one.other)}"
    moved = [(one.rose, "rose"), (one.fell, "fell"), (one.found, "found anew"), (one.lost, "lost")]
    steps = ", ".join(f"{count} {name}" for count, name in moved if count)
    yield f"relevant documents: {steps or 'none moved'}, of {one.relevant}"


def own_words(one: QueryExpansion, most: int = WORDS) -> str:
    """Return the words of a query whose share of the weight of its own words changed most, before and after."""
    own = [term for term in one.terms if term.own]
    asked, weight = sum(term.asked for term in own) or 1.0, sum(term.weight for term in own) or 1.0
    shares = [(term.term, term.asked / asked, term.weight / weight) for term in own]
    moved = [share for share in shares if percent(share[1], 0) != percent(share[2], 0)]
    moved.sort(key=lambda share: (-abs(share[2] - share[1]), share[0]))
    said = ", ".join(f"{term} {percent(before, 0)} to {percent(after, 0)}" for term, before, after in moved[:most])
    return said or "their shares stay"


def added_words(one: QueryExpansion, most: int = WORDS) -> str:
    """Return the added words of a query, those with the greatest effects first, with these."""
    added = [term for term in one.terms if not term.own]
    added.sort(key=lambda term: (-abs(term.effect or 0.0), -term.weight, term.term))
    said = ", ".join(f"{term.term} {signed(term.effect)}" for term in added[:most])
    return (said or "none") + (f" and {len(added) - most} more" if len(added) > most else "")


def _selection(one: Selection) -> Section:
    rows = tuple(
        (label, number(value), str(queries))
        for label, value, queries in (
            ("never expanded", one.never, 0), ("always expanded", one.always, one.queries),
            ("expanded where predicted to help", one.selective, one.expanded),
            ("best for each query (needs the gold)", one.oracle, one.best),
        )
    )  # fmt: skip
    rules = [rule for rule in one.rules if rule.fold]
    said = "; ".join(f"{count} × {text}" for text, count in _counted([_rule(rule) for rule in rules]))
    learned = next((rule for rule in one.rules if not rule.fold), None)
    sentences = [_verdict(one), f"Rules of the {len(rules)} folds, each tried on queries that it has not seen: {said}."]
    if learned is not None:
        sentences.append(f"Learned from all queries, and so not tried on any: {_rule(learned)}.")
    sentences += sorted({f"{rule.predictor}: {rule.meaning}." for rule in one.rules if rule.predictor})
    return Section(f"{one.way}: only some queries", Table(("", one.measure, "expanded"), rows), tuple(sentences))


def _verdict(one: Selection) -> str:
    if one.expanded in {0, one.queries} and not one.gain:
        return f"Selecting brings nothing: the rules choose {one.reference} for all queries."
    low, high, p = one.contrast.interval.low, one.contrast.interval.high, one.contrast.significance.final
    size = f"{signed(one.contrast.difference)} against {one.reference} for all"
    sure = "" if low is None or high is None or p is None else f" [{signed(low)}, {signed(high)}], p {p:.4f}"
    if one.contrast.verdict == "better":
        return f"Selecting helps: {size}{sure}."
    if one.contrast.verdict == "worse":
        return f"Selecting brings nothing, it harms: {size}{sure}."
    return f"Selecting brings nothing that these queries can show: {size}{sure}."


def _rule(rule: SelectionRule) -> str:
    if rule.predictor is None or rule.threshold is None:
        return f"{rule.choice} expand"
    return f"expand if {rule.predictor} {'>' if rule.choice == 'above' else '<='} {rule.threshold:.4g}"


def _counted(texts: Sequence[str]) -> list[tuple[str, int]]:
    return [(text, texts.count(text)) for text in dict.fromkeys(texts)]


def _reading(found: Expansion) -> Iterator[str]:
    yield f"Helped and hurt: {found.measure} rose or fell by more than 1e-12; all other figures are means of queries."
    yield (
        "Own words weighed anew: the query searched again with its own words only, at their new weights. Added words: "
        "what the rest of the change is. A word's own effect: the change without it."
    )
    if len(found.selections) > 1 and found.comparison.family.correction != "none":
        how = CORRECTIONS[found.comparison.family.correction]
        yield f"p of expanding only some queries: {how}, those of the {len(found.selections)} ways a family of its own."
    if found.comparison.evaluations[0].policy.ties != "order":
        yield "Equal scores stand by id; published figures of Lucene have them in the documents' order (--ties order)."
    yield "Shares of documents with an added word, and of added weight, count each word by its weight."
    for way in found.ways:
        if way.tau is not None:
            yield f"{way.name}: gain and relevant feedback go together with Kendall's tau {way.tau:+.2f}."


SCHEMA: dict[str, type[pl.DataType]] = {
    "way": pl.String, "query": pl.String, "measure": pl.String, "before": pl.Float64, "after": pl.Float64,
    "change": pl.Float64, "outcome": pl.String, "cause": pl.String, "reweighting": pl.Float64, "adding": pl.Float64,
    "feedback": pl.Int64, "feedback_relevant": pl.Int64, "relevant": pl.Int64, "on_relevant": pl.Float64,
    "on_others": pl.Float64, "absent": pl.Float64, "found": pl.Int64, "lost": pl.Int64, "rose": pl.Int64,
    "fell": pl.Int64, "other": pl.Float64, "terms": pl.String,
}  # fmt: skip


def to_frame(found: Expansion) -> pl.DataFrame:
    """Return a row for each way and query; terms as `term^weight`, heaviest first."""
    rows = [
        {name: getattr(one, name) for name in SCHEMA if hasattr(one, name)}
        | {"way": way.name, "measure": found.measure, "terms": " ".join(f"{t.term}^{t.weight:.6g}" for t in one.terms)}
        for way in found.ways
        for one in way.queries
    ]
    return pl.DataFrame(rows, schema=SCHEMA)
