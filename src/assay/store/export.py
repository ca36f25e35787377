"""A gold file from a judging project: as TREC qrels, CSV, TSV or JSON Lines, with its versions beside it.

The file holds judgments alone, so that every program reads it. What it was made from stands in FILE.history.json: for
each version the SHA-256 of the file (that which results of Assay name too), its parent, and each judgment that changed.
"""

import csv
import hashlib
import io
import json
import os
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import polars as pl

from assay.convert import written_whole
from assay.core.gold_versions import Exported, GoldHistory, GoldVersion, changes
from assay.core.labels import MORE, SCHEMA, Labels
from assay.errors import InputError
from assay.formats import FORMATS, read_gold
from assay.formats.source import file_digest
from assay.report.amounts import counted
from assay.report.documents import strict_json
from assay.store.consensus import Consensus, agreed
from assay.store.judging import JudgingStore
from assay.store.snapshot import Snapshot

FORMS = {".csv": "csv", ".tsv": "tsv", ".jsonl": "jsonl", ".ndjson": "jsonl"}
"""The form of a gold file by its ending; any other is TREC qrels."""
FORMULA = ("=", "+", "-", "@", "\t", "\r")
"""With what a cell begins that a spreadsheet would compute."""


def export(
    store: JudgingStore,
    out: str | os.PathLike[str] | None = None,
    *,
    rule: str = "majority",
    since: str | os.PathLike[str] | None = None,
) -> Exported:
    """Write what was judged as a gold standard; without `out`, only say what it would be.

    A file that is there becomes the parent of the new version. `since` is a gold file to hold the new one against.

    Raises
    ------
    InputError
        Nothing is judged yet; a file that is none of the versions in its history; ids that the form cannot hold.
    UnknownNameError
        No such rule.
    """
    found = store.snapshot()
    made = agreed(found, rule)
    if not made.table.height:
        raise InputError(f"project {found.labels.name!r}: expected judgments with a grade, found none")
    place = None if out is None else Path(out)
    content = gold_text(made.table, _form(place))
    history = GoldHistory() if place is None else read_history(place)
    version = _version(found, made, rule, history, content)
    new = version not in history.versions
    if new and place is not None and place.exists():
        version = replace(version, parent=file_digest(place), changes=changes(_judgments(place), made.table))
    if place is not None:
        if new:
            _write(_beside(place), strict_json(GoldHistory((*history.versions, version)).to_dict()).encode())
        _write(place, content)
    shown = version if since is None else replace(version, changes=changes(read_gold(since).table, made.table))
    path, beside = (None, None) if place is None else (str(place), str(_beside(place)))
    notices = tuple(_notices(version, made, _form(place)))
    return Exported(path, beside, shown, new, None if since is None else os.fspath(since), notices)


def gold_text(table: pl.DataFrame, form: str) -> bytes:
    """Return judgments as a file of this form; only a table holds the chances of drawn pairs.

    Raises
    ------
    InputError
        An id that the form cannot hold.
    """
    out = io.BytesIO()
    if form in {"csv", "tsv"} and "probability" in table.columns:
        table.write_csv(out, separator="," if form == "csv" else "\t")
    else:
        FORMATS[form].write_gold([table.select("query", "item", "grade")], out)
    return out.getvalue()


def labels_text(labels: Labels) -> str:
    """Return what each judge said as CSV, which `assay gold agree` reads; no spreadsheet computes a note of it."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    table = labels.table.select(name for name in (*SCHEMA, *MORE) if name in labels.table.columns)
    words = [table.columns.index(name) for name in ("reason", "note") if name in table.columns]
    writer.writerow(table.columns)
    for row in table.iter_rows():
        cells = ["" if cell is None else cell for cell in row]
        cells = [repr(cell).removesuffix(".0") if isinstance(cell, float) else cell for cell in cells]
        for place in words:
            cells[place] = f"'{cells[place]}" if cells[place].startswith(FORMULA) else cells[place]
        writer.writerow(cells)
    return out.getvalue()


def read_history(place: str | os.PathLike[str]) -> GoldHistory:
    """Return the versions of a gold file; none where there is no file yet.

    Raises
    ------
    InputError
        A file without a history, or one that is none of its versions.
    """
    place = Path(place)
    beside = _beside(place)
    if not beside.is_file():
        if place.exists():
            raise InputError(
                f"{place}: expected a new file or one that an export wrote, found one without {beside.name}",
                hint="name another --out; --since shows what differs from this file.",
            )
        return GoldHistory()
    try:
        told = json.loads(beside.read_text("utf-8"))
    except (OSError, ValueError, RecursionError) as error:
        raise InputError(f"{beside}: expected the history of a gold file, found an error: {error}") from None
    history = GoldHistory.of(told, str(beside))
    if place.exists() and file_digest(place) not in {one.sha256 for one in history.versions}:
        raise InputError(
            f"{place}: expected the file as an export wrote it, found it changed",
            hint="move it away, or name another --out; --since shows what differs.",
        )
    return history


def _form(place: Path | None) -> str:
    return "trec" if place is None else FORMS.get(place.suffix.lower(), "trec")


def _beside(place: Path) -> Path:
    return place.with_name(f"{place.name}.history.json")


def _judgments(place: Path) -> pl.DataFrame:
    return read_gold(place, _form(place)).table


def _write(place: Path, content: bytes) -> None:
    with written_whole(str(place)) as file:
        file.write(content)


def _version(found: Snapshot, made: Consensus, rule: str, history: GoldHistory, content: bytes) -> GoldVersion:
    """Return the version that this content is: the last one if it is the same, else a new one without a parent."""
    last, sha256 = history.last, hashlib.sha256(content).hexdigest()
    if last is not None and last.sha256 == sha256:
        return last
    table = found.labels.table
    guidelines = sorted({int(one) for one in table["guideline"].drop_nulls()})
    return GoldVersion(
        last.version + 1 if last else 1, sha256, None, found.labels.name, rule, tuple(guidelines), found.decisions,
        found.last, table["judge"].n_unique(), made.table.height, made.settled, made.tied, made.untold,
    )  # fmt: skip


def _notices(version: GoldVersion, made: Consensus, form: str) -> Iterator[str]:
    if version.tied:
        yield (
            f"{counted(version.tied, 'pair has', 'pairs have')} judges who are split: the lower grade was taken. "
            "Settle them on the page for admins, or see assay gold adjudicate."
        )
    if version.untold:
        yield f"{counted(version.untold, 'pair is', 'pairs are')} left out: all who looked could not tell."
    if form not in {"csv", "tsv"} and "probability" in made.table.columns:
        yield "The pool was drawn by chance: only a .csv or .tsv keeps stratum and probability, which infAP needs."
