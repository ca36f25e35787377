"""Spark with executors of their own, of which one is killed while it counts."""

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
CODE = """
import sys
from pathlib import Path

from assay.core.policy import Policy
from assay.core.run import Run
from assay.engines import judge
from tests.contract import backends_under_test as backends
from tests.contract.collections_at_once import collections

folder = Path(sys.argv[1])
made, mark = collections(1), folder / "lost"
session = backends.spark_session("local-cluster[2,1,512]")
rows = session.read.parquet(str(backends.in_parts(made.rows, folder)))
flawed = rows.mapInArrow(backends.fail_once(str(mark), "loses its executor"), schema=rows.schema)
found, wanted = (judge(Run.from_frame(one), made.gold, Policy()) for one in (flawed, made.rows))
backends.assert_same(found, wanted)
print(mark.read_text())
session.stop()
"""


@pytest.mark.slow
@pytest.mark.skipif(sys.platform != "linux", reason="finds the executor in /proc")
def test_an_executor_that_is_lost_changes_nothing(tmp_path):
    pytest.importorskip("pyspark")
    if shutil.which("java") is None:
        pytest.skip("Spark needs Java")
    command = [sys.executable, "-W", "ignore", "-c", CODE, str(tmp_path)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert "CoarseGrainedExecutorBackend" in done.stdout
