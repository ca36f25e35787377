"""What is made in Python: what does not fit is refused in words; what is empty, or known in one place, says so."""

import polars as pl
import pytest

import assay
from assay.core.frames import collect
from assay.core.gold import Gold
from assay.core.origin import Origin
from assay.core.policy import Policy
from assay.core.registry import Registry
from assay.core.run import Run
from assay.core.scores import Scores
from assay.core.terms import Term
from assay.core.texts import Documents
from assay.errors import GoldError, InputError, MissingExtraError, RunError, UnknownNameError

TWICE = pl.DataFrame({"item": ["a", "b", "a"], "text": ["one", "two", "three"]})
REFUSED = {
    "gold without judgments": (lambda: Gold.from_mapping({"q": {}}), GoldError, "gold: expected judgments, found none"),
    "a grade that is a word": (
        lambda: Gold.from_mapping({"q": {"a": 1, "b": "good"}}),
        GoldError,
        "gold: expected a number as grade, found 'good'",
    ),
    "ids of one query without its row": (
        lambda: Run.from_topk(["a", "b"]),
        RunError,
        r"run: expected ids of shape \(queries, k\), found shape \(2,\)",
    ),
    "a score too few": (
        lambda: Run.from_topk([["a", "b"]], [[0.5]]),
        RunError,
        r"expected scores and queries to fit ids of shape \(1, 2\), found \(1, 1\) and 1",
    ),
    "a query too many": (
        lambda: Run.from_topk([["a", "b"]], queries=["q1", "q2"]),
        RunError,
        r"expected scores and queries to fit ids of shape \(1, 2\), found \(1, 2\) and 2",
    ),
    "a text twice": (lambda: Documents(TWICE), InputError, "expected each id once, found 'a' twice"),
    "a convention that there is not": (
        lambda: Policy().but(tie="expected"),
        UnknownNameError,
        "no policy field is called 'tie'. Did you mean 'ties'",
    ),
    "documents of no file": (lambda: assay.read_documents([]), InputError, "documents: expected a file, found none"),
}


@pytest.mark.parametrize("name", REFUSED)
def test_what_does_not_fit_is_refused_in_words(name):
    make, error, words = REFUSED[name]
    with pytest.raises(error, match=words):
        make()


def test_a_plug_in_cannot_take_the_name_of_another():
    colours = Registry("colour")
    colours.add("red", 1, aliases=["crimson"])
    colours.add("red", 2, aliases=["crimson"])
    assert colours["crimson"] == 2
    with pytest.raises(RuntimeError, match="colour 'pink': the name 'crimson' belongs to 'red'"):
        colours.add("pink", 3, aliases=["crimson"])


def test_a_pair_that_stands_on_one_line_is_placed_there():
    found = {("q", "a"): [3], ("q", "b"): [3, 9]}
    origin = Origin("a.run", "trec", str, lambda query, item: found.get((query, item), []))
    assert origin.place("q", "a") == "a.run, line 3"
    assert origin.place("q", "b") == "a.run, lines 3 and 9"
    assert origin.place("q", "c") == "a.run"


def test_scores_of_nothing_are_an_empty_table():
    none = Scores.of("a", {})
    assert len(none) == 0
    assert none.table.schema == assay.evaluate({"q": {"a": 1}}, {"q": {"a": 1}}, "P@1").scores.table.schema


def test_a_blank_node_is_written_as_one():
    assert Term("blank", "b0").n3 == "_:b0"


class Frame:
    """A lazy frame whose engine needs what is not installed."""

    def to_native(self):
        return object()

    def collect(self, backend):
        raise MissingExtraError.of(f"frames of {backend}", "duckdb", "duckdb")


def test_what_an_engine_lacks_is_no_fault_of_its_rows():
    with pytest.raises(MissingExtraError, match=r"frames of polars needs duckdb"):
        collect(Frame(), "table")
