"""The index: what it holds, in pieces or at once, on disk and back, and what is said of folders that hold none."""

import json
from collections import Counter

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from assay.core.texts import Documents
from assay.errors import InputError
from assay.tasks.lexical import postings
from assay.tasks.lexical.analysis import Analyzer
from assay.tasks.lexical.index import Index

pytest.importorskip("Stemmer")
TEXTS = {"a": "Gold and gold mines", "b": "silver", "c": "the", "d": "mines of silver, mines of gold"}
ARRAYS = ("starts", "places", "counts", "lengths")


def same(one, other):
    return all(np.array_equal(getattr(one, name), getattr(other, name)) for name in ARRAYS) and (
        one.terms.to_list(), one.items.to_list(), one.analyzer, one.name, one.digest
    ) == (other.terms.to_list(), other.items.to_list(), other.analyzer, other.name, other.digest)  # fmt: skip


@given(st.lists(st.text("ab cé漢", max_size=12), min_size=1, max_size=8), st.integers(1, 40))
def test_postings_are_what_counting_gives(texts, piece):
    analyzer = Analyzer(stemmer=None, stop=False)
    counted = [Counter(analyzer.terms(text)) for text in texts]
    terms = sorted({term for count in counted for term in count}, key=str.encode)
    before, postings.PIECE = postings.PIECE, piece
    try:
        found = postings.gather(pl.Series(texts), analyzer)
    finally:
        postings.PIECE = before
    assert found.terms.to_list() == terms
    assert found.lengths.tolist() == [count.total() for count in counted]
    for number, term in enumerate(terms):
        part = slice(found.starts[number], found.starts[number + 1])
        held = [(place, count[term]) for place, count in enumerate(counted) if term in count]
        assert list(zip(found.places[part], found.counts[part], strict=True)) == held
    assert found.starts[-1] == len(found.places)


def test_counts_of_terms_and_documents():
    index = Index.build(Documents.of(TEXTS))
    assert index.terms.to_list() == ["gold", "mine", "silver"]
    assert index.document_frequency.tolist() == [2, 2, 2]
    assert index.collection_frequency.tolist() == [3, 3, 2]
    assert (index.total, index.average_length, index.lengths.tolist()) == (8, 8 / 3, [3, 1, 0, 4])
    terms, counts = index.forward.of(3)
    assert (terms.tolist(), counts.tolist()) == ([0, 1, 2], [1, 2, 1])
    assert index.forward.of(2)[0].tolist() == []


def test_progress_is_told_how_many_documents_are_done(monkeypatch):
    monkeypatch.setattr(postings, "PIECE", 1)
    told = []
    Index.build(Documents.of(TEXTS), progress=lambda done, total: told.append((done, total)))
    assert told == [(1, 4), (2, 4), (3, 4), (4, 4)]


def test_documents_without_words_are_refused():
    with pytest.raises(InputError, match="expected documents with words, found none"):
        Index.build(Documents.of({"a": "...", "b": "the"}))


def test_the_digest_is_of_ids_and_texts():
    digests = {Documents.of(texts).digest() for texts in (TEXTS, TEXTS | {"b": "Silver"}, {"ab": "c"}, {"a": "bc"})}
    assert len(digests) == 4
    assert Index.build(Documents.of(TEXTS)).digest in digests


def test_an_index_comes_back_as_it_was(tmp_path):
    given = Index.build(Documents.of(TEXTS | {"é": "Häuser 漢"}, "texts"), Analyzer.of("german", ["und"]))
    given.save(tmp_path / "deep" / "index")
    found = Index.open(tmp_path / "deep" / "index")
    assert same(found, given)
    assert isinstance(found.places, np.memmap)
    assert not found.places.flags.writeable
    assert [entry.name for entry in (tmp_path / "deep").iterdir()] == ["index"]


def test_an_index_is_replaced_by_another(tmp_path):
    Index.build(Documents.of(TEXTS)).save(tmp_path / "index")
    other = Index.build(Documents.of({"x": "silk"}))
    other.save(tmp_path / "index")
    assert same(Index.open(tmp_path / "index"), other)


def test_nothing_else_is_replaced(tmp_path):
    (tmp_path / "notes").mkdir()
    (tmp_path / "notes" / "a.txt").write_text("mine")
    index = Index.build(Documents.of(TEXTS))
    with pytest.raises(InputError, match=r"notes: expected a new folder or one with an index, found a folder of some"):
        index.save(tmp_path / "notes")
    with pytest.raises(InputError, match="found a file"):
        index.save(tmp_path / "notes" / "a.txt")
    with pytest.raises(InputError, match="expected a place for an index, found an error"):
        index.save(tmp_path / "notes" / "a.txt" / "index")
    assert (tmp_path / "notes" / "a.txt").read_text() == "mine"


def cut(folder):
    (folder / "places.npy").write_bytes((folder / "places.npy").read_bytes()[:-4])


def removed(folder):
    (folder / "counts.npy").unlink()


def shorter(folder):
    np.save(folder / "counts.npy", np.zeros(2, np.int32))


def pickled(folder):
    np.save(folder / "lengths.npy", np.array([{}], object), allow_pickle=True)


def wider(folder):
    np.save(folder / "places.npy", np.load(folder / "places.npy").astype(np.int64))


def no_utf8(folder):
    np.save(folder / "terms.npy", np.full_like(np.load(folder / "terms.npy"), 255))


def no_json(folder):
    (folder / "index.json").write_text("{")


def no_analyzer(folder):
    page = json.loads((folder / "index.json").read_text())
    page["analyzer"] = {"stop_words": [], "colour": "red"}
    (folder / "index.json").write_text(json.dumps(page))


def other_analyzer(folder):
    page = json.loads((folder / "index.json").read_text())
    page["analyzer"]["stemmer"] = 5
    (folder / "index.json").write_text(json.dumps(page))


def emptied(folder):
    (folder / "places.npy").write_bytes(b"")


def elsewhere(folder):
    np.save(folder / "places.npy", np.load(folder / "places.npy") + 1000)


def negative(folder):
    np.save(folder / "counts.npy", -np.load(folder / "counts.npy"))


def recounted(folder):
    np.save(folder / "counts.npy", np.load(folder / "counts.npy") + 1)


DAMAGES = [
    cut, removed, shorter, pickled, wider, no_utf8, no_json, no_analyzer, other_analyzer, emptied, elsewhere, negative,
    recounted,
]  # fmt: skip


@pytest.mark.parametrize("damage", DAMAGES)
def test_a_damaged_index_is_refused(tmp_path, damage):
    Index.build(Documents.of(TEXTS)).save(tmp_path / "index")
    damage(tmp_path / "index")
    with pytest.raises(InputError, match="expected a whole index, found it damaged") as caught:
        Index.open(tmp_path / "index")
    assert caught.value.hint == "build the index again from the documents."


def test_what_is_no_index_is_refused(tmp_path):
    with pytest.raises(InputError, match="found nothing of that name"):
        Index.open(tmp_path / "none")
    with pytest.raises(InputError, match=r"found one without index\.json"):
        Index.open(tmp_path)
    (tmp_path / "index.json").write_text('{"kind": "page"}')
    with pytest.raises(InputError, match="of something else"):
        Index.open(tmp_path)
    (tmp_path / "index.json").write_text('{"kind": "assay lexical index", "version": 9}')
    with pytest.raises(InputError, match="expected an index of version 1, found version 9"):
        Index.open(tmp_path)
