"""An index on disk: a folder of arrays that are mapped into memory, and a page of JSON that says what it is."""

import json
import os
import tempfile
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import polars as pl

from assay.errors import InputError
from assay.tasks.lexical.analysis import Analyzer

if TYPE_CHECKING:
    from assay.tasks.lexical.index import Index

KIND = "assay lexical index"
VERSION = 1
PAGE = "index.json"
ARRAYS: dict[str, type[np.generic]] = {"starts": np.int64, "places": np.int32, "counts": np.int32, "lengths": np.int64}
TEXTS = ("items", "terms")
"""Kept as their bytes, one after the other, with where each ends."""
REMEDY = "build the index again from the documents."


def write_index(index: "Index", path: str | os.PathLike[str]) -> None:
    """Write an index beside its place and then move it there; an index that is there is replaced.

    Raises
    ------
    InputError
        Something else is there, or nothing can be written there.
    """
    place = Path(path)
    _check_free(place)
    try:
        place.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(prefix=f".{place.name}-", dir=place.parent) as folder:
            new, old = Path(folder) / "new", Path(folder) / "old"
            new.mkdir()
            _write(index, new)
            if place.exists():
                place.rename(old)
            new.rename(place)
    except OSError as error:
        msg = f"{place}: expected a place for an index, found an error: {error.strerror or error}"
        raise InputError(msg) from None


def read_index(path: str | os.PathLike[str]) -> dict[str, Any]:
    """Return the fields of an index that was written; arrays are mapped, and cannot be changed.

    Raises
    ------
    InputError
        No such folder, another kind of folder, one of another version, or one that is damaged.
    """
    place = Path(path)
    page = _page(place)
    try:
        arrays = {name: _mapped(place / f"{name}.npy", kind) for name, kind in ARRAYS.items()}
        texts = {name: _texts(place, name) for name in TEXTS}
        said = {name: str(page[name]) for name in ("name", "digest")}
        found = {**arrays, **texts, **said, "analyzer": _analyzer(page["analyzer"])}
    except (OSError, EOFError, ValueError, TypeError, KeyError) as error:
        raise _damaged(place, str(error).partition("\n")[0]) from None
    if not _fits(found):
        raise _damaged(place, "arrays that do not belong together")
    return found


def _check_free(place: Path) -> None:
    if place.exists() and not (place.is_dir() and (not any(place.iterdir()) or (place / PAGE).is_file())):
        kind = "a folder of something else" if place.is_dir() else "a file"
        raise InputError(f"{place}: expected a new folder or one with an index, found {kind}")


def _write(index: "Index", folder: Path) -> None:
    for name, kind in ARRAYS.items():
        np.save(folder / f"{name}.npy", np.asarray(getattr(index, name), kind), allow_pickle=False)
    for name in TEXTS:
        texts: pl.Series = getattr(index, name)
        ends = texts.str.len_bytes().cum_sum().cast(pl.Int64).to_numpy()
        said = np.frombuffer("".join(texts).encode(), np.uint8)
        np.save(folder / f"{name}.npy", said, allow_pickle=False)
        np.save(folder / f"{name}-ends.npy", ends, allow_pickle=False)
    steps = index.analyzer
    page = {
        "kind": KIND, "version": VERSION, "name": index.name, "documents": len(index), "terms": len(index.terms),
        "postings": len(index.places), "digest": index.digest,
        "analyzer": {
            "stemmer": steps.stemmer, "stop": steps.stop, "lower": steps.lower, "possessive": steps.possessive,
            "stop_words": sorted(steps.stop_words),
        },
    }  # fmt: skip
    (folder / PAGE).write_text(json.dumps(page, indent=1) + "\n", "utf-8")


def _page(place: Path) -> dict[str, Any]:
    if not place.is_dir():
        found = "a file" if place.exists() else "nothing of that name"
        raise InputError(f"{place}: expected the folder of an index, found {found}")
    if not (place / PAGE).is_file():
        raise InputError(f"{place}: expected the folder of an index, found one without {PAGE}")
    try:
        page = json.loads((place / PAGE).read_text("utf-8"))
    except (OSError, ValueError, RecursionError):
        raise _damaged(place, f"{PAGE} that is no JSON") from None
    if not isinstance(page, dict) or page.get("kind") != KIND:
        raise InputError(f"{place}: expected the folder of an index, found a {PAGE} of something else")
    if page.get("version") != VERSION:
        found = f"found version {str(page.get('version'))[:20]}"
        raise InputError(f"{place}: expected an index of version {VERSION}, {found}", hint=REMEDY)
    return page


def _mapped(file: Path, kind: type[np.generic]) -> Any:
    array = np.load(file, mmap_mode="r", allow_pickle=False)
    if array.ndim != 1 or array.dtype != kind:
        msg = f"{file.name} of another kind"
        raise ValueError(msg)
    return array


def _texts(place: Path, name: str) -> pl.Series:
    said, ends = _mapped(place / f"{name}.npy", np.uint8).tobytes(), _mapped(place / f"{name}-ends.npy", np.int64)
    if (ends[-1] if len(ends) else 0) != len(said) or (np.diff(ends, prepend=0) < 0).any():
        msg = f"{name} that are cut short"
        raise ValueError(msg)
    begins = [0, *ends.tolist()]
    texts = [said[start:end].decode() for start, end in pairwise(begins)]
    return pl.Series(name[:-1], texts, pl.String)


def _analyzer(given: dict[str, Any]) -> Analyzer:
    made = Analyzer(**{**given, "stop_words": frozenset(given["stop_words"])})
    flags = (made.stop, made.lower, made.possessive)
    texts = (made.stemmer or "", *made.stop_words)
    if not all(isinstance(one, bool) for one in flags) or not all(isinstance(one, str) for one in texts):
        msg = f"{PAGE} with an analyzer of another kind"
        raise TypeError(msg)
    return made


def _fits(found: dict[str, Any]) -> bool:
    """Tell whether the arrays belong together: every posting is of a document, and lengths are sums of counts."""
    starts, places, counts, items = (found[name] for name in ("starts", "places", "counts", "items"))
    return (
        len(starts) == len(found["terms"]) + 1
        and len(found["lengths"]) == len(items)
        and len(places) == len(counts) == starts[-1]
        and starts[0] == 0
        and not (np.diff(starts) <= 0).any()
        and places.min() >= 0
        and counts.min() >= 1
        and places.max() < len(items)
        and np.array_equal(np.bincount(places, counts, len(items)), found["lengths"])
    )


def _damaged(place: Path, found: str) -> InputError:
    return InputError(f"{place}: expected a whole index, found it damaged: {found}", hint=REMEDY)
