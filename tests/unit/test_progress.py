"""Progress by bytes: told while a run is read, shown on a terminal and only there."""

import gzip
import io
import os
from dataclasses import replace
from itertools import pairwise
from types import SimpleNamespace

import polars as pl
import pytest

from assay.cli import progress, reading
from assay.cli.reading import READING, shown
from assay.cli.verbs import SETTINGS
from assay.core.gold import Gold
from assay.core.policy import Policy
from assay.engines import judge
from assay.formats import Source, read_run
from assay.formats.binary import LARGE

GOLD = Gold.from_mapping({"q1": {"d1": 1}, "q2": {"d5": 1}})
LINES = [f"q{n % 3} Q0 d{n} 1 {n % 7} s\n" for n in range(4000)]
TEXT = "".join(LINES).encode()


@pytest.fixture
def told():
    """Collect what is told: how many bytes are read, of how many."""
    found = []

    def tell(done, total):
        found.append((done, total))

    tell.found = found
    return tell


@pytest.fixture
def terminal(monkeypatch):
    """Make standard error a terminal whose text can be read; every file is long."""

    class Terminal(io.StringIO):
        def isatty(self):
            return True

    found = Terminal()
    monkeypatch.setattr(progress, "sys", SimpleNamespace(stderr=found))
    monkeypatch.setattr(reading, "LONG", 1)
    monkeypatch.setitem(os.environ, "TERM", "xterm")
    yield found
    READING.stop()


def files(folder):
    frame = pl.DataFrame([line.split() for line in LINES], schema=list("abcdef"), orient="row")
    run = frame.select(query="a", item="c", score=pl.col("e").cast(pl.Float64))
    paths = [folder / f"run.{name}" for name in ("run", "run.gz", "csv", "jsonl", "parquet")]
    paths[0].write_bytes(TEXT)
    paths[1].write_bytes(gzip.compress(TEXT))
    run.write_csv(paths[2])
    run.write_ndjson(paths[3])
    run.write_parquet(paths[4])
    return paths


def test_each_pass_tells_of_its_bytes_from_the_beginning_to_the_end(tmp_path, told):
    for path in files(tmp_path):
        run = read_run(path, progress=told)
        assert told.found == []  # looking at the beginning is not reading
        small = replace(run, rows=replace(run.rows, size=1000))
        for memory in (None, 1):
            judge(replace(small, memory=memory), GOLD, Policy())
            done = [number for number, _ in told.found]
            whole = path.stat().st_size
            assert {total for _, total in told.found} == {whole}
            assert done.count(whole) == (1 if memory is None else 2)
            assert done[-1] == whole
            assert sum(later < before for before, later in pairwise(done)) <= 1
            told.found.clear()


def test_nobody_is_told_where_nobody_looks(tmp_path):
    path = files(tmp_path)[0]
    source = Source.open(path)
    assert source.progress is None
    assert b"".join(source.chunks(100)) == TEXT


def test_a_small_table_is_read_before_its_rows_are_told_of(tmp_path, told):
    path = files(tmp_path)[-1]
    assert path.stat().st_size < LARGE
    list(read_run(path, progress=told).rows.blocks())
    assert told.found == [(path.stat().st_size,) * 2]


@pytest.mark.parametrize("quiet", [True, False])
def test_only_a_terminal_shows_a_bar(quiet, monkeypatch):
    monkeypatch.setattr(SETTINGS, "quiet", quiet)
    monkeypatch.setattr(progress, "sys", SimpleNamespace(stderr=io.StringIO()))
    assert READING.of("a.run") is None


def test_quiet_shows_no_bar_on_a_terminal(terminal, monkeypatch):
    monkeypatch.setattr(SETTINGS, "quiet", True)
    assert READING.of("a.run") is None


def test_a_short_file_shows_no_bar(terminal, monkeypatch):
    monkeypatch.setattr(reading, "LONG", 1000)
    tell = READING.of("a.run")
    tell(1, 999)
    tell(999, 999)
    assert terminal.getvalue() == ""


def test_bars_name_file_bytes_and_pass_and_go_with_the_last_byte(terminal):
    tell = READING.of("a.run")
    for done in (500_000_000, 1_000_000_000):
        tell(done, 1_000_000_000)
    assert READING.drawn is None
    assert "reading a.run " in terminal.getvalue()
    assert "1.0 GB" in terminal.getvalue()
    tell(1_000_000_000, 1_000_000_000)  # what is packed last may be told of more than once
    assert READING.drawn is None
    tell(10, 1_000_000_000)
    assert READING.drawn is not None
    tell(1_000_000_000, 1_000_000_000)
    assert READING.drawn is None
    assert "a.run, pass 2" in terminal.getvalue()


def test_several_runs_have_a_bar_each(terminal):
    tells = [READING.of("a.run"), READING.of("b.run")]
    for tell in tells:
        tell(1, 10)
    assert [task.description for task in READING.drawn.tasks] == ["a.run", "b.run"]
    tells[0](10, 10)
    assert [task.description for task in READING.drawn.tasks] == ["b.run"]
    tells[0](2, 10)
    assert [task.description for task in READING.drawn.tasks] == ["b.run", "a.run, pass 2"]


def test_a_verb_that_ends_in_an_error_leaves_no_bar(terminal):
    @shown
    def verb():
        READING.of("a.run")(1, 10)
        assert READING.drawn is not None
        raise ValueError

    with pytest.raises(ValueError, match=r"^$"):
        verb()
    assert READING.drawn is None
