"""What the command line says of errors that are no mistake of anybody."""

import pytest
from numpy._core._exceptions import _ArrayMemoryError

from assay.cli import main

PANIC = type("PanicException", (BaseException,), {})


def ended(error, monkeypatch, capsys):
    """Return the exit code and what is said when a command ends by an error."""

    def fails(*_, **__):
        raise error

    monkeypatch.setattr(main.typer.main, "get_command", fails)
    code = main.run(["measures"])
    return code, capsys.readouterr()


@pytest.mark.parametrize("error", [MemoryError(), _ArrayMemoryError((1 << 40,), "float64")])
def test_memory_that_is_not_there_is_one_line_and_no_traceback(monkeypatch, capsys, error):
    code, said = ended(error, monkeypatch, capsys)
    assert code == 2
    assert said.out == ""
    assert [line.partition(":")[0] for line in said.err.splitlines()] == ["Error", "Hint"]
    assert "memory: expected" in said.err


@pytest.mark.parametrize("error", [RuntimeError("odd"), PANIC("odd"), RecursionError()])
def test_a_fault_is_reported_as_one_and_is_no_failed_gate(monkeypatch, capsys, error):
    code, said = ended(error, monkeypatch, capsys)
    assert code == 2
    assert "Traceback" in said.err
    assert "a fault of Assay" in said.err


@pytest.mark.parametrize(("error", "code"), [(KeyboardInterrupt(), 130), (SystemExit(3), 3), (BrokenPipeError(), 141)])
def test_who_ends_a_command_sees_no_fault(monkeypatch, capsys, error, code):
    found, said = ended(error, monkeypatch, capsys)
    assert found == code
    assert "Traceback" not in said.err
