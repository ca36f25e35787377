"""The picture of the architecture is true: the pages, the contract of import-linter and the folders say the same."""

import re
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PAGES = ["docs/explanation/architecture.md", "CONTRIBUTING.md"]


def contract() -> list[str]:
    """The layers of pyproject.toml, without the brackets of what may be absent and without private modules."""
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    layers = next(one for one in settings["tool"]["importlinter"]["contracts"] if one["id"] == "layers")["layers"]
    public = [re.sub(r"( [:|] )?\(_\w+\)", "", layer) for layer in layers]
    return [re.sub(r"[()]", "", layer) for layer in public if layer]


def picture(page: str, first: str) -> str:
    """The block of the page that begins with a word."""
    text = (ROOT / page).read_text(encoding="utf-8")
    return next(block for block in re.findall(r"```text\n(.*?)```", text, re.DOTALL) if block.split()[0] == first)


def described() -> set[str]:
    """The folders that the table of the page says something of."""
    table = (ROOT / PAGES[0]).read_text(encoding="utf-8").split("| folder | holds |")[1]
    rows = [line.split("|")[1] for line in table.splitlines() if line.startswith("| `")]
    return {name for row in rows for name in re.findall(r"\w+", row)}


def present() -> set[str]:
    """What stands in the package: folders and files, private ones aside."""
    found = (ROOT / "src/assay").iterdir()
    return {one.stem for one in found if not one.name.startswith("_") and (one.is_dir() or one.suffix == ".py")}


@pytest.mark.parametrize("page", PAGES)
def test_the_page_draws_the_layers_that_the_linter_checks(page):
    assert picture(page, "cli").splitlines() == contract()


def test_each_folder_has_a_layer_and_a_line_on_the_page():
    layers = set(re.findall(r"\w+", " ".join(contract())))
    assert described() == layers
    assert present() <= layers


def test_the_pages_draw_the_same_way_of_a_number():
    assert picture(PAGES[0], "formats") == picture(PAGES[1], "formats")
