"""`assay rag stages FILE...`: from candidates to answers, which stage loses what the answers need."""

from typing import TYPE_CHECKING, Annotated

import typer

from assay.cli.options import Level, Out, Seed, one_of
from assay.cli.output import chosen, colour, deliver, width
from assay.cli.rag.options import GoldOption, Match, Threshold, Unit
from assay.cli.terms import number, whole
from assay.cli.verbs import SETTINGS
from assay.errors import ParameterError

if TYPE_CHECKING:
    from assay.core.rag_stages import Stages

FORMS = ("table", "json", "csv", "tsv", "parquet")


def stages(
    files: Annotated[
        list[str], typer.Argument(metavar="FILE...", help="The stages in their order, of the same questions.")
    ],
    *,
    at: Annotated[
        str | None,
        typer.Option("--at", metavar="K,K", help="How deep each stage is looked at, as 100,10 [its longest list]."),
    ] = None,
    gold: GoldOption = None,
    unit: Unit = None,
    match: Match = "id",
    threshold: Threshold = None,
    right: Annotated[
        str, typer.Option("--right", metavar="N", help="From which correctness on an answer is right.")
    ] = "0.5",
    level: Level = "0.95",
    seed: Seed = "0",
    output: Annotated[str | None, one_of(FORMS)] = None,
    out: Out = None,
) -> None:
    """Say where a pipeline loses what answers need: among the candidates, in reranking, or in the answer itself.

    The key correct (true, false, or 0 to 1) says which answers are.

    Example: assay rag stages candidates.jsonl reranked.jsonl --at 100,10

    Example: assay rag stages answered.jsonl --at 8
    """
    form = chosen(output, out, FORMS)
    if [*files, gold].count("-") > 1:
        raise ParameterError(f"standard input (-): expected once, found {[*files, gold].count('-')} times")
    from assay.tasks.rag.stages import judge_stages

    depths = None if at is None else [whole("--at", one, lowest=1) for one in at.split(",")]
    found = judge_stages(
        files, at=depths, gold=gold, unit=unit, match=match, threshold=number("--threshold", threshold),
        right=number("--right", right) or 0.0, level=number("--level", level) or 0.0, seed=whole("--seed", seed),
    )  # fmt: skip
    deliver(_drawn(found, form, out), out)


def _drawn(found: "Stages", form: str, out: str | None) -> str | bytes:
    from assay.report import documents, rag_stages

    if form == "json":
        return documents.strict_json(found.to_dict(command=SETTINGS.argv))
    if form == "table":
        return rag_stages.render(found, width=80 if out else width(), colour=colour(out))
    return documents.to_table(rag_stages.to_frame(found), form)
