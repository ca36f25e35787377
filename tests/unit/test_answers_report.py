"""The report of answers: it fits, says what there is, and lets no control character through."""

import pytest

from assay.core.answers import Answer, Question, Suite
from assay.core.terms import iri
from assay.report.answers import render
from assay.report.answers_documents import to_frame, to_markdown
from assay.tasks.answers.evaluate import evaluate_answers


def listed(*values):
    return Answer("answered", ("v",), tuple((iri(value),) for value in values))


NASTY = "q\x1b[31m|name\n" + "long" * 30


def judged(systems, **options):
    questions = [
        Question(f"{NASTY}{n}", f"text {n} \x07", gold=listed("a", f"b{n}"), groups={"hops": "2"}) for n in range(25)
    ]
    answers = {
        f"system{s}{NASTY}": {one.name: listed("a") if (n + s) % 3 else Answer("error", message="\x1b]0;x\x07")
                              for n, one in enumerate(questions)}
        for s in range(systems)
    }  # fmt: skip
    return evaluate_answers(Suite(NASTY, tuple(questions)), answers, **{"by": ["hops"], "interval": None} | options)


@pytest.mark.parametrize("systems", [1, 2, 5])
@pytest.mark.parametrize("width", [60, 80, 200])
@pytest.mark.parametrize("every", [True, False])
def test_it_fits_and_is_safe(systems, width, every):
    found = judged(systems)
    text = render(found, width=width, every=every)
    assert "\x1b" not in text
    assert "\x07" not in text
    tables = [line for line in text.splitlines() if line.startswith("─")]
    assert max(map(len, tables)) <= max(width, 80)
    assert ("QUESTIONS, the worst first" in text) == every


def test_markdown_and_rows_hold_the_same_figures():
    found = judged(2, interval=0.9)
    text = to_markdown(found)
    assert "\x1b" not in text
    frame = to_frame(found)
    assert len(frame) == 50
    mean = frame.filter(system=found.systems[0].name)["f1"].mean()
    assert mean == pytest.approx(found.systems[0].figures[0].f1.value, abs=1e-12)
    assert f"{mean:.4f}" in text


def test_measures_without_a_cutoff_stand_apart():
    text = render(judged(1, measures="P@1 RR"))
    assert text.index("THE FIRST K") < text.index("THE WHOLE RANKING") < text.index("RR")
    assert "THE FIRST K" not in render(judged(1, measures="RR"))


def test_the_order_of_right_rows_is_told():
    rows = listed("a", "b", "c").rows
    gold = Answer("answered", ("v",), rows, ordered=True)
    found = evaluate_answers(
        Suite("s", (Question("q", gold=gold),)),
        {"up": {"q": gold}, "down": {"q": Answer("answered", ("v",), rows[::-1], ordered=True)}, "none": {}},
        interval=None,
    )
    text = render(found)
    line = next(line for line in text.splitlines() if line.startswith("tau"))
    assert line.split() == ["tau", "1.0000,", "of", "1", "-1.0000,", "of", "1", "-,", "of", "0"]
    assert "ORDER" not in render(judged(1))


def test_yes_and_no_alone_have_no_ranking():
    yes = Answer("answered", boolean=True)
    found = evaluate_answers(Suite("s", (Question("q", gold=yes),)), {"q": yes}, interval=None)
    assert found.systems[0].ranked is None
    text = render(found)
    assert "THE FIRST K" not in text
    assert "WORST" not in text
    assert to_frame(found)["f1"].to_list() == [1]


def test_a_notebook_shows_escaped_names():
    found = judged(1)
    assert "&lt;" not in found._repr_html_()
    suite = Suite("<b>", (Question("q", gold=listed("a")),))
    assert "&lt;b&gt;" in evaluate_answers(suite, {"q": listed("a")}, interval=None)._repr_html_()
    assert "row-major" in repr(found)
