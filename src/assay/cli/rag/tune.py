"""`assay rag tune FILE...`: the same measures over K, a threshold of the score, or runs made under each setting."""

from typing import TYPE_CHECKING, Annotated

import typer

from assay.cli.options import Level, MeasuresOption, Out, Seed, one_of
from assay.cli.output import chosen, colour, deliver, width
from assay.cli.rag.options import GoldOption, Match, Threshold, Unit
from assay.cli.terms import number, whole
from assay.cli.verbs import SETTINGS
from assay.errors import ParameterError

if TYPE_CHECKING:
    from assay.core.rag_tuning import Tuning

FORMS = ("table", "json", "csv", "tsv", "parquet")


def tune(
    files: Annotated[
        list[str], typer.Argument(metavar="FILE...", help="One system for k and score; else a file for each setting.")
    ],
    *,
    over: Annotated[
        str | None,
        typer.Option(
            "--over",
            metavar="WHAT",
            help="k; score (a threshold); file (the number in the names of files); or a key, such as hops. "
            "[k for one file, file for several]",
        ),
    ] = None,
    values: Annotated[
        str | None, typer.Option("--values", metavar="N,N", help="The cutoffs or thresholds [usual ones].")
    ] = None,
    measures: MeasuresOption = None,
    gold: GoldOption = None,
    unit: Unit = None,
    match: Match = "id",
    threshold: Threshold = None,
    level: Level = "0.95",
    seed: Seed = "0",
    output: Annotated[str | None, one_of(FORMS)] = None,
    out: Out = None,
) -> None:
    """Show what a setting of retrieval is worth, and from which on more brings nothing that can be told.

    Example: assay rag tune graph.jsonl -m "Deducible R Noise" --values 1,2,4,8

    Example: assay rag tune hops-1.jsonl hops-2.jsonl hops-3.jsonl -m "Deducible@10 Noise@10"
    """
    form = chosen(output, out, FORMS)
    if [*files, gold].count("-") > 1:
        raise ParameterError(f"standard input (-): expected once, found {[*files, gold].count('-')} times")
    from assay.tasks.rag.tuning import DEFAULT, tune_rag

    setting = over or ("k" if len(files) == 1 else "file")
    found = tune_rag(
        files, " ".join(measures or [DEFAULT]), over=setting, values=_numbers(values),
        gold=gold, unit=unit, match=match, threshold=number("--threshold", threshold),
        level=number("--level", level) or 0.0, seed=whole("--seed", seed),
    )  # fmt: skip
    deliver(_drawn(found, form, out), out)


def _numbers(text: str | None) -> list[float] | None:
    return None if text is None else [number("--values", one) or 0.0 for one in text.split(",")]


def _drawn(found: "Tuning", form: str, out: str | None) -> str | bytes:
    from assay.report import documents, rag_tuning

    if form == "json":
        return documents.strict_json(found.to_dict(command=SETTINGS.argv))
    if form == "table":
        return rag_tuning.render(found, width=80 if out else width(), colour=colour(out))
    return documents.to_table(rag_tuning.to_frame(found), form)
