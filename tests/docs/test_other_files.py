"""The page of other files: every reader of the tests is shown on it, and what it names is there."""

import pytest
import typer
from docs.generate.other_files import ELSEWHERE, GRAPHS, TABLES, page
from tests.unit.readers import READERS

from assay.cli.main import app
from assay.formats import FORMATS

KINDS = (*TABLES, *GRAPHS)
ROLES = {f"{role} {name}" for role in ("gold", "run") for name in FORMATS}
UNREADABLE = {name for name, one in READERS.items() if b"\0" in one.example}


def command(words):
    found = typer.main.get_command(app)
    for word in words:
        found = found.get_command(typer.Context(found), word)
    return found


@pytest.mark.parametrize("place", sorted({place for kind in KINDS for place in kind.taken}))
def test_each_place_that_takes_a_file_is_there(place):
    *words, last = place.split()
    named = last.startswith("-") or last.isupper() or last.endswith("...")
    found = command(words if named else [*words, last])
    if named:
        taken = [name for param in found.params for name in (*param.opts, param.metavar or "")]
        assert last in taken


def test_every_reader_is_shown_or_stands_elsewhere():
    shown = {name for kind in KINDS for name in kind.examples}
    assert shown <= set(READERS)
    assert set(READERS) - shown - ROLES - UNREADABLE <= ELSEWHERE
    assert not shown & ELSEWHERE


def test_examples_stand_as_they_are_read():
    text = page().text
    for kind in KINDS:
        for name in kind.examples:
            assert READERS[name].example.decode().rstrip() in text, name
