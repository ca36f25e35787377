"""Embeddings from files: the matrix and the names that were written, and no pickle."""

import gzip
import io
import json
import pickle
import zipfile

import numpy as np
import polars as pl
import pytest

from assay.errors import FormatError, InputError, MissingExtraError
from assay.tasks.links.embeddings import read_embeddings

MATRIX = np.arange(12, dtype=np.float32).reshape(4, 3) / 8
NAMES = ["a", "b c", "ä", "d"]


def saved(folder, name, content):
    file = folder / name
    file.write_bytes(content if isinstance(content, bytes) else content.encode())
    return file


def packed(write):
    buffer = io.BytesIO()
    write(buffer)
    return buffer.getvalue()


def test_npy_is_mapped_and_not_read(tmp_path):
    file = saved(tmp_path, "entity.npy", packed(lambda to: np.save(to, MATRIX)))
    read = read_embeddings(file)
    assert isinstance(read.matrix, np.memmap)
    assert read.matrix.tolist() == MATRIX.tolist()
    assert (read.names, read.notice) == (None, None)


def test_npz_asks_for_a_key_where_it_holds_several_arrays(tmp_path):
    file = saved(tmp_path, "model.npz", packed(lambda to: np.savez(to, entity=MATRIX, relation=MATRIX[:2])))
    assert read_embeddings(file, key="relation").matrix.shape == (2, 3)
    with pytest.raises(InputError, match='expected one array, found entity, relation\nHint: key="entity" says which'):
        read_embeddings(file)
    with pytest.raises(InputError, match="expected an array called 'entities', found entity, relation"):
        read_embeddings(file, key="entities")


def test_npz_may_hold_the_names(tmp_path):
    file = saved(tmp_path, "named.npz", packed(lambda to: np.savez(to, vectors=MATRIX, names=np.array(NAMES))))
    read = read_embeddings(file)
    assert read.names.to_list() == NAMES
    assert read.matrix.tolist() == MATRIX.tolist()


@pytest.mark.parametrize(
    "text",
    [
        "4 3\n{}\n",
        "{}\n",
        "{}",
    ],
)
@pytest.mark.parametrize("compressed", [False, True])
def test_the_text_of_word2vec_has_names(text, compressed, tmp_path):
    rows = "\n".join(" ".join([name, *map(str, row)]) + " " for name, row in zip(NAMES, MATRIX.tolist(), strict=True))
    content = text.format(rows.replace("b c", "b_c") if not text.startswith("4") else rows).encode()
    file = saved(tmp_path, "v.vec.gz" if compressed else "v.vec", gzip.compress(content) if compressed else content)
    read = read_embeddings(file)
    assert read.matrix.tolist() == MATRIX.tolist()
    assert [name.replace("_", " ") for name in read.names] == NAMES


@pytest.mark.parametrize(
    "columns",
    [
        {"name": NAMES, "vector": MATRIX.tolist()},
        {"name": NAMES, "vector": pl.Series(MATRIX.tolist(), dtype=pl.Array(pl.Float32, 3))},
        {"number": [0, 1, 2, 3], "name": NAMES, **{f"x{i}": MATRIX[:, i].tolist() for i in range(3)}},
    ],
)
def test_parquet_has_a_column_of_lists_or_columns_of_numbers(columns, tmp_path):
    file = tmp_path / "vectors.parquet"
    pl.DataFrame(columns).write_parquet(file)
    read = read_embeddings(file)
    assert read.matrix.tolist() == MATRIX.tolist()
    assert read.names.to_list() == NAMES


def test_pytorch_biggraph_has_the_names_beside(tmp_path):
    h5py = pytest.importorskip("h5py")
    file = tmp_path / "embeddings_all_0.v50.h5"
    with h5py.File(file, "w") as to:
        to["embeddings"] = MATRIX
        to["optimizer/state_dict"] = np.zeros(3)
    assert read_embeddings(file).names is None
    (tmp_path / "entity_names_all_0.json").write_text(json.dumps(NAMES))
    read = read_embeddings(file)
    assert read.matrix.tolist() == MATRIX.tolist()
    assert read.names.to_list() == NAMES
    with h5py.File(tmp_path / "model.v50.h5", "w") as to:
        to["model/relations/0/operator/rhs/real"] = MATRIX
        to["model/relations/0/operator/rhs/imag"] = -MATRIX
    read = read_embeddings(tmp_path / "model.v50.h5", key="model/relations/0/operator/rhs/imag")
    assert read.matrix.tolist() == (-MATRIX).tolist()
    with pytest.raises(InputError, match="expected one array, found model/relations/0/operator/rhs/imag, model"):
        read_embeddings(tmp_path / "model.v50.h5")


def test_safetensors_hold_arrays_by_name(tmp_path):
    numpy = pytest.importorskip("safetensors.numpy")
    file = tmp_path / "model.safetensors"
    numpy.save_file({"entity": MATRIX, "relation": MATRIX[:2].copy()}, file)
    assert read_embeddings(file, key="entity").matrix.tolist() == MATRIX.tolist()
    with pytest.raises(InputError, match="expected one array, found entity, relation"):
        read_embeddings(file)
    saved(tmp_path, "cut.safetensors", file.read_bytes()[:-4])
    with pytest.raises(FormatError, match="expected a whole file"):
        read_embeddings(tmp_path / "cut.safetensors", key="entity")


@pytest.mark.parametrize(
    ("name", "head"), [("m.safetensors", b"\x08\0\0\0\0\0\0\0{}      "), ("m.h5", b"\x89HDF\r\n\x1a\n")]
)
def test_what_an_absent_library_reads_names_the_extra(name, head, tmp_path, monkeypatch):
    monkeypatch.setitem(__import__("sys").modules, "safetensors", None)
    monkeypatch.setitem(__import__("sys").modules, "h5py", None)
    with pytest.raises(MissingExtraError, match=r"pip install 'assay\[links\]'"):
        read_embeddings(saved(tmp_path, name, head))


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("model.pkl", pickle.dumps([1.0])),
        ("model.bin", pickle.dumps([1.0])),
        ("model.npy", pickle.dumps([1.0])),
        ("objects.npy", packed(lambda to: np.save(to, np.array([{}, {}], object), allow_pickle=True))),
        ("objects.npz", packed(lambda to: np.savez(to, v=np.array([[{}]], object), allow_pickle=True))),
        ("model.zip", packed(lambda to: zipfile.ZipFile(to, "w").writestr("archive/data.pkl", b"") or None)),
    ],
)
def test_pickles_and_objects_are_refused(name, content, tmp_path):
    with pytest.raises(FormatError) as error:
        read_embeddings(saved(tmp_path, name, content), key="v" if name == "objects.npz" else None)
    assert name in str(error.value)


@pytest.mark.parametrize(
    ("name", "content", "said"),
    [
        ("v.txt", "2 3\na 1 2 3\n", "line 1: expected 2 rows, as this line says, found 1"),
        ("v.txt", "2 3\na 1 2 3\nb 1 2\n", "line 3: expected a name and 3 numbers, found 'b 1 2'"),
        ("v.txt", "a 1 2 3\nb 1 two 3\n", "line 2: expected a name and 3 numbers"),
        ("v.txt", "a\nb\n", "line 1: expected a name and numbers"),
        ("v.npy", packed(lambda to: np.save(to, MATRIX))[:-8], "expected a whole file"),
        ("v.npy", packed(lambda to: np.save(to, np.array(["a"]))), "expected numbers, found <U1"),
        ("v.npy", packed(lambda to: np.save(to, MATRIX[0])), r"expected rows of numbers, found shape \(3,\)"),
        ("v.npy.gz", gzip.compress(packed(lambda to: np.save(to, MATRIX)), mtime=0), "expected a plain npy file"),
        ("v.bin", b"4 3\na\x00\x01\x02", "unknown bytes|no text"),
    ],
)
def test_files_that_hold_no_matrix_are_refused(name, content, said, tmp_path):
    with pytest.raises(FormatError, match=said):
        read_embeddings(saved(tmp_path, name, content))


@pytest.mark.parametrize(
    ("columns", "said"),
    [
        ({"v": [[1.0, 2.0], [1.0]]}, "row 2: expected 2 numbers, found 1"),
        ({"v": [["a"], ["b"]]}, "expected lists of numbers"),
        ({"v": [1.0, None]}, "expected a number in every cell"),
        ({"v": ["a", "b"]}, "expected a column of lists or columns of numbers"),
        ({"v": [[1.0]], "w": [[1.0]]}, "expected one array, found v, w"),
    ],
)
def test_tables_that_hold_no_matrix_are_refused(columns, said, tmp_path):
    file = tmp_path / "v.parquet"
    pl.DataFrame(columns).write_parquet(file)
    with pytest.raises(InputError, match=said):
        read_embeddings(file)


def test_a_layout_makes_complex_numbers(tmp_path):
    file = saved(tmp_path, "e.npy", packed(lambda to: np.save(to, np.array([[1, 2, 3, 4]], np.float32))))
    assert read_embeddings(file, layout="halves").matrix.tolist() == [[1 + 3j, 2 + 4j]]
    assert read_embeddings(file, layout="interleaved").matrix.tolist() == [[1 + 2j, 3 + 4j]]
    odd = saved(tmp_path, "odd.npy", packed(lambda to: np.save(to, MATRIX)))
    with pytest.raises(FormatError, match=r"even number of real numbers for layout 'halves', found shape \(4, 3\)"):
        read_embeddings(odd, layout="halves")


def test_numbers_that_are_none_are_counted(tmp_path):
    matrix = MATRIX.copy()
    matrix[1, 1], matrix[2, 0], matrix[3, 2] = np.nan, np.inf, -np.inf
    read = read_embeddings(saved(tmp_path, "e.npy", packed(lambda to: np.save(to, matrix))))
    assert (read.nan, read.infinite) == (1, 2)
    assert read.notice.endswith("1 numbers are NaN, 2 are infinite, of 12")


def test_whole_numbers_become_float32(tmp_path):
    file = saved(tmp_path, "e.npy", packed(lambda to: np.save(to, np.array([[1, -2]], np.int8))))
    assert read_embeddings(file).matrix.dtype == np.float32
