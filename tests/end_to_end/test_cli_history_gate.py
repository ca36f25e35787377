"""`assay history gate`, as a build server and as a newcomer use it."""

import json
from xml.etree import ElementTree as ET

import pytest

SETTINGS = '[gate]\nmeasures = "Complete@8 RR"\nmax_drop = 0.01\n'
FIRST = ("--duplicates", "first")


@pytest.fixture
def gate(assay, demo, tmp_path):
    """Gate one of the four retrievers of the example."""
    (tmp_path / "assay.toml").write_text(SETTINGS)

    def call(name, *args, **options):
        return assay("history", "gate", demo / "gold.qrels", demo / f"{name}.run", *FIRST, *args, **options)

    return call


def squeezed(text):
    return " ".join(text.split())


def test_the_first_run_writes_a_baseline_and_decides_nothing(gate, tmp_path):
    first = gate("fast-graphrag", expect=3)
    assert first.out.startswith("CANNOT DECIDE: fast-graphrag without a baseline (suite gold)\n")
    assert "assay.baseline.json is written, and holds this run as the baseline: look at it and commit it" in squeezed(
        first.out
    )
    assert json.loads((tmp_path / "assay.baseline.json").read_text())["name"] == "fast-graphrag"
    assert gate("fast-graphrag").out.startswith("PASSED: fast-graphrag against the baseline fast-graphrag")


def test_a_worse_retriever_is_blocked_until_it_is_the_baseline(gate):
    gate("fast-graphrag", "--update-baseline")
    blocked = gate("lightrag", expect=1)
    assert blocked.out.startswith("BLOCKED: lightrag against the baseline fast-graphrag (suite gold)\n")
    assert "Complete@8 fell by 0.4851 (0.9307 → 0.4455)" in squeezed(blocked.out)
    assert max(map(len, blocked.out.splitlines())) <= 80
    done = gate("lightrag", "--update-baseline")
    assert "Note: assay.baseline.json now holds lightrag as the baseline of gold (101 queries)." in done.err
    assert done.out == ""
    assert gate("lightrag").out.startswith("PASSED")


def test_a_drop_that_may_be_chance_passes_and_is_said(gate):
    gate("lightrag", "--update-baseline")
    done = gate("vdb")
    assert "Complete@8 fell by 0.0297 (0.4455 → 0.4158), which may be chance: p " in squeezed(done.out)


def test_a_mistake_is_2_and_names_the_line(gate, tmp_path):
    (tmp_path / "assay.toml").write_text(SETTINGS + "max_dorp = 1\n")
    wrong = gate("vdb", expect=2)
    assert "Error: assay.toml, line 4: no key of [gate] is called 'max_dorp'. Did you mean 'max_drop'?" in wrong.err
    assert "expected a file of settings, found none" in gate("vdb", "--config", "none.toml", expect=2).err
    (tmp_path / "assay.toml").write_text(SETTINGS)
    assert (
        "no part of a baseline is called 'glod'. Did you mean 'gold'?" in gate("vdb", "--accept", "glod", expect=2).err
    )
    assert "no output is called 'xml'" in gate("vdb", "-o", "xml", expect=2).err


def test_other_gold_is_3_unless_told(gate, assay, demo, tmp_path):
    gate("fast-graphrag", "--update-baseline")
    rows = (demo / "gold.qrels").read_text().splitlines()
    (tmp_path / "gold.qrels").write_text("\n".join(rows[1:]) + "\n")
    command = ("history", "gate", "gold.qrels", demo / "fast-graphrag.run", *FIRST)
    refused = assay(*command, expect=3)
    assert "The gold standard is another than when the baseline was made" in squeezed(refused.out)
    assert assay(*command, "--accept", "gold").out.startswith("PASSED")


def test_a_build_server_gets_all_its_forms_from_one_call(gate, tmp_path):
    gate("fast-graphrag", "--update-baseline")
    (tmp_path / "summary.md").write_text("# Before\n")
    done = gate("lightrag", "-o", "github", "--junit", "gate.xml", "--summary", "summary.md", expect=1)
    lines = done.out.splitlines()
    assert lines[0].startswith("::stop-commands::")
    assert sum(line.startswith("::error file=") for line in lines) == 10
    root = ET.parse(tmp_path / "gate.xml").getroot()
    assert root.get("failures") == "2"
    assert (tmp_path / "summary.md").read_text().startswith("# Before\n## Gate blocked\n")


def test_each_form_goes_to_a_file(gate, tmp_path):
    gate("fast-graphrag", "--update-baseline")
    for form in ("json", "junit", "markdown", "table"):
        done = gate("lightrag", "-o", form, "--out", f"gate.{form}", expect=1)
        assert done.out == ""
        assert "Complete@8" in (tmp_path / f"gate.{form}").read_text()
    document = json.loads((tmp_path / "gate.json").read_text())
    assert document["command"][:2] == ["history", "gate"]
    assert [one["decision"] for one in document["checks"]] == ["blocked", "blocked"]


def test_a_summary_that_cannot_be_written(gate):
    gate("fast-graphrag", "--update-baseline")
    assert "none/s.md: expected a file to append to" in gate("vdb", "--summary", "none/s.md", expect=2).err


def test_a_baseline_in_a_store_is_pinned_by_those_who_decide_it(gate, assay, demo, tmp_path):
    stored = ("--store", "history.db", "--suite", "wiki")
    gate("fast-graphrag", *stored, expect=2)
    assert not (tmp_path / "history.db").exists()
    added = ("history", "add", demo / "gold.qrels", demo / "fast-graphrag.run", *FIRST, "-m", "Complete@8 RR")
    assay(*added, *stored)
    first = gate("fast-graphrag", *stored, expect=3)
    assert "There was no baseline in history.db." in first.out
    assert "--update-baseline makes this run the baseline" in squeezed(first.out)
    gate("fast-graphrag", *stored, expect=3)
    assay(*added, *stored, "--baseline")
    gate("fast-graphrag", *stored)
    gate("lightrag", *stored, expect=1)
    gate("lightrag", *stored, "--update-baseline")
    gate("lightrag", *stored)


def test_a_nightly_gate_counts_its_looks(gate, tmp_path):
    (tmp_path / "assay.toml").write_text(SETTINGS + 'nightly = true\nstore = "history.db"\nsuite = "wiki"\n')
    gate("fast-graphrag", "--update-baseline")
    assert json.loads(gate("fast-graphrag", "-o", "json").out)["nights"] == 1
    assert json.loads(gate("fast-graphrag", "-o", "json").out)["nights"] == 2
    assert "this is look 3 of 30" in squeezed(gate("lightrag", expect=1).out)


def test_the_range_of_ties_has_no_single_value(gate):
    assert "--ties range: expected one rule for tied items" in gate("vdb", "--ties", "range", expect=2).err


def test_a_result_stands_for_gold_and_run(assay, demo, tmp_path):
    rag = demo.parent / "rag"
    (tmp_path / "assay.toml").write_text('[gate]\nmeasures = "Complete@8 R@8"\n')
    for name in ("fast-graphrag", "lightrag"):
        assay("rag", "evaluate", rag / f"{name}.jsonl", "-m", "Complete@8 R@8", "-o", "json", "--out", f"{name}.json")
    assay("history", "gate", "fast-graphrag.json", "--update-baseline")
    assay("history", "gate", "fast-graphrag.json")
    blocked = assay("history", "gate", "lightrag.json", expect=1)
    assert "Complete@8 fell by 0.4851 (0.9307 → 0.4455)" in squeezed(blocked.out)
    assert "found conventions for it" in assay("history", "gate", "lightrag.json", "--rel", "2", expect=2).err
    assert "expected a RUN beside it" in assay("history", "gate", demo / "gold.qrels", expect=2).err


LINKS = "train.tsv", "valid.tsv", "test.tsv", "entities.npy", "relations.npy", "entities.txt", "relations.txt"
LINK_OPTIONS = "--train", "--valid", "--test", "--entities", "--relations", "--names", "--relation-names"


@pytest.mark.parametrize("task", ["rag", "links", "answers"])
def test_a_result_of_a_task_is_held_against_the_one_that_was_added(assay, demo, tmp_path, task):
    examples = demo.parent
    folder = examples / "links-nations"
    named = [word for pair in zip(LINK_OPTIONS, (folder / name for name in LINKS), strict=True) for word in pair]
    commands = {
        "rag": ("rag", "evaluate", examples / "rag" / "fast-graphrag.jsonl", "-m", "Complete@8 RR"),
        "links": ("links", "evaluate", *named, "--model", "complex", "-m", "RR"),
        "answers": (
            "answers", "evaluate", examples / "answers" / "questions.yaml", examples / "answers" / "guesses.jsonl",
        ),
    }  # fmt: skip
    assay(*commands[task], "-o", "json", "-q", "--out", "result.json")
    assay("history", "add", "--result", "result.json", "--store", "h.db", "--suite", "bot", "--baseline")
    (tmp_path / "t.toml").write_text('[gate]\nmeasures = "RR"\nmin_queries = 5\n')
    said = ("history", "gate", "result.json", "--config", "t.toml", "--store", "h.db", "--suite", "bot")
    found = json.loads(assay(*said, "-o", "json").out)
    assert (found["decision"], found["now"]["made"]["task"], found["unlike"]) == ("passed", task, [])
