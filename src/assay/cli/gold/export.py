"""`assay gold export --store URL`: what was judged as a gold standard, with its versions."""

from typing import TYPE_CHECKING, Annotated

import typer

from assay.cli.output import chosen, colour, deliver, notice, width
from assay.cli.verbs import SETTINGS
from assay.report.amounts import counted

if TYPE_CHECKING:
    from assay.core.gold_versions import Exported
    from assay.store.judging import JudgingStore

FORMS = ("table", "json", "markdown", "csv", "tsv", "parquet")


def export(
    *,
    store: Annotated[
        str,
        typer.Option("--store", metavar="URL", help="Where judgments are: a file, sqlite:///FILE or postgresql://…"),
    ],
    out: Annotated[
        str | None,
        typer.Option("--out", metavar="PATH", help="The gold file: .csv, .tsv, .jsonl; any other ending is TREC."),
    ] = None,
    rule: Annotated[
        str,
        typer.Option("--rule", metavar="NAME", help="One grade of several: majority, median, lowest or highest."),
    ] = "majority",
    since: Annotated[
        str | None, typer.Option("--since", metavar="GOLD", help="The gold that the changes are counted from.")
    ] = None,
    labels: Annotated[
        str | None, typer.Option("--labels", metavar="PATH", help="A CSV to write of what each judge said.")
    ] = None,
    sample: Annotated[
        str | None, typer.Option("--sample", metavar="CSV", help="A file of assay graph sample, whose labels to fill.")
    ] = None,
    add: Annotated[
        list[str] | None,
        typer.Option("--add", metavar="LABELS", help="Judgments of a file to record in the store first."),
    ] = None,
    output: Annotated[
        str | None, typer.Option("-o", "--output", metavar="FORM", help="What is printed: table, json, csv (changes) …")
    ] = None,
) -> None:
    """Write what was judged as a gold standard, and say which version it is and what changed.

    Example: assay gold export --store judging.db --out gold.qrels --labels labels.csv
    """
    form = chosen(output, None, FORMS, *(place for place in (out, labels) if place))
    from assay.store.judging import JudgingStore

    opened = JudgingStore.open(store, make=False)
    try:
        for path in add or ():
            _add(opened, path)
        if labels:
            _write_labels(opened, labels)
        if sample:
            _fill(opened, sample)
        if out or not (labels or sample):
            from assay.store.export import export as written

            deliver(_drawn(written(opened, out, rule=rule, since=since), form))
    finally:
        opened.close()


def _add(store: "JudgingStore", path: str) -> None:
    from assay.formats.labels import read_labels

    done = store.take(read_labels(path))
    notice(
        f"{path}: {counted(done.recorded, 'judgment')} recorded, {done.known:,} known or older, "
        f"{done.elsewhere:,} of pairs that the project does not have."
    )


def _write_labels(store: "JudgingStore", path: str) -> None:
    from assay.store.export import labels_text

    found = store.labels()
    deliver(labels_text(found), path)
    notice(
        f"{path}: {counted(found.table.height, 'judgment')} of "
        f"{counted(len(found.judges), 'judge')}; see assay gold agree {path}"
    )


def _fill(store: "JudgingStore", path: str) -> None:
    from assay.graph.accuracy.label_file import read_labels
    from assay.store.sample_labels import filled

    deliver(filled(read_labels(path), store.labels()).text(), path)
    notice(f"{path}: filled; see assay graph estimate {path}")


def _drawn(found: "Exported", form: str) -> str | bytes:
    from assay.report import documents, gold_export

    if form == "json":
        return documents.strict_json(found.to_dict(command=SETTINGS.argv))
    if form == "table":
        return gold_export.render(found, width=width(), colour=colour())
    if form == "markdown":
        return gold_export.to_markdown(found)
    return documents.to_table(gold_export.to_frame(found), form)
