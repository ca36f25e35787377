"""`assay schema [NAME]`: JSON Schemas of the JSON outputs."""

from typing import Annotated

import typer

from assay.cli.options import Out
from assay.cli.output import deliver
from assay.errors import UnknownNameError


def schema(
    words: Annotated[
        list[str] | None,
        typer.Argument(metavar="NAME", help="A verb: evaluate, links audit ...; else all are printed."),
    ] = None,
    *,
    out: Out = None,
) -> None:
    """Print the JSON Schemas of the JSON outputs."""
    from assay.report.documents import strict_json
    from assay.report.schema import SCHEMAS

    name = " ".join(words or [])
    if name and name not in SCHEMAS:
        raise UnknownNameError.of("schema", name, SCHEMAS)
    deliver(strict_json(SCHEMAS[name] if name else SCHEMAS), out)
