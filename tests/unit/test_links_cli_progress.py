"""The bar of long work: it counts what is done, appears on a terminal only, and changes no result."""

import itertools
import sys

import numpy as np
import pytest
from polars.testing import assert_frame_equal
from tests.unit.link_rankings import random_graph
from tests.unit.test_links_cli_candidates import ASKED

from assay.cli.main import run
from assay.cli.progress import progress, working
from assay.cli.verbs import SETTINGS
from assay.core.progress import part_of, told
from assay.tasks.links.models import DistMult, TransE, TransR
from assay.tasks.links.models.scorer import Scorer
from assay.tasks.links.ranking import rank
from assay.tasks.links.sample import sample_links
from assay.tasks.links.threshold import threshold_links

GRAPH = random_graph(5, entities=9, triples=60)
RNG = np.random.default_rng(4)
REAL = RNG.normal(size=(9, 4)), RNG.normal(size=(2, 4))
MODELS = [
    DistMult(*REAL), TransE(*REAL, norm=1), TransR(*REAL, projection=RNG.normal(size=(2, 4, 4)), norm=2, clamp=None),
    Scorer(lambda entity, *_: np.tile(np.arange(9.0), (len(entity), 1)), 9, 2),
]  # fmt: skip


def counted(work):
    """Return what work gives, and what it told, which never goes back and ends where it said."""
    ticks = []
    found = work(lambda done, total: ticks.append((done, total)))
    assert ticks
    return found, ticks


def rising(ticks):
    return all(0 <= one <= other for (one, _), (other, _) in itertools.pairwise(ticks))


@pytest.mark.parametrize("model", MODELS, ids=lambda one: one.name)
@pytest.mark.parametrize("block", [1, 1024])
def test_ranks_are_counted_to_the_last_and_are_the_same(model, block):
    found, ticks = counted(lambda bar: rank(GRAPH, model, block=block, progress=bar))
    assert_frame_equal(found.table, rank(GRAPH, model, block=block).table)
    assert rising(ticks)
    assert ticks[-1] == (found.table.height, found.table.height)


@pytest.mark.parametrize("model", MODELS, ids=lambda one: one.name)
def test_samples_are_counted_and_are_the_same(model):
    found, ticks = counted(lambda bar: sample_links(GRAPH, model, negatives=3, exact=4, progress=bar))
    assert_frame_equal(found.table, sample_links(GRAPH, model, negatives=3, exact=4).table)
    drawn = [one for one in ticks if one[1] == found.table.height]
    assert rising(drawn)
    assert (found.table.height, found.table.height) in drawn
    assert ticks[-1] == (8, 8)


def test_questions_of_a_threshold_are_counted():
    options = {"closed": True, "precision": 0.2, "confidence": 0.5}
    found, ticks = counted(lambda bar: threshold_links(GRAPH, MODELS[0], **options, progress=bar))
    assert found.to_dict() == threshold_links(GRAPH, MODELS[0], **options).to_dict()
    assert (found.facts["questions"], found.facts["questions"]) in ticks


def test_parts_make_a_whole():
    ticks = []
    for place in range(3):
        part = part_of(lambda done, total: ticks.append((done, total)), place, 3, 300)
        assert list(told(range(70), part, 70)) == list(range(70))
    assert ticks == [(91, 300), (100, 300), (191, 300), (200, 300), (291, 300), (300, 300)]
    assert part_of(None, 0, 1, 1) is None


@pytest.fixture
def terminal(monkeypatch):
    """A standard error that says that it is a terminal, and what is written to it."""
    written = []
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True)
    monkeypatch.setattr(sys.stderr, "write", lambda text: written.append(text) or len(text))
    monkeypatch.setenv("TERM", "xterm")
    return written


def test_a_bar_is_drawn_on_a_terminal_and_goes_away(terminal):
    with progress("ranks") as bar:
        bar(3, 7)
    with working("measures"):
        pass
    drawn = "".join(terminal)
    assert "ranks" in drawn
    assert "3/7" in drawn
    assert "measures" in drawn
    assert drawn.rstrip().endswith("\x1b[2K")


def test_nothing_is_drawn_where_nobody_looks_or_wants_it(terminal, monkeypatch):
    monkeypatch.setattr(SETTINGS, "quiet", True)
    with progress("ranks") as bar, working("measures"):
        assert bar is None
    monkeypatch.setattr(SETTINGS, "quiet", False)
    monkeypatch.setattr(sys.stderr, "isatty", lambda: False)
    with progress("ranks") as bar:
        assert bar is None
    assert not terminal


@pytest.mark.parametrize(
    "verb",
    [["evaluate", "-m", "MRR"], ["sample", "--negatives", "3"], ["threshold", "--closed-world"]],
    ids=lambda v: v[0],
)
def test_the_commands_draw_one_and_print_the_same(capsys, verb, request):
    asked = ["links", verb[0], *ASKED, *verb[1:]]
    assert run(asked) == 0
    plain = capsys.readouterr().out
    terminal = request.getfixturevalue("terminal")
    assert run(asked) == 0
    assert capsys.readouterr().out == plain
    assert ("questions" if verb[0] == "threshold" else "ranks") in "".join(terminal)
