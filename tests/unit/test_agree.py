"""How far judges agree: the verb, on panels small enough to count by hand."""

import jsonschema
import numpy as np
import polars as pl
import pytest

from assay.core.labels import Labels
from assay.errors import GoldError, InputError, ParameterError, UnknownNameError
from assay.judging.agree import agree
from assay.report import agreement as report
from assay.report.schema import SCHEMAS

FAST = {"interval": None}


def labels(columns, **more):
    """Make labels from `{judge: [grade of pair 0, of pair 1, …]}`; None was not asked, "?" could not tell."""
    rows = [
        {"query": f"q{place // 4}", "item": f"i{place}", "judge": judge, "grade": None if said == "?" else float(said)}
        | {name: values[judge][place] for name, values in more.items()}
        for judge, grades in columns.items()
        for place, said in enumerate(grades)
        if said is not None
    ]
    return Labels(pl.DataFrame(rows, schema_overrides={"grade": pl.Float64}), "panel")


TWO = labels({"ann": [2, 2, 0, 1, 0, 0], "bob": [2, 1, 0, 1, 2, None]})


def test_two_judges_counted_by_hand():
    found = agree(TWO, **FAST)
    assert (found.pairs, found.shared, found.queries, found.judges) == (6, 5, 2, ("ann", "bob"))
    (between,) = found.between
    assert between.pairs == 5
    assert between.coefficients["percent"].value == pytest.approx(3 / 5)
    assert between.coefficients["kappa"].value == pytest.approx((0.6 - 8 / 25 - 0.0) / (1 - 8 / 25))
    ann, bob = found.by_judge
    assert ann.confusion == ((1, 0, 0), (0, 1, 1), (1, 0, 1))  # rows are bob's
    assert bob.confusion == tuple(zip(*ann.confusion, strict=True))
    assert ann.leans == pytest.approx((1 - 2) / 5) == -bob.leans
    assert (ann.judged, ann.shared, ann.given) == (6, 5, {0: 3, 1: 1, 2: 2})
    assert found.prevalence == pytest.approx({0: 4 / 11, 1: 3 / 11, 2: 4 / 11})


def test_the_most_disputed_come_first():
    found = agree(TWO, level="interval", **FAST)
    assert [(one.item, one.dispute) for one in found.disputed] == [("i4", 1), ("i1", pytest.approx(1 / 4))]
    assert found.disputed[0].grades == {"ann": 0, "bob": 2}
    assert [one.query for one in found.disputed_queries] == ["q1", "q0"]
    assert found.disputed_queries[1].percent == pytest.approx(3 / 4)
    assert len(agree(TWO, most=1, **FAST).disputed) == 1


def test_cannot_tell_is_counted_and_takes_no_part():
    found = agree(labels({"ann": [1, "?", 0, 1], "bob": [1, 1, 0, 0]}), **FAST)
    assert (found.by_judge[0].cannot_tell, found.by_judge[0].judged, found.shared) == (1, 3, 3)


def test_grades_below_0_are_left_out_aloud():
    found = agree(labels({"ann": [1, 0, -1], "bob": [1, 1, 1]}), **FAST)
    assert found.shared == 2
    assert found.notices[0] == "Grades below 0 are left out (pooled, but not judged): 1."


def test_a_reference_is_what_others_are_held_against():
    panel = labels({"ann": [1, 0, 1, 0], "bob": [1, 0, 1, 1], "person": [1, 1, 1, 0]})
    found = agree(panel, reference="person", **FAST)
    assert [(one.first, one.second) for one in found.between] == [("person", "ann"), ("person", "bob")]
    assert [one.judge for one in found.by_judge] == ["ann", "bob"]
    assert found.by_judge[0].percent == 3 / 4
    with pytest.raises(UnknownNameError, match=r"no judge is called 'persona'\. Did you mean 'person'"):
        agree(panel, reference="persona", **FAST)


def test_all_of_one_grade_is_undefined_and_said():
    found = agree(labels({"ann": [1, 1, 1], "bob": [1, 1, 1]}))
    assert found.alpha.value is None
    assert found.alpha.interval is None
    assert found.overall["percent"].value == found.overall["ac1"].value == 1
    assert any(line.startswith("No variation") for line in found.notices)
    assert "undefined" in repr(found)


def test_the_order_of_rows_changes_nothing():
    random = np.random.default_rng(2)
    panel = labels({judge: random.integers(0, 3, 40).tolist() for judge in ("ann", "bob", "cat")})
    mixed = Labels(panel.table.sample(fraction=1, shuffle=True, seed=4), panel.name)
    assert agree(panel, resamples=200).to_dict() == agree(mixed, resamples=200).to_dict()


def test_queries_drawn_whole_give_a_wider_interval_where_their_pairs_are_alike():
    # Of each query the judges agree on all pairs or on none.
    ann = [place % 2 for place in range(160)]
    bob = [grade if place // 4 % 2 else 1 - grade for place, grade in enumerate(ann)]
    panel = labels({"ann": ann, "bob": bob})
    pairs, queries = agree(panel), agree(panel, unit="queries")
    assert pairs.alpha.value == queries.alpha.value
    assert pairs.alpha.interval.units == 160
    assert queries.alpha.interval.units == 40

    def width(found):
        return found.alpha.interval.high - found.alpha.interval.low

    assert width(queries) == pytest.approx(2 * width(pairs), rel=0.15)
    assert any("Pairs of a query are alike" in line for line in pairs.notices)
    for one in (pairs, queries):
        ends = one.between[0].coefficients["kappa"].interval
        assert ends.low < one.between[0].coefficients["kappa"].value < ends.high


def test_drift_is_looked_for_by_guideline_then_by_time():
    grades = [place % 2 for place in range(200)]
    early = [place < 100 for place in range(200)]
    ann = [grade if place < 100 or place % 4 < 2 else 1 - grade for place, grade in enumerate(grades)]
    times = ["2026-01-05T09:00:00Z" if first else "2026-02-05T09:00:00Z" for first in early]
    both = {"time": {"ann": times, "bob": times}}
    found = agree(labels({"ann": ann, "bob": grades}, **both), **FAST)
    periods = [one for one in found.drift if one.judge == "ann"]
    assert [(one.kind, one.period, one.shared, one.percent.value) for one in periods] == [
        ("month", "2026-01", 100, 1), ("month", "2026-02", 100, 0.5),
    ]  # fmt: skip
    assert periods[0].change is None
    assert periods[1].change.value == -0.5
    assert periods[1].change.interval.high < -0.35
    assert sum("agrees with others less in month 2026-02" in line for line in found.notices) == 2
    assert agree(labels({"ann": ann, "bob": grades}, **both), over_time="none", **FAST).drift == ()
    versions = [str(9 + (place >= 100)) for place in range(200)]
    named = agree(labels({"ann": ann, "bob": grades}, **both, guideline={"ann": versions, "bob": versions}), **FAST)
    assert [one.period for one in named.drift] == ["9", "10", "9", "10"]


def test_each_judge_puts_the_systems_into_an_order():
    panel = labels({"ann": [1, 0, 0, 0], "bob": [1, 0, 0, 0], "cat": [0, 0, 1, 0]})
    runs = [{"q0": ["i0", "i1", "i2", "i3"]}, {"q0": ["i2", "i1", "i3", "i0"]}]
    (effect,) = agree(panel, runs=runs, measures="RR", **FAST).effect
    assert (effect.measure, effect.by) == ("RR", "the middle grade")
    assert list(effect.standard.figures.values()) == [1, 0.25]
    assert [(one.judge, one.tau, one.swapped) for one in effect.judges] == [
        ("ann", 1, 0),
        ("bob", 1, 0),
        ("cat", -1, 1),
    ]
    assert effect.judges[2].best == list(effect.standard.figures)[1]
    assert effect.tau == -1
    (beside,) = agree(panel, runs=runs, measures="RR", reference="cat", **FAST).effect
    assert beside.by == "cat"
    assert [one.tau for one in beside.judges] == [-1, -1]


def test_a_judge_who_was_asked_little_changes_only_that():
    panel = labels({"ann": [1, 0, 0, 1], "bob": [None, None, None, 0]})
    runs = [{"q0": ["i0", "i3"]}, {"q0": ["i1", "i2"]}]
    (effect,) = agree(panel, runs=runs, measures="P@2", **FAST).effect
    under = {one.judge: list(one.figures.values()) for one in effect.judges}
    assert under == {"ann": [1, 0], "bob": [0.5, 0]}


@pytest.mark.parametrize(
    ("asked", "error", "message"),
    [
        ({"level": "ordinary"}, UnknownNameError, "no level is called 'ordinary'. Did you mean 'ordinal'"),
        ({"over_time": "year"}, UnknownNameError, "no period is called 'year'"),
        ({"unit": "items"}, UnknownNameError, "no unit is called 'items'"),
        ({"interval": 95}, ParameterError, "expected a level between 0 and 1, found 95"),
        ({"runs": [{"q0": ["i0"]}]}, ParameterError, "runs: expected two or more to put into an order, found 1"),
    ],
    ids=["level", "period", "unit", "interval", "run"],
)
def test_what_is_wrong_is_said(asked, error, message):
    with pytest.raises(error, match=message):
        agree(TWO, **asked)


def test_one_judge_or_nothing_shared_is_an_error():
    with pytest.raises(InputError, match="expected two judges or more, found ann"):
        agree(labels({"ann": [1, 0]}))
    with pytest.raises(GoldError, match="expected pairs that two judges graded, found none"):
        agree(labels({"ann": [1, None], "bob": [None, 0]}))


def test_a_slip_of_the_scale_and_a_skewed_scale_are_named():
    ann = [0] * 6_000 + [1] * 60
    bob = [0] * 6_000 + [1] * 59 + [10]
    found = agree(labels({"ann": ann, "bob": bob}), **FAST)
    assert any(line.startswith("Grade 10 is 1 of 12,120 grades") for line in found.notices)
    assert any("kappa and alpha are low for that alone" in line for line in found.notices)


@pytest.mark.parametrize("judges", [2, 4, 5, 14], ids=lambda many: f"{many} judges")
def test_results_follow_their_schema_and_fit_the_screen(judges):
    random = np.random.default_rng(3)
    name = "the judge who has a long name, number {}".format
    panel = labels({name(number): random.integers(0, 4, 60).tolist() for number in range(judges)})
    found = agree(panel, resamples=200)
    jsonschema.validate(found.to_dict(), SCHEMAS["gold agree"])
    text = report.render(found, width=80)
    for heading in ("ALL JUDGES TOGETHER", "EACH JUDGE", "MOST DISPUTED PAIRS", "HOW TO READ THIS"):
        assert heading in text
    assert max(map(len, text.splitlines())) <= 80
    assert report.to_markdown(found).count("\n| ") > 10
    assert report.to_frame(found).height == judges * (judges - 1) / 2
