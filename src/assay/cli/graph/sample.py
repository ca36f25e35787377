"""`assay graph sample GRAPH...`: statements for people to judge, in a file to fill, which can be drawn further."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from assay.cli.options import Seed
from assay.cli.output import chosen, deliver, notice
from assay.cli.terms import whole
from assay.cli.verbs import SETTINGS
from assay.errors import InputError
from assay.report.amounts import counted

if TYPE_CHECKING:
    from assay.core.accuracy import Design
    from assay.graph.accuracy.label_file import LabelFile

FORMS = ("csv", "json")


def sample(
    graph: Annotated[
        list[str], typer.Argument(metavar="GRAPH...", help="RDF; or tables or JSON of subject, predicate, object.")
    ],
    *,
    size: Annotated[str, typer.Option("--size", metavar="N", help="How many statements to judge in all.")] = "100",
    design: Annotated[
        str,
        typer.Option("--design", metavar="HOW", help="simple, cluster (by subject) or stratified (by predicate)."),
    ] = "simple",
    per_subject: Annotated[
        str, typer.Option("--per-subject", metavar="N", help="For cluster: statements of a subject, at most.")
    ] = "3",
    seed: Seed = "0",
    output: Annotated[str | None, typer.Option("-o", "--output", metavar="FORM", help="csv or json.")] = None,
    out: Annotated[
        str | None,
        typer.Option("--out", metavar="PATH", help="The label file; one that is there is drawn further, labels kept."),
    ] = None,
) -> None:
    """Draw statements for people to judge, into a CSV whose column label is to be filled: right or wrong.

    Example: assay graph sample company.ttl --design cluster --size 120 --out labels.csv
    """
    form = chosen(output or ("json" if out and out.endswith(".json") else "csv"), out, FORMS)
    from assay.graph.accuracy.draws import design_of, draw
    from assay.graph.accuracy.label_file import LabelFile
    from assay.graph.accuracy.statements import read_statements
    from assay.report.documents import strict_json

    kind: Any = design
    statements = read_statements(graph)
    made = design_of(
        statements, kind, per_subject=whole("--per-subject", per_subject, lowest=1),
        seed=whole("--seed", seed, lowest=0),
    )  # fmt: skip
    drawn = draw(statements, made, whole("--size", size, lowest=1))
    before = _begun(out, made) if form == "csv" else None
    file = LabelFile.of(made, drawn) if before is None else before.extended(drawn)
    _say(statements.repeated, file, before, out)
    deliver(file.text() if form == "csv" else strict_json(file.to_dict(command=SETTINGS.argv)), out)


def _begun(out: str | None, design: "Design") -> "LabelFile | None":
    """Return the label file that is to be drawn further; None where there is none."""
    if out is None or not Path(out).is_file():
        return None
    from assay.graph.accuracy.label_file import read_labels

    found = read_labels(out)
    if found.design != design:
        raise InputError(
            f"{out}: expected a label file of this design and graph, found {found.design.text}",
            hint="another --out begins a new one; the labels there stay as they are.",
        )
    return found


def _say(repeated: int, file: "LabelFile", before: "LabelFile | None", out: str | None) -> None:
    if repeated:
        notice(f"{counted(repeated, 'statement came', 'statements came')} again and count once.")
    if out is None:
        return
    new = len(file.rows) - (len(before.rows) if before else 0)
    kept = f", {len(before.rows):,} were there" if before else ""
    notice(
        f"{out}: {counted(new, 'statement')} to judge{kept}; fill the column label, then: assay graph estimate {out}"
    )
