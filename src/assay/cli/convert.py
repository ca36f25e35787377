"""`assay convert IN OUT`: any format to any other; with --fuse, several runs into one."""

from typing import Annotated, Any, Literal, cast

import typer

from assay.cli.output import notice
from assay.cli.terms import number, whole
from assay.cli.verbs import convention
from assay.errors import ParameterError
from assay.report.amounts import counted


def convert(
    sources: Annotated[
        list[str], typer.Argument(metavar="IN...", help="The file to read, or - for standard input; to fuse, several.")
    ],
    target: Annotated[str, typer.Argument(metavar="OUT", help="The file to write, or - for standard output.")],
    *,
    from_format: Annotated[
        str | None, typer.Option("--from", metavar="NAME", help="The format of IN; else it is recognised.")
    ] = None,
    to_format: Annotated[
        str | None, typer.Option("--to", metavar="NAME", help="The format of OUT; else its ending tells.")
    ] = None,
    kind: Annotated[str | None, typer.Option(metavar="KIND", help="gold or run, where IN may be either.")] = None,
    fuse: Annotated[
        str | None,
        typer.Option(
            metavar="NAME",
            help="Make one run of several: rrf, isr or borda (by ranks), "
            "combsum, combmnz, combanz, combmax, combmin or combmed (by scores).",
        ),
    ] = None,
    fuse_k: Annotated[str | None, typer.Option(metavar="N", help="The constant of rrf [60].")] = None,
    norm: Annotated[
        str | None,
        typer.Option(metavar="NAME", help="How scores come onto one scale: min-max, z-score, sum, max, rank or none."),
    ] = None,
    weights: Annotated[
        str | None, typer.Option(metavar="N,N", help='What each run weighs, such as "0.7,0.3" [all alike].')
    ] = None,
    depth: Annotated[str | None, typer.Option(metavar="N", help="Read only the first N places of each run.")] = None,
    keep: Annotated[str | None, typer.Option(metavar="N", help="Write only the first N places.")] = None,
    ties: Annotated[str | None, convention("ties")] = None,
    duplicates: Annotated[str | None, convention("duplicates")] = None,
) -> None:
    """Write a gold standard or a run in another format; or several runs as one.

    Example: assay convert results.json results.run

    Example: assay convert --fuse rrf bm25.run dense.run hybrid.run
    """
    from assay import convert as convert_module

    formats = {"from_format": from_format, "to_format": to_format}
    asked = {
        "--fuse-k": fuse_k, "--norm": norm, "--weights": weights, "--depth": depth, "--keep": keep, "--ties": ties,
        "--duplicates": duplicates,
    }  # fmt: skip
    if fuse is not None:
        _require_run(kind)
        rows = convert_module.convert_fused(sources, target, cast("Any", fuse), **formats, **fusion(asked))
    else:
        source = _only(sources, asked)
        rows = convert_module.convert(source, target, kind=_kind(kind), **formats)
    notice(f"{counted(rows, 'row')} written to {'standard output' if target == '-' else target}.")


def fusion(asked: dict[str, str | None]) -> dict[str, Any]:
    """Return what a fusion is told: the options that were said, read."""
    from assay.core.policy import Policy

    said = {name: text for name, text in asked.items() if text is not None}
    found: dict[str, Any] = {}
    if "--fuse-k" in said:
        found["k"] = number("--fuse-k", said["--fuse-k"])
    if "--norm" in said:
        found["norm"] = said["--norm"]
    if "--weights" in said:
        found["weights"] = [number("--weights", part) for part in said["--weights"].split(",")]
    for option in ("--depth", "--keep"):
        if option in said:
            found[option[2:]] = whole(option, said[option], lowest=1)
    changes = {option[2:]: said[option] for option in ("--ties", "--duplicates") if option in said}
    return found | {"policy": Policy().but(**changes)}


def _only(sources: list[str], asked: dict[str, str | None]) -> str:
    """Return the one file to convert; refuse several, and options of a fusion, where none is asked for."""
    if len(sources) > 1:
        msg = f"convert: expected IN and OUT, found {len(sources) + 1} files"
        raise ParameterError(msg, hint="--fuse rrf makes one run of several.")
    for option, text in asked.items():
        if text is not None:
            msg = f"{option}: expected --fuse beside it, found a file to convert as it is"
            raise ParameterError(msg, hint="assay convert --fuse rrf IN IN OUT")
    return sources[0]


def _kind(kind: str | None) -> Literal["gold", "run"] | None:
    if kind not in {None, "gold", "run"}:
        msg = f"--kind: expected gold or run, found {kind!r}"
        raise ParameterError(msg)
    return cast('Literal["gold", "run"] | None', kind)


def _require_run(kind: str | None) -> None:
    if _kind(kind) == "gold":
        msg = "--kind: expected run, of which several can be fused, found gold"
        raise ParameterError(msg)
