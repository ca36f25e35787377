"""`assay links sample`: a link predictor judged by drawn candidates, corrected and checked."""

from typing import TYPE_CHECKING, Annotated, Any

import typer

from assay.cli.links.asked import Asked, of_model
from assay.cli.links.evaluate import Sides, Split, Unseen, protocol_of
from assay.cli.links.hard import Hard, with_hard
from assay.cli.options import Level, Out, Seed, one_of
from assay.cli.output import chosen, colour, deliver, width
from assay.cli.progress import progress
from assay.cli.terms import number, whole
from assay.cli.verbs import SETTINGS
from assay.errors import ParameterError

if TYPE_CHECKING:
    from assay.core.links_sample import SampledLinks

FORMS = ("table", "json", "csv", "tsv", "parquet")

Kind = Annotated[
    str,
    typer.Option(
        "--kind",
        metavar="KIND",
        help="Where candidates are drawn: uniform (all entities), relation (those that train holds there) or hard (the "
        "most frequent there, or the best of --hard-model).",
    ),
]
Triples = Annotated[
    str | None, typer.Option("--triples", metavar="N", help="How many triples to draw; all when not said.")
]
Exact = Annotated[str, typer.Option("--exact", metavar="N", help="How many of them to rank among all entities too.")]
Width = Annotated[
    str, typer.Option("--width", metavar="W", help="Say how many triples an interval of this width needs.")
]


@of_model
@with_hard
def sample(
    *,
    asked: Asked,
    hard: Hard,
    negatives: Annotated[
        str, typer.Option("--negatives", metavar="N", help="Candidates to draw for each triple and side.")
    ] = "100",
    kind: Kind = "uniform",
    triples: Triples = None,
    exact: Exact = "200",
    hits: Annotated[str, typer.Option("--hits", metavar="K,K", help="Cutoffs of the hit rate.")] = "1,3,10",
    level: Level = "0.95",
    interval_width: Width = "0.02",
    split: Split = "test",
    sides: Sides = "both",
    unseen: Unseen = None,
    seed: Seed = "0",
    output: Annotated[str | None, one_of(FORMS)] = None,
    out: Out = None,
) -> None:
    """Judge a link predictor by a few drawn candidates, with a correction and an exact check.

    Example: assay links sample --train train.tsv --valid valid.tsv --test test.tsv --model transe-l2
    --entities entities.npy --relations relations.npy --negatives 500
    """
    form = chosen(output, out, FORMS)
    hard.require(kind)
    from assay.tasks.links.sample import sample_links

    graph, made = asked.read()
    options: dict[str, Any] = {
        "negatives": whole("--negatives", negatives), "kind": kind, "hard": hard.read(graph),
        "protocol": protocol_of(split, sides, unseen, "realistic"),
        "triples": None if triples is None else whole("--triples", triples), "exact": whole("--exact", exact),
        "hits": _hits(hits), "confidence": number("--level", level) or 0.0,
        "width": number("--width", interval_width) or 0.0, "seed": whole("--seed", seed),
    }  # fmt: skip
    with progress("ranks") as bar:
        found = sample_links(graph, made, **options, progress=bar)
    deliver(_drawn(found, form, out), out)


def _hits(text: str) -> list[int]:
    found = [whole("--hits", one) for one in text.split(",")]
    if len(set(found)) < len(found):
        raise ParameterError(f"--hits: expected each cutoff once, found {text!r}")
    return found


def _drawn(found: "SampledLinks", form: str, out: str | None) -> str | bytes:
    from assay.report import documents, links_sample

    if form == "json":
        return documents.strict_json(found.to_dict(command=SETTINGS.argv))
    if form == "table":
        return links_sample.render(found, width=80 if out else width(), colour=colour(out))
    return documents.to_table(links_sample.to_frame(found), form)
