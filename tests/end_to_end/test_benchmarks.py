"""The benchmarks run, and what they compare is equal. Nothing here looks at a time."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return tmp_path_factory.mktemp("benchmarks")


def run(folder, *args):
    return subprocess.run(
        [sys.executable, "-m", "benchmarks", *args, "--small", "--without", "ranx", "--folder", str(folder)],
        cwd=ROOT,
        env=os.environ | {"PYTHONPATH": str(ROOT / "src")},
        capture_output=True,
        text=True,
        encoding="utf-8",
        check=False,
    )


@pytest.mark.slow
@pytest.mark.oracle
@pytest.mark.parametrize(
    ("name", "rival"),
    [
        ("A", "ir_measures"), ("C", "Assay on A"), ("D", "Assay on A"), ("Z", "ir_measures"), ("growth", "ir_measures"),
        ("G", "pytrec_eval"), ("start", "ir_measures"), ("boot", "scipy"), ("flips", "scipy"),
        ("links-complex", "numba"), ("links-l2", "numba"), ("near", "bare product"),
        ("entities", "scikit-learn"), ("rag", "ragas' formula"),
        ("lexical", "bm25s"),
        ("graph", "rdflib"), ("clicks", "polars"),
        ("many", "ir_measures"), ("scale", "duckdb window"),
    ],
)  # fmt: skip
def test_a_benchmark_finds_the_same_values_as_its_rival(folder, name, rival):
    library = {"scikit-learn": "sklearn"}.get(rival, rival.split()[0])
    if library in {"ir_measures", "pytrec_eval", "scipy", "numba", "sklearn", "duckdb", "rdflib", "bm25s"}:
        pytest.importorskip(library)
    done = run(folder, name, "--without", "spark", "--without", "PyKEEN")  # whose ranks have tests of their own
    assert done.returncode == 0, done.stdout + done.stderr
    assert any(line.strip().startswith("equal: ") and rival in line for line in done.stdout.splitlines())
    assert "DIFFERENT" not in done.stdout


def test_a_name_that_is_none_gives_one_line(folder):
    done = run(folder, "Q")
    assert done.returncode == 2
    known = (
        "A M B C D E F H L T Z growth G Gshort Gdeep start trec boot flips links-complex links-l2 links-l1 near "
        "entities rag lexical lexical-union graph clicks judging history many scale"
    )
    assert done.stderr == f"benchmarks: expected names among {known}, found Q\n"


def test_values_that_differ_are_told_and_nothing_is_timed(folder, monkeypatch, capsys):
    monkeypatch.syspath_prepend(ROOT)
    from benchmarks.dicts import DictBenchmark
    from benchmarks.inputs import TINY
    from benchmarks.options import Options

    monkeypatch.setattr("benchmarks.dicts.TOLERANCE", -1.0)
    pytest.importorskip("pytrec_eval")
    assert not DictBenchmark("G", "tiny", TINY).run(Options(folder, small=True))
    shown = capsys.readouterr().out
    assert "DIFFERENT" in shown
    assert " s " not in shown.replace("values", "")
