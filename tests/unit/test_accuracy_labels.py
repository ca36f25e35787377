"""The label file that people fill, and what their labels say: nothing lost, nothing changed unseen."""

import csv
import io

import numpy as np
import pytest
from tests.unit.accuracy_samples import KINDS, STATEMENTS, drawing, filled, is_right, rows_of, said

from assay.errors import FormatError, InputError, ParameterError, UnknownNameError
from assay.graph.accuracy.accuracy import LEAST, estimate_accuracy
from assay.graph.accuracy.draws import design_of, draw
from assay.graph.accuracy.label_file import read_labels
from assay.report import accuracy as report


@pytest.fixture
def drawn(tmp_path):
    return drawing(tmp_path)


@pytest.mark.parametrize("kind", KINDS)
def test_labels_are_read_as_they_were_drawn_and_filled(drawn, kind):
    path = drawn(kind=kind)
    found = read_labels(path)
    design = design_of(STATEMENTS, kind)
    assert found.design == design
    assert tuple(found.rows.values()) == draw(STATEMENTS, design, 60)
    assert found.labels == {"labels": {name: is_right(row.statement) for name, row in found.rows.items()}}
    assert all(row["object"].startswith("'=") for row in rows_of(path))  # no formula in a spreadsheet


@pytest.mark.parametrize("kind", KINDS)
def test_a_census_is_exact_and_a_sample_is_near(drawn, kind):
    truth = np.mean([is_right(row) for row in STATEMENTS.rows])
    found = estimate_accuracy([drawn(kind=kind, size=140)])
    assert found.interval.low < truth < found.interval.high
    assert found.value == pytest.approx(truth, abs=0.1)
    if kind != "cluster":
        census = estimate_accuracy([drawn(kind=kind, size=len(STATEMENTS))])
        assert census.value == census.interval.low == census.interval.high == pytest.approx(truth)
        assert (census.error, census.worth, census.stop.enough) == (0.0, None, True)
        assert "all statements were judged: the accuracy is exact" in census.notices
        assert "Worth" not in report.render(census)


def test_cluster_samples_are_right_on_average():
    truth, values, pooled = np.mean([is_right(row) for row in STATEMENTS.rows]), [], []
    for seed in range(300):
        rows = draw(STATEMENTS, design_of(STATEMENTS, "cluster", per_subject=1, seed=seed), 30)
        values.append(np.mean([is_right(row.statement) for row in rows]))
        rows = draw(STATEMENTS, design_of(STATEMENTS, "cluster", per_subject=3, seed=seed), 60)
        weights = np.array([row.weight for row in rows])
        pooled.append(float(weights @ [is_right(row.statement) for row in rows] / weights.sum()))
    assert np.mean(values) == pytest.approx(truth, abs=4 * np.std(values) / np.sqrt(300))
    assert np.mean(pooled) == pytest.approx(truth, abs=4 * np.std(pooled) / np.sqrt(300))


@pytest.mark.parametrize("kind", KINDS)
def test_a_sample_is_drawn_further_with_its_labels_and_columns(drawn, tmp_path, kind):
    path = drawn(kind=kind, size=30)
    rows = [row | {"mine": f"m{at}", "note": "seen"} for at, row in enumerate(rows_of(path))]
    filled(path, rows)
    before, design = read_labels(path), design_of(STATEMENTS, kind)
    path.write_text(before.extended(draw(STATEMENTS, design, 60)).text())
    after = read_labels(path)
    assert tuple(after.rows.values()) == draw(STATEMENTS, design, 60)
    assert after.labels == before.labels
    assert [row["mine"] for row in rows_of(path)][: len(rows) + 1] == [row["mine"] for row in rows] + [""]
    estimate = estimate_accuracy([path])
    assert estimate.judged == len(before.rows)
    assert estimate.open == len(after.rows) - len(before.rows)
    with pytest.raises(InputError, match="draw at least as many"):
        after.extended(draw(STATEMENTS, design, 30))


@pytest.mark.parametrize("mark", [";", "\t", ","])
def test_a_spreadsheet_may_save_it_its_own_way(drawn, mark):
    path = drawn(kind="cluster", label=lambda row: "TRUE" if is_right(said(row)) else "0")
    plain = read_labels(path)
    out = io.StringIO()
    writer = csv.writer(out, delimiter=mark, lineterminator="\r\n")
    rows = [row | {"weight": row["weight"].replace(".", "," if mark == ";" else ".")} for row in rows_of(path)]
    writer.writerows([rows[0].keys(), *(row.values() for row in rows), [""] * len(rows[0])])
    path.write_bytes(b"\xef\xbb\xbf" + out.getvalue().encode())
    found = read_labels(path)
    assert found.labels == plain.labels
    assert estimate_accuracy([found]).value == estimate_accuracy([plain]).value


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"object": "other"}, "line 3: expected the statement as it was drawn under the id '[0-9a-f]{12}'"),
        ({"draw": "9"}, "line 3: expected the statement as it was drawn"),
        ({"draw": "x"}, "line 3: expected numbers as draw and weight, found 'x'"),
        ({"label": "maybe"}, "line 3: expected right, wrong or nothing as a label, found 'maybe'"),
        ({"design": "design=simple"}, "line 3: expected one design"),
        ({"weight": "0.5"}, "expected all statements of draw 2, found that rows are missing"),
    ],
)
def test_a_row_that_was_changed_is_found(drawn, change, said):
    path = drawn()
    rows = rows_of(path)
    rows[1] |= change
    with pytest.raises(InputError, match=said):
        read_labels(filled(path, rows))


@pytest.mark.parametrize("kind", KINDS)
def test_a_row_that_was_taken_away_is_found(drawn, kind):
    path = drawn(kind=kind, per_subject=2) if kind == "cluster" else drawn(kind=kind)
    rows = rows_of(path)
    twice = next(at for at, row in enumerate(rows) if kind != "cluster" or rows[at + 1]["draw"] == row["draw"])
    with pytest.raises(InputError, match=f"expected all statements of draw {rows[twice]['draw']}, "):
        read_labels(filled(path, rows[:twice] + rows[twice + 1 :]))


def test_other_files_are_refused(drawn, tmp_path):
    path = tmp_path / "x.csv"
    path.write_text("subject,label\na,1\n")
    with pytest.raises(InputError, match="found none called id, draw"):
        read_labels(path)
    path.write_text(drawn().read_text().partition("\n")[0] + "\n")
    with pytest.raises(InputError, match="expected statements, found none"):
        read_labels(path)
    rows = [row | {"design": "mine"} for row in rows_of(drawn())]
    with pytest.raises(InputError, match="design: expected text as"):
        read_labels(filled(path, rows))
    lines = drawn().read_text().splitlines()
    path.write_text("\n".join([*lines[:2], "a,b"]))
    with pytest.raises(FormatError, match="line 3: expected 11 columns, found 2"):
        read_labels(path)


def test_samples_that_say_nothing_are_refused(drawn):
    with pytest.raises(InputError, match="expected labels, found none"):
        estimate_accuracy([drawn(label=lambda _: "")])
    with pytest.raises(InputError, match="expected a file"):
        estimate_accuracy([])
    with pytest.raises(InputError, match="expected the design of"):
        estimate_accuracy([drawn(), drawn(name="b.csv", seed=1)])
    one = drawn(kind="stratified", label=lambda row: "right" if row["predicate"] == "p0" else "?")
    with pytest.raises(InputError, match="expected a label in every stratum, found none in 'p1'"):
        estimate_accuracy([one])
    with pytest.raises(InputError, match=r"strata with 40\.0 % of all"):
        estimate_accuracy([drawn(kind="stratified", size=1)])
    with pytest.raises(ParameterError, match="found wald"):
        estimate_accuracy([drawn()], method="wald")
    with pytest.raises(UnknownNameError, match="Did you mean 'wilson'"):
        estimate_accuracy([drawn()], method="wilsn")
    with pytest.raises(ParameterError, match="margin"):
        estimate_accuracy([drawn()], margin=0.5)


def test_statements_without_a_clear_label_are_left_out_and_bounded(drawn):
    found = estimate_accuracy([drawn(size=40, label=lambda row: "?" if row["draw"] in {"3", "9"} else "right")])
    assert (found.judged, found.undecided, found.open) == (38, 2, 0)
    assert (found.value, found.at_worst, found.at_best) == (1.0, 38 / 40, 1.0)
    assert "left out, without a clear label: 2" in found.notices
    later = estimate_accuracy([drawn(size=40, label=lambda row: "right" if int(row["draw"]) < 36 else "")])
    assert (later.judged, later.undecided, later.open) == (35, 0, 5)


def test_a_statement_drawn_again_needs_no_second_label(drawn):
    path = drawn(kind="cluster", size=200)
    rows = rows_of(path)
    first = {said(row): row["draw"] for row in reversed(rows)}
    again = [row for row in rows if first[said(row)] != row["draw"]]
    assert again
    whole = estimate_accuracy([path])
    last = rows[-1]["draw"]
    path = filled(path, rows, lambda row: "" if row in again and row["draw"] != last else row["label"])
    found = estimate_accuracy([path])
    assert (found.value, found.judged, found.distinct) == (whole.value, whole.judged, whole.distinct)
    assert found.distinct < found.judged


def test_a_statement_drawn_again_does_not_reach_further_than_labels_do(drawn):
    path = drawn(kind="cluster", size=200)
    found = estimate_accuracy([filled(path, rows_of(path), lambda row: "right" if int(row["draw"]) <= 30 else "")])
    assert (found.draws, found.undecided) == (30, 0)
    assert found.open > 0


def test_judges_decide_by_majority_and_a_tie_decides_nothing(drawn):
    labels = {"anna": "1101", "ben": "1001", "carl": "10?0"}
    rows = rows_of(drawn(size=4))
    path = drawn(size=4, name="all.csv")
    every = [row | {"judge": judge, "label": said[at]} for judge, said in labels.items() for at, row in enumerate(rows)]
    found = estimate_accuracy([filled(path, every)])
    assert (found.judged, found.right, found.undecided) == (4, 2, 0)
    assert found.agreement.judges == ("anna", "ben", "carl")
    assert (found.agreement.statements, found.agreement.unanimous) == (4, 2)
    assert 0 < found.agreement.alpha < 1
    assert "JUDGES" in report.render(found)
    two = estimate_accuracy([filled(path, [row for row in every if row["judge"] != "carl"])])
    assert (two.judged, two.undecided) == (3, 1)
    assert "left out, without a clear label: 1 (judges are split evenly on 1)" in two.notices


def test_judges_may_have_a_file_each(drawn):
    first = drawn(size=40, name="anna.csv")
    second = drawn(size=30, name="ben.csv", label=lambda row: "wrong" if row["draw"] == "1" else "")
    found = estimate_accuracy([second, first])
    assert found.agreement.judges == ("anna", "ben")
    assert found.agreement.statements == 1
    assert found.judged == 40 - found.undecided
    (first.parent / "b").mkdir()
    other = first.parent / "b" / "anna.csv"
    other.write_text(drawn(size=40, name="x.csv", label=lambda _: "wrong").read_text())
    with pytest.raises(InputError, match="expected one label of 'anna'"):
        estimate_accuracy([first, other])


def test_one_judge_says_one_thing_of_a_statement(drawn):
    rows = rows_of(drawn(size=4))
    with pytest.raises(FormatError, match="two that differ"):
        read_labels(
            filled(drawn(size=4), [*rows, rows[0] | {"label": "wrong" if rows[0]["label"] == "right" else "right"}])
        )


@pytest.mark.parametrize("kind", KINDS)
def test_the_rule_to_stop_counts_what_is_still_needed(drawn, kind):
    found = estimate_accuracy([drawn(kind=kind, size=40)], margin=0.02)
    assert not found.stop.enough
    assert found.stop.reached > 0.02
    assert found.stop.more > 20
    if kind != "cluster":
        assert found.judged + found.stop.more <= len(STATEMENTS)
    few = estimate_accuracy([drawn(kind=kind, size=12)], margin=0.4)
    assert (few.draws < LEAST, few.stop.enough) == (True, False)
    assert few.stop.more >= LEAST - few.draws
    assert estimate_accuracy([drawn(kind=kind, size=140)], margin=0.2).stop.enough


def test_no_order_of_rows_or_files_changes_the_estimate(drawn):
    path, shuffled = drawn(kind="cluster"), drawn(kind="cluster", name="a.csv")
    rows = rows_of(shuffled)
    np.random.default_rng(0).shuffle(rows)
    filled(shuffled, rows)
    first, second = (estimate_accuracy([one]).to_dict() for one in (path, shuffled))
    assert first | {"paths": []} == second | {"paths": []}
