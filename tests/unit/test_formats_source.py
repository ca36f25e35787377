"""What is wrong with a file is said before anything is read from it."""

import gzip
import io
import os
import sys
import threading
from pathlib import Path

import pytest

from assay.errors import FormatError, InputError
from assay.formats import read_gold, read_run
from assay.formats.compression import zstandard
from assay.formats.source import Source

QRELS = b"q1 0 a 1\nq1 0 b 0\n"


def refused(path, read=read_gold) -> str:
    with pytest.raises(InputError) as caught:
        read(path)
    return str(caught.value)


def written(path: Path, content: bytes) -> Path:
    path.write_bytes(content)
    return path


def test_no_such_file_with_a_near_name(tmp_path):
    written(tmp_path / "bm25.run", b"x")
    said = refused(tmp_path / "bm25.rum")
    assert said == (
        f"{tmp_path / 'bm25.rum'}: expected a file, found nothing of that name\n"
        f"Hint: did you mean '{tmp_path / 'bm25.run'}'?"
    )


def test_no_such_folder(tmp_path):
    assert "Hint: there is no folder" in refused(tmp_path / "none" / "a.qrels")


def test_a_folder(tmp_path):
    assert refused(tmp_path) == f"{tmp_path}: expected a file, found a folder"


def test_no_permission(tmp_path, monkeypatch):
    path = written(tmp_path / "a.qrels", QRELS)

    def locked(*_args, **_kwargs):
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(Path, "open", locked)  # root may read anything, so it is played
    assert refused(path) == f"{path}: expected a file that can be read, found one without permission"


@pytest.mark.parametrize("content", [b"", b"\xef\xbb\xbf", gzip.compress(b"")], ids=["nothing", "mark", "gzip"])
def test_an_empty_file(tmp_path, content):
    path = written(tmp_path / "a.qrels", content)
    assert refused(path) == f"{path}: expected content, found an empty file"
    assert refused(path, read_run) == f"{path}: expected content, found an empty file"


@pytest.mark.parametrize("content", [b"# nothing\n\n", b"\n\n", b" \t\r\n"])
def test_only_comments_and_blank_lines(tmp_path, content):
    path = written(tmp_path / "a.txt", content)
    assert refused(path).endswith("expected judgments, found a file that holds no judgments")
    assert refused(path, lambda name: read_run(name).frame()).endswith("found a file that holds no answers")


@pytest.mark.parametrize("content", [b"\x93NUMPY\x01\x00v\x00", b"\xff\xfeq\x001\x00", b"\x7fELF\x02\x00"])
def test_binary_content(tmp_path, content):
    assert "found another kind of binary content" in refused(written(tmp_path / "a.qrels", content))


@pytest.mark.parametrize(("content", "found"), [(b"BZh91AY", "bzip2"), (b"PK\x03\x04..", "zip"), (b"\xfd7zXZ\0", "xz")])
def test_a_compression_that_is_not_read(tmp_path, content, found):
    said = refused(written(tmp_path / "a.qrels", content))
    assert f"expected plain text, gzip or Zstandard, found {found}" in said


@pytest.mark.parametrize("pack", [gzip.compress, zstandard().compress], ids=["gzip", "zstd"])
class TestCompressed:
    def test_is_read_whatever_its_name(self, tmp_path, pack):
        assert len(read_gold(written(tmp_path / "a.txt", pack(QRELS)))) == 2

    def test_parts_one_after_the_other_are_one_text(self, tmp_path, pack):
        path = written(tmp_path / "a.qrels", pack(QRELS) + pack(b"q2 0 c 1\n"))
        assert read_gold(path).queries.to_list() == ["q1", "q2"]

    def test_truncated(self, tmp_path, pack):
        text = b"".join(b"q%d 0 d%d 1\n" % (place, place * 7919) for place in range(100_000))
        path = written(tmp_path / "a.qrels", pack(text)[:-1000])
        said = refused(path)
        assert "found one that is truncated or damaged after" in said
        assert said.endswith("Hint: copy or download it again.")

    def test_followed_by_something_else(self, tmp_path, pack):
        assert "truncated or damaged" in refused(written(tmp_path / "a.qrels", pack(QRELS) + b"garbage"))

    def test_every_truncation_of_a_small_file_is_seen(self, tmp_path, pack):
        packed = pack(QRELS)
        for length in range(4, len(packed)):
            refused(written(tmp_path / "a.qrels", packed[:length]))

    def test_a_text_that_grows_a_thousandfold_comes_in_pieces(self, tmp_path, pack):
        path = written(tmp_path / "a.txt", pack(b"\n" * (1 << 26)))
        assert max(map(len, Source.open(path).chunks(1 << 16))) <= 1 << 24

    def test_blocks_are_cut_at_line_ends(self, tmp_path, pack):
        text = b"".join(b"q Q0 d%d 1 %d t\n" % (place, -place) for place in range(200_000))
        frame = read_run(written(tmp_path / "a.run", pack(text))).frame()
        assert frame["score"].to_list() == [-float(place) for place in range(200_000)]


def test_standard_input_can_be_read_twice(monkeypatch):
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(b"q Q0 a 1 2.5 t\n")))
    run = read_run("-")
    assert run.frame().rows() == run.frame().rows() == [("q", "a", 2.5)]
    assert (run.name, run.origin.path) == ("standard input", "standard input")


def test_the_copy_of_standard_input_goes_with_its_source(monkeypatch):
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(QRELS)))
    source = Source.open("-")
    copy = source.file
    assert copy.exists()
    del source
    assert not copy.exists()


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="needs named pipes")
def test_a_named_pipe(tmp_path):
    os.mkfifo(tmp_path / "pipe")
    writer = threading.Thread(target=(tmp_path / "pipe").write_bytes, args=(QRELS,))
    writer.start()
    assert len(read_gold(tmp_path / "pipe")) == 2
    writer.join()


@pytest.mark.parametrize(
    ("name", "stem"),
    [
        ("bm25.run", "bm25"), ("bm25.run.gz", "bm25"), ("bm25-k1.2.txt", "bm25-k1.2"), ("dense", "dense"),
        ("v1.2", "v1.2"), (".run", ".run"), ("a.b.parquet", "a.b"), ("gold.qrels.zst", "gold"),
    ],
)  # fmt: skip
def test_a_run_is_called_as_its_file(tmp_path, name, stem):
    path = written(tmp_path / name, b"q Q0 a 1 2.5 tag\n")
    assert read_run(path).name == stem
    assert read_run(path, name="mine").name == "mine"


def test_the_digest_is_that_of_the_file_on_disk(tmp_path):
    packed = gzip.compress(QRELS, mtime=0)
    gold = read_gold(written(tmp_path / "a.qrels.gz", packed))
    import hashlib

    assert gold.origin.digest() == hashlib.sha256(packed).hexdigest()


@pytest.mark.parametrize(
    ("content", "read", "said"),
    [
        (b"q1 Q0 a 1 2.5 tag\n", read_gold, "expected 4 columns (query iter item grade), found 6: 'q1 Q0 a 1 2.5 tag'"),
        (QRELS, read_run, "expected 6 columns (query Q0 item rank score system), found 4: 'q1 0 a 1'"),
        (b"1 184 2\n1 29 2\n", read_run, "expected 6 columns (query Q0 item rank score system), found 3: '1 184 2'"),
    ],
)
def test_swapped_files_are_asked_about(tmp_path, content, read, said):
    path = written(tmp_path / "a.txt", content)
    with pytest.raises(FormatError) as caught:
        getattr(read(path), "frame", None)()
    assert str(caught.value).startswith(f"{path}, line 1: {said}\nHint: this looks like a ")
    assert str(caught.value).endswith("; are GOLD and RUN swapped?")


def test_no_utf8_names_line_and_byte(tmp_path):
    path = written(tmp_path / "a.qrels", b"q1 0 a 1\nq1 0 caf\xe9 1\n")
    assert refused(path) == (f"{path}, line 2: expected UTF-8 text, found the byte 0xe9\nHint: save the file as UTF-8.")
