"""The two files, read with the formats of Assay, and the run's own name."""

import polars as pl

from assay.cli.trec_eval.arguments import INPUT_CODE, Arguments, ExitError
from assay.core.gold import Gold
from assay.core.run import Run
from assay.formats import FORMATS, Source

REL_FORMATS = {"qrels": "trec", "prefs": "trec_prefs", "qrels_prefs": "trec_qrels_prefs", "qrels_jg": "trec_qrels_jg"}
"""Which format of Assay reads which format of judgments."""


def read_gold(path: str, arguments: Arguments) -> tuple[Gold, float | None]:
    """Read the judgments, and return a grade that had to lose its fraction, as in trec_eval, if there is one."""
    name = REL_FORMATS.get(arguments.rel_format)
    if name is None or name not in FORMATS:
        raise ExitError(INPUT_CODE, f"-R: expected one of {', '.join(REL_FORMATS)}, found {arguments.rel_format!r}")
    gold = FORMATS[name].read_gold(Source.open(path))
    if gold.fractional is None or arguments.version_of == "documented" or arguments.rel_format == "prefs":
        return gold, None
    cut = pl.col("grade").truncate()
    details = None if gold.details is None else gold.details.with_columns(cut)
    return Gold(gold.table.with_columns(cut), gold.name, gold.origin, gold.unjudged, details), gold.fractional


def open_run(path: str, arguments: Arguments) -> Source:
    """Open the file of the run."""
    if arguments.results_format != "trec_results":
        raise ExitError(INPUT_CODE, f"-T: expected trec_results, found {arguments.results_format!r}")
    return Source.open(path)


def read_run(source: Source) -> Run:
    """Read the run; its rows stream."""
    return FORMATS["trec"].read_run(source, source.stem)


def run_id(source: Source) -> str:
    """Return the sixth column of the last row of a run."""
    columns = _last_row(source).split()
    return columns[5].decode(errors="replace") if len(columns) > 5 else ""


def _last_row(source: Source) -> bytes:
    """Return the last line that holds a row; of a plain file only the end is read."""
    if source.compression is None:
        size = source.file.stat().st_size
        with source.raw() as file:
            file.seek(max(0, size - (1 << 16)))
            found = _last(file.read())
        if found:
            return found
    kept = row = b""
    for chunk in source.chunks(1 << 20):
        whole, _, rest = (kept + chunk).rpartition(b"\n")
        row, kept = _last(whole) or row, rest
    return _last(kept) or row


def _last(text: bytes) -> bytes:
    lines = (line.strip() for line in reversed(text.split(b"\n")))
    return next((line for line in lines if line and not line.startswith(b"#")), b"")
