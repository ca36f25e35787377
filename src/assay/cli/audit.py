"""`assay audit GOLD [RUN...]`: what is wrong with the inputs, before any number."""

from typing import TYPE_CHECKING, Annotated

import typer

from assay.cli.options import Format, GoldFormat, GoldPath, Out, TableOrJson
from assay.cli.output import PROSE, chosen, deliver, width
from assay.cli.verbs import as_typed

if TYPE_CHECKING:
    from assay.core.audit import Audit

FORMS = ("table", "json")
HOPELESS = {"unreadable", "no-common-query"}
"""Findings after which nothing of a run can be evaluated."""


def audit(
    gold: GoldPath,
    runs: Annotated[list[str] | None, typer.Argument(metavar="RUN...", help="Runs to look at as well.")] = None,
    *,
    format: Format = None,  # noqa: A002 - the name of the option
    gold_format: GoldFormat = None,
    output: TableOrJson = None,
    out: Out = None,
) -> int:
    """Say what is wrong with the inputs, before any number.

    Example: assay audit gold.qrels bm25.run dense.run
    """
    form = chosen(output, out, FORMS)
    from assay.audit.inputs import audit as look
    from assay.formats import read_gold, read_run
    from assay.report import findings
    from assay.report.documents import strict_json

    truth = gold if gold_format is None else read_gold(gold, gold_format)
    answers = [path if format is None else read_run(path, format) for path in runs or []]
    found = look(truth, answers)
    deliver(strict_json(found.to_dict()) if form == "json" else as_typed(findings.render(found, width(PROSE))), out)
    return 2 if hopeless(found) else 0


def hopeless(found: "Audit") -> bool:
    """Tell whether nothing can be evaluated: no gold, or runs of which none can be held against it."""
    lost = {finding.place for finding in found.findings if finding.code in HOPELESS}
    names = [run.path or run.name for run in found.runs]
    return found.gold is None or (bool(names) and all(name in lost for name in names))
