"""Verbs are loaded when they are asked for, and none is missing from the help."""

import pkgutil
import subprocess
import sys
from importlib import import_module
from typing import Any

import pytest
import typer

GROUPS = ["assay.cli.main"] + [
    f"assay.cli.{name}"
    for name in ("links", "entities", "neighbours", "rag", "answers", "lexical", "graph", "gold", "history")
]
NO_VERBS = {"groups", "main", "options", "output", "progress", "terms", "verbs"}


@pytest.mark.parametrize("module", GROUPS)
def test_each_name_is_a_command_and_fits_a_line(module: str) -> None:
    group: Any = typer.main.get_command(import_module(module).app)
    assert list(group.commands) == list(import_module(module).VERBS)
    for name, command in group.commands.items():
        assert command.name == name
        assert command.help
        assert len(import_module(module).VERBS[name]) <= 56


def test_each_file_with_a_verb_of_its_name_is_named() -> None:
    verbs = import_module("assay.cli.main").VERBS
    for found in pkgutil.iter_modules(import_module("assay.cli").__path__):
        module = import_module(f"assay.cli.{found.name}")
        if found.name not in NO_VERBS and (hasattr(module, "app") or hasattr(module, found.name)):
            assert found.name.replace("_", "-") in verbs or found.name in verbs


def test_a_verb_does_not_load_the_others() -> None:
    program = (
        "import sys\nfrom assay.cli.main import run\nrun(['measures', 'RR'])\n"
        "print(sorted(name for name in sys.modules if name.startswith('assay.cli.')))"
    )
    ran = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    loaded = ran.stdout.splitlines()[-1]
    assert "assay.cli.measures" in loaded
    assert "assay.cli.evaluate" not in loaded
    assert "assay.cli.links" not in loaded
