"""`assay links threshold`: from which score on predicted triples are right often enough, and what that admits."""

from typing import TYPE_CHECKING, Annotated, Any

import typer

from assay.cli.links.asked import Asked, of_model
from assay.cli.links.options import require_word_or_file
from assay.cli.options import Out, one_of
from assay.cli.output import chosen, colour, deliver, width
from assay.cli.progress import progress
from assay.cli.terms import number, whole
from assay.cli.verbs import SETTINGS
from assay.errors import ParameterError

if TYPE_CHECKING:
    from assay.core.links_threshold import LinkThresholds
    from assay.tasks.links.graph import KnowledgeGraph

FORMS = ("table", "json", "csv", "tsv", "parquet")
LISTS = ("tsv", "csv", "parquet")

Negatives = Annotated[
    str | None,
    typer.Option("--negatives", metavar="FILE", help="Triples that are wrong: with those of valid, to choose by."),
]
CheckNegatives = Annotated[
    str | None,
    typer.Option("--check-negatives", metavar="FILE", help="Triples that are wrong: with those of test, to check by."),
]
Closed = Annotated[
    bool, typer.Option("--closed-world", help="Instead of negatives: whatever no split holds counts as wrong.")
]
By = Annotated[str | None, typer.Option("--by", metavar="WHAT", help="relation: a threshold for each as well.")]
List = Annotated[
    str | None,
    typer.Option("--list", metavar="FILE", help="Write the admitted triples: .tsv, .csv or .parquet."),
]
Ask = Annotated[
    str,
    typer.Option(
        "--ask",
        metavar="WHAT",
        help="Whose tails are candidates: those of each pair of head and relation that train holds (train); of every "
        "entity with every relation (all: far more to score); or of the pairs in FILE: columns head, relation.",
    ),
]


@of_model
def threshold(
    *,
    asked: Asked,
    negatives: Negatives = None,
    check_negatives: CheckNegatives = None,
    closed_world: Closed = False,
    precision: Annotated[str, typer.Option("--precision", metavar="P", help="The share that shall be right.")] = "0.9",
    level: Annotated[str, typer.Option("--level", metavar="LEVEL", help="How sure that shall be, one-sided.")] = "0.95",
    by: By = None,
    ask: Ask = "train",
    most: Annotated[str, typer.Option("--most", metavar="N", help="How many admitted triples to list.")] = "1000",
    list_: List = None,
    output: Annotated[str | None, one_of(FORMS)] = None,
    out: Out = None,
) -> None:
    """Populate a graph: the score above which predicted triples are right as often as wanted.

    Example: assay links threshold --train train.tsv --valid valid.tsv --test test.tsv --model complex
    --entities entities.npy --relations relations.npy --negatives wrong.tsv --by relation --list new.tsv
    """
    form = chosen(output, out, FORMS)
    if list_ is not None:
        chosen(None, list_, LISTS)
    if by not in {None, "relation"}:
        raise ParameterError(f"--by: expected relation, found {by!r}")
    from assay.tasks.links.admitted import pairs_of
    from assay.tasks.links.threshold import threshold_links

    require_word_or_file("--ask", ask, ("train", "all"))
    graph, made = asked.read()
    wrong, check = (_wrong(graph, path, asked.format) for path in (negatives, check_negatives))
    options: dict[str, Any] = {
        "negatives": wrong, "check_negatives": check, "closed": closed_world, "pairs": pairs_of(graph, ask),
        "precision": number("--precision", precision) or 0.0, "confidence": number("--level", level) or 0.0,
        "by_relation": by is not None, "most": whole("--most", most),
    }  # fmt: skip
    with progress("questions") as bar:
        found = threshold_links(graph, made, **options, progress=bar)
    if list_ is not None:
        _write(found, list_)
    deliver(_drawn(found, form, out), out)


def _wrong(graph: "KnowledgeGraph", path: str | None, form: str | None) -> Any:
    """Return the triples of a file of negatives, numbered as the graph is."""
    if path is None:
        return None
    from assay.tasks.links.graph import KnowledgeGraph

    read = KnowledgeGraph.read(path, format=form, entities=graph.entities, relations=graph.relations)
    return read.splits["train"]


def _write(found: "LinkThresholds", path: str) -> None:
    """Write the admitted triples as the ending of the file says."""
    from assay.report.documents import to_table

    ending = path.rpartition(".")[2].lower()
    deliver(to_table(found.triples, ending if ending in LISTS else "tsv"), path)


def _drawn(found: "LinkThresholds", form: str, out: str | None) -> str | bytes:
    from assay.report import documents, links_threshold

    if form == "json":
        return documents.strict_json(found.to_dict(command=SETTINGS.argv))
    if form == "table":
        return links_threshold.render(found, width=80 if out else width(), colour=colour(out))
    return documents.to_table(links_threshold.to_frame(found), form)
