"""The page of a graph: what it answers, how complete and valid it is, what is missing, and what that costs."""

from collections.abc import Iterator, Sequence

from assay._version import __version__
from assay.core.gaps import Gaps
from assay.core.graph_dossier import GraphDossier
from assay.report.amounts import counted, percent
from assay.report.grid import number
from assay.report.html import answers, graph_gaps, graph_parts, provenance
from assay.report.html.document import written
from assay.report.html.views import Page, Section, Verdict, Verdicts
from assay.report.html.wording import interval
from assay.report.names import visible

Inputs = Sequence[tuple[str, str]]


def render(found: GraphDossier, *, command: Sequence[str] = (), inputs: Inputs = (), seed: int | None = None) -> str:
    """Return one HTML page about a graph; it needs no network.

    Parameters
    ----------
    found
        What was measured; what was not leaves its section out.
    command, inputs, seed
        How it was measured, from which files by what they are: ("graph", "products.ttl"), and where chance starts.

    Raises
    ------
    MissingExtraError
        Altair, Jinja or vl-convert is not installed: `pip install 'assay[report]'`.
    """
    return written(lay_out(found, command, inputs, seed))


def lay_out(found: GraphDossier, command: Sequence[str] = (), inputs: Inputs = (), seed: int | None = None) -> Page:
    """Return the page as plain data."""
    cards = tuple(_cards(found))
    said = (*found.notices, *(found.answers.notices if found.answers else ()))
    reproduce = (provenance.how(command, seed), *((provenance.files(inputs),) if inputs else ()))
    sections = (
        Section("result", "Result", (Verdicts(cards),) if cards else ()),
        *_gaps(found.gaps),
        *(answers.sections_of(found.answers, found.health) if found.answers else ()),
        *_graph(found),
        Section("notices", "Notices", answers.notices(said)),
        Section("reproduce", "Reproduce", reproduce),
    )
    kept = tuple(section for section in sections if section.blocks)
    return Page(visible(found.graph), _subtitle(found), (), kept, __version__)


def _gaps(found: Gaps | None) -> Iterator[Section]:
    if found is not None:
        yield Section("gaps", "Gaps", tuple(graph_gaps.gaps(found)))
        yield Section("curve", "Curve", tuple(graph_gaps.curve(found.curve)) if found.curve else ())
        if found.resting:
            yield Section("resting", "Invalid links", tuple(graph_gaps.resting(found.resting)))


def _graph(found: GraphDossier) -> Iterator[Section]:
    if found.completeness:
        yield Section("completeness", "Completeness", tuple(graph_parts.completeness(found.completeness)))
    if found.validity:
        yield Section("validity", "Link validity", tuple(graph_parts.validity(found.validity)))
    if found.suspects:
        yield Section("suspects", "Suspects", tuple(graph_parts.suspects(found.suspects)))
    if found.accuracy:
        yield Section("accuracy", "Accuracy", tuple(graph_parts.accuracy(found.accuracy)))


def _subtitle(found: GraphDossier) -> str:
    parts = [counted(found.validity.statements, "statement")] if found.validity else []
    if found.answers:
        parts.append(f"{counted(found.answers.questions, 'question')} ({visible(found.answers.suite)})")
    return ", ".join(parts)


def _cards(found: GraphDossier) -> Iterator[Verdict]:
    if found.answers:
        yield from answers.cards(found.answers)
    if found.gaps:
        yield _gap_card(found.gaps)
        if found.gaps.resting and found.gaps.resting.traced:
            yield _resting_card(found.gaps)
    yield from _graph_cards(found)
    if found.health:
        out = len(found.health.questions) - found.health.healthy
        each = [(code, f"{many:,}") for code, (many, _) in found.health.count().items() if many]
        tone, word = ("bad", "gold not to be trusted") if out else ("even", "")
        yield Verdict(
            tone, word, f"{out:,} of {counted(len(found.health.questions), 'question')} leave the means.", tuple(each)
        )


def _gap_card(found: Gaps) -> Verdict:
    causes = tuple((cause, f"{many:,}") for cause, (many, _) in found.causes().items())
    if not found.failures:
        return Verdict("even", "", "No question lacks a right answer.")
    costly = sum(one.lost > 0 for one in found.missing)
    lack = f"{len(found.failures):,} of {counted(found.questions, 'question')} lack right answers"
    return Verdict("bad", "gaps", f"{lack}; {counted(costly, 'missing fact')} cost them.", causes)


def _resting_card(found: Gaps) -> Verdict:
    one = found.resting
    if one is None or not one.invalid:
        return Verdict("even", "", "No right answer rests on invalid links alone.")
    sentence = f"{percent(one.share)} of the right answers rest on invalid links alone."
    facts = (("interval", interval(one.interval)), ("traced", f"{one.traced:,} of {one.found:,}"),
             ("recall", number(one.recall)), ("recall without them", number(one.sound)))  # fmt: skip
    return Verdict("bad", "recall on invalid links", sentence, facts)


def _graph_cards(found: GraphDossier) -> Iterator[Verdict]:
    if found.completeness:
        schema, domain = found.completeness.schema, found.completeness.domain
        said = "not evaluated" if schema.ratio is None else number(schema.ratio)
        facts = [("expected properties there", f"{schema.have:,} of {schema.of:,}")]
        facts += (
            [("of the reference", f"{number(domain.ratio)} {interval(domain.interval)}".rstrip())] if domain else []
        )
        if found.completeness.demand and found.completeness.demand.weighted is not None:
            facts.append(("weighed by demand", number(found.completeness.demand.weighted)))
        yield Verdict("even", "", f"Completeness of classes {said}.", tuple(facts))
    if found.validity:
        total = found.validity.total
        value = "not told" if total is None or total.validity is None else number(total.validity)
        facts = [("break a rule", f"{total.wrong:,} of {total.statements:,}")] if total else []
        yield Verdict("even", "", f"Link validity {value}.", (*facts, ("rules broken", f"{_broken(found):,}")))
    if found.accuracy:
        one = found.accuracy
        facts = [("interval", interval(one.interval)), ("judged", f"{one.judged:,} of {one.design.statements:,}")]
        yield Verdict("even", "", f"Accuracy {number(one.value)}, by people's labels.", tuple(facts))


def _broken(found: GraphDossier) -> int:
    return sum(bool(one.wrong) for one in found.validity.rules) if found.validity else 0
