"""`assay answers evaluate`, as a newcomer and as a script use it."""

import json

import jsonschema
import polars as pl
import pytest

SUITE = [
    {"id": "q1", "question": "Who made it?", "answers": ["http://x/a"], "type": "who"},
    {"id": "q2", "question": "Which parts?", "answers": ["http://x/b", "http://x/c"], "type": "which"},
    {"id": "q3", "question": "Is it red?", "answers": True, "type": "yes or no"},
    {"id": "q4", "question": "What is missing?", "answers": [], "type": "which"},
]


def results(*names):
    bindings = [{"v": {"type": "uri", "value": f"http://x/{name}"}} for name in names]
    return {"head": {"vars": ["v"]}, "results": {"bindings": bindings}}


GOOD = [
    {"id": "q1", "status": "answered", **results("a")},
    {"id": "q2", "status": "answered", **results("b", "z")},
    {"id": "q3", "status": "answered", "head": {}, "boolean": True},
    {"id": "q4", "status": "answered", **results()},
]
BAD = [
    {"id": "q1", "status": "timeout", "message": "after 5 s"},
    {"id": "q2", "status": "error", "message": "no such \u001b[31m function"},
    {"id": "q3", "status": "answered", "head": {}, "boolean": False},
]


@pytest.fixture
def files(tmp_path):
    for name, lines in (("suite", SUITE), ("good", GOOD), ("bad", BAD)):
        (tmp_path / f"{name}.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines))
    return tmp_path


def evaluated(assay, *args):
    return json.loads(assay("answers", "evaluate", *args, "-o", "json").out)


def test_the_figures_are_those_by_hand(assay, files):
    found = evaluated(assay, "suite.jsonl", "good.jsonl", "bad.jsonl", "--convention", "gerbil")
    good, bad = found["systems"]
    assert (good["name"], bad["name"]) == ("good", "bad")
    assert {name: one["count"] for name, one in good["counts"].items()} == {
        "executed": 4, "error": 0, "timeout": 0, "absent": 0, "empty": 1, "answerable": 4, "fully answered": 3,
        "exactly": 3,
    }  # fmt: skip
    assert {name: one["count"] for name, one in bad["counts"].items()} == {
        "executed": 1, "error": 1, "timeout": 1, "absent": 1, "empty": 0, "answerable": 0, "fully answered": 0,
        "exactly": 0,
    }  # fmt: skip
    assert next(iter(good["figures"])) == found["convention"] == "gerbil"
    assert good["figures"]["gerbil"]["f1"]["value"] == pytest.approx((1 + 0.5 + 1 + 1) / 4)
    assert good["figures"]["row-major"]["f1"]["value"] == pytest.approx((1 + 0.5 + 1) / 3)
    assert good["figures"]["micro"]["f1"]["value"] == pytest.approx(2 * 3 / (2 * 3 + 1 + 1))
    assert {one["f1"]["value"] for one in bad["figures"].values()} == {0.0}
    assert good["ranked"]["measures"]["R@10"]["mean"] == pytest.approx(0.75)  # a yes or no is no list
    assert good["ranked"]["measures"]["R@1"]["mean"] == pytest.approx((1 + 0.25) / 2)  # b or z first, by chance


def test_the_json_follows_its_schema(assay, files):
    schema = json.loads(assay("schema", "answers evaluate").out)
    for more in ([], ["--interval", "none", "--convention", "micro", "-m", "AP", "--by", "type"]):
        jsonschema.validate(evaluated(assay, "suite.jsonl", "good.jsonl", "bad.jsonl", *more), schema)


def test_a_newcomer_reads_counts_first_in_eighty_columns(assay, files):
    for systems in (["good.jsonl"], ["bad.jsonl"], ["good.jsonl", "bad.jsonl"]):
        ran = assay("answers", "evaluate", "suite.jsonl", *systems, "-q")
        assert max(map(len, ran.out.splitlines())) <= 80
        titles = [
            "HOW MANY OF 4 QUESTIONS",
            "HOW MUCH IS RIGHT, by row-major",
            "F1 UNDER EVERY CONVENTION",
            "THE FIRST K",
        ]
        places = [ran.out.index(title) for title in [*titles, "QUESTIONS, the worst first"]]
        assert places == sorted(places)
        assert "nothing is right for 1 of 4 questions" in ran.err
    assert "\x1b" not in assay("answers", "evaluate", "suite.jsonl", "bad.jsonl").out


def test_what_went_wrong_is_said(assay, files):
    out = assay("answers", "evaluate", "suite.jsonl", "bad.jsonl").out
    assert "timeout: after 5 s" in out
    assert "timeout  " in out[: out.index("HOW MUCH")]
    assert "absent  " in out[: out.index("HOW MUCH")]


def test_tables_for_programs_have_a_row_for_each_question(assay, files):
    args = ("answers", "evaluate", "suite.jsonl", "good.jsonl", "bad.jsonl", "--quiet")
    assay(*args, "--out", "all.parquet")
    assay(*args, "--out", "all.csv")
    frame = pl.read_parquet(files / "all.parquet")
    assert frame.select("system", "question").rows() == [
        (name, f"q{n}") for name in ("good", "bad") for n in range(1, 5)
    ]
    assert frame["outcome"].to_list()[4:] == ["timeout", "error", "answered", "absent"]
    assert frame["f1 (gerbil)"].to_list()[:4] == [1, 0.5, 1, 1]
    assert pl.read_csv(files / "all.csv").columns == frame.columns
    text = assay(*args, "-o", "markdown").out
    assert "| row-major |" in text
    assert "\x1b" not in text


def test_questions_are_left_out_by_a_file(assay, files):
    (files / "health.json").write_text(json.dumps({"left_out": {"q2": "tie-cut: two rows", "q4": "empty: nothing"}}))
    (files / "some.csv").write_text("question,reason\nq2,old\n")
    found = evaluated(assay, "suite.jsonl", "good.jsonl", "--leave-out", "health.json")
    assert found["suite"] == {"name": "suite", "path": "suite.jsonl", "questions": 4, "judged": 2}
    assert found["left_out"][0] == {"question": "q2", "reason": "tie-cut: two rows"}
    assert found["systems"][0]["figures"]["row-major"]["f1"]["value"] == 1
    assert "old (1)" in assay("answers", "evaluate", "suite.jsonl", "good.jsonl", "--leave-out", "some.csv").out


def test_right_answers_from_a_file_of_their_own(assay, files):
    (files / "asked.jsonl").write_text("".join(json.dumps({"id": f"q{n}", "sparql": "ASK {}"}) + "\n" for n in (1, 2)))
    failed = assay("answers", "evaluate", "asked.jsonl", "good.jsonl", expect=2)
    assert "expected a question with right answers" in failed.err
    found = evaluated(assay, "asked.jsonl", "good.jsonl", "--gold-answers", "good.jsonl")
    assert found["systems"][0]["figures"]["row-major"]["f1"]["value"] == 1


@pytest.mark.parametrize(
    ("args", "says"),
    [
        (["--convention", "grebil"], "gerbil"),
        (["--language", "german"], "basic"),
        (["--leave-out", "nowhere.json"], "nowhere.json"),
        (["--leave-out", "good.jsonl"], "good.jsonl"),
        (["--interval", "95"], "0.95"),
        (["-m", "P"], "SetP"),
    ],
)
def test_mistakes_are_one_line_and_a_hint(assay, files, args, says):
    ran = assay("answers", "evaluate", "suite.jsonl", "good.jsonl", *args, expect=2)
    assert says in ran.err
    assert "Traceback" not in ran.err
