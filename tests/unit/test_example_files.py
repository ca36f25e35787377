"""The files of the examples are those that their scripts make."""

import importlib.util
from pathlib import Path

import pytest

EXAMPLES = Path(__file__).parents[2] / "examples"


@pytest.mark.parametrize(("folder", "parts"), [("rag", ("published", "pipeline")), ("entities", ("main",))])
def test_the_script_of_an_example_makes_its_files(folder, parts, tmp_path, monkeypatch):
    spec = importlib.util.spec_from_file_location(f"make_{folder}", EXAMPLES / folder / "make.py")
    make = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(make)
    monkeypatch.setattr(make, "HERE", tmp_path)
    for part in parts:
        getattr(make, part)()
    made = sorted(tmp_path.iterdir())
    assert made
    for file in made:
        assert file.read_bytes() == (EXAMPLES / folder / file.name).read_bytes(), file.name
