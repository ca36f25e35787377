"""Tables as data, before they are drawn."""

from hypothesis import given
from hypothesis import strategies as st

from assay import evaluate
from assay.core.run import Run
from assay.report.grid import Grid, conventions, footing, number
from assay.report.terminal import per_query, render

GOLD = {"q1": {"a": 1, "b": 0}, "q2": {"c": 2}}
GOOD = Run.from_mapping({"q1": {"a": 2.0, "b": 1.0}, "q2": {"c": 1.0}}, name="good")
POOR = Run.from_mapping({"q1": {"a": 1.0, "b": 2.0}, "q2": {"c": 1.0}}, name="poor")


def test_the_best_is_marked_in_the_direction_of_the_measure():
    grid = Grid.of([evaluate(GOLD, run, "RR MR NumRet") for run in (GOOD, POOR)])
    assert [[cell.marked for cell in row] for row in grid.cells] == [
        ["1.0000*", "0.7500"],
        ["1.0000*", "1.5000"],
        ["3", "3"],
    ]


def test_all_that_share_the_best_are_marked():
    grid = Grid.of([evaluate(GOLD, run, "HR@2") for run in (GOOD, POOR)])
    assert all(cell.best for cell in grid.cells[0])


def test_one_run_is_not_the_best_of_one():
    assert not Grid.of([evaluate(GOLD, GOOD, "RR")]).cells[0][0].best


def test_numbers():
    assert number(1234.56789) == "1234.5679"
    assert number(float("nan")) == number(None) == "-"


def test_the_policy_names_what_matters_and_what_differs():
    assert conventions(evaluate(GOLD, GOOD, "RR")) == "Policy: ties id-desc, missing zero, empty zero."


def test_sums_are_called_sums():
    assert next(iter(footing([evaluate(GOLD, GOOD, "NumRet")]))) == "Sums over queries."


@given(
    st.lists(st.text(min_size=1, max_size=60), min_size=1, max_size=12),
    st.sampled_from(["RR", "P@{1,5,10} R@{10,100} F1@10 HR@10 RR AP nDCG@10"]),
)
def test_no_table_is_wider_than_80_columns(names, measures):
    found = [evaluate(GOLD, Run.from_mapping({"q1": {"a": 1.0}}, name=name), measures) for name in names]
    from rich.cells import cell_len

    assert max(cell_len(line) for line in render(found).splitlines()) <= 80


def test_values_of_queries_stand_side_by_side_where_they_fit():
    found = [evaluate(GOLD, run, "RR") for run in (GOOD, POOR)]
    assert per_query(found).splitlines()[1].split() == ["q1", "RR", "1.0000", "0.5000"]
    assert len(per_query(found, width=20).splitlines()) == 7


def test_a_notebook_shows_names_as_text():
    run = Run.from_mapping({"q1": {"a": 1.0}}, name="<script>alert(1)</script>")
    html = evaluate(GOLD, run, "RR")._repr_html_()
    assert "<script>" not in html
    assert "&lt;script&gt;" in html
    assert "0.5000" in html
