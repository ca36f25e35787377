"""Short names of IRIs tell them apart and hide nothing."""

from hypothesis import given
from hypothesis import strategies as st

from assay.report.iris import shorten


def test_a_prefix_that_everybody_knows_else_the_end():
    names = shorten(["http://www.w3.org/2000/01/rdf-schema#label", "http://ld.company.org/prod-vocab/phone"])
    assert list(names.values()) == ["rdfs:label", "phone"]


def test_what_is_alike_at_the_end_is_longer():
    names = shorten(["http://schema.org/name", "https://schema.org/name", "http://x/name", "urn:name", "name"])
    assert len(set(names.values())) == 5


def test_an_iri_that_ends_in_a_slash_keeps_its_last_word():
    assert shorten(["http://x/a/b/"]) == {"http://x/a/b/": "b/"}


def test_nothing_is_hidden():
    assert shorten(["http://x/a\x1b[31mb"]) == {"http://x/a\x1b[31mb": r"a\x1b[31mb"}


@given(st.lists(st.text("ab/#:", min_size=1), unique=True))
def test_no_two_are_alike(iris):
    names = shorten(iris)
    assert len(set(names.values())) == len(iris) == len(names)
