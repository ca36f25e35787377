"""What a page is made of, before anything draws it: sections of blocks, each block plain data."""

from dataclasses import dataclass, field
from typing import Any, ClassVar

Rows = tuple[tuple[Any, ...], ...]


@dataclass(frozen=True, slots=True)
class Text:
    """A paragraph; `role` is lead, note, legend or heading."""

    kind: ClassVar[str] = "text"

    text: str
    role: str = ""


@dataclass(frozen=True, slots=True)
class Cell:
    """One cell of a table: its text, a smaller second line, a raised mark, and how it stands out.

    `tone` is good, bad, unsure, even or empty.
    """

    text: str
    below: str = ""
    mark: str = ""
    best: bool = False
    tone: str = ""


@dataclass(frozen=True, slots=True)
class Column:
    """The head of a column; `about` is its explanation, `words` says that it holds words, not numbers."""

    head: str
    about: str = ""
    words: bool = False


@dataclass(frozen=True, slots=True)
class Table:
    """A table; the first cell of each row heads it.

    `folded` puts it behind a line that opens it; `sortable` lets the reader sort it by any of its columns.
    """

    kind: ClassVar[str] = "table"

    caption: str
    columns: tuple[Column, ...]
    rows: tuple[tuple[Cell, ...], ...]
    folded: bool = False
    case: str = ""
    sortable: bool = False


@dataclass(frozen=True, slots=True)
class Cases:
    """Tables of which one is shown at a time: the one whose `case` the reader chose."""

    kind: ClassVar[str] = "cases"

    name: str
    label: str
    tables: tuple[Table, ...]


@dataclass(frozen=True, slots=True)
class Verdict:
    """One run held against another in words: `tone` is good, bad, unsure or even; `word` may be empty."""

    tone: str
    word: str
    sentence: str
    facts: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, slots=True)
class Verdicts:
    """Verdicts side by side."""

    kind: ClassVar[str] = "verdicts"

    verdicts: tuple[Verdict, ...]


@dataclass(frozen=True, slots=True)
class Listing:
    """Sentences of equal rank; `tone` is notice, warning or empty."""

    kind: ClassVar[str] = "listing"

    items: tuple[str, ...]
    tone: str = ""


@dataclass(frozen=True, slots=True)
class Facts:
    """Pairs of a name and what it is; `code` sets what it is in a fixed width, `card` frames them all."""

    kind: ClassVar[str] = "facts"

    caption: str
    pairs: tuple[tuple[str, str], ...]
    code: bool = False
    card: bool = False


@dataclass(frozen=True, slots=True)
class Choice:
    """A list to choose from: rows of a chart are kept whose `field` is what was chosen."""

    field: str
    label: str
    options: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Chart:
    """Data and a Vega-Lite specification, with what it shows and how to read it.

    `rows` follow `fields`; the script on the page keeps those that the `choices` ask for, makes one drawing for
    each value of the field `panels` (one in all where that is empty), and adds a colour by what `paint` names:
    the run, or nothing. `legend` says whether the reader may choose the runs in colour, `only` that the others
    are not drawn.
    """

    kind: ClassVar[str] = "chart"

    name: str
    title: str
    shows: str
    reading: str
    spec: dict[str, Any]
    fields: tuple[str, ...]
    rows: Rows
    choices: tuple[Choice, ...] = ()
    panels: str = ""
    paint: str = ""
    legend: bool = False
    only: bool = False
    table: Table | None = None

    @property
    def data(self) -> dict[str, Any]:
        """What the script needs of the chart."""
        return {
            "spec": self.spec, "fields": self.fields, "rows": self.rows, "choices": [one.field for one in self.choices],
            "panels": self.panels, "paint": self.paint, "legend": self.legend, "only": self.only,
        }  # fmt: skip


@dataclass(frozen=True, slots=True)
class Explorer:
    """Each query of one run, or of two held against each other, and how its value comes about.

    `data` is what the script draws from: queries, runs, measures, the values once, contrasts, explanations.
    `compared` says whether there is a run to hold against.
    """

    kind: ClassVar[str] = "explorer"

    runs: tuple[str, ...]
    measures: tuple[str, ...]
    compared: bool
    run: int
    baseline: int
    data: dict[str, Any]
    spec: dict[str, Any]
    slope: dict[str, Any]
    note: str = ""


Block = Text | Table | Cases | Verdicts | Listing | Facts | Chart | Explorer


@dataclass(frozen=True, slots=True)
class Section:
    """A part of the page with a heading and an anchor; without blocks it is left out."""

    name: str
    title: str
    blocks: tuple[Block, ...]


@dataclass(frozen=True, slots=True)
class Page:
    """The whole page. `runs` are the labels of the runs, in the order in which colours are given to them.

    `called` is what these are, where they are no runs.
    """

    title: str
    subtitle: str
    runs: tuple[str, ...]
    sections: tuple[Section, ...]
    version: str
    coloured: tuple[int, ...] = field(default=())
    called: str = "Runs"

    @property
    def charts(self) -> dict[str, dict[str, Any]]:
        """The data of each chart, by name."""
        return {
            block.name: block.data for section in self.sections for block in section.blocks if isinstance(block, Chart)
        }

    @property
    def explorer(self) -> Explorer | None:
        """The part about single queries, where there is one."""
        blocks = (block for section in self.sections for block in section.blocks)
        return next((block for block in blocks if isinstance(block, Explorer)), None)
