"""`assay convert IN OUT`: any format to any other."""

from typing import Annotated, Literal, cast

import typer

from assay.cli.output import notice
from assay.errors import ParameterError


def convert(
    source: Annotated[str, typer.Argument(metavar="IN", help="The file to read, or - for standard input.")],
    target: Annotated[str, typer.Argument(metavar="OUT", help="The file to write, or - for standard output.")],
    from_format: Annotated[
        str | None, typer.Option("--from", metavar="NAME", help="The format of IN; else it is recognised.")
    ] = None,
    to_format: Annotated[
        str | None, typer.Option("--to", metavar="NAME", help="The format of OUT; else its ending tells.")
    ] = None,
    kind: Annotated[str | None, typer.Option(metavar="KIND", help="gold or run, where IN may be either.")] = None,
) -> None:
    """Write a gold standard or a run in another format.

    Example: assay convert results.json results.run
    """
    from assay import convert as convert_module

    if kind not in {None, "gold", "run"}:
        msg = f"--kind: expected gold or run, found {kind!r}"
        raise ParameterError(msg)
    known = cast('Literal["gold", "run"] | None', kind)
    rows = convert_module.convert(source, target, kind=known, from_format=from_format, to_format=to_format)
    notice(f"{rows:,} rows written to {'standard output' if target == '-' else target}.")
