"""Live models of PyKEEN and PyTorch Geometric: our scores of every triple are theirs."""

import os
import pickle
from functools import cache

import numpy as np
import pytest

from assay.errors import FormatError, InputError
from assay.tasks.links.embeddings import read_embeddings
from assay.tasks.links.models import Decoder, Reciprocal, Scorer, from_pyg, from_pykeen, pykeen_names

pytestmark = [pytest.mark.torch, pytest.mark.oracle, pytest.mark.filterwarnings("ignore")]

OWN = {
    "TransE": "transe-l1",
    "TransH": "transh",
    "TransR": "transr",
    "DistMult": "distmult",
    "ComplEx": "complex",
    "RotatE": "rotate-l2",
    "RESCAL": "rescal",
    "RGCN": "distmult",
    "SimplE": None,
    "TuckER": None,
    "ConvE": None,
}
OPTIONS = {"ConvE": {"embedding_height": 2, "embedding_width": 4}, "TransR": {"relation_dim": 6}}


@cache
def nations(inverse):
    return pytest.importorskip("pykeen.datasets").Nations(create_inverse_triples=inverse).training


def made(name, *, inverse=False):
    triples = nations(inverse or name == "ConvE")
    from pykeen.models import model_resolver

    options = {"embedding_dim": 8, "random_seed": 3, **OPTIONS.get(name, {})}
    model = model_resolver.make(name, triples_factory=triples, **options)
    model.eval()
    return model


def every_score(model, side):
    """Return PyKEEN's scores of all entities for every question, and the questions."""
    import torch

    entity = torch.arange(model.num_entities).repeat(model.num_real_relations)
    relation = torch.arange(model.num_real_relations).repeat_interleave(model.num_entities)
    with torch.no_grad():
        if side == "tail":
            scores = model.predict_t(torch.stack([entity, relation], dim=1))
        else:
            scores = model.predict_h(torch.stack([relation, entity], dim=1))
    return entity.numpy(), relation.numpy(), scores.numpy()


def assert_scores_agree(model, theirs):
    for side in ("tail", "head"):
        entity, relation, scores = every_score(theirs, side)
        answer = np.broadcast_to(np.arange(model.entities), scores.shape)
        questions = (np.repeat(entity, model.entities), np.repeat(relation, model.entities))
        ends = (questions[0], answer.ravel())
        head, tail = ends if side == "tail" else ends[::-1]
        ours = model.asked(side, head, questions[1], tail).reshape(scores.shape)
        np.testing.assert_allclose(ours, scores, rtol=1e-4, atol=1e-4)


@pytest.mark.parametrize(
    ("name", "inverse"),
    [(name, inverse) for name in OWN for inverse in (False, True) if (name, inverse) != ("RGCN", True)],
)
def test_scores_of_a_live_model_are_pykeens(name, inverse):
    theirs = made(name, inverse=inverse)
    model = from_pykeen(theirs)
    if OWN[name] is None:
        assert isinstance(model, Scorer)
    else:
        assert model.name.partition(",")[0] == OWN[name]
        assert isinstance(model, Reciprocal) == inverse
    assert_scores_agree(model, theirs)


@pytest.mark.parametrize("name", ["TransE", "ComplEx", "TuckER", "RGCN"])
def test_a_saved_model_is_read_without_running_its_pickle(name, tmp_path):
    theirs = made(name)
    import torch

    torch.save(theirs, tmp_path / "trained_model.pkl", pickle_protocol=pickle.HIGHEST_PROTOCOL)
    assert_scores_agree(from_pykeen(tmp_path), theirs)


class Harmful:
    def __init__(self, folder):
        self.folder = str(folder)

    def __reduce__(self):
        return os.mkdir, (self.folder,)


@pytest.mark.parametrize("zipped", [True, False])
def test_a_pickle_that_would_run_something_runs_nothing(zipped, tmp_path):
    torch = pytest.importorskip("torch")
    pytest.importorskip("pykeen")
    torch.save(Harmful(tmp_path / "harm"), tmp_path / "trained_model.pkl", _use_new_zipfile_serialization=zipped)
    with pytest.raises(FormatError):
        from_pykeen(tmp_path)
    assert not (tmp_path / "harm").exists()


def test_a_folder_without_a_model_is_refused(tmp_path):
    with pytest.raises(InputError, match=r"trained_model.pkl, found no such file"):
        from_pykeen(tmp_path)
    with pytest.raises(InputError, match=r"entity_to_id.tsv.gz, found no such file"):
        pykeen_names(tmp_path)


@pytest.mark.parametrize(
    ("name", "options"),
    [
        ("TransE", {"p_norm": 1.0}),
        ("TransE", {"p_norm": 2.0}),
        ("DistMult", {}),
        ("ComplEx", {}),
        ("RotatE", {"margin": 6.0}),
    ],
)
def test_scores_of_a_live_model_are_those_of_pytorch_geometric(name, options):
    kge = pytest.importorskip("torch_geometric.nn.kge")
    import torch

    theirs = getattr(kge, name)(11, 3, 8, **options)
    model = from_pyg(theirs)
    triples = torch.cartesian_prod(torch.arange(11), torch.arange(3), torch.arange(11))
    with torch.no_grad():
        scores = theirs(*triples.T).numpy()
    assert model.by_the_book(*triples.T.numpy()) == pytest.approx(scores, rel=1e-5, abs=1e-5)
    (batch,) = model.batches("tail", np.array([4]), np.array([2]))
    assert len(batch.queries) == 1


def test_a_function_on_tensors_is_a_model():
    torch = pytest.importorskip("torch")
    entity, relation = torch.randn(9, 4, requires_grad=True), torch.randn(2, 4)

    def scores(entities, relations, side):
        assert entities.dtype == torch.int64
        assert not torch.is_grad_enabled()
        return ((entity[entities] * relation[relations]) @ entity.T).bfloat16()

    model = Scorer(scores, 9, 2, torch=True)
    expected = (entity[3] * relation[1] * entity[5]).sum().detach().bfloat16().float()
    assert model.by_the_book(np.array([3]), np.array([1]), np.array([5])).tolist() == [float(expected)]


def test_node_vectors_may_be_tensors():
    torch = pytest.importorskip("torch")
    nodes, relation = torch.nn.Parameter(torch.randn(9, 4)), torch.randn(2, 4)
    expected = (nodes[3] * relation[1] * nodes[5]).sum().item()
    model = Decoder(nodes, relation)
    assert model.by_the_book(np.array([3]), np.array([1]), np.array([5])) == pytest.approx([expected], rel=1e-5)


def test_bfloat16_in_safetensors_is_refused_with_a_way_out(tmp_path):
    torch = pytest.importorskip("torch")
    save = pytest.importorskip("safetensors.torch").save_file
    save({"entity": torch.ones(3, 2, dtype=torch.bfloat16)}, tmp_path / "m.safetensors")
    with pytest.raises(FormatError, match="save the tensor as float32"):
        read_embeddings(tmp_path / "m.safetensors")
