"""Tokens to the first complete proof, and what fits into a budget."""

import math

import polars as pl
import pytest

import assay
from assay.errors import InputError, ParameterError
from assay.evaluate.estimating import with_intervals
from assay.tasks.rag.questions import several
from assay.tasks.rag.tokens import with_tokens

TOLD = {"tokens": "TokensToProof", "all": "Tokens"}


def of(rows, *, budgets=(), count=None, policy=None, **options):
    found = several([rows], **options)
    (system,) = found.systems
    judged = assay.evaluate(found.gold, system.run, "R@10", policy=found.policy(policy))
    return with_tokens(judged, system, found.gold, budgets=budgets, count=count)


def values(evaluation, measure):
    table = evaluation.scores.table.filter(measure=measure)
    return dict(zip(table["query"], table["value"], strict=True))


def item(name, tokens):
    return {"id": name, "tokens": tokens}


ROWS = [
    {"id": "q1", "retrieved": [item("a", 10), item("x", 5), item("b", 7)], "proofs": [["a", "b"], ["c"]]},
    {"id": "q2", "retrieved": [item("x", 4), item("c", 6), item("a", 1)], "proofs": [["a", "c"], ["c"]]},
    {"id": "q3", "retrieved": [item("a", 3)], "proofs": [["a", "b"]]},
    {"id": "q4", "retrieved": [], "proofs": [["a"]]},
    {"id": "q5", "retrieved": [item("a", 2)], "needed": []},
]


def test_tokens_run_to_the_end_of_the_first_complete_proof():
    found = of(ROWS)
    assert values(found, TOLD["tokens"]) == {"q1": 22.0, "q2": 10.0, "q3": None, "q4": None, "q5": None}
    figure = found.figure(TOLD["tokens"])
    assert (figure.mean, figure.queries, figure.undefined, figure.higher_is_better) == (16.0, 2, 3, False)


def test_the_whole_context_is_counted_also_where_nothing_was_retrieved():
    assert values(of(ROWS), TOLD["all"]) == {"q1": 22.0, "q2": 11.0, "q3": 3.0, "q4": 0.0, "q5": 2.0}


def test_a_budget_holds_a_proof_or_does_not():
    found = of(ROWS, budgets=[10, 21, 22])
    assert values(found, "Deducible(tokens=10)") == {"q1": 0.0, "q2": 1.0, "q3": 0.0, "q4": 0.0, "q5": None}
    assert values(found, "Deducible(tokens=22)") == {"q1": 1.0, "q2": 1.0, "q3": 0.0, "q4": 0.0, "q5": None}
    assert values(found, "Deducible(tokens=21)")["q1"] == 0.0
    assert values(found, "Complete(tokens=22)") == {"q1": 0.0, "q2": 1.0, "q3": 0.0, "q4": 0.0, "q5": None}
    assert found["Deducible(tokens=22)"] == 0.5
    assert found.figure("Deducible(tokens=22)").queries == 4


def test_a_budget_without_an_end_is_deducible_of_the_whole_list():
    found = several([ROWS])
    deducible = assay.evaluate(found.gold, found.systems[0].run, "Deducible@10", policy=found.policy())["Deducible@10"]
    assert of(ROWS, budgets=[10**9])[f"Deducible(tokens={10**9})"] == deducible


def test_repeated_items_cost_each_time():
    rows = [{"id": "q", "retrieved": [item("x", 5), item("x", 5), item("a", 1)], "needed": ["a"]}]
    assert of(rows)[TOLD["tokens"]] == 11.0


def test_items_with_scores_are_read_best_first_and_equal_ones_in_their_order():
    rows = [
        {
            "id": "q",
            "retrieved": [{"id": i, "score": s, "tokens": t} for i, s, t in (("x", 1, 9), ("a", 2, 4), ("b", 2, 2))],
            "needed": ["b"],
        }
    ]
    assert of(rows)[TOLD["tokens"]] == 6.0


def test_words_stand_in_for_tokens_and_a_tokenizer_for_words():
    rows = [{"id": "q", "retrieved": [{"id": "a", "text": "two  words"}, {"id": "b", "tokens": 5}], "needed": ["b"]}]
    assert of(rows)[TOLD["tokens"]] == 7.0
    assert of(rows, count=len)[TOLD["tokens"]] == 15.0
    (line,) = [line for line in of(rows).notices if line.startswith("tokens are")]
    assert "as 1 item states them and as counted in the texts of 1" in line


def test_the_words_of_a_triple_are_counted():
    rows = [
        {
            "id": "q",
            "retrieved": [["Ada Lovelace", "born in", "London"]],
            "needed": [["Ada Lovelace", "born in", "London"]],
        }
    ]
    assert of(rows)[TOLD["tokens"]] == 5.0


def test_behind_an_item_of_unknown_length_nothing_is_known():
    rows = [
        {"id": "q", "retrieved": [item("a", 3), {"id": "d"}, item("b", 2)], "needed": ["a", "b"]},
        {"id": "p", "retrieved": [item("a", 3), {"id": "d"}], "needed": ["a"]},
    ]
    found = of(rows, budgets=[100])
    assert values(found, TOLD["tokens"]) == {"q": None, "p": 3.0}
    assert values(found, TOLD["all"]) == {"q": None, "p": None}
    assert values(found, "Deducible(tokens=100)") == {"q": None, "p": 1.0}
    assert any("2 items have neither tokens nor a text" in line for line in found.notices)


def test_without_any_length_it_is_said():
    with pytest.raises(InputError, match="expected tokens or a text"):
        of([{"id": "q", "retrieved": [{"id": "a"}], "needed": ["a"]}])


def test_single_texts_may_be_names_and_that_is_said():
    found = of([{"id": "q", "retrieved": ["Ada Lovelace"], "needed": ["Ada Lovelace"]}])
    assert found[TOLD["tokens"]] == 2.0
    assert any("1 item is a single text, which may be a name only" in line for line in found.notices)


def test_conventions_decide_what_enters_the_mean():
    strict = of(ROWS, budgets=[22], policy={"empty": "zero"})
    assert strict["Deducible(tokens=22)"] == pytest.approx(0.4)
    answered = of(
        [*ROWS[:3], {"id": "q4", "retrieved": [], "proofs": [["a"]]}], budgets=[22], policy={"missing": "skip"}
    )
    assert answered["Deducible(tokens=22)"] == pytest.approx(2 / 3)


def test_intervals_and_comparisons_read_the_figures_like_any_other():
    many = [{**ROWS[place % 3], "id": f"q{place}"} for place in range(30)]
    found = with_intervals(of(many, budgets=[10]), 0.95)
    assert found.figure("Deducible(tokens=10)").interval.method == "wilson"
    assert found.figure(TOLD["tokens"]).interval.low < 16 < found.figure(TOLD["tokens"]).interval.high
    less = [{**row, "retrieved": row["retrieved"][:1]} for row in many]
    contrast = assay.compare_evaluations([of(many, budgets=[100]), of(less, budgets=[100])], baseline=0)[
        "system (2)", "Deducible(tokens=100)"
    ]
    assert contrast.difference == pytest.approx(-2 / 3)


def test_evaluate_and_compare_take_budgets():
    many = [{**ROWS[place % 3], "id": f"q{place}"} for place in range(12)]
    less = [{**row, "retrieved": row["retrieved"][:1]} for row in many]
    found = assay.evaluate_rag({"more": many, "less": less}, "Deducible@8", tokens=[10], interval=0.95)
    assert list(found["more"].mean) == [
        "Deducible@8",
        "Tokens",
        "TokensToProof",
        "Deducible(tokens=10)",
        "Complete(tokens=10)",
    ]
    assert found["less"].figure("Deducible(tokens=10)").interval.level == 0.95
    comparison = assay.compare_rag({"less": less, "more": many}, "R@8", tokens=[10], flips=200, baseline="less")
    assert comparison["more", "Deducible(tokens=10)"].difference == pytest.approx(1 / 3)
    assert comparison["more", "R@8"].difference > 0


def test_the_order_of_rows_changes_nothing():
    one, other = of(ROWS, budgets=[10]), of(ROWS[::-1], budgets=[10])
    for measure in ("Tokens", "TokensToProof", "Deducible(tokens=10)"):
        assert values(one, measure) == values(other, measure)


def test_budgets_below_one_are_refused():
    with pytest.raises(ParameterError, match="at least 1, found 0"):
        of(ROWS, budgets=[0])


def test_values_are_null_and_never_nan():
    column = of(ROWS, budgets=[10]).scores.table["value"]
    assert not any(value is not None and math.isnan(value) for value in column)
    assert column.dtype == pl.Float64
