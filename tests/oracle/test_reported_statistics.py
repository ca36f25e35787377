"""Faults that users reported of other tools' statistics, as small inputs with the right value.

Each line of reported_statistics.jsonl is one report: where it was made, what goes in (differences of queries, p
values of a family, or hits among queries) and what must come out. Null is undefined; values that were read off a
page have `places`.
"""

import json
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest

from assay.core.sample import Sample
from assay.statistics.difference import significance
from assay.statistics.interval import interval
from assay.statistics.many import adjust

LINES = Path(__file__).with_name("reported_statistics.jsonl").read_text("utf-8").splitlines()
REPORTS = [json.loads(line) for line in LINES]


def checks(kind: str) -> Any:
    rows = [(report, n, check) for report in REPORTS if kind in report for n, check in enumerate(report["checks"])]
    ids = [f"{report['id']}-{n}" for report, n, _ in rows]
    return pytest.mark.parametrize(("report", "check"), [(report, check) for report, _, check in rows], ids=ids)


@checks("differences")
def test_a_test_of_differences_is_right(report: dict[str, Any], check: dict[str, Any]) -> None:
    (found,) = significance(np.array(report["differences"], np.float64), test=check["test"])
    assert found.p == (check["p"] if check["p"] is None else pytest.approx(check["p"], rel=1e-12))
    assert bool(found.why) == (found.p is None)
    for name in {"method", "floor", "statistic"} & set(check):
        value = getattr(found, name)
        assert value == (check[name] if isinstance(value, str) else pytest.approx(check[name], rel=1e-12))


@checks("ps")
def test_a_correction_is_right(report: dict[str, Any], check: dict[str, Any]) -> None:
    found = adjust(report["ps"], check["correction"])
    assert [one is None for one in found] == [one is None for one in check["adjusted"]]
    defined = [(one, two) for one, two in zip(found, check["adjusted"], strict=True) if two is not None]
    assert [one for one, _ in defined] == pytest.approx([two for _, two in defined], rel=1e-12)


@checks("hits")
def test_an_interval_of_a_share_is_right(report: dict[str, Any], check: dict[str, Any]) -> None:
    values = np.repeat([1.0, 0.0], [report["hits"], report["queries"] - report["hits"]])
    sample = Sample(pl.Series(range(len(values))), values)
    found = interval(sample, method=check["method"], level=check.get("level", 0.95), bounds=(0, 1))
    tolerance = {"abs": 0.6 * 10.0 ** -check["places"]} if "places" in check else {"rel": 1e-9, "abs": 1e-12}
    assert (found.low, found.high) == pytest.approx(tuple(check["ends"]), **tolerance)
    assert found.low < found.high


def test_every_report_asserts_something() -> None:
    kinds = [{"differences", "ps", "hits"} & set(report) for report in REPORTS]
    assert all(len(kind) == 1 for kind in kinds)
    assert [report["id"] for report in REPORTS if not report["checks"]] == []
