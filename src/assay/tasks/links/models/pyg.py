"""Models of PyTorch Geometric: torch_geometric.nn.kge."""

from collections.abc import Callable
from typing import Any

import numpy as np

from assay.core.judged import Ints
from assay.engines.blocks import Matrix
from assay.errors import UnknownNameError
from assay.tasks.links.models.base import Model, float64
from assay.tasks.links.models.complex import ComplEx
from assay.tasks.links.models.conventions import verify
from assay.tasks.links.models.distmult import DistMult
from assay.tasks.links.models.rotate import RotatE
from assay.tasks.links.models.shapes import as_array
from assay.tasks.links.models.transe import TransE

CLOSE = 1e-4
"""How far, relative to the largest score, our scores of a sample may be from the model's float32."""


def from_pyg(model: Any) -> Model:
    """Make a model of a `torch_geometric.nn.kge` TransE, DistMult, ComplEx or RotatE.

    Its TransE divides entity vectors by their norm; its RotatE takes the 2-norm over all complex numbers and adds
    its margin. A sample of scores is held against the model's own. For node vectors of a graph network see
    `Decoder`, for any other module `Scorer`.

    Raises
    ------
    UnknownNameError
        A class that is none of the four.
    ParameterError
        Scores that the model gives otherwise.
    """
    kind = type(model).__name__
    if kind not in MAKERS:
        raise UnknownNameError.of("model of PyTorch Geometric", kind, MAKERS)
    made = MAKERS[kind](model)
    triples = _sample(made)
    verify(made, triples, _scores(model, triples), CLOSE)
    return made


def _transe(model: Any) -> Model:
    norm = int(model.p_norm)
    entity = float64(as_array(model.node_emb.weight))
    length = np.linalg.norm(entity, ord=norm, axis=1, keepdims=True)
    return TransE(entity / np.maximum(length, 1e-12), as_array(model.rel_emb.weight), norm=1 if norm == 1 else 2)


def _complex(model: Any) -> Model:
    return ComplEx(
        _joined(model.node_emb, model.node_emb_im), _joined(model.rel_emb, model.rel_emb_im), layout="halves"
    )


def _rotate(model: Any) -> Model:
    entity = _joined(model.node_emb, model.node_emb_im)
    angles = as_array(model.rel_emb.weight)
    return RotatE(entity, angles, layout="halves", norm="l2", gamma=float(model.margin))


MAKERS: dict[str, Callable[[Any], Model]] = {
    "TransE": _transe,
    "DistMult": lambda model: DistMult(as_array(model.node_emb.weight), as_array(model.rel_emb.weight)),
    "ComplEx": _complex,
    "RotatE": _rotate,
}


def _joined(real: Any, imaginary: Any) -> Matrix:
    return np.hstack([as_array(real.weight), as_array(imaginary.weight)])


def _sample(model: Model, size: int = 64) -> Ints:
    draw = np.random.default_rng(0)
    ends, kinds = draw.integers(model.entities, size=(2, size)), draw.integers(model.relations, size=size)
    return np.column_stack([ends[0], kinds, ends[1]])


def _scores(model: Any, triples: Ints) -> Matrix:
    import torch

    columns = [torch.from_numpy(column.copy()).to(model.node_emb.weight.device) for column in triples.T]
    with torch.no_grad():
        return as_array(model(*columns))
