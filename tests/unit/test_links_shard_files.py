"""Files of entity vectors: which fit together, what goes wrong with them, and how the command takes them."""

import json
from dataclasses import replace

import numpy as np
import polars as pl
import pytest
from tests.unit.link_rankings import random_graph
from tests.unit.link_shards import (
    CUTS,
    ENTITIES,
    RELATIONS,
    parts,
    vectors,
    write,
)

from assay.cli.main import run
from assay.engines.shards import Shards
from assay.errors import FormatError, InputError
from assay.tasks.links.embeddings import read_embeddings


def test_shards_that_do_not_fit_together_are_refused(tmp_path):
    np.save(tmp_path / "a.npy", vectors())
    np.save(tmp_path / "b.npy", vectors()[:, :3])
    with pytest.raises(FormatError, match=r"b.npy: expected rows of 6 float32, as .*a.npy has them, found rows of 3 f"):
        read_embeddings(tmp_path)
    (tmp_path / "b.npy").unlink()
    (tmp_path / "b.npz").write_bytes(b"")
    np.savez(tmp_path / "b.npz", v=vectors(), names=np.array([f"n{row}" for row in range(ENTITIES)]))
    with pytest.raises(FormatError, match=r"a.npy: expected names, as other shards have them, found none"):
        read_embeddings(tmp_path)
    for none in (f"{tmp_path}/c*.npy", tmp_path / "empty"):
        (tmp_path / "empty").mkdir(exist_ok=True)
        with pytest.raises(InputError, match="found none"):
            read_embeddings(none)


def test_files_without_rows_are_left_out(tmp_path):
    np.save(tmp_path / "0.npy", vectors()[:0])
    with pytest.raises(FormatError, match=r"0.npy: expected rows of numbers, found none in 1 files"):
        read_embeddings(tmp_path)
    write(tmp_path / "1.npy", vectors())
    write(tmp_path / "2.parquet", vectors()[:0])
    read = read_embeddings(tmp_path).matrix
    assert read.places == (str(tmp_path / "1.npy"),)
    np.testing.assert_array_equal(read[:], vectors())
    np.save(tmp_path / "3.npy", vectors()[0])
    with pytest.raises(FormatError, match=r"3.npy: expected rows of numbers, found shape \(6,\)"):
        read_embeddings(tmp_path)


def test_a_file_that_changes_or_goes_is_refused(tmp_path):
    for form in ("npy", "parquet"):
        file = tmp_path / f"0.{form}"
        write(file, vectors())
        read = read_embeddings([file]).matrix
        assert read[:2].tolist() == vectors()[:2].tolist()
        write(file, vectors()[:9])
        with pytest.raises(InputError, match=r"0.\w+: expected [\d,]+ bytes as before, found"):
            read[:2]
        file.unlink()
        with pytest.raises(InputError, match="expected the file as before"):
            read[:2]


def test_ragged_parquet_is_refused_where_it_stands(tmp_path):
    rows = [[1.0, 2.0]] * 5 + [[1.0]]
    pl.DataFrame({"v": rows}).write_parquet(tmp_path / "0.parquet")
    read = read_embeddings([tmp_path / "0.parquet"]).matrix
    with pytest.raises(FormatError, match=r"0.parquet, row 6: expected 2 numbers, found 1"):
        read[:]


def test_whole_numbers_and_layouts_are_read_as_from_one_file(tmp_path):
    whole = np.arange(24, dtype=np.int8).reshape(6, 4)
    np.save(tmp_path / "whole.npy", whole)
    (tmp_path / "parts").mkdir()
    np.save(tmp_path / "parts/1.npy", whole[:4])
    np.save(tmp_path / "parts/2.npy", np.asfortranarray(whole[4:]))
    for layout in (None, "halves", "interleaved"):
        one, other = (read_embeddings(tmp_path / place, layout=layout).matrix for place in ("whole.npy", "parts"))
        assert one.dtype == other.dtype
        np.testing.assert_array_equal(other, one)


def test_the_command_takes_a_pattern_a_folder_or_each_file(tmp_path, capsys):
    graph = random_graph(3, ENTITIES, RELATIONS, 150)
    for name, triples in graph.splits.items():
        pl.DataFrame(triples, schema=["head", "relation", "tail"]).write_csv(
            tmp_path / f"{name}.tsv", separator="\t", include_header=False
        )
    np.save(tmp_path / "all.npy", vectors())
    np.save(tmp_path / "relations.npy", vectors(2, RELATIONS))
    (tmp_path / "parts").mkdir()
    files = [tmp_path / f"parts/e{number}.npy" for number in range(7)]
    for file, rows in zip(files, parts(vectors(), CUTS["seven"]), strict=True):
        np.save(file, rows)
    asked = ["links", "evaluate", "--model", "transe-l1", "-m", "MRR", "-o", "json", "-q"]
    asked += [word for name in graph.splits for word in (f"--{name}", f"{tmp_path}/{name}.tsv")]
    asked += ["--relations", f"{tmp_path}/relations.npy"]
    found = {}
    each = [word for file in files for word in ("--entities", str(file))]
    for way, words in {
        "whole": ["--entities", f"{tmp_path}/all.npy"],
        "pattern": ["--entities", f"{tmp_path}/parts/e*.npy"],
        "folder": ["--entities", f"{tmp_path}/parts"],
        "each": each,
    }.items():
        assert run([*asked, *words]) == 0
        document = json.loads(capsys.readouterr().out)
        found[way] = document["runs"]
        inputs = [one["path"] for one in document["inputs"] if one["role"] == "entities"]
        assert inputs == ([f"{tmp_path}/all.npy"] if way == "whole" else list(map(str, files)))
        said = [line for line in document["runs"][0]["notices"] if "23 rows in 7 files, in this order" in line]
        assert len(said) == (way != "whole")
    strip = lambda runs: [{name: part for name, part in one.items() if name != "notices"} for one in runs]  # noqa: E731
    assert all(strip(found[way]) == strip(found["whole"]) for way in found)


def test_parts_are_replaced_without_reading():
    shards = Shards(parts(vectors(), CUTS["seven"]))
    assert replace(shards, places=("a",)).shape == shards.shape
    assert shards[:, 2:4].shape == (ENTITIES, 2)
    np.testing.assert_array_equal(shards[:, 2:4][3:9], vectors()[3:9, 2:4])
    assert shards[5].tolist() == vectors()[5].tolist()
    with pytest.raises(IndexError, match="expected 0 to 22, found 3 to 23"):
        shards[np.array([3, 23])]
