"""Link predictors: what a batch scores is what the formula says, on both sides; arrays that do not fit are refused."""

import cmath
import math

import numpy as np
import pytest

from assay.tasks.links.models import NAMED, Reciprocal, RotatE, model_of
from assay.tasks.links.models.rotate import paper_radians

ENTITIES, RELATIONS, D, K = 7, 4, 3, 2
DRAW = np.random.default_rng(5)


def real(*shape):
    return DRAW.normal(size=shape).astype(np.float32)


def plain_norm(gap, norm):
    return sum(abs(x) for x in gap) if norm == 1 else math.sqrt(sum(abs(x) ** 2 for x in gap))


def step(model, head, relation, tail, _):
    return -plain_norm([a + b - c for a, b, c in zip(head, relation, tail, strict=True)], model.norm)


def on_a_hyperplane(model, head, relation, tail, r):
    normal = model.normal[r].tolist()
    ends = []
    for end in (head, tail):
        along = sum(a * w for a, w in zip(end, normal, strict=True)) / sum(w * w for w in normal)
        ends.append([a - along * w for a, w in zip(end, normal, strict=True)])
    return step(model, ends[0], relation, ends[1], r)


def in_another_space(model, head, relation, tail, r):
    ends = []
    for end in (head, tail):
        mapped = [sum(a * float(model.projection[r, i, j]) for i, a in enumerate(end)) for j in range(K)]
        ends.append([x / max(1.0, plain_norm(mapped, 1)) for x in mapped])
    return step(model, ends[0], relation, ends[1], r)


def product(model, head, relation, tail, _):
    return sum(a * b * c for a, b, c in zip(head, relation, tail, strict=True))


def dot(model, head, relation, tail, _):
    return sum(a * c for a, c in zip(head, tail, strict=True))


def complex_product(model, head, relation, tail, _):
    return sum((a * b * c.conjugate()).real for a, b, c in zip(head, relation, tail, strict=True))


def turned(model, head, relation, tail, _):
    gap = [a * b / abs(b) - c for a, b, c in zip(head, relation, tail, strict=True)]
    return -plain_norm(gap, 1 if model.norm == "modulus" else 2)


def between_matrices(model, head, relation, tail, _):
    return sum(a * relation[i][j] * c for i, a in enumerate(head) for j, c in enumerate(tail))


def both_ways(model, head, relation, tail, _):
    forwards = sum(head[i] * relation[i] * tail[D + i] for i in range(D))
    return (forwards + sum(tail[i] * relation[D + i] * head[D + i] for i in range(D))) / 2


def as_head_and_as_tail(model, head, relation, tail, _):
    return sum(head[i] * relation[i] * tail[D + i] for i in range(D))


def through_a_core(model, head, relation, tail, _):
    core = model.core.tolist()
    return sum(core[i][j][k] * head[i] * relation[j] * tail[k] for i in range(D) for j in range(K) for k in range(D))


PLAIN = {
    "transe-l1": step,
    "transe-l2": step,
    "transh": on_a_hyperplane,
    "transr": in_another_space,
    "distmult": product,
    "complex": complex_product,
    "rotate": turned,
    "rotate-l2": turned,
    "rescal": between_matrices,
    "simple": both_ways,
    "cp": as_head_and_as_tail,
    "tucker": through_a_core,
    "decoder-distmult": product,
    "decoder-transe": step,
    "decoder-dot": dot,
}
"""The formula of each model in plain Python, written apart from the models."""


def by_loops(name, model, h, r, t):
    """Return the score of one triple."""
    relation = None if name == "decoder-dot" else model.relation[r].tolist()
    return PLAIN[name](model, model.entity[h].tolist(), relation, model.entity[t].tolist(), r)


def arrays_of(draw, entities, relations, d, k):
    """Return arrays of entities and of relations for each name of a model."""

    def real(*shape):
        return draw.normal(size=shape).astype(np.float32)

    def mixed(*shape):
        return real(*shape) + 1j * real(*shape)

    turns = np.exp(1j * draw.uniform(0, 2 * np.pi, (relations, d)))
    plain = {name: (real(entities, d), real(relations, d)) for name in NAMED}
    return plain | {
        "transh": (real(entities, d), [real(relations, d), real(relations, d)]),
        "transr": (real(entities, d), [real(relations, k), real(relations, d, k)]),
        "complex": (mixed(entities, d), mixed(relations, d)),
        "rotate": (mixed(entities, d), turns),
        "rotate-l2": (mixed(entities, d), turns),
        "rescal": (real(entities, d), real(relations, d, d)),
        "simple": (real(entities, 2 * d), real(relations, 2 * d)),
        "cp": (real(entities, 2 * d), real(relations, d)),
        "tucker": (real(entities, d), [real(relations, k), real(d, k, d)]),
    }


ARRAYS = arrays_of(DRAW, ENTITIES, RELATIONS, D, K)


def batch_scores(model, side, entity, relation):
    """Return the scores of all candidates, shape (questions, entities), as an engine would see them."""
    scores = np.full((len(entity), model.entities), np.nan)
    for batch in model.batches(side, entity, relation):
        if batch.kind == "scores":
            scores[batch.rows] = batch.score(np.arange(len(batch.rows)))
            continue
        assert batch.queries.shape == (len(batch.rows), batch.candidates.shape[1])
        for row, query in zip(batch.rows, batch.queries, strict=True):
            gaps = np.abs(batch.candidates - query)
            assert np.isnan(scores[row]).all()
            scores[row] = {
                "dot": lambda q=query, c=batch.candidates: c @ q,
                "l1": lambda g=gaps: -g.sum(axis=1),
                "modulus": lambda g=gaps: -g.sum(axis=1),
                "l2": lambda g=gaps: -np.sqrt((g**2).sum(axis=1)),
            }[batch.kind]()
    assert not np.isnan(scores).any()
    return scores


def every_question(model):
    return (grid.ravel() for grid in np.meshgrid(np.arange(model.entities), np.arange(model.relations)))


def assert_batches_are_the_book(model):
    entity, relation = every_question(model)
    for side in ("tail", "head"):
        scores = batch_scores(model, side, entity, relation) + model.offset
        for answer in range(model.entities):
            ends = (entity, np.full_like(entity, answer))
            head, tail = ends if side == "tail" else ends[::-1]
            assert scores[:, answer] == pytest.approx(model.asked(side, head, relation, tail), rel=1e-12, abs=1e-12)


@pytest.mark.parametrize("name", NAMED)
def test_the_book_is_the_formula_and_the_batches_are_the_book(name):
    model = model_of(name, *ARRAYS[name])
    assert (model.entities, model.relations) == (ENTITIES, RELATIONS)
    triples = DRAW.integers([ENTITIES, RELATIONS, ENTITIES], size=(20, 3))
    plain = [by_loops(name, model, *triple) for triple in triples.tolist()]
    assert model.by_the_book(*triples.T) == pytest.approx(plain, rel=1e-6, abs=1e-6)
    assert_batches_are_the_book(model)


@pytest.mark.parametrize("sizes", [(1, 1, 1, 1), (2, 3, 1, 4), (9, 2, 5, 3)])
@pytest.mark.parametrize("name", NAMED)
def test_batches_are_the_book_for_any_sizes(name, sizes):
    assert_batches_are_the_book(model_of(name, *arrays_of(np.random.default_rng(sum(sizes)), *sizes)[name]))


@pytest.mark.parametrize("name", [name for name in NAMED if name != "decoder-dot"])
@pytest.mark.parametrize("order", ["halves", "alternating"])
def test_a_model_with_inverse_relations_answers_for_the_head_by_them(name, order):
    within = model_of(name, *ARRAYS[name])
    model = model_of(name, *ARRAYS[name], reciprocal=order)
    assert isinstance(model, Reciprocal)
    assert model.relations == RELATIONS // 2
    h, r, t = (np.array([number]) for number in (2, 1, 5))
    forward, inverse = (1, 3) if order == "halves" else (2, 3)
    assert model.asked("tail", h, r, t) == within.by_the_book(h, np.array([forward]), t)
    assert model.asked("head", h, r, t) == within.by_the_book(t, np.array([inverse]), h)
    assert_batches_are_the_book(model)


@pytest.mark.parametrize("options", [{"norm": 1}, {"norm": 2, "unit": False}, {"norm": 2, "gamma": 9.0}])
def test_the_options_of_transh_hold_in_batches(options):
    assert_batches_are_the_book(model_of("transh", *ARRAYS["transh"], **options))


@pytest.mark.parametrize("options", [{"norm": 2}, {"clamp": None}, {"clamp": 0.5, "norm": 2, "gamma": 3.0}])
def test_the_options_of_transr_hold_in_batches(options):
    model = model_of("transr", *ARRAYS["transr"], **options)
    assert_batches_are_the_book(model)
    flat = [ARRAYS["transr"][1][0], ARRAYS["transr"][1][1].reshape(RELATIONS, -1)]
    rows = (np.array([1]), np.array([2]), np.array([3]))
    assert model_of("transr", ARRAYS["transr"][0], flat, **options).by_the_book(*rows) == model.by_the_book(*rows)


@pytest.mark.parametrize("name", ["complex", "rotate", "rotate-l2"])
def test_every_layout_of_complex_vectors_gives_the_same_scores(name):
    entity, relation = ARRAYS[name]
    halves, in_turns = [np.hstack([of.real, of.imag]) for of in (entity, relation)], [
        np.stack([of.real, of.imag], axis=2).reshape(len(of), -1) for of in (entity, relation)
    ]  # fmt: skip
    parts = [[np.ascontiguousarray(part) for part in (of.real, of.imag)] for of in (entity, relation)]
    models = [
        model_of(name, entity, relation),
        model_of(name, *halves, layout="halves"),
        model_of(name, *in_turns, layout="interleaved"),
        model_of(name, *parts),
    ]
    triples = DRAW.integers([ENTITIES, RELATIONS, ENTITIES], size=(20, 3)).T
    for model in models:
        assert_batches_are_the_book(model)
        assert model.by_the_book(*triples) == pytest.approx(models[0].by_the_book(*triples), rel=1e-12)


def test_relations_of_rotate_may_be_angles():
    entity, relation = ARRAYS["rotate"]
    unit = paper_radians(D, gamma=6.0)
    angles = np.array([[cmath.phase(turn) / unit for turn in row] for row in relation.tolist()])
    model = RotatE(entity, angles, radians=unit, gamma=6.0)
    triples = DRAW.integers([ENTITIES, RELATIONS, ENTITIES], size=(20, 3)).T
    assert model.by_the_book(*triples) == pytest.approx(RotatE(entity, relation).by_the_book(*triples) + 6.0)
    assert_batches_are_the_book(model)


def test_tucker_reads_both_orders_of_the_core():
    entity, (relation, core) = ARRAYS["tucker"]
    other = model_of("tucker", entity, relation, core=core.transpose(1, 0, 2), axes="rht")
    triples = DRAW.integers([ENTITIES, RELATIONS, ENTITIES], size=(20, 3)).T
    assert other.by_the_book(*triples) == pytest.approx(
        model_of("tucker", entity, [relation, core]).by_the_book(*triples)
    )
    assert_batches_are_the_book(other)


def test_rescal_reads_matrices_row_by_row_and_transposed():
    entity, relation = ARRAYS["rescal"]
    flat = model_of("rescal", entity, relation.reshape(RELATIONS, -1))
    other = model_of("rescal", entity, relation.transpose(0, 2, 1), transposed=True)
    triples = DRAW.integers([ENTITIES, RELATIONS, ENTITIES], size=(20, 3)).T
    assert flat.by_the_book(*triples).tolist() == other.by_the_book(*triples).tolist()
    assert_batches_are_the_book(other)


@pytest.mark.parametrize(
    "name", ["transe-l1", "distmult", "complex", "rotate", "rotate-l2", "rescal", "simple", "cp", "tucker"]
)
def test_entities_on_disk_stay_there(name, tmp_path):
    np.save(tmp_path / "entity.npy", ARRAYS[name][0])
    entity = np.load(tmp_path / "entity.npy", mmap_mode="r")
    model = model_of(name, entity, ARRAYS[name][1])
    batch = next(model.batches("tail", np.array([0]), np.array([0])))
    assert np.shares_memory(batch.candidates, entity)
    assert batch.candidates.dtype.itemsize == (8 if name == "rotate" else 4)


def test_questions_come_in_pieces_each_once(monkeypatch):
    monkeypatch.setattr("assay.tasks.links.models.base.PIECE", 5)
    model = model_of("complex", *ARRAYS["complex"])
    assert len(list(model.batches("tail", *every_question(model)))) == 6
    assert_batches_are_the_book(model)
