"""`assay predict PEOPLE MACHINE RUN...`: few human judgments, many of a machine: what people would say of all."""

from typing import Annotated

import typer

from assay.cli.options import Level, MeasuresOption, Out, RunPaths, TableOrJson
from assay.cli.output import chosen, colour, deliver, width
from assay.cli.terms import Terms, number, on_terms
from assay.cli.verbs import SETTINGS

FORMS = ("table", "json")


@on_terms
def predict(
    people: Annotated[str, typer.Argument(metavar="PEOPLE", help="Gold of a random sample of the queries, by people.")],
    machine: Annotated[str, typer.Argument(metavar="MACHINE", help="Gold of all queries, by a machine.")],
    runs: RunPaths,
    *,
    terms: Terms,
    measures: MeasuresOption = None,
    level: Level = "0.95",
    output: TableOrJson = None,
    out: Out = None,
) -> None:
    """Estimate what people would say of all queries, from their judgments of a few and a machine's of all.

    Example: assay predict people.qrels llm.qrels bm25.run -m "P@10 nDCG@10"
    """
    form = chosen(output, out, FORMS)
    terms.require_one_order()
    from assay._version import __version__
    from assay.evaluate import DEFAULT
    from assay.evaluate.predicted import predicted
    from assay.formats import read_gold
    from assay.report.documents import strict_json
    from assay.report.predicted import render

    gold, answers = terms.read(people, runs, machine)
    judge, wanted = read_gold(machine, terms.gold_format), measures or DEFAULT
    confidence = number("--level", level) or 0.0
    found = [one for run in answers for one in predicted(gold, judge, run, wanted, level=confidence, **terms.options())]
    if form == "json":
        figures = [figure.to_dict() for figure in found]
        deliver(strict_json({"assay": __version__, "command": SETTINGS.argv, "predicted": figures}), out)
    else:
        deliver(render(found, width=80 if out else width(), colour=colour(out)), out)
