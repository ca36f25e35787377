"""The limit of memory: what may be said, what it is without a word, and that it reaches each run."""

import polars as pl
import pytest
from tests.unit.test_engine import Blocks

from assay.cli.terms import Terms, size
from assay.core.run import Run
from assay.engines import memory
from assay.errors import ParameterError

ROWS = pl.DataFrame({"query": ["q"], "item": ["a"], "score": [1.0]})


def test_without_a_limit_half_of_the_memory_of_the_machine_or_container_is_one(monkeypatch, tmp_path):
    memory.machine_memory.cache_clear()
    whole = memory.machine_memory()
    rows = Blocks(ROWS, 1)
    assert memory.rows_held(Run("run", rows)) == whole // 2 // memory.SHARE
    assert memory.rows_held(Run("run", rows, memory=600)) == 600 // memory.SHARE
    assert memory.rows_held(Run.from_frame(ROWS)) > whole
    (tmp_path / "max").write_text("1000000\n")
    monkeypatch.setattr(memory, "CONTAINER", tmp_path / "max")
    memory.machine_memory.cache_clear()
    assert memory.machine_memory() == 1_000_000
    memory.machine_memory.cache_clear()


@pytest.mark.parametrize(
    ("text", "bytes_"),
    [("500MB", 500_000_000), ("4GiB", 4 << 30), ("1.5 gb", 1_500_000_000), ("64k", 64_000), ("2T", 2 * 10**12)],
)
def test_a_size_has_a_unit(text, bytes_):
    assert size("--memory", text) == bytes_


@pytest.mark.parametrize("text", ["4", "GB", "-1GB", "0MB", "4 gigs", "1,5GB", "4Gbit"])
def test_a_size_that_is_none_is_refused(text):
    with pytest.raises(ParameterError, match=f"--memory: expected a size such as 500MB or 4GiB, found '{text}'"):
        size("--memory", text)


def test_the_command_line_hands_the_limit_to_each_run(tmp_path):
    (tmp_path / "gold.qrels").write_text("q 0 a 1\n")
    (tmp_path / "a.run").write_text("q Q0 a 1 3 s\n")
    path = str(tmp_path / "a.run")
    _, runs = Terms({}, memory="64MB").read(str(tmp_path / "gold.qrels"), [path, path])
    assert [run.memory for run in runs] == [64_000_000] * 2
    _, runs = Terms({}).read(str(tmp_path / "gold.qrels"), [path])
    assert runs[0].memory is None
