"""The plugin of pytest, in a suite of somebody else."""

import os
import re
import subprocess
import sys
import tomllib
from pathlib import Path
from textwrap import dedent

import pytest
from tests.unit.gates import GOLD, GOOD, WORSE, qrels, settings, trec

ROOT = Path(__file__).parents[2]
FILES = """
    def test_retrieval(assay_gate):
        assay_gate("gold.qrels", "bm25.run", config="assay.toml")
    """
UPDATE = "--assay-update-baseline"


class Suite:
    """A suite of somebody else, run in a process of its own that knows no other plugin."""

    def __init__(self, path):
        self.path = path

    def make(self, *texts):
        (self.path / "test_theirs.py").write_text("\n\n".join(dedent(text).strip() for text in texts) + "\n")

    def run(self, *args, autoload=False, site=""):
        quiet = {} if autoload else {"PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"}
        environment = {name: value for name, value in os.environ.items() if not name.startswith(("PYTEST", "COV"))}
        plugin = () if autoload else ("-p", "assay.testing.plugin")
        done = subprocess.run(
            [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", "-q", *plugin, *args],
            cwd=self.path, env=environment | quiet | {"PYTHONPATH": f"{site}{os.pathsep}{ROOT / 'src'}"},
            capture_output=True, text=True, check=False,
        )  # fmt: skip
        counts = re.findall(r"(\d+) (passed|failed|error)", done.stdout.splitlines()[-1]) if done.stdout else []
        return {kind: int(count) for count, kind in counts}, done.stdout + done.stderr


@pytest.fixture
def suite(tmp_path):
    """A suite with gold, settings and a good run beside it."""
    qrels(tmp_path / "gold.qrels")
    trec(tmp_path / "bm25.run", GOOD)
    settings(tmp_path / "assay.toml", 'measures = "RR"\nmax_drop = 0.05')
    (tmp_path / "pytest.ini").write_text("[pytest]\n")
    return Suite(tmp_path)


def test_the_first_run_fails_with_the_instruction(suite):
    suite.make(FILES)
    counts, text = suite.run()
    assert counts == {"failed": 1}
    assert f"assay gate: there is no baseline in {suite.path / 'assay.baseline.json'} yet.\n" in text
    assert f"Run pytest {UPDATE} once, look at what it writes, and commit it." in text
    assert not (suite.path / "assay.baseline.json").exists()


def test_a_baseline_is_written_when_asked_for_and_said(suite):
    suite.make(FILES)
    counts, text = suite.run(UPDATE)
    assert counts == {"passed": 1}
    assert re.search(r"::test_retrieval: .*assay\.baseline\.json holds bm25 as the baseline now \(40 queries\)", text)
    assert suite.run()[0] == {"passed": 1}


def test_a_real_drop_fails_with_the_worst_queries_and_no_traceback(suite):
    suite.make(FILES)
    suite.run(UPDATE)
    trec(suite.path / "bm25.run", WORSE)
    counts, text = suite.run()
    assert counts == {"failed": 1}
    for said in (
        "BLOCKED: bm25 against the baseline bm25 (suite gold)\n- RR fell by 0.2500 (1.0000 → 0.7500)",
        "WORST QUERIES by RR (10 of 20 that lost)", "-0.5000    1.0000  0.5000  q20", UPDATE,
    ):  # fmt: skip
        assert said in text
    assert "plugin.py" not in text
    assert "def test_retrieval" not in text


def test_a_drop_that_passes_is_said_in_the_summary(suite):
    suite.make(FILES)
    suite.run(UPDATE)
    trec(suite.path / "bm25.run", {**GOOD, "q39": ["x"]})
    counts, text = suite.run()
    assert counts == {"passed": 1}
    assert "::test_retrieval: RR fell by 0.0250 (1.0000 → 0.9750), within the 0.0500 allowed" in text
    assert "A query fell to 0 by RR, which is reported, not blocked: q39." in text


def test_what_cannot_be_decided_fails(suite):
    suite.make(FILES)
    suite.run(UPDATE)
    qrels(suite.path / "gold.qrels", GOLD | {"q00": {"b": 1}})
    counts, text = suite.run()
    assert counts == {"failed": 1}
    assert "CANNOT DECIDE: " in text
    assert "--accept gold" in text


def test_a_mistake_is_one_message(suite):
    suite.make('def test_retrieval(assay_gate):\n    assay_gate("gold.qrels", "none.run")')
    counts, text = suite.run()
    assert counts == {"failed": 1}
    assert re.search(r"^assay gate: .*none\.run", text, re.MULTILINE)
    assert "plugin.py" not in text


def test_a_retriever_or_an_evaluation_may_be_asked(suite):
    suite.make(
        """
        import assay

        GOLD = {f"q{i}": {f"d{i}": 1} for i in range(20)}
        TEXTS = {f"q{i}": f"text {i}" for i in range(20)}

        def retrieve(text):
            return [f"d{text.removeprefix('text ')}", "other"]

        def test_retriever(assay_gate):
            found = assay_gate(GOLD, retrieve, queries=TEXTS)
            assert found is None or (found.exit_code, found.now.name) == (0, "retrieve")

        def test_ids_are_asked_for_without_texts(assay_gate):
            found = assay_gate(GOLD, lambda query: ["d" + query[1:]], baseline="ids.json")
            assert found is None or found.checks[0].now == 1

        def test_evaluation(assay_gate):
            assay_gate(assay.evaluate(GOLD, {query: ["a"] for query in GOLD}, "RR"), baseline="evaluation.json")
        """
    )
    assert suite.run(UPDATE)[0] == {"passed": 3}
    assert suite.run()[0] == {"passed": 3}


def test_paths_begin_at_the_root_folder_of_pytest(suite):
    suite.make(FILES)
    (suite.path / "tests").mkdir()
    (suite.path / "test_theirs.py").rename(suite.path / "tests" / "test_theirs.py")
    assert suite.run("tests", UPDATE)[0] == {"passed": 1}
    assert (suite.path / "assay.baseline.json").is_file()


def test_two_tests_do_not_share_a_file_unseen(suite):
    suite.make(FILES, 'def test_other(assay_gate):\n    assay_gate("gold.qrels", "bm25.run", suite="other")')
    counts, text = suite.run(UPDATE)
    assert counts == {"passed": 1, "failed": 1}
    assert "::test_retrieval already.\nGive one of them baseline=FILE." in text


def test_a_store_holds_a_baseline_for_each_suite(suite):
    call = 'assay_gate("gold.qrels", "bm25.run", store="history.db", suite='
    suite.make(*(f'def test_{name}(assay_gate):\n    {call}"{name}")' for name in ("one", "two")))
    assert suite.run()[0] == {"failed": 2}
    assert suite.run(UPDATE)[0] == {"passed": 2}
    assert suite.run()[0] == {"passed": 2}


def test_the_option_is_explained(suite):
    assert re.search(rf"^assay:\n +{UPDATE}\n? +Make the runs", suite.run("--help")[1], re.MULTILINE)


def test_pytest_finds_it_by_its_entry_point(suite):
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    assert project["entry-points"]["pytest11"] == {"assay": "assay.testing.plugin"}
    info = suite.path / "site" / "gated-1.dist-info"
    info.mkdir(parents=True)
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: gated\nVersion: 1\n")
    (info / "entry_points.txt").write_text("[pytest11]\nassay = assay.testing.plugin\n")
    suite.make(FILES)
    counts, text = suite.run(UPDATE, autoload=True, site=suite.path / "site")
    assert counts == {"passed": 1}, text


def test_it_loads_nothing_but_pytest():
    program = (
        "import sys, pytest; before = set(sys.modules); import assay.testing.plugin\n"
        "print(*sorted(set(sys.modules) - before))"
    )
    done = subprocess.run(
        [sys.executable, "-c", program],
        env={"PYTHONPATH": str(ROOT / "src")},
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout.split() == ["assay", "assay._version", "assay.testing", "assay.testing.plugin"]


def test_the_tools_for_authors_are_still_where_they_were():
    from assay.testing import Collection, check_measure, collections, judge, variants

    assert all([Collection, check_measure, collections, judge, variants])
    with pytest.raises(AttributeError, match="no attribute 'nothing'"):
        __import__("assay.testing").testing.nothing  # noqa: B018


CALL = '    assay_gate("gold.qrels", "bm25.run"'


@pytest.mark.parametrize(
    ("more", "said"),
    [
        (', config="sub"', "sub: expected a file of settings, found an error: Is a directory"),
        (', cofnig="assay.toml"', "no option of assay_gate is called 'cofnig'. Did you mean 'config'?"),
        (', accept="glod"', "no part of a baseline is called 'glod'. Did you mean 'gold'?"),
    ],
)
def test_a_mistake_in_the_call_is_one_short_message(suite, more, said):
    (suite.path / "sub").mkdir()
    suite.make(f"def test_retrieval(assay_gate):\n{CALL}{more})")
    counts, text = suite.run()
    assert counts == {"failed": 1}
    assert said in text
    assert "During handling" not in text
    assert len(text.splitlines()) < 16


def test_what_is_accepted_may_be_one_word(suite):
    suite.make(FILES.replace('config="assay.toml"', 'accept="gold"'))
    suite.run(UPDATE)
    qrels(suite.path / "gold.qrels", GOLD | {"q00": {"a": 1, "b": 1}})
    assert suite.run()[0] == {"passed": 1}


def test_two_calls_of_one_test_do_not_share_a_file_unseen(suite):
    suite.make(f"def test_retrieval(assay_gate):\n{CALL})\n{CALL}, suite='other')")
    counts, text = suite.run(UPDATE)
    assert counts == {"failed": 1}
    assert "::test_retrieval already.\nGive one of them baseline=FILE." in text


def test_two_processes_do_not_share_a_file_unseen(suite):
    pytest.importorskip("xdist")
    suite.make(FILES, f"def test_other(assay_gate):\n{CALL}, suite='other')")
    counts, text = suite.run("-p", "xdist", "-n", "2", UPDATE)
    assert counts == {"passed": 1, "failed": 1}
    assert "already.\nGive one of them baseline=FILE." in text
    assert suite.run("-p", "xdist", "-n", "2")[0] == {"passed": 2}
