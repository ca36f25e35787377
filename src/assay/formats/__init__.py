"""Files: one module for each format, read and written, recognised by content and suffix."""

import os

from assay.core.gold import Gold
from assay.core.progress import Progress
from assay.core.run import Run
from assay.errors import FormatError
from assay.formats.base import FORMATS, Format, Kind
from assay.formats.beir import Beir
from assay.formats.binary import Arrow, Parquet
from assay.formats.datasets import Dataset
from assay.formats.diversity import Diversity, Prels, Strata
from assay.formats.jsonl import Jsonl
from assay.formats.mapping import Json
from assay.formats.msmarco import Msmarco
from assay.formats.preferences import JudgmentGroups, Prefs
from assay.formats.source import Source
from assay.formats.table import Csv, Tsv
from assay.formats.trec import Trec

__all__ = ["FORMATS", "Format", "Source", "detect", "read_gold", "read_run"]

for _format in (
    Parquet(),
    Arrow(),
    Jsonl(),
    Json(),
    Beir(),
    Csv(),
    Tsv(),
    Msmarco(),
    Diversity(),
    Prels(),
    Strata(),
    Prefs(),
    JudgmentGroups(),
    Trec(),
):
    FORMATS.add(_format.name, _format, aliases=_format.aliases)


def read_gold(path: str | os.PathLike[str], format: str | None = None) -> Gold:  # noqa: A002 - as --format
    """Read a gold standard from a file; "-" is standard input.

    Raises
    ------
    InputError
        A file that cannot be read, or content that breaks its format; the message names the line.
    UnknownNameError
        No format of that name.
    """
    source = Source.open(path)
    return _chosen(source, "gold", format).read_gold(source)


def read_run(
    path: str | os.PathLike[str],
    format: str | None = None,  # noqa: A002 - as --format
    name: str | None = None,
    *,
    progress: Progress | None = None,
) -> Run:
    """Read a run from a file; its name is that of the file unless it is given. Rows are read when asked for.

    A folder of Parquet files, or a pattern that matches such files, is one run. `progress` is told how many bytes of
    a single file are read, of how many; a run that does not fit into the memory that it may take is read several times.

    Raises
    ------
    InputError
        A file that cannot be read, or content that breaks its format; the message names the line. What is
        wrong in the rows is found when they are read.
    UnknownNameError
        No format of that name.
    """
    dataset = Dataset.find(path)
    if dataset is not None:
        if format not in {None, "parquet"}:
            msg = f"{dataset.path}: expected one file in the format {format}, found a folder or a pattern"
            raise FormatError(msg, hint="a run in several files is one in Parquet.")
        return dataset.run(name)
    source = Source.open(path, progress)
    return _chosen(source, "run", format).read_run(source, name or source.stem)


def detect(source: Source, kind: Kind | None = None) -> Format:
    """Return the first format that the beginning of a file looks like."""
    found = next(known for known in FORMATS.values() if known.sniff(source, kind))
    if found.name == "trec" and b"\0" in source.head:
        msg = f"{source.path}: expected text, Parquet or Arrow, found another kind of binary content"
        hint = "text has to be UTF-8; arrays and pickles are handed over from Python."
        raise FormatError(msg, hint=hint)
    return found


def _chosen(source: Source, kind: Kind, name: str | None) -> Format:
    return detect(source, kind) if name is None else FORMATS[name]
