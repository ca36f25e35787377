"""`assay links compare`: which link predictor is better, triple by triple, and how sure that is."""

import json
from pathlib import Path
from typing import Annotated, Any

import typer

from assay.cli.compare import drawn
from assay.cli.links.evaluate import breakdowns
from assay.cli.links.options import Test, Train, TripleFormat, Valid
from assay.cli.links.page import page_of_comparison
from assay.cli.options import Alpha, Baseline, Correction, Level, Margin, MeasuresOption, Out, Pairs, Seed, one_of
from assay.cli.output import chosen, deliver, notice
from assay.cli.progress import working
from assay.cli.terms import number, whole
from assay.errors import InputError, ParameterError

FORMS = ("table", "json", "csv", "tsv", "markdown", "latex", "parquet", "junit", "html")

Ranks = Annotated[
    list[str] | None,
    typer.Option("--ranks", metavar="FILE", help="Ranks of a model, of links evaluate --out-ranks; two or more."),
]
By = Annotated[
    list[str] | None, typer.Option("--by", metavar="WHAT", help="relation, side, category, degree, or FILE of types.")
]


def compare(
    *,
    train: Train,
    valid: Valid = None,
    test: Test = None,
    format: TripleFormat = None,  # noqa: A002 - the name of the option
    names: Annotated[
        str | None, typer.Option("--names", metavar="FILE", help="Names of the entities, as for links evaluate.")
    ] = None,
    relation_names: Annotated[
        str | None, typer.Option("--relation-names", metavar="FILE", help="Names of the relations.")
    ] = None,
    ranks: Ranks = None,
    measures: MeasuresOption = None,
    protocol: Annotated[
        str,
        typer.Option(
            "--protocol", metavar="NAME", help="filtered, raw, time, typed (with --candidates) or multi-answer."
        ),
    ] = "filtered",
    by: By = None,
    baseline: Baseline = None,
    pairs: Pairs = "baseline",
    test_name: Annotated[
        str, typer.Option("--significance", metavar="NAME", help="flips (randomisation), t or wilcoxon.")
    ] = "flips",
    correction: Correction = "holm",
    alpha: Alpha = "0.05",
    level: Level = "0.95",
    margin: Margin = None,
    movers: Annotated[
        str, typer.Option("--movers", metavar="N", help="How many triples to name that moved most.")
    ] = "5",
    seed: Seed = "0",
    output: Annotated[str | None, one_of(FORMS)] = None,
    out: Out = None,
) -> None:
    """Compare link predictors by the same triples; those with the same question count as one unit.

    Example: assay links compare --train train.tsv --test test.tsv --ranks transe.parquet --ranks complex.parquet
    """
    form = chosen(output, out, FORMS)
    if len(ranks or ()) < 2:
        msg = f"compare: expected two files of ranks or more, found {len(ranks or ())}"
        raise ParameterError(msg, hint="assay links evaluate --out-ranks FILE writes one.")
    from assay.tasks.links.compare import COMPARED, compare_links

    wanted, types = breakdowns(by)
    with working("differences"):
        found = compare_links(
            _rankings(ranks or [], (train, valid, test, format, names, relation_names)), measures or COMPARED,
            protocol=protocol, by=wanted, types=types, baseline=baseline, pairs=pairs, test=test_name,
            correction=correction, alpha=number("--alpha", alpha), level=number("--level", level),
            margin=number("--margin", margin), movers=whole("--movers", movers, lowest=0), seed=whole("--seed", seed),
        )  # fmt: skip
    deliver(page_of_comparison(found, protocol, ranks or []) if form == "html" else drawn(found, form, out), out)
    for line in found.notices:
        notice(f"Note: {line}")


def _rankings(paths: list[str], given: tuple[str | None, ...]) -> dict[str, Any]:
    """Return the rankings of files by a label each, of a graph that numbers entities as they do."""
    from assay.report.names import labels
    from assay.tasks.links.compare import require_triples
    from assay.tasks.links.graph import KnowledgeGraph
    from assay.tasks.links.ranking import Ranking

    train, valid, test, format_, names, relation_names = given
    (entities, relations), *_ = [_sizes(path) for path in paths]
    graph = KnowledgeGraph.read(
        train, valid, test, format=format_, entities=names or entities, relations=relation_names or relations
    )
    found = [Ranking.read_parquet(path, graph) for path in paths]
    for path, ranking in zip(paths, found, strict=True):
        require_triples(ranking, path)
    return dict(zip(labels([Path(path).stem for path in paths], paths), found, strict=True))


def _sizes(path: str) -> tuple[int | None, int | None]:
    """Return how many entities and relations ranks are of; None where the file does not say.

    Raises
    ------
    InputError
        A file that holds no ranks.
    """
    import polars as pl

    from assay.tasks.links.ranking import ABOUT

    try:
        known = json.loads(pl.read_parquet_metadata(path)[ABOUT])
    except (OSError, KeyError, ValueError, RecursionError, pl.exceptions.PolarsError):
        msg = f"{path}: expected ranks of assay links evaluate --out-ranks, found another file or none"
        raise InputError(msg) from None
    return known.get("entities"), known.get("relations")
