"""The health of a suite for the terminal, for tables and for Markdown: what was looked at, and which questions fail."""

import re
from collections.abc import Collection, Iterable, Iterator

import polars as pl

from assay.core.suite_health import CODES, NOTED, GoldFinding, QuestionHealth, SuiteHealth
from assay.report import iris
from assay.report.amounts import counted
from assay.report.documents import markdown
from assay.report.drawing import Table, listed, wrapped
from assay.report.names import shorten, visible

QUESTIONS = 20
"""The most questions that are listed for each finding."""
EXAMPLES = 2
LONGEST = 60
IRI = re.compile(r"<([^<>\s]+)>")
DATATYPE = re.compile(r"\^\^<[^<>\s]+>")
NOT_EVALUATED = "not evaluated"


def render(found: SuiteHealth, *, width: int = 80, colour: bool = False) -> str:
    """Return the health as text, no line wider than `width` where it can be broken."""
    parts = [wrapped(_title(found), width), _counts(found).draw(colour=colour)]
    parts += list(_sections(found, width))
    parts.append("HOW TO READ THIS\n" + listed(_reading(found), width))
    return "\n\n".join(parts) + "\n"


def to_frame(found: SuiteHealth) -> pl.DataFrame:
    """Return a row for each question and finding, and one for each question without."""
    schema = {
        "question": pl.String, "text": pl.String, "rows": pl.Int64, "healthy": pl.Boolean, "finding": pl.String,
        "detail": pl.String, "examples": pl.String,
    }  # fmt: skip
    rows = [
        (
            one.name, one.text, one.rows, one.healthy, finding and finding.code, finding and finding.detail,
            finding and "\n".join(finding.examples),
        )
        for one in found.questions
        for finding in (one.findings or (None,))
    ]  # fmt: skip
    return pl.DataFrame(rows, schema=schema, orient="row")


def to_markdown(found: SuiteHealth) -> str:
    """Return what was looked at, and each finding, as tables in Markdown."""
    table = _counts(found)
    lines = [markdown(_title(found)), "", *_markdown(table.heads, table.rows, right={1, 2})]
    rows = [(one.name, finding.code, finding.detail) for _, those in _by_code(found) for one, finding in those]
    if rows:
        lines += ["", *_markdown(("question", "finding", "what was seen"), rows)]
    lines += ["", *(f"- {markdown(visible(one))}" for one in _reading(found))]
    return "\n".join(lines) + "\n"


def _title(found: SuiteHealth) -> str:
    asked = "no graph asked" if found.graph is None else f"on {visible(found.graph)}"
    second = "" if found.second is None else f", second engine {visible(found.second)}"
    out = len(found.questions) - found.healthy
    return (
        f"GOLD of {visible(found.suite)}, {asked}{second}: {found.healthy:,} of "
        f"{counted(len(found.questions), 'question')} may "
        f"be trusted, {out:,} leave{'s' if out == 1 else ''} the mean."
    )


def _counts(found: SuiteHealth) -> Table:
    rows = tuple(
        (
            code, f"{many:,}" if of else NOT_EVALUATED, f"{of:,}" if of else "",
            "stays" if code in NOTED else "leaves",
        )
        for code, (many, of) in found.count().items()
    )  # fmt: skip
    return Table(("finding", "questions", "of", "mean"), rows, frozenset({"mean"}))


def _by_code(found: SuiteHealth) -> Iterator[tuple[str, list[tuple[QuestionHealth, GoldFinding]]]]:
    for code in CODES:
        those = [(one, finding) for one in found.of(code) for finding in one.findings if finding.code == code]
        if those:
            yield code, those


def _sections(found: SuiteHealth, width: int) -> Iterator[str]:
    shown = {code: those[:QUESTIONS] for code, those in _by_code(found)}
    examples = (one for those in shown.values() for _, finding in those for one in finding.examples[:EXAMPLES])
    names = iris.shorten(iri for example in examples for iri in IRI.findall(example))
    for code, those in shown.items():
        lines = [_line(one, finding, names) for one, finding in those]
        if (more := len(found.of(code)) - len(those)) > 0:
            lines.append(f"and {more:,} more: -o csv or json has all.")
        yield f"{wrapped(f'{code.upper()}: {CODES[code]}', width)}\n{listed(lines, width)}"


def _line(one: QuestionHealth, finding: GoldFinding, names: dict[str, str]) -> str:
    text = f" {shorten(visible(one.text), LONGEST)}" if one.text else ""
    brief = (IRI.sub(lambda iri: names[iri[1]], DATATYPE.sub("", example)) for example in finding.examples[:EXAMPLES])
    shown = "; ".join(shorten(visible(example), LONGEST) for example in brief)
    return f"{one.name}{text}: {finding.detail}{f'; e.g. {shown}' if shown else ''}"


def _reading(found: SuiteHealth) -> Iterator[str]:
    yield "of: questions of which this could be looked at. leaves: such a question is left out of means, and counted."
    if found.of("tie-cut"):
        yield (
            "tie-cut: the order of the query does not say which of some rows come first, and the limit takes only a "
            "part of them. Each choice is right; which one an engine makes says nothing about an answer."
        )
    yield from found.notices


def _markdown(heads: tuple[str, ...], rows: Iterable[tuple[str, ...]], right: Collection[int] = ()) -> Iterator[str]:
    yield "| " + " | ".join(heads) + " |"
    yield "|" + "|".join("---:" if place in right else "---" for place in range(len(heads))) + "|"
    for row in rows:
        yield "| " + " | ".join(markdown(visible(cell)) for cell in row) + " |"
