"""The page of a lexical diagnosis: why relevant documents are missed, what queries share with them, what helps."""

from collections.abc import Iterator, Sequence

from assay._version import __version__
from assay.core.lexical_diagnosis import LexicalDiagnosis
from assay.report import lexical_diagnosis
from assay.report.amounts import counted, percent
from assay.report.grid import number
from assay.report.html import charts, lexical_queries, lexical_relations, provenance
from assay.report.html.document import written
from assay.report.html.neighbours_parts import gridded
from assay.report.html.views import Block, Chart, Listing, Page, Section, Text, Verdict, Verdicts
from assay.report.html.wording import interval
from assay.report.lexical_diagnosis_words import HINTS, MISSED, legend, paragraph, places, reading
from assay.report.names import visible

Inputs = Sequence[tuple[str, str]]


def render(
    found: LexicalDiagnosis, *, command: Sequence[str] = (), inputs: Inputs = (), seed: int | None = None
) -> str:  # fmt: skip
    """Return one HTML page about why a run misses what it misses; it needs no network.

    Parameters
    ----------
    found
        The diagnosis; what was not asked for leaves its part out.
    command, inputs, seed
        How it was made, from which files by what they are: ("documents", "corpus.jsonl"), and where chance starts.

    Raises
    ------
    MissingExtraError
        Altair, Jinja or vl-convert is not installed: `pip install 'assay[report]'`.
    """
    return written(lay_out(found, command, inputs, seed))


def lay_out(
    found: LexicalDiagnosis, command: Sequence[str] = (), inputs: Inputs = (), seed: int | None = None
) -> Page:  # fmt: skip
    """Return the page as plain data."""
    notices = (Listing(tuple(map(visible, found.notices)), "notice"),) if found.notices else ()
    reproduce = (provenance.how(command, seed), *((provenance.files(inputs),) if inputs else ()))
    sections = (
        Section("result", "Result", tuple(_result(found))),
        Section("why", "Why", tuple(_why(found))),
        Section("help", "What helps", tuple(_help(found))),
        Section("words", "Words in common", tuple(_words(found))),
        Section("relations", "What goes with the score", tuple(lexical_relations.blocks(found))),
        Section("worst", "Worst queries", tuple(lexical_queries.worst(found))),
        Section("queries", "All queries", tuple(lexical_queries.every(found))),
        Section("notices", "Notices", notices),
        Section("reproduce", "Reproduce", reproduce),
    )
    title = f"Why {visible(found.run.name)} misses what it misses"
    return Page(title, _subtitle(found), (), tuple(section for section in sections if section.blocks), __version__)


def _subtitle(found: LexicalDiagnosis) -> str:
    return (
        f"{counted(found.queries, 'query', 'queries')} with {counted(found.relevant, 'relevant document')}, of "
        f"{found.documents:,} documents in all; missed: not in {places(found.cutoff)}"
    )


def _result(found: LexicalDiagnosis) -> Iterator[Block]:
    yield Text(visible(paragraph(found)), "lead")
    yield Verdicts(tuple(_cards(found)))
    if found.findings:
        yield Text("What stands out", "heading")
        yield Listing(tuple(map(visible, lexical_diagnosis.findings(found))), "warning")


def _cards(found: LexicalDiagnosis) -> Iterator[Verdict]:
    yield _figures(found)
    first, missed = found.overlaps[0], found.relevant - found.found
    if first.ceiling is not None:
        facts = tuple((f"read {one.name}", percent(one.ceiling)) for one in found.overlaps)
        said = f"No search for the words of the queries has a recall above {percent(first.ceiling)}."
        yield Verdict("even", "", said, facts)
    some = sorted((one for one in found.blames if one.documents), key=lambda one: -one.documents)
    if some:
        facts = tuple((one.name, f"{one.documents:,}") for one in some)
        share = percent(some[0].share)
        yield Verdict("bad", "missed", f"{share} of the {missed:,} missed documents {MISSED[some[0].name]}.", facts)
    measured = [one for one in found.remedies if one.costs is not None]
    if measured:
        best, *others = measured
        facts = tuple((HINTS[one.name], f"brings {one.documents:,}, costs {one.costs:,}") for one in others)
        said = f"{HINTS[best.name]} brings {best.documents:,} of them and costs {best.costs:,} found ones."
        yield Verdict("even", "", f"{said[:1].upper()}{said[1:]}", facts)
    if found.analysis.mismatch and found.analysis.best is not None:
        name = found.analysis.best.name
        yield Verdict("bad", "another analyser", f"The run reads texts otherwise than described: {visible(name)!r}.")


def _figures(found: LexicalDiagnosis) -> Verdict:
    first = found.run.figures[0]
    facts = [("interval", interval(first.interval))] if interval(first.interval) else []
    facts += [(visible(one.name), number(one.mean)) for one in found.run.figures[1:]]
    for label, system in (("a search by words", found.words), ("the dense run", found.dense)):
        if system is not None:
            facts.append((f"{visible(first.name)} of {label}", number(system.figures[0].mean)))
    return Verdict("even", "", f"{visible(first.name)} {number(first.mean)}.", tuple(facts))


def _why(found: LexicalDiagnosis) -> Iterator[Block]:
    rows = tuple(
        (one.name, one.share, one.dense / one.of if one.dense else None, one.documents, one.queries, one.meaning)
        for one in found.blames
    )  # fmt: skip
    dense = " The tick: so many of these the dense run has there." if found.dense else ""
    if found.relevant > found.found:
        yield Chart(
            "blames", f"Why {found.relevant - found.found:,} relevant documents are missed",
            f"Missed documents by their cause, as a share of all that are missed.{dense}",
            "Each has one cause, the first that holds from top to bottom. What stands high up no better order of the "
            "same search can mend; what stands at the bottom is within reach, but others were put before it.",
            charts.bars("cause", "documents", "queries", "meaning", tick="dense finds"),
            ("cause", "share", "dense finds", "documents", "queries", "meaning"), rows, paint="accent",
            table=gridded("The causes as numbers", lexical_diagnosis.blames_table(found)),
        )  # fmt: skip
    yield Listing(tuple(map(visible, legend(found)))[2:5])


def _help(found: LexicalDiagnosis) -> Iterator[Block]:
    missed = found.relevant - found.found
    if not found.remedies or not missed:
        return
    rows = tuple(
        (one.name if one.measured else f"{one.name}, at most", one.documents / missed,
         None if one.costs is None else one.costs / missed, one.documents, one.meaning)
        for one in found.remedies
    )  # fmt: skip
    yield Chart(
        "remedies", "What could bring them, and what it would cost",
        f"How many of the {missed:,} missed documents each remedy brings. The tick: how many found ones it loses, on "
        "the same scale.",
        "A bar that ends before its tick loses more than it brings. Without a tick nothing was searched: the bar is "
        "then the most that it could bring.",
        charts.bars("remedy", "documents", "meaning", tick="costs"),
        ("remedy", "share", "costs", "documents", "meaning"), rows,
        paint="accent", table=gridded("The remedies as numbers", lexical_diagnosis.remedies_table(found)),
    )  # fmt: skip
    yield Listing(tuple(map(visible, legend(found)))[5:7])


def _words(found: LexicalDiagnosis) -> Iterator[Block]:
    yield gridded("What queries share with their relevant documents, by how texts are read",
                  lexical_diagnosis.overlaps_table(found))  # fmt: skip
    yield Listing(tuple(map(visible, [*legend(found)][:2])))
    yield Listing(tuple(f"{visible(one.name)}: {visible(one.meaning)}." for one in found.overlaps))
    yield Text("How the run seems to read texts", "heading")
    yield Listing(tuple(map(visible, reading(found))))
    if found.analysis.readings:
        yield lexical_relations.readings(found)
