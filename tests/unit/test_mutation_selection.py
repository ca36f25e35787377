"""What mutation testing holds against each file of measures."""

from pathlib import Path

import pytest
from tests.mutation import selection, survivors

ROOT = Path(__file__).parents[2]
MODULES = sorted(one.stem for one in (ROOT / selection.FOLDER).glob("*.py") if one.stem != "__init__")


@pytest.mark.parametrize("module", MODULES)
def test_every_file_of_measures_has_tests_and_measures_that_reach_it(module, monkeypatch):
    monkeypatch.chdir(ROOT)
    assert module in selection.modules()
    assert set(selection.measures_of(module)) <= set(selection.MEASURES)
    assert selection.measures_of(module)
    assert all((ROOT / path.partition("::")[0]).is_file() for path in selection.tests_of(module))


@pytest.mark.parametrize("table", [selection.OWN, selection.TYPICAL], ids=["OWN", "TYPICAL"])
def test_no_table_names_a_file_that_is_gone(table):
    assert set(table) <= set(MODULES)


def test_only_what_a_change_can_reach_is_tried(monkeypatch):
    monkeypatch.setattr(selection, "ONLY", {"P"})
    measures = selection.MEASURES
    assert [str(one) for one in selection.reachable_variants(measures["P"])][:2] == ["P@1", "P@3"]
    assert list(selection.reachable_variants(measures["R"])) == []
    assert not any(map(selection.is_out_of_reach, ("P@1", measures["P"](k=1), "Precision", 5, None, "no measure")))
    assert all(map(selection.is_out_of_reach, ("R@1", "nDCG(gain='exp')@2", measures["R"](k=1), "Recall")))


def test_every_survivor_is_a_change_of_a_line_that_stands_in_its_file_and_has_its_reason():
    for (module, before, after), reason in survivors.explained().items():
        source = "".join((ROOT / selection.FOLDER / f"{module}.py").read_text("utf-8").split())
        assert before in source, f"{module}: no line {before}: take its row out of {survivors.PAGE.name}"
        assert after != before
        assert reason.endswith(".")


def test_a_change_is_known_however_its_line_is_broken():
    (module, before, after), _ = next(iter(survivors.explained().items()))
    half = len(before) // 2
    diff = f"--- a/x.py\n+++ b/x.py\n same\n-    {before[:half]}\n-        {before[half:]}\n+    {after}\n same\n"
    assert survivors.change_of(module, diff) in survivors.explained()
    assert survivors.change_of("another", diff) not in survivors.explained()
