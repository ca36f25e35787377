"""`assay gold recall GOLD`: how much of what is relevant the judgments have found, and whether to stop."""

from typing import TYPE_CHECKING, Annotated

import typer

from assay.cli.options import Format, GoldFormat, GoldPath, Out, Rel, Seed, one_of
from assay.cli.output import chosen, colour, deliver, notice, width
from assay.cli.terms import number, whole
from assay.cli.verbs import SETTINGS
from assay.errors import ParameterError
from assay.report.amounts import counted

if TYPE_CHECKING:
    from assay.core.gold_recall import GoldRecall

FORMS = ("table", "json", "csv", "tsv", "parquet")


def recall(
    gold: GoldPath,
    *,
    sample: Annotated[
        str | None, typer.Option("--sample", metavar="FILE", help="Judgments of a random sample of what has none.")
    ] = None,
    left: Annotated[
        str | None,
        typer.Option("--left", metavar="N", help="How many pairs it was drawn from [its column probability says]."),
    ] = None,
    control: Annotated[
        str | None, typer.Option("--control", metavar="FILE", help="Judgments of a random sample of everything.")
    ] = None,
    search: Annotated[
        list[str] | None, typer.Option("--search", metavar="RUN", help="Two searches that know nothing of each other.")
    ] = None,
    depth: Annotated[str, typer.Option("--depth", metavar="N", help="How deep searches are looked at.")] = "1000",
    in_order: Annotated[
        bool, typer.Option("--in-order", help="The rows of GOLD stand in the order of judging: also knee and budget.")
    ] = False,
    collection: Annotated[
        str | None, typer.Option("--collection", metavar="N", help="Items that a query has to choose from, for budget.")
    ] = None,
    target: Annotated[str, typer.Option("--target", metavar="SHARE", help="The recall that is wanted.")] = "0.95",
    level: Annotated[str, typer.Option("--level", metavar="LEVEL", help="How sure it is to be.")] = "0.95",
    draw: Annotated[
        str | None, typer.Option("--draw", metavar="N", help="Draw N items of each query to judge, and nothing else.")
    ] = None,
    documents: Annotated[
        str | None, typer.Option("--documents", metavar="FILE", help="All items, to draw from: CSV or JSON Lines.")
    ] = None,
    rel: Rel = None,
    seed: Seed = "0",
    format: Format = None,  # noqa: A002 - the name of the option
    gold_format: GoldFormat = None,
    output: Annotated[str | None, one_of(FORMS)] = None,
    out: Out = None,
) -> None:
    """Estimate how many relevant items were missed: by a sample of what was not judged, or by two searches.

    Example: assay gold recall gold.qrels --draw 20 --documents docs.jsonl --out sample.csv

    Example: assay gold recall gold.qrels --sample judged-sample.csv
    """
    from assay.formats import read_gold, read_run

    if [gold, sample, control, documents, *(search or ())].count("-") > 1:
        raise ParameterError("standard input (-): expected once, found more often")
    truth = read_gold(gold, gold_format)
    if draw is not None:
        _draw(truth, whole("--draw", draw, lowest=1), documents, whole("--seed", seed), output, out)
        return
    form = chosen(output, out, FORMS)
    from assay.judging.recall import recall as estimate

    found = estimate(
        truth, sample=None if sample is None else read_gold(sample, gold_format), left=_count("--left", left),
        control=None if control is None else read_gold(control, gold_format),
        searches=[read_run(path, format) for path in search] if search else None,
        depth=whole("--depth", depth, lowest=1), in_order=in_order, collection=_count("--collection", collection),
        target=number("--target", target) or 0.0, level=number("--level", level) or 0.0,
        rel=1.0 if rel is None else number("--rel", rel) or 0.0,
    )  # fmt: skip
    deliver(_drawn(found, form, out), out)


def _count(option: str, text: str | None) -> int | None:
    return None if text is None else whole(option, text, lowest=1)


def _draw(  # noqa: PLR0917 - what is drawn, from what, where to
    truth: object, size: int, documents: str | None, seed: int, output: str | None, out: str | None
) -> None:
    """Write a sample of what has no judgment."""
    if documents is None:
        raise ParameterError("--draw: expected the items to draw from, found none", hint="--documents FILE")
    form = chosen(output or (None if out else "csv"), out, FORMS[2:] if out is None else FORMS)
    from assay.judging.recall import draw_unjudged
    from assay.report.documents import to_table

    rows = draw_unjudged(truth, _ids(documents), size, seed)
    deliver(to_table(rows, form if form in FORMS[2:] else "csv"), out)
    if out is not None:
        notice(f"{out}: {counted(rows.height, 'pair')} to judge; then: assay gold recall GOLD --sample JUDGED")


def _ids(path: str) -> list[str]:
    """Read the ids of all items."""
    from assay.formats.source import Source
    from assay.judging.pool_file import named_rows

    return [key for key, _ in named_rows(Source.open(path))]


def _drawn(found: "GoldRecall", form: str, out: str | None) -> str | bytes:
    from assay.report import documents, gold_recall

    if form == "json":
        return documents.strict_json(found.to_dict(command=SETTINGS.argv))
    if form == "table":
        return gold_recall.render(found, width=80 if out else width(), colour=colour(out))
    return documents.to_table(gold_recall.to_frame(found), form)
