"""Entity vectors cut into several files, and what ranks of them are held against."""

from itertools import pairwise

import numpy as np
import polars as pl
import pytest

from assay.tasks.links.models.named import NAMED, model_of

ENTITIES, WIDTH, RELATIONS = 23, 6, 3
CUTS = {"one": [0, 23], "seven": [0, 4, 8, 11, 14, 17, 20, 23], "uneven": [0, 1, 2, 19, 23]}
FORMS = ("npy", "safetensors", "parquet", "npz")


class Watched:
    """Rows that remember what was read of them."""

    def __init__(self, rows):
        self.rows, self.read = rows, []
        self.shape, self.dtype = rows.shape, rows.dtype

    def __getitem__(self, key):
        found = self.rows[key]
        self.read.append(len(found))
        return found


def vectors(seed=0, rows=ENTITIES, kind=np.float32):
    """Return vectors on a coarse grid, some of them equal: scores tie, and some differ by less than float32 shows."""
    rng = np.random.default_rng(seed)
    made = rng.integers(-3, 4, size=(rows, WIDTH)) / 3
    made[rng.integers(0, rows, rows // 3)] = made[0]
    made[rows // 2] = made[0] + 1e-7
    return made.astype(kind)


def parts(matrix, cuts):
    return tuple(matrix[first:last] for first, last in pairwise(cuts))


def write(file, rows):
    if file.suffix == ".npy":
        np.save(file, rows)
    elif file.suffix == ".npz":
        np.savez(file, rows)
    elif file.suffix == ".parquet":
        pl.DataFrame({"vector": pl.Series(rows.tolist(), dtype=pl.List(pl.Float32))}).write_parquet(file)
    else:
        pytest.importorskip("safetensors.numpy").save_file({"entity": np.ascontiguousarray(rows)}, file)


def model(name, entity):
    """Make a model of any kind with its other arrays drawn."""
    rng = np.random.default_rng(1)
    draw = lambda *shape: (rng.integers(-3, 4, size=shape) / 3).astype(np.float32)  # noqa: E731
    relations = {
        "rotate": [draw(RELATIONS, WIDTH // 2)],
        "rescal": [draw(RELATIONS, WIDTH, WIDTH)],
        "cp": [draw(RELATIONS, WIDTH // 2)],
        "tucker": [draw(RELATIONS, 2), draw(WIDTH, 2, WIDTH)],
        "transh": [draw(RELATIONS, WIDTH), draw(RELATIONS, WIDTH) + 5],
        "transr": [draw(RELATIONS, 4), draw(RELATIONS, WIDTH, 4)],
    }
    given = relations.get(NAMED[name][0], [draw(RELATIONS, WIDTH)])
    layout = {"layout": "halves"} if NAMED[name][0] in {"complex", "rotate"} else {}
    return model_of(name, entity, given if len(given) > 1 else given[0], **layout)


def assert_same(found, wanted):
    assert found.table.equals(wanted.table)
    assert (found.nan, found.model) == (wanted.nan, wanted.model)
