"""`assay gold derive SOURCE...`: grades from a source that knows, with coverage and what each grade rests on."""

from typing import TYPE_CHECKING, Annotated, Any

import typer

from assay.cli.options import Out, one_of
from assay.cli.output import chosen, colour, deliver, notice, width
from assay.cli.progress import working
from assay.cli.verbs import SETTINGS
from assay.errors import ParameterError
from assay.report.amounts import counted

if TYPE_CHECKING:
    from assay.core.derived import Derived

FORMS = ("table", "json", "csv", "tsv", "parquet", "markdown")


def derive(
    sources: Annotated[
        list[str],
        typer.Argument(metavar="SOURCE...", help="RDF, tables of facts or links, or addresses of SPARQL endpoints."),
    ],
    *,
    pool: Annotated[
        str | None,
        typer.Option(
            "--pool", metavar="FILE", help="The pairs to grade, such as a sample of graph sample [all stated]."
        ),
    ] = None,
    same_as: Annotated[
        bool, typer.Option("--same-as", help="Sources link what is the same: query and item are one thing or not.")
    ] = False,
    link: Annotated[
        str | None, typer.Option("--link", metavar="IRI", help="The property of links in RDF [owl:sameAs].")
    ] = None,
    sparql: Annotated[
        str | None, typer.Option("--sparql", metavar="FILE", help="A query for ?query, ?item and perhaps ?grade.")
    ] = None,
    complete: Annotated[
        bool, typer.Option("--complete", help="Where a source says anything it says all: what it lacks is wrong.")
    ] = False,
    output: Annotated[str | None, one_of(FORMS)] = None,
    out: Out = None,
) -> None:
    """Make a gold standard from a source that knows, with nobody judging: facts, links of what is the same, or rows.

    csv, tsv and parquet hold each pair that is covered, with the rule, the source and the evidence.

    Example: assay gold derive reference.ttl --pool sample.csv --complete --out gold.csv

    Example: assay gold derive links.nt --same-as --pool pairs.csv
    """
    form = chosen(output, out, FORMS)
    if same_as and sparql is not None:
        raise ParameterError("basis: expected --same-as or --sparql, found both")
    if [*sources, pool, sparql].count("-") > 1:
        raise ParameterError("standard input (-): expected once, found several times")
    from assay.formats.source import Source
    from assay.judging.derive import derive as settle
    from assay.judging.links import SAME_AS

    basis: Any = "links" if same_as else "facts" if sparql is None else "rows"
    asked = None if sparql is None else Source.open(sparql).text()
    with working("derive"):
        found = settle(
            [_opened(one) for one in sources],
            basis=basis,
            pool=pool,
            query=asked,
            link=link or SAME_AS,
            complete=complete,
        )
    inputs = [("source", one) for one in sources]
    inputs += [(role, path) for role, path in (("pool", pool), ("sparql", sparql)) if path is not None]
    deliver(_drawn(found, form, out, inputs), out)
    if form in {"csv", "tsv", "parquet"}:
        _tell(found)


def _opened(source: str) -> Any:
    """Return the endpoint at an address, and a path as it is."""
    if not source.startswith(("http://", "https://")):
        return source
    from assay.graph.sparql.endpoint import Endpoint

    return Endpoint(source)


def _tell(found: "Derived") -> None:
    without = found.table.height - found.covered.height
    if without:
        notice(f"Note: {counted(without, 'pair')} without a grade are left out; -o json holds them.")
    for line in found.notices:
        notice(f"Note: {line}")


def _drawn(found: "Derived", form: str, out: str | None, inputs: list[tuple[str, str]]) -> str | bytes:
    from assay.report import derived, documents

    if form == "json":
        from assay.verify.commands import digested

        return documents.strict_json(found.to_dict(command=SETTINGS.argv, inputs=digested(inputs)))
    if form == "table":
        return derived.render(found, width=80 if out else width(), colour=colour(out))
    if form == "markdown":
        return derived.to_markdown(found)
    return documents.to_table(derived.to_frame(found), form)
