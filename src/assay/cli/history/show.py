"""`assay history show --store URL`: the suites of a store, or the figures of one over time."""

from typing import TYPE_CHECKING, Annotated, Any

import typer

from assay.cli.history.options import Measure, Store, moment
from assay.cli.options import Out, one_of
from assay.cli.output import chosen, deliver, notice, width
from assay.cli.terms import whole
from assay.cli.verbs import SETTINGS
from assay.errors import ParameterError, UnknownNameError

if TYPE_CHECKING:
    from assay.core.history import Recorded
    from assay.store.evaluations import HistoryStore

FORMS = ("table", "json", "csv", "tsv", "parquet")


def show(
    *,
    store: Store,
    suite: Annotated[
        str | None, typer.Option("--suite", metavar="NAME", help="The evaluations of one suite, by time.")
    ] = None,
    measure: Measure = None,
    slice: Annotated[  # noqa: A002 - the name of the option
        str, typer.Option("--slice", metavar="COLUMN=VALUE", help="The figures of one slice [all queries].")
    ] = "",
    last: Annotated[
        str | None, typer.Option("--last", metavar="N", help="How many of the newest to look at [30; to export: all].")
    ] = None,
    since: Annotated[str | None, typer.Option("--since", metavar="TIME", help="Those of a suite since then.")] = None,
    tag: Annotated[
        str | None, typer.Option("--tag", metavar="NAME=VALUE", help="Those of a suite with this tag.")
    ] = None,
    export: Annotated[
        str | None,
        typer.Option("--export", metavar="FOLDER", help="Write figures and the values of queries there, as Parquet."),
    ] = None,
    output: Annotated[str | None, one_of(FORMS)] = None,
    out: Out = None,
) -> None:
    """List the suites of a store, each with its newest figure and the way there; or the evaluations of one.

    Example: assay history show --store history.db --suite web --measure nDCG@10 --last 14
    """
    form = chosen(output, out, FORMS)
    newest = 30 if last is None else whole("--last", last, lowest=1)
    start = moment("--since", since)
    if export is not None:
        _require_alone({"--measure": measure, "--slice": slice, "-o": output, "--out": out})
    elif suite is None and (start or tag):
        raise ParameterError(f"{'--since' if start else '--tag'}: expected --suite beside it, found none")
    from assay.store.evaluations import HistoryStore

    with HistoryStore.open(store, write=False) as opened:
        if export is not None:
            limit = None if last is None else newest
            _export(opened, export, {"suite": suite, "since": start, "tag": tag, "limit": limit})
        elif suite is None:
            deliver(_suites(opened, measure, slice, newest, form), out)
        else:
            found = opened.list(suite, since=start, tag=tag, limit=newest)
            deliver(_suite(found, suite, opened.baseline(suite), measure, part=slice, form=form), out)


def _require_alone(given: dict[str, str | None]) -> None:
    """Refuse what says nothing of an export, which has all measures and slices."""
    if named := [name for name, value in given.items() if value]:
        raise ParameterError(f"{named[0]}: expected no --export beside it, found one")


def _export(store: "HistoryStore", folder: str, asked: dict[str, Any]) -> None:
    from assay.history.export import export

    for path, rows in export(store, folder, **asked).items():
        notice(f"{path}: {rows:,} rows")


def _suites(store: "HistoryStore", measure: str | None, slice: str, last: int, form: str) -> str | bytes:  # noqa: A002
    from assay.report import documents, history_suites

    suites, recent = store.suites(), store.recent(last, slice=slice)
    rows = history_suites.overview(suites, recent, measure, slice)
    if form == "json":
        return documents.strict_json(history_suites.to_dict(suites, rows, command=SETTINGS.argv))
    if form == "table":
        return history_suites.render(suites, rows, width=width())
    return documents.to_table(history_suites.to_frame(rows), form)


def _suite(
    found: "tuple[Recorded, ...]", suite: str, baseline: "Recorded | None", measure: str | None, *, part: str, form: str
) -> str | bytes:
    from assay.report import documents, history

    _require(found, measure, part)
    if form == "json":
        return documents.strict_json(history.to_dict(suite, found, measure, command=SETTINGS.argv))
    if form == "table":
        return history.render(suite, found, measure, part, baseline=baseline, width=width())
    return documents.to_table(history.to_frame(found, measure), form)


def _require(found: "tuple[Recorded, ...]", measure: str | None, part: str) -> None:
    """Refuse a measure or a slice that none of them has."""
    for kind, wanted, known in (
        ("measure", measure, {one.measure for each in found for one in each.figures}),
        ("slice", part or None, {one.slice for each in found for one in each.figures if one.slice}),
    ):
        if wanted is not None and wanted not in known and found:
            raise (
                UnknownNameError.of(kind, wanted, sorted(known))
                if known
                else ParameterError(f"--{kind}: expected one that was recorded, found {wanted!r} and no {kind} at all")
            )
