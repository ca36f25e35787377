"""The page of expansion: what more words bring, which queries they help and hurt, why, and by which words."""

from collections.abc import Iterator, Sequence

from assay._version import __version__
from assay.core.lexical_expansion import HELPED, HURT, MEANINGS, SAME, Expansion, Selection, Way
from assay.report import lexical_expansion
from assay.report.amounts import counted
from assay.report.comparison import verdicts
from assay.report.comparison_tables import main_tables
from assay.report.grid import number
from assay.report.html import charts, lexical_comparison, lexical_terms, provenance
from assay.report.html.document import written
from assay.report.html.neighbours_parts import gridded
from assay.report.html.views import Block, Chart, Choice, Listing, Page, Section, Text, Verdict, Verdicts
from assay.report.html.wording import TONES, interval, probability, signed
from assay.report.names import visible

Inputs = Sequence[tuple[str, str]]


def render(found: Expansion, *, command: Sequence[str] = (), inputs: Inputs = ()) -> str:
    """Return one HTML page about what expansion brings; it needs no network.

    Parameters
    ----------
    found
        Search as it is and with expansion; what was not asked for leaves its section out.
    command, inputs
        How it was made, and from which files by what they are: ("gold", "gold.qrels").

    Raises
    ------
    MissingExtraError
        Altair, Jinja or vl-convert is not installed: `pip install 'assay[report]'`.
    """
    return written(lay_out(found, command, inputs))


def lay_out(found: Expansion, command: Sequence[str] = (), inputs: Inputs = ()) -> Page:
    """Return the page as plain data."""
    said = tuple(map(visible, (*found.comparison.notices, *found.notices)))
    reproduce = (
        provenance.how(command, getattr(found.comparison, "seed", None)),
        *((provenance.files(inputs),) if inputs else ()),
    )
    *_, reading = lexical_expansion.sections(found, 0)
    notes = tuple(note for line in reading.sentences if (note := visible(line)) not in said)
    sections = (
        Section("result", "Result", tuple(_result(found))),
        Section("queries", "Queries helped and hurt", tuple(_queries(found))),
        Section("words", "The words", tuple(lexical_terms.blocks(found))),
        Section("selective", "Only some queries", tuple(_selective(found))),
        Section("measures", "Measures", tuple(_measures(found))),
        Section("reading", "How to read this", (Listing(notes),)),
        Section("notices", "Notices", (Listing(said, "notice"),) if said else ()),
        Section("reproduce", "Reproduce", reproduce),
    )
    title = f"What expansion brings to {visible(found.comparison.baseline)}"
    shown = tuple(section for section in sections if section.blocks)
    labels = tuple(map(visible, found.comparison.labels))
    return Page(
        title, ". ".join(lexical_expansion.headings(found)), labels, shown, __version__, tuple(range(len(labels[:6])))
    )


def _result(found: Expansion) -> Iterator[Block]:
    yield Listing(tuple(map(visible, verdicts(found.comparison))))
    yield Verdicts((*(_card(found, way) for way in found.ways), *map(_chosen, found.selections)))


def _card(found: Expansion, way: Way) -> Verdict:
    counts = f"{counted(way.counts[HELPED], 'query')} helped, {way.counts[HURT]:,} hurt, {way.counts[SAME]:,} the same"
    against = [one for one in found.comparison.of(found.measure) if one.run == way.name]
    facts = [(f"{outcome}, {cause}", f"{len(queries):,}") for outcome, cause, queries in way.causes()]
    if not against:
        return Verdict("even", "", f"{visible(way.name)}: {counts}.", tuple(facts))
    (one,) = against
    told = [("difference", f"{signed(one.difference)} {interval(one.interval, sign=True)}".rstrip()),
            ("p", probability(one.significance.final))]  # fmt: skip
    sentence = (
        f"{visible(way.name)}: {found.measure} {number(one.mean)} against {number(one.baseline_mean)}; {counts}."
    )  # fmt: skip
    return Verdict(TONES.get(one.verdict, "unsure"), one.verdict, sentence, (*told, *facts))


def _chosen(one: Selection) -> Verdict:
    facts = (
        ("never", number(one.never)), ("always", number(one.always)), ("best for each query", number(one.oracle)),
        ("expanded", f"{one.expanded:,} of {one.queries:,}"),
    )  # fmt: skip
    sentence = f"{visible(one.way)} where predicted to help: {one.measure} {number(one.selective)}."
    return Verdict(TONES.get(one.contrast.verdict, "unsure"), one.contrast.verdict, sentence, facts)


def _queries(found: Expansion) -> Iterator[Block]:
    shown = {way.name: [(one.query, one.before, one.after) for one in way.queries] for way in found.ways}
    figure = found.comparison.evaluations[0].figure(found.measure)
    if chart := lexical_comparison.drawn(shown, found.measure, higher_is_better=figure.higher_is_better):
        yield chart
    if chart := _causes(found):
        yield chart
    for one in lexical_expansion.sections(found, 0):
        if one.table is not None and one.table.heads[0] == "means":
            yield gridded(visible(one.title.removeprefix("QUERIES, ")), one.table)
            yield from (Text(visible(line), "legend") for line in one.sentences)


def _causes(found: Expansion) -> Chart | None:
    rows = tuple(
        (
            visible(way.name),
            f"{outcome}: {cause}",
            len(queries) / len(way.queries),
            len(queries),
            MEANINGS[outcome, cause],
        )
        for way in found.ways
        for outcome, cause, queries in way.causes()
    )
    if not rows:
        return None
    ways = tuple(dict.fromkeys(row[0] for row in rows))
    return Chart(
        "causes", "Why", "Queries by what became of them and why, as a share of all.",
        "Off topic: feedback learned from documents that are not relevant. Drift: the added words lead elsewhere. Own "
        "words: those of the query weigh otherwise against each other. The tip says what each cause is.",
        charts.bars("cause", "queries", "meaning"), ("way", "cause", "share", "queries", "meaning"), rows,
        (Choice("way", "Expansion", ways),), paint="accent",
    )  # fmt: skip


def _selective(found: Expansion) -> Iterator[Block]:
    if not found.selections:
        return
    rows = tuple(
        (visible(one.way), name, value, one.never, queries)
        for one in found.selections
        for name, value, queries in (
            ("never", one.never, 0), ("always", one.always, one.queries),
            ("where predicted to help", one.selective, one.expanded), ("best for each query", one.oracle, one.best),
        )
    )  # fmt: skip
    yield Chart(
        "selections", "Expand never, always, where predicted to help, or where it does help",
        f"{found.selections[0].measure} of each choice; the tick is search as it is.",
        "The last bar needs the gold: no rule can do better. A rule is worth having where its bar is longer than both "
        "never and always. Each query was decided by a rule that had not seen it.",
        charts.bars("choice", "queries", length="mean", tick="best single"),
        ("way", "choice", "mean", "best single", "queries"), rows,
        (Choice("way", "Expansion", tuple(dict.fromkeys(row[0] for row in rows))),), paint="accent",
    )  # fmt: skip
    ways = {f"{one.way}: only some queries": one for one in found.selections}
    for part in lexical_expansion.sections(found, 0):
        if part.title in ways and part.table is not None:
            yield gridded(visible(ways[part.title].way), part.table)
            yield Listing(tuple(map(visible, part.sentences)))


def _measures(found: Expansion) -> Iterator[Block]:
    yield lexical_comparison.means(found.comparison, "the tables test")
    for titled in main_tables(found.comparison):
        yield gridded(visible(titled.title), titled.table)
