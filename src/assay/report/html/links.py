"""The page of a link predictor: figures, protocol card, ranks, every other protocol, breakdowns, worst triples."""

from collections.abc import Iterator, Sequence

from assay._version import __version__
from assay.core.links import LinkFigure, LinkResult, LinksEvaluation
from assay.report.amounts import counted, percent
from assay.report.html import links_breakdowns, links_protocol, links_ranks, provenance
from assay.report.html.document import written
from assay.report.html.links_figures import named, shown, ties_table, values_table
from assay.report.html.views import Block, Listing, Page, Section, Text, Verdict, Verdicts
from assay.report.html.wording import interval, real
from assay.report.links import AVERAGES, about_measures
from assay.report.names import visible

MOST_FACTS = 6
TIED = 0.05
"""A larger share of ties than this makes the tie rule matter."""


Inputs = Sequence[tuple[str, str]]


def render(found: LinksEvaluation, *, command: Sequence[str] = (), inputs: Inputs = (), convention: str = "") -> str:
    """Return one HTML page about a link predictor; it needs no network.

    Parameters
    ----------
    found
        The link predictor judged; what was not asked for leaves its section out.
    command, inputs
        How it was judged, and from which files by what they are: ("train", "train.tsv").
    convention
        How the model scores a triple, in words.

    Raises
    ------
    MissingExtraError
        Altair, Jinja or vl-convert is not installed: `pip install 'assay[report]'`.
    """
    return written(lay_out(found, command, inputs, convention))


def lay_out(found: LinksEvaluation, command: Sequence[str] = (), inputs: Inputs = (), convention: str = "") -> Page:
    """Return the page as plain data."""
    notices = (Listing(tuple(map(visible, found.notices)), "notice"),) if found.notices else ()
    sections = (
        Section("result", "Result", tuple(_result(found))),
        links_protocol.card(found, convention),
        Section("measures", "Measures", tuple(_measures(found))),
        links_ranks.section(found),
        links_protocol.others(found),
        links_breakdowns.section(found),
        links_ranks.worst(found),
        Section("notices", "Notices", notices),
        Section("reproduce", "Reproduce", tuple(_reproduce(found, command, inputs))),
    )
    drawn = tuple(result.protocol for result in links_ranks.drawable(found))
    return Page(
        f"{visible(found.model)} on {visible(str(found.graph['name']))}", _subtitle(found), drawn,
        tuple(section for section in sections if section.blocks), __version__, tuple(range(len(drawn))), "Protocols",
    )  # fmt: skip


def _subtitle(found: LinksEvaluation) -> str:
    graph, filtered = found.graph, found.filtered
    return (
        f"Link prediction: {counted(graph['entities'], 'entity', 'entities')}, "
        f"{counted(graph['relations'], 'relation')}; {counted(graph['asked'], 'triple')} of {found.protocol['split']}, "
        f"{counted(filtered.ranks, 'rank')} of true entities"
    )


def _result(found: LinksEvaluation) -> Iterator[Block]:
    filtered = found.filtered
    yield Verdicts((_headline(filtered), *_sides(filtered), _ties(filtered)))


def _headline(result: LinkResult) -> Verdict:
    first, *others = result.figures
    sentence = (
        f"{named(first)} {real(first.mean)}, filtered: {counted(result.ranks, 'rank')} of "
        f"{counted(result.queries, 'different question')}."
    )
    span = interval(first.interval)
    facts = [(f"{named(first)}, {_level(first)}", span)] if span else []
    facts += [(named(one), shown(one)) for one in others[:MOST_FACTS]]
    return Verdict("even", "", sentence, tuple(facts))


def _level(figure: LinkFigure) -> str:
    return f"{percent(figure.interval.level, None)} interval" if figure.interval else "interval"


def _sides(result: LinkResult) -> Iterator[Verdict]:
    """Yield which side is harder, where both were asked."""
    if len(result.sides) < 2:
        return
    first = result.figures[0]
    means = {side: result.figure(first.name, side).mean for side in result.sides}
    parts = " and ".join(f"{real(mean)} for its {side}" for side, mean in means.items())
    facts = tuple(
        (
            f"{named(one)} ({' / '.join(result.sides)})",
            " / ".join(real(result.figure(one.name, side).mean) for side in result.sides),
        )
        for one in result.figures[1 : MOST_FACTS + 1]
    )
    yield Verdict("even", "", f"A triple is asked for each side: {named(first)} {parts}.", facts)


def _ties(result: LinkResult) -> Verdict:
    if not result.tied:
        return Verdict("even", "", "No true entity ties with another candidate: every tie rule gives these figures.")
    first = result.figures[0]
    facts = tuple((f"{named(first)}, {rule}", real(value)) for rule, value in first.ties.items())
    sentence = f"{percent(result.tied_share)} of the true entities tie with other candidates."
    if result.tied_share > TIED:
        return Verdict("bad", "the tie rule matters", sentence, facts)
    return Verdict("even", "", sentence, facts)


def _measures(found: LinksEvaluation) -> Iterator[Block]:
    yield Text(f"Filtered, {visible(found.filtered.meaning)}.")
    yield values_table(found.filtered, "The measures, filtered")
    yield from ties_table(found.filtered)
    yield Listing((AVERAGES[:1].upper() + AVERAGES[1:], *about_measures(found.filtered.figures)))


def _reproduce(found: LinksEvaluation, command: Sequence[str], inputs: Inputs) -> Iterator[Block]:
    sure = next((one.interval for one in found.filtered.figures if one.interval), None)
    judged = found.filtered.evaluation
    digest = judged.gold.digest() if judged is not None else None
    asked = [("SHA-256", f"{digest} (triples, names and protocol)")] if digest else []
    yield provenance.how(command, sure.seed if sure else None, *asked)
    if inputs:
        yield provenance.files(inputs)
