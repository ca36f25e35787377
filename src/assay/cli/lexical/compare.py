"""`assay lexical compare GOLD RUN RUN...`: sparse, dense and hybrid side by side, and what fusing them could bring."""

from functools import partial
from typing import TYPE_CHECKING, Annotated, Any

import typer

from assay.cli.lexical.options import QueriesFile
from assay.cli.options import Alpha, Correction, GoldPath, Level, MeasuresOption, Out, Seed, Significance, one_of
from assay.cli.output import chosen, colour, deliver, notice, width
from assay.cli.terms import Terms, number, on_terms, whole
from assay.cli.verbs import SETTINGS
from assay.errors import ParameterError

if TYPE_CHECKING:
    from assay.core.lexical_sides import Sides

FORMS = ("table", "json", "csv", "tsv", "markdown", "parquet", "html")


@partial(on_terms, without={"profile"})
def compare(
    gold: GoldPath,
    runs: Annotated[
        list[str], typer.Argument(metavar="RUN...", help="Two or more runs; the others are held against the first.")
    ],
    *,
    terms: Terms,
    measures: MeasuresOption = None,
    cutoff: Annotated[str, typer.Option("--cutoff", metavar="N", help="How many places a reader looks at.")] = "10",
    depth: Annotated[
        str | None, typer.Option("--depth", metavar="N", help="Cut each list to its first N places before all else.")
    ] = None,
    names: Annotated[
        str | None, typer.Option("--names", metavar="A,B", help="What to call the runs, in their order [their files].")
    ] = None,
    queries: QueriesFile = None,
    fuse: Annotated[
        str, typer.Option("--fuse", metavar="A,B", help="Fusions to show, as for assay convert --fuse; or none.")
    ] = "rrf,combsum,combmnz",
    fuse_k: Annotated[str, typer.Option("--fuse-k", metavar="N", help="The constant of rrf.")] = "60",
    norm: Annotated[
        str, typer.Option("--norm", metavar="NAME", help="How scores come onto one scale, as for assay convert.")
    ] = "min-max",
    fuse_weights: Annotated[
        str | None, typer.Option("--fuse-weights", metavar="N,N", help="What each run weighs in fusions [all alike].")
    ] = None,
    shown: Annotated[
        str, typer.Option("--shown", metavar="N", help="How many queries and items of each kind to name.")
    ] = "3",
    test: Significance = "flips",
    correction: Correction = "holm",
    alpha: Alpha = "0.05",
    level: Level = "0.95",
    seed: Seed = "0",
    output: Annotated[str | None, one_of(FORMS)] = None,
    out: Out = None,
) -> None:
    """Hold sparse, dense and hybrid runs side by side: who finds what, what fusion reaches, and what it could.

    Example: assay lexical compare gold.qrels bm25.run dense.run

    Example: assay lexical compare gold.qrels bm25.run dense.run --fuse rrf --cutoff 20 -m "nDCG@20 R@100"
    """
    form = chosen(output, out, FORMS)
    terms.require_one_order()
    asked: dict[str, Any] = {
        "cutoff": whole("--cutoff", cutoff, lowest=1), "fusions": _methods(fuse), "fuse_k": number("--fuse-k", fuse_k),
        "depth": None if depth is None else whole("--depth", depth, lowest=1), "norm": norm,
        "fuse_weights": _weights(fuse_weights), "shown": whole("--shown", shown, lowest=0), "test": test,
        "correction": correction, "alpha": number("--alpha", alpha), "level": number("--level", level),
        "seed": whole("--seed", seed),
    }  # fmt: skip
    from assay.tasks.lexical.sides import compare_sides

    truth, answers = terms.read(gold, runs, queries)
    texts = None if queries is None else _texts(queries)
    found = compare_sides(truth, _called(answers, names), measures, texts=texts, **asked, **terms.options())
    inputs = [("gold", gold), *(("run", path) for path in runs), *([("queries", queries)] if queries else [])]
    deliver(drawn(found, form, out, inputs), out)
    for line in found.notices:
        notice(f"Note: {line}")


def drawn(found: "Sides", form: str, out: str | None, inputs: list[tuple[str, str]]) -> str | bytes:
    """Return the output in the form that was asked for."""
    from assay.report import documents, lexical_sides, lexical_sides_documents

    if form == "json":
        return documents.strict_json(found.to_dict(command=SETTINGS.argv))
    if form == "html":
        from assay.report.html.lexical_sides import render

        return render(found, command=("assay", *SETTINGS.argv), inputs=inputs)
    if form == "markdown":
        return lexical_sides.to_markdown(found)
    if form != "table":
        return documents.to_table(lexical_sides_documents.to_frame(found), form)
    return lexical_sides.render(found, width=80 if out else width(), colour=colour(out))


def _methods(text: str) -> list[str]:
    """Read the fusions that are asked for."""
    return [] if text == "none" else [part.strip() for part in text.split(",")]


def _weights(text: str | None) -> list[float | None] | None:
    return None if text is None else [number("--fuse-weights", part) for part in text.split(",")]


def _called(answers: list[Any], names: str | None) -> Any:
    """Return the runs by the names that were given; refuse another number of names, and one twice."""
    if names is None:
        return answers
    called = [part.strip() for part in names.split(",")]
    if len(called) != len(answers) or len(set(called)) < len(called) or not all(called):
        msg = f"--names: expected {len(answers)} different names, one for each run, found {names!r}"
        raise ParameterError(msg)
    return dict(zip(called, answers, strict=True))


def _texts(path: str) -> dict[str, str]:
    """Return the texts of queries by their ids."""
    from assay.formats.topics import read_queries

    return dict(read_queries(path).texts)
