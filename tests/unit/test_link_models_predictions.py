"""A saved list of scored triples as a model."""

import numpy as np
import polars as pl
import pytest

from assay.errors import InputError
from assay.tasks.links.models import Predictions

ENTITIES, RELATIONS = pl.Series(["a", "b", "c", "d"]), pl.Series(["likes", "knows"])
ROWS = [("a", "likes", "b", 0.9), ("a", "likes", "c", 0.4), ("b", "likes", "c", 0.7), ("a", "knows", "c", 0.1)]
TABLE = pl.DataFrame(ROWS, schema=["head", "relation", "tail", "score"], orient="row")


def written(folder, kind):
    file = folder / f"scored.{kind.partition(' ')[0]}"
    if kind == "parquet":
        TABLE.rename({"head": "subject", "relation": "predicate", "tail": "object"}).write_parquet(file)
    else:
        TABLE.write_csv(file, separator="\t" if "tsv" in kind else ",", include_header="named" in kind)
    return file


@pytest.mark.parametrize("kind", ["tsv", "csv", "tsv named", "csv named", "parquet", "frame"])
def test_a_list_scores_what_it_holds_and_the_rest_below(kind, tmp_path):
    given = TABLE if kind == "frame" else written(tmp_path, kind)
    model = Predictions.of(given, ENTITIES, RELATIONS)
    (batch,) = model.batches("tail", np.array([0, 2, 0]), np.array([0, 0, 1]))
    below = 0.1 - 1.0
    assert batch.score(np.array([0, 1, 2])).tolist() == [
        [below, 0.9, 0.4, below],
        [below] * 4,
        [below, below, 0.1, below],
    ]
    (batch,) = model.batches("head", np.array([2]), np.array([0]))
    assert batch.score(np.array([0])).tolist() == [[0.4, 0.7, below, below]]
    assert model.by_the_book(np.array([0, 3]), np.array([0, 0]), np.array([1, 1])).tolist() == [0.9, below]


def test_the_order_of_rows_changes_nothing():
    one, other = (Predictions.of(table, ENTITIES, RELATIONS) for table in (TABLE, TABLE.reverse()))
    asked = (np.array([0, 1]), np.array([0, 0]))
    first, second = (next(model.batches("tail", *asked)).score(np.array([1, 0])) for model in (one, other))
    assert first.tolist() == second.tolist()


@pytest.mark.parametrize(
    ("row", "said"),
    [
        (("e", "likes", "a", 0.2), "row 5: expected the name of one of 4 entities, found 'e'"),
        (("a", "hates", "a", 0.2), "row 5: expected the name of one of 2 relations, found 'hates'"),
        (("a", "likes", "b", 0.8), r"expected one score for each triple, found several for \(a, likes, b\)"),
    ],
)
def test_rows_that_are_wrong_are_named(row, said):
    table = pl.concat([TABLE, pl.DataFrame([row], schema=TABLE.schema, orient="row")])
    with pytest.raises(InputError, match=said):
        Predictions.of(table, ENTITIES, RELATIONS)


def test_the_same_row_twice_counts_once():
    assert len(Predictions.of(pl.concat([TABLE, TABLE]), ENTITIES, RELATIONS).values) == len(TABLE)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("a\tlikes\tb\n", "line 1: expected 4 columns"),
        ("a\tlikes\tb\thigh\n", "row 1: expected a score, found 'high'"),
        ("a\tlikes\tb\t0.5\na\tlikes\n", "row 2: expected"),
    ],
)
def test_a_file_that_is_no_list_is_refused(text, said, tmp_path):
    file = tmp_path / "scored.tsv"
    file.write_text(text)
    with pytest.raises(InputError, match=said):
        Predictions.of(file, ENTITIES, RELATIONS)
