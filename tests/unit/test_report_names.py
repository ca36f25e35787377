"""Names from files, fit to be shown."""

from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len

from assay.report.names import labels, numbered, shorten, visible


@given(st.text())
def test_everything_that_is_shown_can_be_seen(text):
    assert all(char.isprintable() or char in "\u200c\u200d" for char in visible(text))


@given(st.text(alphabet=st.characters(exclude_categories=["C"])), st.integers(1, 30))
def test_a_short_name_keeps_to_its_width(text, width):
    assert cell_len(shorten(text, width)) <= max(width, 1)


def test_names_that_fit_stay_as_they_are():
    assert shorten("bm25", 4) == "bm25"
    assert shorten("bm25-with-feedback", 10) == "bm25-…back"


@given(st.lists(st.sampled_from(["a", "a (2)", "b"])))
def test_no_two_labels_are_alike(names):
    found = numbered(names)
    assert len(set(found)) == len(found) == len(names)


def test_equal_names_become_what_tells_them_apart():
    assert labels(["x", "x", "y"], ["/data/old/x.run", "/data/new/x.run", None]) == ["old/x.run", "new/x.run", "y"]
    assert labels(["x", "x"], [None, None]) == ["x", "x (2)"]
