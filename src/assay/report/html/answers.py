"""The page of answers to a suite: counts, what is right under every convention, the health of the gold, questions."""

from collections.abc import Iterator, Sequence

from assay._version import __version__
from assay.core.answers_evaluation import COUNTS, AnswersEvaluation, Count, Estimate, QuestionOutcome, SystemAnswers
from assay.core.suite_health import CODES, NOTED, SuiteHealth
from assay.report import answers as terminal
from assay.report.amounts import counted, percent
from assay.report.grid import number
from assay.report.html import charts, provenance
from assay.report.html.document import written
from assay.report.html.neighbours_parts import gridded
from assay.report.html.views import Block, Cell, Chart, Column, Listing, Page, Section, Table, Text, Verdict, Verdicts
from assay.report.html.wording import interval
from assay.report.names import visible

WIDE = 10_000
MOST = 200
"""Questions and findings of a table."""
SHOWN = ("executed", "answerable", "fully answered", "exactly", "empty", "error", "timeout", "absent")
TOLD = {"answered": "", "error": "bad", "timeout": "bad", "absent": "bad"}
Inputs = Sequence[tuple[str, str]]


def render(
    found: AnswersEvaluation, health: SuiteHealth | None = None, *, command: Sequence[str] = (), inputs: Inputs = ()
) -> str:
    """Return one HTML page about the answers of systems to a suite; it needs no network.

    Parameters
    ----------
    found, health
        The answers judged, and, where it was checked, which right answers may be trusted.
    command, inputs
        How they were judged, and from which files by what they are: ("suite", "questions.yml").

    Raises
    ------
    MissingExtraError
        Altair, Jinja or vl-convert is not installed: `pip install 'assay[report]'`.
    """
    return written(lay_out(found, health, command, inputs))


def lay_out(
    found: AnswersEvaluation, health: SuiteHealth | None = None, command: Sequence[str] = (), inputs: Inputs = ()
) -> Page:
    """Return the page as plain data."""
    reproduce = (provenance.how(command, found.seed), *((provenance.files(inputs),) if inputs else ()))
    sections = (
        Section("result", "Result", (Verdicts(tuple(cards(found))),)),
        *sections_of(found, health),
        Section("notices", "Notices", notices(found.notices)),
        Section("reproduce", "Reproduce", reproduce),
    )
    names = ", ".join(visible(one.name) for one in found.systems[:3])
    about = f"{counted(found.judged, 'question')} of {visible(found.suite)}, convention {found.convention}"
    return Page(names, about, (), tuple(one for one in sections if one.blocks), __version__)


def cards(found: AnswersEvaluation) -> Iterator[Verdict]:
    """Yield, for each system, how many questions it answers, and how rightly."""
    for one in found.systems:
        fully, first = one.count("fully answered"), one.figures[0]
        facts = [(f"answerable, of {found.judged:,}", _share(one.count("answerable")))]
        facts += [(name, _estimate(getattr(first, part))) for name, part in terminal.PARTS.items()]
        failed = sum(one.count(name).count for name in ("error", "timeout", "absent"))
        facts += [("errors, time-outs, no answer", f"{failed:,}")] if failed else []
        name = f"{visible(one.name)}: " if len(found.systems) > 1 else ""
        sentence = f"{name}{fully.count:,} of {counted(fully.of, 'question')} fully answered ({percent(fully.share)})."
        yield Verdict("even", "", sentence, tuple(facts))


def sections_of(found: AnswersEvaluation, health: SuiteHealth | None = None) -> tuple[Section, ...]:
    """Return the parts of a page that are about answers."""
    return (
        Section("answers", "Answers", tuple(_answers(found))),
        Section("conventions", "Conventions", tuple(_conventions(found))),
        Section("gold", "Gold", tuple(_health(health)) if health else tuple(_left_out(found))),
        Section("questions", "Questions", tuple(_questions(found))),
    )


def notices(said: Sequence[str]) -> tuple[Block, ...]:
    """Return what should be known, as a block; none where there is nothing."""
    return (Listing(tuple(map(visible, dict.fromkeys(said))), "notice"),) if said else ()


def _answers(found: AnswersEvaluation) -> Iterator[Block]:
    yield Text(" ".join(map(visible, terminal.heading(found))))
    one = found.systems[0]
    kept = [name for name in SHOWN if one.count(name).count or name not in terminal.RARE]
    rows = tuple((name, (count := one.count(name)).share, count.count) for name in kept if one.count(name).of)
    several = f" of {visible(one.name)}" if len(found.systems) > 1 else ""
    yield Chart(
        "outcomes", f"What became of the questions{several}", "The share of the questions of which each is true.",
        "Answerable: something right was found. Fully answered: all of it. Exactly: nothing else as well.",
        charts.bars("outcome", "questions"), ("outcome", "share", "questions"), rows, paint="accent",
        table=_counts(found),
    )  # fmt: skip
    yield from (gridded(_title(title), table) for title, table in terminal.rankings(found, WIDE))


def _counts(found: AnswersEvaluation) -> Table:
    columns = (Column("questions", words=True), *(Column(visible(one.name)) for one in found.systems))
    rows = tuple(
        (Cell(name, said), *(_counted(one.count(name)) for one in found.systems))
        for name, said in COUNTS.items()
    )  # fmt: skip
    return Table(
        "How many questions, with 95 % intervals of the shares" if found.level else "How many questions", columns, rows
    )


def _counted(one: Count) -> Cell:
    demand = f", by demand {number(one.demand)}" if one.demand is not None else ""
    span = interval(one.interval)
    return Cell(f"{one.count:,} of {one.of:,}", f"{percent(one.share)} {span}{demand}".strip())


def _conventions(found: AnswersEvaluation) -> Iterator[Block]:
    for one in found.systems:
        columns = (
            Column("convention", words=True), Column("questions"), *(Column(name) for name in terminal.PARTS),
            Column("what it counts", words=True),
        )  # fmt: skip
        rows = tuple(
            (
                Cell(figure.convention, "chosen" if not place else ""), Cell(f"{figure.questions:,}"),
                *(_cell(getattr(figure, part)) for part in terminal.PARTS.values()),
                Cell(found.says[figure.convention]),
            )
            for place, figure in enumerate(one.figures)
        )  # fmt: skip
        yield Table(f"How much is right, {visible(one.name)}", columns, rows)
    yield from (gridded(_title(title), table) for title, table in terminal.groups(found, WIDE))
    yield Text("One and the same answers: a figure says something only with its convention.", "legend")


def _cell(one: Estimate) -> Cell:
    return Cell(number(one.value), interval(one.interval))


def _health(found: SuiteHealth) -> Iterator[Block]:
    out = len(found.questions) - found.healthy
    yield Text(
        f"{found.healthy:,} of {counted(len(found.questions), 'question')} have right answers that may be trusted; "
        f"{out:,} {'leaves' if out == 1 else 'leave'} the means."
    )
    rows = tuple(
        (Cell(code, CODES[code]), Cell(f"{many:,}" if of else "not evaluated", tone="bad" if many else ""),
         Cell(f"{of:,}"), Cell("stay" if code in NOTED else "leave"))
        for code, (many, of) in found.count().items()
    )  # fmt: skip
    columns = (Column("finding", words=True), Column("questions"), Column("looked at"), Column("in the means"))
    yield Table("What may be the matter with a right answer", columns, rows)
    each = [(one, finding) for one in found.questions for finding in one.findings]
    if each:
        listed = tuple(
            (Cell(visible(one.name), visible(one.text)), Cell(finding.code), Cell(visible(finding.detail)))
            for one, finding in each[:MOST]
        )
        heads = tuple(Column(head, words=True) for head in ("question", "finding", "what was seen"))
        yield Table(f"Each finding{_of(len(each))}", heads, listed, sortable=True, folded=len(each) > 15)
    yield from notices(found.notices)


def _left_out(found: AnswersEvaluation) -> Iterator[Block]:
    if found.left_out:
        rows = tuple((Cell(visible(name)), Cell(visible(why))) for name, why in list(found.left_out.items())[:MOST])
        heads = (Column("question", words=True), Column("why it is left out", words=True))
        yield Table(f"Questions that leave every figure{_of(len(found.left_out))}", heads, rows)


def _questions(found: AnswersEvaluation) -> Iterator[Block]:
    for one in found.systems:
        rows = sorted(
            one.questions, key=lambda row: (row.f1 if row.f1 is not None else 2, -row.weight, row.name.encode())
        )
        columns = (
            Column("question", words=True), Column("F1", f"by {found.convention}"), Column("precision"),
            Column("recall"), Column("right"), Column("of"), Column("found"), Column("outcome", words=True),
        )  # fmt: skip
        cells = tuple(map(_question, rows[:MOST]))
        yield Table(f"Question by question, the worst first: {_named(one, rows)}", columns, cells, sortable=True)


def _named(one: SystemAnswers, rows: Sequence[QuestionOutcome]) -> str:
    return visible(one.name) + _of(len(rows))


def _question(one: QuestionOutcome) -> tuple[Cell, ...]:
    text = "" if one.text == one.name else visible(one.text)
    said = visible(one.message)[:200] if one.outcome != "answered" else "empty" if one.empty else ""
    return (
        Cell(visible(one.name), text), Cell(number(one.f1), best=True), Cell(number(one.precision)),
        Cell(number(one.recall)), Cell(f"{one.hits:,.4g}"), Cell(f"{one.gold:,}"), Cell(f"{one.found:,}"),
        Cell(one.outcome, said, tone=TOLD[one.outcome]),
    )  # fmt: skip


def _of(many: int) -> str:
    return f", the first {MOST} of {many:,}" if many > MOST else ""


def _title(title: str) -> str:
    return title.capitalize()


def _share(one: Count) -> str:
    return f"{percent(one.share)} {interval(one.interval)}".rstrip()


def _estimate(one: Estimate) -> str:
    return f"{number(one.value)} {interval(one.interval)}".rstrip()
