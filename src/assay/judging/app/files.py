"""Files in and out: pools and judgments that are sent in, gold and judgments that are taken home."""

import tempfile
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

import polars as pl

from assay.errors import InputError, UnknownNameError
from assay.formats.labels import read_labels
from assay.judging.app.visits import Visit, go
from assay.judging.pool_file import read_pairs
from assay.store.consensus import agreed
from assay.store.export import gold_text, labels_text
from assay.store.judging import JudgingStore

if TYPE_CHECKING:
    from starlette.responses import Response

ENDINGS = frozenset({".csv", ".tsv", ".jsonl", ".qrels", ".txt"})
CSV = "text/csv; charset=utf-8"
PLAIN = "text/plain; charset=utf-8"


def export(visit: Visit) -> "Response":
    """Answer with a file of what was judged."""
    from starlette.responses import Response

    name = visit.request.path_params["name"]
    if name not in FILES:
        raise UnknownNameError.of("file", name, FILES)
    kind, _, write = FILES[name]
    content = write(visit.store)
    return Response(content, media_type=kind, headers={"content-disposition": f'attachment; filename="{name}"'})


def add_pairs(visit: Visit) -> "Response":
    """Add the pairs of a pool that the project does not have."""
    material = visit.desk.project.material
    with _sent(visit) as (path, name):
        found, pairs = read_pairs(path, material=material)
        if found != material:
            raise InputError(
                f"{name}: expected a pool of this project ({material}), found one of another kind ({found})"
            )
        return go(f"/admin?told=added&n={visit.store.add(pairs)}")


def add_labels(visit: Visit) -> "Response":
    """Record judgments that were made elsewhere; a file that names no judge is one judge's, called as the form says."""
    with _sent(visit) as (path, _):
        labels = read_labels(path)
        judge = visit.text("judge", 80)
        if labels.judges == (path.name.partition(".")[0],):
            if not judge:
                raise InputError("judgments: expected the name of the judge, as the file names none, found no name")
            labels = replace(labels, table=labels.table.with_columns(pl.lit(judge).alias("judge")))
        return go(f"/admin?told=taken&n={visit.store.take(labels).recorded}")


@contextmanager
def _sent(visit: Visit) -> Iterator[tuple[Path, str]]:
    """Give the file that was sent, as plain text under a name of our own, and its own name for messages."""
    sent: Any = visit.form.get("file")
    if sent is None or isinstance(sent, str) or not sent.filename:
        raise InputError("file: expected one to be chosen, found none")
    ending = Path(sent.filename).suffix.lower()
    try:
        text = sent.file.read().decode()
    except UnicodeDecodeError:
        raise InputError("file: expected text in UTF-8, found something else", hint="unpack it first.") from None
    if ending not in ENDINGS or "\0" in text:
        raise InputError(f"file: expected {', '.join(sorted(ENDINGS))}, found {ending or 'no ending'}")
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / f"sent{ending}"
        path.write_text(text, encoding="utf-8", newline="")
        yield path, sent.filename[:80]


def _gold(form: str) -> Callable[[JudgingStore], bytes]:
    def write(store: JudgingStore) -> bytes:
        return gold_text(agreed(store.snapshot()).table, form)

    return write


def _labels(store: JudgingStore) -> bytes:
    return labels_text(store.labels()).encode()


FILES: Mapping[str, tuple[str, str, Callable[[JudgingStore], bytes]]] = MappingProxyType({
    "judgments.csv": (CSV, "what each judge said", _labels),
    "gold.qrels": (PLAIN, "one grade for each pair, as TREC qrels", _gold("trec")),
    "gold.csv": (CSV, "the same as a table", _gold("csv")),
    "gold.jsonl": ("application/x-ndjson", "the same as JSON Lines", _gold("jsonl")),
})  # fmt: skip
"""The files that can be taken home: their kind, what they hold, what writes them."""
