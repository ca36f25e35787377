"""`assay verify RESULT.json`: does a published result come out again?"""

from typing import TYPE_CHECKING, Annotated

import typer

from assay.cli.options import Out, TableOrJson
from assay.cli.output import PROSE, chosen, deliver, width

if TYPE_CHECKING:
    from assay.core.verification import Verification

FORMS = ("table", "json")
SAME, DIFFERENT, NOT_COMPUTED, UNKNOWN = 0, 1, 2, 3


def verify(
    result: Annotated[
        str, typer.Argument(metavar="RESULT", help="JSON of evaluate, links evaluate or neighbours evaluate.")
    ],
    *,
    gold: Annotated[str | None, typer.Option(metavar="PATH", help="Where the gold standard lies now.")] = None,
    run: Annotated[
        list[str] | None, typer.Option("--run", metavar="PATH", help="Where a run lies now; once for each, in order.")
    ] = None,
    output: TableOrJson = None,
    out: Out = None,
) -> int:
    """Compute a published result again: the same, or what differs.

    Exit code 0: the same; 1: something differs; 2: it cannot be computed; 3: equal figures from inputs without digest.

    Example: assay verify result.json
    """
    form = chosen(output, out, FORMS)
    from assay.cli.recorded import AGAIN, run_again
    from assay.report import sentences
    from assay.report.documents import strict_json
    from assay.verify import verify as compute

    found = compute(result, gold, run or None, again=dict.fromkeys(AGAIN, run_again))
    deliver(strict_json(found.to_dict()) if form == "json" else sentences.of_verification(found, width(PROSE)), out)
    return code_of(found)


def code_of(found: "Verification") -> int:
    """Return the exit code of a verification."""
    if found.same:
        return SAME
    if any(not check.same for check in found.figures) or any(check.state == "changed" for check in found.inputs):
        return DIFFERENT
    if found.problems or not found.figures or any(check.state == "missing" for check in found.inputs):
        return NOT_COMPUTED
    return UNKNOWN
