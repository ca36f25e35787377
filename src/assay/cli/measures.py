"""`assay measures [NAME]`: what can be measured, and what exactly it means."""

from typing import TYPE_CHECKING, Annotated

import typer

from assay._version import __version__
from assay.cli.completion import measures as named
from assay.cli.options import Out, TableOrJson
from assay.cli.output import PROSE, chosen, deliver, width
from assay.errors import UnknownNameError

if TYPE_CHECKING:
    from assay.measures import Measure

FORMS = ("table", "json")


def measures(
    name: Annotated[
        str | None,
        typer.Argument(
            metavar="NAME",
            help="A measure as it is typed: nDCG, nDCG@10, MAP, ndcg_cut_10.",
            autocompletion=lambda: list(named().items()),
        ),
    ] = None,
    *,
    output: TableOrJson = None,
    out: Out = None,
) -> None:
    """List all measures, or define one."""
    form = chosen(output, out, FORMS)
    from assay.measures import MEASURES
    from assay.report import measure_page
    from assay.report.documents import strict_json

    wanted = dict.fromkeys(MEASURES.values(), "") if name is None else _named(name)
    if form == "json":
        text = strict_json({"assay": __version__, "measures": [measure_page.facts(measure) for measure in wanted]})
    elif name is None:
        text = measure_page.listing(width(PROSE))
    else:
        text = "\n".join(measure_page.page(measure, width(PROSE), asked) for measure, asked in wanted.items())
    deliver(text, out)


def _named(name: str) -> "dict[type[Measure], str]":
    """Return the measures that a name, an alias or a whole expression means, and what each one means."""
    from assay.measures import MEASURES, parse_many

    try:
        return {MEASURES[name]: ""}
    except UnknownNameError:
        meant: dict[type[Measure], str] = {}
        for one in parse_many(name):
            same = one.text == str(one.measure)
            meant.setdefault(type(one.measure), str(one.measure) if same else f"{one.text} is {one.measure}")
        return meant
