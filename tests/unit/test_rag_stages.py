"""Where a pipeline loses what answers need."""

import jsonschema
import pytest

from assay.errors import InputError, ParameterError
from assay.report import rag_stages
from assay.report.documents import strict_json
from assay.report.schema.rag_stages import RAG_STAGES
from assay.tasks.rag.stages import judge_stages


def row(query, retrieved, needed, correct=None):
    made = {"id": query, "retrieved": list(retrieved), "needed": list(needed)}
    return made if correct is None else made | {"correct": correct}


ANSWERED = [
    row("q1", "ab", "ab", True),
    row("q2", "cx", "c", False),
    row("q3", "x", "d", True),
    row("q4", "xy", "e", False),
    row("q5", "fg", "g", 0.5),
]
CANDIDATES = [
    row("q1", "xyab", "ab"), row("q2", "xc", "c"), row("q3", "xyd", "d"), row("q4", "xy", "e"), row("q5", "fz", "g"),
]  # fmt: skip


def test_correctness_given_a_proof_and_given_none():
    answers = judge_stages([ANSWERED]).answers
    assert (answers.proven.questions, answers.proven.right, answers.proven.mean) == (3, 2, 0.5)
    assert (answers.unproven.questions, answers.unproven.right, answers.unproven.mean) == (2, 1, 0.5)
    assert (answers.all.questions, answers.all.mean) == (5, 0.5)
    assert (answers.omissions.examples, answers.omissions.share) == (("q2",), pytest.approx(1 / 3))
    assert (answers.unsupported.examples, answers.unsupported.share) == (("q3",), 0.5)


def test_a_cutoff_decides_what_is_a_proof():
    found = judge_stages([ANSWERED], at=1)
    assert found.answers.proven.questions == 1
    assert found.stages[0].figures[0].name == "Deducible@1"


def test_an_answer_is_right_from_a_threshold_on():
    assert judge_stages([ANSWERED], right=0.6).answers.proven.right == 1


def test_shares_have_intervals_with_their_counts():
    interval = judge_stages([[row(f"q{n}", "a", "a", n % 4 > 0) for n in range(40)]]).answers.proven.interval
    assert (interval.method, interval.units) == ("wilson", 40)
    assert interval.low < 0.75 < interval.high


def test_each_question_is_lost_at_one_place_or_reaches_the_end():
    found = judge_stages({"candidates": CANDIDATES, "reranked": ANSWERED}, at=[10, 2])
    lost = {loss.place: (loss.lost.examples, loss.right) for loss in found.losses}
    assert lost == {"candidates": (("q4",), 0), "reranked": (("q3",), 1), "answer": (("q2",), 0)}
    assert found.reached.examples == ("q1", "q5")
    assert sum(loss.lost.questions for loss in found.losses) + found.reached.questions == found.questions


def test_a_stage_is_held_against_the_one_before():
    stage = judge_stages({"candidates": CANDIDATES, "reranked": ANSWERED}, at=[10, 2]).stages[1]
    assert stage.lost.examples == ("q3",)
    assert stage.gained.examples == ("q5",)


def test_the_ceiling_is_the_recall_of_the_best_order():
    rows = [row("q", "xyzabc", "abcd")]
    found = judge_stages({"candidates": rows, "reranked": [row("q", "ax", "abcd", True)]}, at=[6, 2])
    assert found.stages[1].ceiling == 0.5
    assert found.stages[1].figures[2].mean == 0.25
    assert found.stages[0].ceiling is None


def test_questions_that_need_nothing_and_unknown_answers_are_counted():
    rows = [*ANSWERED, row("q6", "a", "", True), row("q7", "a", "a")]
    found = judge_stages([rows])
    assert (found.questions, found.left_out, found.answers.unknown) == (6, 1, 1)
    assert any("1 question it is not known whether the answer is correct" in line for line in found.notices)
    assert found.losses[-1].lost.questions + found.reached.questions == found.answers.proven.questions


def test_a_pipeline_without_answers_is_judged_up_to_its_end():
    found = judge_stages(
        {"first": CANDIDATES, "second": [row(r["id"], r["retrieved"][:1], r["needed"]) for r in CANDIDATES]}
    )
    assert found.answers is None
    assert [loss.place for loss in found.losses] == ["first", "second"]
    assert found.losses[0].right is None


def test_alternative_proofs_count():
    rows = [{"id": "q", "retrieved": ["c"], "proofs": [["a", "b"], ["c"]], "correct": False}]
    assert judge_stages([rows]).answers.omissions.questions == 1


def test_one_stage_without_answers_is_refused_with_a_hint():
    with pytest.raises(InputError, match="expected which answers are correct") as refused:
        judge_stages([CANDIDATES])
    assert "true, false or a number" in refused.value.hint


@pytest.mark.parametrize("at", [0, [1, 2, 3]])
def test_cutoffs_fit_the_stages(at):
    with pytest.raises(ParameterError, match="a cutoff of at least 1 for each of 2 stages"):
        judge_stages([ANSWERED, ANSWERED], at=at)


def test_the_result_follows_its_schema_and_fits_a_terminal():
    for found in (
        judge_stages([ANSWERED]),
        judge_stages({"a": CANDIDATES, "b": ANSWERED}),
        judge_stages([CANDIDATES] * 2),
    ):
        jsonschema.validate(found.to_dict(), RAG_STAGES)
        assert strict_json(found.to_dict())
        assert max(map(len, rag_stages.render(found, width=80).splitlines())) <= 80
    frame = rag_stages.to_frame(judge_stages({"a": CANDIDATES, "b": ANSWERED}))
    assert frame["place"].to_list() == ["a", "b", "answer", "reached"]
    assert frame["lost"].sum() == 5


def test_the_order_of_questions_changes_nothing():
    assert judge_stages([ANSWERED]).to_dict() == judge_stages([ANSWERED[::-1]]).to_dict()
