"""Functions as models, and what does not fit a model."""

import numpy as np
import pytest
from tests.unit.test_link_models import ARRAYS, ENTITIES, RELATIONS, assert_batches_are_the_book, real

from assay.errors import ParameterError, UnknownNameError
from assay.tasks.links.models import MODELS, NAMED, Scorer, model_of


def test_a_function_is_a_model():
    def scores(entity, relation, side):
        sign = 1.0 if side == "tail" else -1.0
        return sign * np.add.outer(entity + 10 * relation, np.arange(ENTITIES))

    model = Scorer(scores, ENTITIES, RELATIONS, name="sum")
    assert model.by_the_book(np.array([1]), np.array([2]), np.array([3])).tolist() == [24.0]
    assert model.asked("head", np.array([1]), np.array([2]), np.array([3])).tolist() == [-24.0]
    assert_batches_are_the_book(model)


def test_a_function_with_scores_of_another_shape_is_refused():
    model = Scorer(lambda entity, *_: np.zeros((len(entity), 2)), ENTITIES, RELATIONS)
    with pytest.raises(ParameterError, match=r"expected scores of shape \(1, 7\), found \(1, 2\)"):
        model.by_the_book(np.array([0]), np.array([0]), np.array([0]))


@pytest.mark.parametrize(
    ("name", "entities", "relations", "options", "said"),
    [
        ("distmult", real(5, 3), real(2, 4), {}, "as wide as the entity vectors (3), found shape (2, 4)"),
        ("transe-l1", real(5), real(2, 4), {}, "entity vectors with 2 axes, found shape (5,)"),
        ("transe-l1", real(5, 3) + 0j, real(2, 3), {}, "real numbers, found complex"),
        ("transe", real(5, 3), real(2, 3), {}, "expected a norm, found none"),
        ("transe", real(5, 3), real(2, 3), {"norm": 3}, "expected norm 1 or 2, found 3"),
        ("transe-l1", real(5, 3), real(2, 3), {"norm": 2}, "expected norm 1, as the name says, found 2"),
        ("transh", real(5, 3), real(2, 3), {}, "expected normals"),
        ("transh", real(5, 3), [real(2, 3), np.zeros((2, 3))], {}, "expected normals longer than 0"),
        ("transh", real(5, 3), [real(2, 3), real(1, 3)], {}, "normals, one for each of 2 relations"),
        ("transr", real(5, 3), real(2, 2), {}, "expected projections"),
        (
            "transr",
            real(5, 3),
            [real(2, 2), real(2, 2, 3)],
            {},
            "projections of shape (2, 3, 2), found shape (2, 2, 3)",
        ),
        ("transr", real(5, 3), [real(2, 2), real(2, 3, 2)], {"clamp": 0}, "clamp above 0, or None, found 0"),
        ("rescal", real(5, 3), real(2, 4), {}, "(2, 3, 3) or (2, 9), found shape (2, 4)"),
        ("complex", real(5, 4), real(2, 4), {}, "complex numbers or a layout, found float32"),
        ("complex", real(5, 4), real(2, 4), {"layout": "pairs"}, "found layout 'pairs'"),
        ("complex", real(5, 3), real(2, 3), {"layout": "halves"}, "even width, two halves, found shape (5, 3)"),
        ("complex", real(5, 4), real(2, 2), {"layout": "halves"}, "relation vectors of 2 complex numbers"),
        ("rotate", real(5, 4), 3 * real(2, 4), {"layout": "halves"}, "relations of modulus 1, found modulus"),
        ("rotate", real(5, 4), real(2, 6), {"layout": "halves"}, "complex numbers or angles"),
        ("simple", real(5, 3), real(2, 3), {}, "even width"),
        ("cp", real(5, 4), real(2, 4), {}, "half as wide as the entity vectors (4)"),
        ("tucker", real(5, 3), real(2, 2), {}, "expected a core tensor, found none"),
        ("tucker", real(5, 3), [real(2, 2), real(2, 3, 3)], {}, "core tensor of shape (3, 2, 3) (axes hrt)"),
        ("decoder-distmult", real(5, 3), 2, {}, "relation vectors for the form distmult"),
        ("distmult", real(5, 3), [real(2, 3), real(2, 3)], {}, "expected relation, found 2 relation arrays"),
        ("distmult", real(5, 3), real(3, 3), {"reciprocal": True}, "two rows for each relation, found 3 rows"),
        ("distmult", np.array([["a"]]), real(3, 3), {}, "real numbers, found <U1"),
    ],
)
def test_arrays_and_conventions_that_do_not_fit_are_refused(name, entities, relations, options, said):
    with pytest.raises(ParameterError) as error:
        model_of(name, entities, relations, **options)
    assert said in str(error.value)
    assert name.partition("-")[0] in str(error.value)


def test_unknown_names_are_refused():
    with pytest.raises(UnknownNameError, match="Did you mean 'distmult'"):
        model_of("distmul", real(5, 3), real(2, 3))
    with pytest.raises(UnknownNameError, match="no option of complex is called 'norm'"):
        model_of("complex", real(5, 3) + 0j, real(2, 3) + 0j, norm=1)


@pytest.mark.parametrize(
    ("entity", "relation", "said"), [(7, 0, "entity from 0 to 6, found 7"), (0, -1, "relation from 0 to 3")]
)
@pytest.mark.parametrize("name", ["distmult", "transr"])
def test_numbers_without_a_row_are_refused(name, entity, relation, said):
    with pytest.raises(ParameterError, match=said):
        list(model_of(name, *ARRAYS[name]).batches("tail", np.array([entity]), np.array([relation])))


def test_every_model_has_a_name_for_the_command_line():
    assert {registered for registered, _ in NAMED.values()} == set(MODELS)
