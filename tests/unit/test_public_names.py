"""The names that `import assay` offers."""

import importlib

import pytest

import assay
from assay.tasks.links.ranking import rank


@pytest.mark.parametrize("name", assay.__all__)
def test_each_public_name_is_there(name):
    assert getattr(assay, name) is not None
    assert name in dir(assay)


def test_the_verbs_of_links_say_that_they_are_of_links():
    assert assay.rank_links is rank
    for name in ("audit_links", "compare_links", "evaluate_links", "drift", "exact_neighbours"):
        assert callable(getattr(assay, name))


def test_loading_a_module_does_not_hide_a_verb_of_its_name():
    for name, home in (("drift", "assay.tasks.neighbours.drift"), ("evaluate", "assay.evaluate")):
        importlib.import_module(home)
        assert callable(getattr(assay, name))
