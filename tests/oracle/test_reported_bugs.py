"""Bugs that users reported of other tools, as small inputs with the right value.

Each line of reported_bugs.jsonl is one report: where it was made, gold and run (a mapping, or the text of a
file), and what must come out: for the whole run (query null) or one query, under a policy or a profile. Values
that were read off a printed table have `places`; null is undefined; "error" must be refused.
"""

import json
from pathlib import Path
from typing import Any

import pytest

import assay
from assay import PROFILES, Policy
from assay.errors import AssayError

REPORTS = [json.loads(line) for line in Path(__file__).with_name("reported_bugs.jsonl").read_text("utf-8").splitlines()]
CHECKS = [(report, check) for report in REPORTS for check in report["checks"]]


def evaluate(report: dict[str, Any], check: dict[str, Any], measure: str, folder: Path) -> float | None:
    run = report["run"]
    if isinstance(run, str):
        path = folder / "a.run"
        path.write_text(run, encoding="utf-8")
        run = path
    conventions: dict[str, Any] = {"policy": Policy(**check["policy"])}
    if check["profile"]:
        conventions = {"profile": PROFILES[check["profile"]].but(**check["policy"])}
    result = assay.evaluate(report["gold"], run, measure, rel=check.get("rel"), **conventions)
    if check["query"] is None:
        return result.figures[0].mean
    values = result.per_query.filter(query=check["query"])["value"].to_list()
    assert len(values) == 1
    return values[0]


@pytest.mark.parametrize(("report", "check"), CHECKS, ids=[f"{r['id']}-{n}" for n, (r, _) in enumerate(CHECKS)])
def test_the_value_is_the_right_one(report: dict[str, Any], check: dict[str, Any], tmp_path: Path) -> None:
    for measure, expected in check["values"].items():
        if expected == "error":
            with pytest.raises(AssayError):
                evaluate(report, check, measure, tmp_path)
            continue
        found = evaluate(report, check, measure, tmp_path)
        # trec_eval prints 0 where a value is undefined
        found = 0.0 if found is None and "places" in check else found
        tolerance = {"abs": 5.001e-5} if "places" in check else {"rel": 1e-12, "abs": 1e-12}
        assert found == (expected if expected is None else pytest.approx(expected, **tolerance)), measure


def test_every_report_asserts_something() -> None:
    silent = [report["id"] for report in REPORTS if not report["checks"]]
    assert silent == []
