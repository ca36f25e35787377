"""What mutation testing holds against each file of measures."""

from pathlib import Path

import pytest
from tests.mutation import selection

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
