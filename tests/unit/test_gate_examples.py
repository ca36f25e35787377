"""What examples/gate gives to build servers: it can be read, and its commands run."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
import yaml
from tests.unit.gates import GOOD, WORSE, qrels, settings, trec

ROOT = Path(__file__).parents[2]
EXAMPLES = ROOT / "examples" / "gate"
INPUT = re.compile(r"\$\{\{ inputs\.(\w+) \}\}")


@pytest.fixture
def server(tmp_path):
    """Run a script as a build server does: in a checkout, with a pip that installs nothing and this Assay."""
    qrels(tmp_path / "gold.qrels")
    trec(tmp_path / "good.run", GOOD)
    trec(tmp_path / "worse.run", WORSE)
    settings(tmp_path / "assay.toml")
    (tmp_path / "nightly.toml").write_text((EXAMPLES / "nightly.toml").read_text())
    (tmp_path / "make_run.py").write_text("import shutil, sys\nshutil.copy('now.run', sys.argv[1])\n")
    programs = tmp_path / "bin"
    programs.mkdir()
    for name, line in (("pip", "exit 0"), ("assay", f'exec "{sys.executable}" -m assay "$@"')):
        (programs / name).write_text(f"#!/bin/sh\n{line}\n")
        (programs / name).chmod(0o755)
    (programs / "python").symlink_to(sys.executable)
    environment = os.environ | {
        "PATH": f"{programs}{os.pathsep}{os.environ['PATH']}", "PYTHONPATH": str(ROOT / "src"), "COLUMNS": "80",
        "GITHUB_STEP_SUMMARY": str(tmp_path / "summary.md"), "HISTORY_URL": str(tmp_path / "history.db"),
    }  # fmt: skip

    def run(script, now="good", expect=0, **more):
        (tmp_path / "now.run").write_bytes((tmp_path / f"{now}.run").read_bytes())
        done = subprocess.run(
            ["bash", "-e", "-c", script],
            cwd=tmp_path,
            env=environment | more,
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == expect, done.stdout + done.stderr
        return done.stdout

    run.path = tmp_path
    return run


def read(name):
    return yaml.safe_load((EXAMPLES / name).read_text())


def steps_of(action, **given):
    """Return the scripts of a composite action and their environment, inputs filled in."""
    values = {name: one.get("default") for name, one in action["inputs"].items()} | given
    for step in action["runs"]["steps"]:
        filled = {name: INPUT.sub(lambda found: values[found[1]], text) for name, text in step["env"].items()}
        yield step["run"], filled


def test_the_action_blocks_and_tells_github(server):
    steps = list(steps_of(read("action.yml"), gold="gold.qrels", run="now.run"))
    codes = [(0, "good", 3), (0, "good", 0), (0, "worse", 1)]  # no baseline, the same, a real drop
    for first, now, code in codes:
        server(steps[0][0], expect=first, **steps[0][1])
        shown = server(steps[1][0], now, expect=code, **steps[1][1])
    assert shown.count("::error file=") == 10
    assert "## Gate blocked" in (server.path / "summary.md").read_text()
    assert (server.path / "retrieval-gate.xml").is_file()


def test_nothing_in_an_input_is_run_as_a_command(server):
    for step in read("action.yml")["runs"]["steps"]:
        assert "${{" not in step["run"]
        assert step["shell"] == "bash"
    (script, values) = list(steps_of(read("action.yml"), gold="$(touch harmed).qrels", run="now.run; touch harmed"))[1]
    server(script, expect=2, **values)
    assert not (server.path / "harmed").exists()


def test_the_workflow_uses_the_action_as_it_is():
    action, workflow = read("action.yml"), read("github.yml")
    (used,) = [step for step in workflow["jobs"]["gate"]["steps"] if step.get("uses", "").startswith("./")]
    assert used["uses"] == "./.github/actions/retrieval-gate"
    assert set(used["with"]) <= set(action["inputs"])
    assert {name for name, one in action["inputs"].items() if one.get("required")} <= set(used["with"])
    assert workflow["permissions"] == {"contents": "read"}


@pytest.mark.parametrize("name", ["github.yml", "github-nightly.yml"])
def test_the_commands_of_a_workflow_run(server, name):
    server("assay history gate gold.qrels good.run --config nightly.toml --update-baseline --store history.db")
    scripts = [step["run"] for step in read(name)["jobs"]["gate"]["steps"] if "run" in step]
    shown = [server(script) for script in scripts]
    if name == "github-nightly.yml":
        assert "this is look 1 of 30" in " ".join(shown[-1].split())


def test_the_job_of_gitlab_runs(server):
    job = read("gitlab-ci.yml")["retrieval-gate"]
    server("\n".join(job["script"]), expect=3)
    server("\n".join(job["script"]))
    server("\n".join(job["script"]), "worse", expect=1)
    assert (server.path / job["artifacts"]["reports"]["junit"]).is_file()
    assert job["artifacts"]["when"] == "always"


def test_the_test_of_pytest_passes():
    environment = os.environ | {"PYTHONPATH": str(ROOT / "src"), "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"}
    command = ["-m", "pytest", "-p", "no:cacheprovider", "-p", "assay.testing.plugin", "--rootdir", str(EXAMPLES), "-c"]
    done = subprocess.run(
        [sys.executable, *command, os.devnull, str(EXAMPLES / "test_retrieval.py")],
        env=environment, cwd=EXAMPLES, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout + done.stderr
    assert "1 passed" in done.stdout
