"""Which convention gives the scores of a sample."""

import numpy as np
import pytest

from assay.errors import ParameterError
from assay.tasks.links.models import RotatE, fits, model_of, verify
from assay.tasks.links.models.pyg import from_pyg

DRAW = np.random.default_rng(11)
ENTITIES, RELATIONS, D = 9, 4, 6
TRIPLES = DRAW.integers([ENTITIES, RELATIONS, ENTITIES], size=(60, 3))
ENTITY, RELATION = DRAW.normal(size=(ENTITIES, D)), DRAW.normal(size=(RELATIONS, D))


def scores_of(model):
    return model.by_the_book(*TRIPLES.T)


def test_a_model_that_fits_is_said_to_fit_as_given():
    model = model_of("transe-l1", ENTITY, RELATION)
    assert str(verify(model, TRIPLES, scores_of(model).astype(np.float32))) == "as given"


@pytest.mark.parametrize(
    ("given", "stored", "said"),
    [
        (("transe-l1", {}), ("transe-l2", {}), "norm=2"),
        (("transe-l1", {}), ("transe-l1", {"gamma": 12.0}), "gamma +12"),
        (("transe-l1", {}), ("transe-l2", {"gamma": 9.0}), "norm=2, gamma +9"),
        (("complex", {"layout": "halves"}), ("complex", {"layout": "interleaved"}), "layout='interleaved'"),
        (("transh", {}), ("transh", {"norm": 1, "unit": False}), "norm=1, unit=False"),
        (("transr", {}), ("transr", {"norm": 2, "clamp": None}), "norm=2, clamp=None"),
        (("decoder-distmult", {}), ("decoder-transe", {"norm": 2}), "form='transe', norm=2"),
        (("distmult", {"reciprocal": "halves"}), ("distmult", {"reciprocal": "alternating"}), "order='alternating'"),
    ],
)
def test_the_convention_that_fits_is_named(given, stored, said):
    relations = {
        "transh": [RELATION, DRAW.normal(size=(RELATIONS, D))],
        "transr": [RELATION, DRAW.normal(size=(RELATIONS, D, D))],
    }.get(given[0], RELATION)
    triples = TRIPLES % [ENTITIES, 2, ENTITIES]
    model, other = (model_of(name, ENTITY, relations, **options) for name, options in (given, stored))
    with pytest.raises(ParameterError) as error:
        verify(model, triples, other.by_the_book(*triples.T))
    assert f"they fit with {said}" in error.value.hint


def test_rotate_is_told_apart_by_norm_and_layout():
    turns = np.exp(1j * DRAW.uniform(size=(RELATIONS, D // 2)))
    stored = RotatE(ENTITY, turns, layout="interleaved", norm="l2", gamma=6.0)
    given = RotatE(ENTITY, turns, layout="halves")
    assert str(fits(given, TRIPLES, scores_of(stored))[0]) == "norm='l2', layout='interleaved', gamma +6"


@pytest.mark.parametrize(
    ("change", "reading"),
    [
        (lambda score: -score, "negated (a distance)"),
        (lambda score: -(score**2), "squared distance"),
        (lambda score: 1 / (1 + np.exp(-score)), "through a sigmoid"),
    ],
)
def test_what_a_program_did_with_the_score_is_named(change, reading):
    model = model_of("transe-l2", ENTITY, RELATION)
    assert reading in [fit.reading for fit in fits(model, TRIPLES, change(scores_of(model))) if not fit.options]


def test_scores_of_another_model_fit_nothing():
    with pytest.raises(ParameterError, match="no known convention of this model fits"):
        verify(model_of("transe-l1", ENTITY, RELATION), TRIPLES, scores_of(model_of("distmult", ENTITY, RELATION)))


@pytest.mark.parametrize(
    ("triples", "scores", "said"),
    [
        (TRIPLES[:2], np.zeros(2), "at least 3 triples"),
        (TRIPLES[:5], np.zeros(4), "a score for each"),
        (TRIPLES[:3], np.array([0.0, np.nan, 1.0]), "finite scores, found 1 others"),
        (TRIPLES[:3] + 99, np.zeros(3), "numbers of entity from 0 to 8"),
    ],
)
def test_a_sample_that_says_nothing_is_refused(triples, scores, said):
    with pytest.raises(ParameterError, match=said):
        fits(model_of("distmult", ENTITY, RELATION), triples, scores)


def test_another_module_is_no_model_of_pytorch_geometric():
    with pytest.raises(ParameterError.__base__, match="no model of PyTorch Geometric is called 'object'"):
        from_pyg(object())
