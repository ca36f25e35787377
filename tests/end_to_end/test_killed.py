"""A process that is ended in the middle leaves no broken output, and no temporary folder where it can help it."""

import json
import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
ROWS = 1_300_000
"""So many that their hashes are written to disk."""
PATIENCE = 120


@pytest.fixture(scope="module")
def files(tmp_path_factory):
    """A gold standard, a shuffled run, and a folder for what does not fit into memory, with a file of somebody's."""
    folder = tmp_path_factory.mktemp("killed")
    (folder / "gold.qrels").write_text("".join(f"q{n} 0 d{n} 1\n" for n in range(50)))
    order = random.Random(1).sample(range(ROWS), ROWS)
    (folder / "a.run").write_text("".join(f"q{n % 50} Q0 d{n} 1 {n % 997} s\n" for n in order))
    return folder


@pytest.fixture
def aside(files, tmp_path):
    """Where temporary folders go; one of somebody else is there already."""
    (tmp_path / "assay-other").mkdir()
    (tmp_path / "assay-other" / "mine").write_text("keep me")
    return tmp_path


def start(files, aside, *args, stdin=None):
    return subprocess.Popen(
        [sys.executable, "-m", "assay", *map(str, args)],
        cwd=files,
        env=os.environ | {"PYTHONPATH": str(ROOT / "src"), "TMPDIR": str(aside)},
        stdin=stdin,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
    )


def wait_for(process, found):
    """Wait until something is there, while the process still runs."""
    end = time.monotonic() + PATIENCE
    while not found():
        assert process.poll() is None, process.stderr.read().decode()
        assert time.monotonic() < end
        time.sleep(0.005)


def others(aside):
    """Return what lies in the folder beside what was there."""
    assert (aside / "assay-other" / "mine").read_text() == "keep me"
    return [path for path in aside.iterdir() if path.name != "assay-other"]


def evaluate(out):
    return "evaluate", "gold.qrels", "a.run", "-m", "AP", "--memory", "1MB", "--out", out


@pytest.mark.parametrize(("number", "code"), [(signal.SIGTERM, 143), (signal.SIGINT, 130)])
def test_a_process_that_is_asked_to_end_clears_up(files, aside, number, code):
    process = start(files, aside, *evaluate("out.json"))
    wait_for(process, lambda: any(aside.glob("assay-*/*.parquet")))
    process.send_signal(number)
    error = process.communicate(timeout=PATIENCE)[1]
    assert process.returncode == code, error.decode()
    assert b"Traceback" not in error
    assert others(aside) == []
    assert sorted(path.name for path in files.iterdir()) == ["a.run", "gold.qrels"]


def test_a_killed_process_leaves_the_output_as_it_was(files, aside):
    out = aside / "out.json"
    out.write_text("{}")
    process = start(files, aside, *evaluate(out))
    wait_for(process, lambda: any(aside.glob("assay-*/*.parquet")))
    process.kill()
    process.communicate(timeout=PATIENCE)
    assert out.read_text() == "{}"
    left = others(aside)
    again = start(files, aside, *evaluate(out))
    assert again.communicate(timeout=PATIENCE)[1] is not None
    assert again.returncode == 0
    assert json.loads(out.read_text())["runs"]
    assert sorted(others(aside)) == sorted(left)  # what is not its own it leaves alone


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGKILL])
def test_a_converted_file_is_whole_or_not_there(files, aside, number):
    out = aside / "out.csv"
    process = start(files, aside, "convert", "a.run", out)
    wait_for(process, lambda: any(aside.glob(".out.csv.*")))
    process.send_signal(number)
    process.communicate(timeout=PATIENCE)
    assert not out.exists()
    assert (others(aside) == []) == (number == signal.SIGTERM)
    again = start(files, aside, "convert", "a.run", out)
    again.communicate(timeout=PATIENCE)
    assert again.returncode == 0
    assert len(out.read_bytes().splitlines()) == ROWS + 1


def test_the_copy_of_standard_input_goes_with_the_process(files, aside):
    process = start(files, aside, "evaluate", "gold.qrels", "-", stdin=subprocess.PIPE)
    process.stdin.write((files / "a.run").read_bytes()[:1_000_000])
    process.stdin.flush()
    wait_for(process, lambda: others(aside))
    process.terminate()
    process.communicate(timeout=PATIENCE)
    assert process.returncode == 143
    assert others(aside) == []
