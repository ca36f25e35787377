"""One file of a cache: what is no ranking of the gold at hand is not believed."""

import hashlib
import json

import numpy as np
import pytest

from assay import Gold
from assay.evaluate.entry import LAYOUT, WrongEntryError, packed, unpacked


def _signed(head, numbers):
    body = json.dumps(head).encode() + b"\n" + np.asarray(numbers, "<i8").tobytes()
    return f"{LAYOUT} {hashlib.sha256(body).hexdigest()}\n".encode() + body


TINY = Gold.from_mapping({"a": {"x": 1, "y": 0}, "b": {"x": 1}})
NOTES = {
    "rows": 3, "run_queries": 2, "extra_queries": ["z"], "duplicates": 0, "nan": 0, "excluded": 0, "self_matches": 0
}  # fmt: skip
HEAD = {"key": "k", "rows": 2, "queries": 2, "notes": NOTES}
GOOD = [0, 2, 1, 2, 0, 1, 1, 1, 3, 2, 1, 1]
"""Row, rank, above and tied of two judged rows, then retrieved and answered of two queries."""


def test_what_was_packed_is_unpacked():
    made = unpacked(_signed(HEAD, GOOD), "k", TINY)
    assert packed(made, "k") == _signed(HEAD, GOOD)
    assert (made.hits.query.tolist(), made.hits.grade.tolist(), made.hits.rank.tolist()) == ([0, 1], [1, 1], [1, 2])
    assert made.notes.extra_queries == ("z",)


@pytest.mark.parametrize(
    ("head", "numbers"),
    [
        (HEAD | {"key": "other"}, GOOD),
        (HEAD | {"rows": 3}, GOOD),
        (HEAD | {"rows": -1}, GOOD),
        (HEAD | {"rows": 2.0}, GOOD),
        (HEAD | {"rows": True}, GOOD),
        (HEAD | {"queries": 3}, GOOD),
        (HEAD | {"notes": NOTES | {"nan": -1}}, GOOD),
        (HEAD | {"notes": NOTES | {"nan": "1"}}, GOOD),
        (HEAD | {"notes": NOTES | {"more": 1}}, GOOD),
        (HEAD | {"notes": NOTES | {"extra_queries": "z"}}, GOOD),
        (HEAD | {"notes": NOTES | {"extra_queries": [1]}}, GOOD),
        (HEAD | {"notes": []}, GOOD),
        ([], GOOD),
        ("[" * 99, GOOD),
        *((HEAD, [*GOOD[:place], value, *GOOD[place + 1 :]]) for place, value in [
            (0, -1), (0, 3), (1, 0), (2, 0), (2, 2**62), (3, 0), (4, -1), (5, 2), (6, 0), (6, 2**62), (7, -5),
            (8, 0), (8, -1), (9, 0), (10, 2), (11, -1),
        ]),
    ],
    ids=str,
)  # fmt: skip
def test_what_is_no_ranking_of_this_gold_is_refused(head, numbers):
    with pytest.raises(WrongEntryError):
        unpacked(_signed(head, numbers), "k", TINY)


def test_deep_json_is_refused():
    body = b"[" * 200_000 + b"\n"
    with pytest.raises(WrongEntryError):
        unpacked(f"{LAYOUT} {hashlib.sha256(body).hexdigest()}\n".encode() + body, "k", TINY)
