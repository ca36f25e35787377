"""Options that the verbs of `assay neighbours` share."""

from typing import Annotated

import typer

from assay.cli.options import one_of

Names = Annotated[
    str | None,
    typer.Option("--names", metavar="FILE", help="A name for each row, one a line; else as in the file, or numbers."),
]
Key = Annotated[str | None, typer.Option("--key", metavar="NAME", help="Which array of npz, safetensors or HDF5.")]
Count = Annotated[str, typer.Option("-k", metavar="N", help="How many neighbours [10].", show_default=False)]
MetricName = Annotated[
    str, typer.Option("--metric", metavar="NAME", help="cosine, dot or l2 [cosine].", show_default=False)
]
Level = Annotated[
    str, typer.Option("--level", metavar="LEVEL", help="Confidence of the intervals [0.95].", show_default=False)
]

FORMS = ("table", "json", "html")

Output = Annotated[str | None, one_of(FORMS)]


def inputs_of(**paths: str | None) -> list[tuple[str, str]]:
    """Return the files that were named, each by what it is."""
    return [(role.replace("_", " "), path) for role, path in paths.items() if path is not None]
