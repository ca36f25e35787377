"""`assay links evaluate`: how well a link predictor ranks the true entities, under the standard protocol and others."""

from dataclasses import replace
from typing import TYPE_CHECKING, Annotated, Any

import typer

from assay.cli.links.asked import Asked, of_model
from assay.cli.links.candidates import Candidates, ranked
from assay.cli.links.page import inputs_of, page
from assay.cli.options import Interval, MeasuresOption, Out, Seed, one_of
from assay.cli.output import chosen, colour, deliver, notice, width
from assay.cli.progress import working
from assay.cli.terms import number, whole
from assay.cli.verbs import SETTINGS
from assay.errors import ParameterError

if TYPE_CHECKING:
    from assay.core.links import LinksEvaluation
    from assay.tasks.links.graph import KnowledgeGraph
    from assay.tasks.links.models.base import Model as LinkModel
    from assay.tasks.links.protocol import Protocol

FORMS = ("table", "json", "csv", "tsv", "parquet", "html")

Output = Annotated[str | None, one_of(FORMS)]
By = Annotated[
    list[str] | None,
    typer.Option(
        "--by", metavar="WHAT", help="relation, side, category, degree, or FILE: entity and type in each row."
    ),
]
Sides = Annotated[str, typer.Option("--sides", metavar="WHICH", help="tail, head or both.")]
Split = Annotated[
    str, typer.Option("--split", metavar="NAME", help="The triples that are asked: test, valid or train.")
]
Unseen = Annotated[
    str | None,
    typer.Option("--unseen", metavar="WHAT", help="keep [default] or drop triples with an entity that train lacks."),
]
Ties = Annotated[
    str | None,
    typer.Option("--ties", metavar="RULE", help="realistic [default], optimistic, pessimistic or expected."),
]
Nan = Annotated[
    str, typer.Option("--nan", metavar="WHAT", help="error, or worst: scores that are no numbers are lowest.")
]


@of_model
def evaluate(
    *,
    asked: Asked,
    measures: MeasuresOption = None,
    by: By = None,
    interval: Interval = None,
    pooled: Annotated[
        str | None,
        typer.Option(
            "--pooled", metavar="HOW", help="Also one list of predicted triples: all; or a list by relation or by head."
        ),
    ] = None,
    split: Split = "test",
    sides: Sides = "both",
    unseen: Unseen = None,
    ties: Ties = None,
    nan: Nan = "error",
    profile: Annotated[
        str | None, typer.Option("--profile", metavar="NAME", help="Another tool's conventions: pykeen or ogb.")
    ] = None,
    worst: Annotated[str, typer.Option("--worst", metavar="N", help="How many of the worst triples to name.")] = "10",
    above: Annotated[
        str, typer.Option("--above", metavar="K", help="How many of the answers above each of them to show.")
    ] = "3",
    candidates: Candidates = None,
    per_query: Annotated[bool, typer.Option("-q", "--per-query", help="Also the value of each triple (json).")] = False,
    out_ranks: Annotated[
        str | None, typer.Option("--out-ranks", metavar="PATH", help="Write the ranks (Parquet), for links compare.")
    ] = None,
    seed: Seed = "0",
    output: Output = None,
    out: Out = None,
) -> None:
    """Judge a link predictor: where does the true entity of each triple stand among all?

    Example: assay links evaluate --train train.tsv --valid valid.tsv --test test.tsv --model transe-l2
    --entities entities.npy --relations relations.npy

    Example: assay links evaluate --train train.tsv --test test.tsv --scores predictions.tsv --by category
    """
    form = chosen(output, out, FORMS, out_ranks)
    from assay.tasks.links.evaluate import evaluate_ranking
    from assay.tasks.links.profiled import with_profile

    wanted, types = breakdowns(by)
    graph, made = asked.read()
    protocol = protocol_of(split, sides, unseen, ties, nan=nan, profile=profile)
    ranking, said = ranked(asked, graph, made, protocol, candidates)
    if out_ranks is not None:
        ranking.write_parquet(out_ranks)
    with working("measures"):
        found = evaluate_ranking(
            ranking, measures, by=wanted, types=types, interval=number("--interval", interval),
            seed=whole("--seed", seed), worst=whole("--worst", worst, lowest=0),
            model=made, above=whole("--above", above, lowest=0),
        )  # fmt: skip
        found = replace(found, notices=(*found.notices, *said))
        if profile is not None:
            found = with_profile(found, profile, graph, made, ranking.protocol)
        if pooled is not None:
            found = with_pooled(found, graph, made, pooled, ranking.protocol)
    inputs = inputs_of(asked, *files_of(by, candidates))
    deliver(drawn(found, form, out, inputs, made, per_query=per_query), out)
    for line in found.notices:
        notice(f"Note: {line}")


def protocol_of(
    split: str, sides: str, unseen: str | None, ties: str | None, *, nan: str = "error", profile: str | None = None
) -> "Protocol":
    """Return the protocol that options say, on top of that of a profile."""
    from assay.tasks.links.profiled import protocol_like

    known: dict[str, Any] = {"both": ("tail", "head"), "tail": ("tail",), "head": ("head",)}
    if sides not in known:
        raise ParameterError(f"--sides: expected tail, head or both, found {sides!r}")
    options: dict[str, Any] = {"split": split, "sides": known[sides], "unseen": unseen, "ties": ties, "nan": nan}
    return protocol_like(profile, **options)


def with_pooled(
    found: "LinksEvaluation", graph: "KnowledgeGraph", model: "LinkModel", pooled: str, protocol: "Protocol"
) -> "LinksEvaluation":
    """Return the evaluation with the pooled list of predicted triples beside it."""
    from assay.tasks.links.pooled import pooled_result

    if pooled not in {"all", "relation", "head", "tail"}:
        raise ParameterError(f"--pooled: expected all, relation, head or tail, found {pooled!r}")
    given: Any = None if pooled == "all" else pooled
    result = pooled_result(graph, model, given, protocol=protocol)
    return replace(found, results=(*found.results, result))


def breakdowns(by: list[str] | None) -> tuple[list[str], dict[str, list[str]] | None]:
    """Return the breakdowns by name, and the types of entities where a file gives them."""
    from assay.tasks.links.breakdowns import BY, read_types

    names = [one for text in by or () for one in text.split(",")] if by else []
    files = [one for one in names if one not in BY]
    if len(files) > 1:
        raise ParameterError(f"--by: expected one file of types, found {len(files)}: {', '.join(files)}")
    return [one if one in BY else "type" for one in names], read_types(files[0]) if files else None


def files_of(by: list[str] | None, candidates: str | None) -> list[tuple[str, str]]:
    """Return the files among what may be a file or a word."""
    from assay.tasks.links.breakdowns import BY
    from assay.tasks.links.candidates import SEEN

    types = [("types", one) for text in by or () for one in text.split(",") if one not in BY]
    return types + ([] if candidates is None or candidates in SEEN else [("candidates", candidates)])


def drawn(
    found: "LinksEvaluation", form: str, out: str | None, inputs: list[tuple[str, str]], model: "LinkModel", *,
    per_query: bool,
) -> str | bytes:  # fmt: skip
    """Return the output in the form that was asked for; a page says how the model scores a triple."""
    from assay.report import documents, links

    if form == "html":
        return page(found, inputs, model)
    if form == "json":
        from assay.verify.commands import digested

        read = digested(inputs)
        return documents.strict_json(found.to_dict(command=SETTINGS.argv, per_query=per_query, inputs=read))
    if form in {"csv", "tsv", "parquet"}:
        return documents.to_table(links.to_frame(found), form)
    return links.render(found, width=80 if out else width(), colour=colour(out))
