"""What is done in another way for rows that stand sorted, or in one block: the numbers are the same."""

from pathlib import Path

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from assay.core.gold import Gold
from assay.core.policy import Policy
from assay.core.run import Run
from assay.engines import judge, resolve
from assay.engines.counting import Thresholds, count, count_sorted, is_sorted
from assay.engines.gold_index import index_of
from assay.engines.pieces import Piece, Stretches
from assay.errors import RunError
from assay.formats import read_run

SCORES = st.sampled_from([-np.inf, -1.0, -0.0, 0.0, 0.5, 2.0, np.inf])


def piece_of(scores: list[list[float]]) -> Piece:
    """Return the rows of several queries, query by query; those of a query fall."""
    code = np.repeat(np.arange(len(scores)), [len(some) for some in scores])
    score = np.array([value for some in scores for value in sorted(some, reverse=True)], np.float64)
    item = pl.Series([f"d{row}" for row in range(len(code))], dtype=pl.String)
    return Piece(code, score, np.arange(len(code), dtype=np.uint64), item, np.zeros(0, np.int64))


@given(st.lists(st.lists(SCORES, min_size=1, max_size=9), min_size=1, max_size=5), st.data())
def test_sorted_rows_are_counted_as_rows_in_any_order(scores: list[list[float]], data: st.DataObject) -> None:
    piece = piece_of(scores)
    flags = data.draw(st.lists(st.booleans(), min_size=len(piece), max_size=len(piece)))
    judged = np.flatnonzero(np.array(flags, np.bool_))
    counts, number = count_sorted(piece, judged)
    thresholds = Thresholds.of(len(scores), piece.code[judged], piece.score[judged])
    other = count([piece], thresholds)
    assert is_sorted(piece)
    assert counts.above[number].tolist() == other.above[thresholds.of_judged].tolist()
    assert counts.tied[number].tolist() == other.tied[thresholds.of_judged].tolist()
    (row, threshold), (other_row, other_threshold) = counts.on[0], other.on[0]
    beside = {(int(a), float(piece.score[a]), int(counts.tied[b])) for a, b in zip(row, threshold, strict=True)}
    assert beside == {
        (int(a), float(piece.score[a]), int(other.tied[b])) for a, b in zip(other_row, other_threshold, strict=True)
    }


def test_rows_are_sorted_or_not() -> None:
    rising = Piece(np.array([0, 0]), np.array([1.0, 2.0]), np.zeros(2, np.uint64), pl.Series(["a", "b"]), np.zeros(0))
    assert not is_sorted(rising)
    assert not is_sorted(piece_of([[1.0], [2.0]]).where(np.array([1, 0])))
    assert is_sorted(piece_of([[1.0], [2.0, 3.0]]))
    assert is_sorted(piece_of([]))


@pytest.mark.parametrize("wanted", [["q3", "q0", "other", "q7"], ["q3"] * 40 + ["other"] * 3 + ["q1"]])
def test_queries_are_found_in_the_gold_whether_few_or_many(wanted: list[str]) -> None:
    gold = Gold.from_mapping({f"q{number}": {"d": 1} for number in range(10)})
    stretches = Stretches(pl.Series(wanted), np.ones(len(wanted), np.int64))
    names = gold.queries.to_list()
    assert stretches.codes(index_of(gold)).tolist() == [names.index(q) if q in names else -1 for q in wanted]


def test_an_index_of_some_queries_finds_their_pairs() -> None:
    gold = Gold.from_mapping({f"q{q:02}": {f"d{item}": 1 for item in range(q % 4 + 1)} for q in range(40)})
    index = index_of(gold)
    some = index.among(np.array([3, 30, 7]))
    assert len(some.rows) == 4 + 3 + 4
    assert index.among(np.arange(40)) is index
    code, items = np.array([30, 30, 7]), pl.Series(["d0", "d9", "d3"])
    pair = index.query_hashes[code] + items.hash().to_numpy()
    assert [found.tolist() for found in some.judged_rows(code, pair, items)] == [
        found.tolist() for found in index.judged_rows(code, pair, items)
    ]


def test_a_file_of_one_block_is_counted_at_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    lines = [f"q{q} Q0 d{item} 1 {9 - item} s\n" for q in range(6) for item in range(5)]
    (tmp_path / "some.run").write_text("".join(lines))
    gold = Gold.from_mapping({f"q{q}": {"d1": 1, "d4": 2} for q in range(6)})
    sizes = []

    def counted(pieces: list[Piece], *rest: object) -> object:
        sizes.append(sum(map(len, pieces)))
        return counting(pieces, *rest)  # type: ignore[arg-type]

    counting = resolve._counts
    monkeypatch.setattr(resolve, "_counts", counted)
    judged = judge(read_run(tmp_path / "some.run"), gold, Policy())
    assert sizes == [30]
    assert judged.hits.rank.tolist() == [2, 5] * 6


def test_of_several_repeated_items_the_first_is_named() -> None:
    rows = [(f"q{q}", item, 1.0) for q in range(3) for item in "abb"]
    run = Run.from_frame(pl.DataFrame(rows, schema=["query", "item", "score"], orient="row"))
    gold = Gold.from_mapping({f"q{q}": {"a": 1} for q in range(3)})
    with pytest.raises(RunError, match="'b' occurs more than once for query 'q0'"):
        judge(run, gold, Policy())
