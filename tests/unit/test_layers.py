"""Arrows between the folders go down only; the contracts stand in pyproject.toml."""

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]


def test_every_import_respects_the_layers():
    program = Path(sys.executable).with_name("lint-imports")
    done = subprocess.run([program, "--no-cache", "--no-logo"], cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr


def test_a_plain_evaluation_loads_nothing_that_compares_or_draws_pages():
    example = ROOT / "examples" / "graphrag-2wiki"
    files = [str(example / name) for name in ("gold.qrels", "vdb.run")]
    code = (
        "import sys; from assay.cli.main import run\n"
        f"run(['evaluate', *{files!r}, '--duplicates', 'first', '--quiet'])\n"
        "print(*(name for name in ('assay.compare', 'assay.verify', 'scipy', 'altair', 'jinja2', 'numba') "
        "if name in sys.modules), file=sys.stderr)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr.strip()) == (0, "")
