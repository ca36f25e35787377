"""The page of other files: every reader of the tests is shown on it, and what it names is there."""

import pytest
import typer
from docs.generate.other_files import ELSEWHERE, GRAPHS, TABLES, page
from tests.unit.readers import READERS, outcome

from assay.cli.main import app
from assay.errors import AssayError, MissingExtraError
from assay.formats import FORMATS

KINDS = (*TABLES, *GRAPHS)
ROLES = {f"{role} {name}" for role in ("gold", "run") for name in FORMATS}
SHOWN = sorted({name for kind in KINDS for name in kind.examples})
HEADS_ALONE = {"label file"}
"""Examples of which the page says that they hold no row."""


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


def test_every_reader_is_in_a_section_or_stands_elsewhere():
    told = {*SHOWN, *(name for kind in KINDS for name in kind.unshown)}
    assert told <= set(READERS)
    assert set(READERS) - told - ROLES == ELSEWHERE
    assert not told & ELSEWHERE


@pytest.mark.parametrize("name", sorted({*SHOWN} - HEADS_ALONE))
def test_each_example_is_read(name):
    found = outcome(name, READERS[name].example)
    if isinstance(found, MissingExtraError):
        pytest.skip(found.message)
    assert not isinstance(found, AssayError), found


def test_examples_stand_as_they_are_read():
    text = page().text
    for kind in KINDS:
        for name in kind.examples:
            assert READERS[name].example.decode().rstrip() in text, name
