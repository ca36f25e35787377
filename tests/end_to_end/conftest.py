"""The command line as people run it: a process of its own."""

from pathlib import Path

import pytest
from tests.processes import run

ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="session")
def demo():
    return ROOT / "examples" / "graphrag-2wiki"


@pytest.fixture
def assay(tmp_path):
    """Run `assay ARGS...` in an empty folder; give `expect` the exit code that is right."""

    def call(*args, expect=0, stdin=b"", fresh=False, **environment):
        done = run([*map(str, args)], tmp_path, environment, stdin, fresh=fresh)
        done.out, done.err = done.stdout.decode(errors="replace"), done.stderr.decode(errors="replace")
        assert done.returncode == expect, done.err
        assert "Traceback" not in done.err
        return done

    return call


@pytest.fixture
def small(tmp_path):
    """A gold standard and a run of two queries, as files `gold.qrels` and `a.run`."""
    (tmp_path / "gold.qrels").write_text("q1 0 x 1\nq1 0 y 0\nq2 0 z 2\n")
    (tmp_path / "a.run").write_text("q1 Q0 y 1 2 s\nq1 Q0 x 2 1 s\nq2 Q0 z 1 5 s\nq2 Q0 w 2 5 s\n")
    return tmp_path
