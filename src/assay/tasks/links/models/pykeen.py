"""Models that PyKEEN trained: an object, or the folder that its pipeline saves."""

import os
import pickle
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any, Self

import numpy as np

from assay.core.judged import Ints
from assay.engines.blocks import Matrix
from assay.errors import FormatError, InputError, MissingExtraError, ParameterError
from assay.tasks.links.models.base import Model
from assay.tasks.links.models.complex import ComplEx
from assay.tasks.links.models.distmult import DistMult
from assay.tasks.links.models.reciprocal import Reciprocal
from assay.tasks.links.models.rescal import RESCAL
from assay.tasks.links.models.rotate import RotatE
from assay.tasks.links.models.scorer import Scorer
from assay.tasks.links.models.shapes import as_array
from assay.tasks.links.models.transe import TransE
from assay.tasks.links.models.transh import TransH
from assay.tasks.links.models.transr import TransR
from assay.tasks.links.protocol import Side

FILE = "trained_model.pkl"
CLOSE = 1e-4
"""How far, relative to the largest score, our scores of a sample may be from PyKEEN's float32."""
REBUILT = {
    ("torch._utils", "_rebuild_tensor_v2"),
    ("torch._utils", "_rebuild_parameter"),
    ("collections", "OrderedDict"),
}


def from_pykeen(model: Any) -> Model:
    """Make a model of a PyKEEN model, or of the folder of a saved pipeline result.

    Vectors of TransE, TransH, TransR, DistMult, ComplEx, RotatE and RESCAL, a graph network's included, become the
    model of that name, if a sample of scores agrees with PyKEEN's own; every other model is asked through its
    `score_t` and `score_h`. A model with inverse triples answers for heads by them. Scores are taken before a
    sigmoid, which would only make ties. Rows are PyKEEN's numbers: see `pykeen_names`.

    A saved model is a pickle. It is read with nothing but tensors and layers of torch.nn and PyKEEN: whatever else
    it names is put in as an empty thing and never called.

    Raises
    ------
    MissingExtraError
        PyKEEN is not installed.
    InputError
        A folder without a saved model, or one that cannot be read so.
    """
    if isinstance(model, str | os.PathLike):
        model = _loaded(Path(model))
    model.eval()
    asked = _asked(model)
    own = _own(model)
    return asked if own is None or not _agrees(own, asked) else own


def pykeen_names(folder: str | os.PathLike[str]) -> tuple[Path, Path]:
    """Return the files of a saved pipeline result that number the entities and the relations.

    Raises
    ------
    InputError
        The folder has none.
    """
    files = tuple(Path(folder) / "training_triples" / f"{kind}_to_id.tsv.gz" for kind in ("entity", "relation"))
    for file in files:
        if not file.is_file():
            raise InputError(f"{folder}: expected {file.parent.name}/{file.name}, found no such file")
    return files[0], files[1]


def _asked(model: Any) -> Scorer:
    """Make a model that asks PyKEEN's."""
    inverse = bool(model.use_inverse_triples)

    def scores(entity: Any, relation: Any, side: Side) -> Any:
        import torch

        if inverse:
            relation = 2 * relation + int(side == "head")
        if side == "tail" or inverse:
            return model.score_t(torch.stack((entity, relation), dim=1).to(model.device))
        return model.score_h(torch.stack((relation, entity), dim=1).to(model.device))

    return Scorer(
        scores, model.num_entities, model.num_real_relations, name=f"pykeen {type(model).__name__}", torch=True
    )


def _own(model: Any) -> Model | None:
    """Make our model of PyKEEN's vectors; None where we have none of its kind."""
    interaction = getattr(model, "interaction", None)
    make = MAKERS.get(type(interaction).__name__)
    if make is None or len(model.entity_representations) != 1:
        return None
    entity = _rows(model.entity_representations[0])
    relations = [_rows(one) for one in model.relation_representations]
    try:
        made = make(interaction, entity, relations)
    except ParameterError:
        return None
    return Reciprocal(made, "alternating") if model.use_inverse_triples else made


def _rows(representation: Any) -> Matrix:
    """Return all vectors of a representation."""
    import torch

    with torch.no_grad():
        return as_array(representation(indices=None))


MAKERS: dict[str, Callable[[Any, Matrix, list[Matrix]], Model]] = {
    "TransEInteraction": lambda of, entity, relations: TransE(entity, relations[0], norm=of.p),
    "TransHInteraction": lambda of, entity, relations: TransH(
        entity, relations[1], norm=of.p, normal=relations[0], unit=False
    ),
    "TransRInteraction": lambda of, entity, relations: TransR(
        entity, relations[0], norm=of.p, projection=relations[1], clamp=of.max_projection_norm
    ),
    "DistMultInteraction": lambda _, entity, relations: DistMult(entity, relations[0]),
    "ComplExInteraction": lambda _, entity, relations: ComplEx(entity, relations[0]),
    "RotatEInteraction": lambda of, entity, relations: RotatE(
        entity, relations[0], norm="l2" if of.p == 2 else "modulus"
    ),
    "RESCALInteraction": lambda _, entity, relations: RESCAL(entity, relations[0]),
}


def _agrees(own: Model, asked: Scorer, sample: int = 64) -> bool:
    """Tell whether two models give a sample of triples the same scores, on both sides."""
    draw = np.random.default_rng(0)
    head, tail = draw.integers(own.entities, size=(2, sample))
    relation: Ints = draw.integers(own.relations, size=sample)
    sides: tuple[Side, Side] = ("tail", "head")
    for side in sides:
        ours, theirs = (one.asked(side, head, relation, tail) for one in (own, asked))
        if not np.all(np.abs(ours - theirs) <= CLOSE * max(1.0, float(np.abs(theirs).max()))):
            return False
    return True


def _loaded(folder: Path) -> Any:
    """Read the saved model of a folder, without running what a pickle may ask for."""
    file = folder / FILE
    if not file.is_file():
        msg = f"{folder}: expected the folder of a saved PyKEEN result with {FILE}, found no such file"
        raise InputError(msg)
    try:
        import pykeen  # noqa: F401 - its classes are looked up by their names
        import torch
    except ImportError:
        raise MissingExtraError.of("reading a PyKEEN model", "pykeen", "pykeen") from None

    careful: Any = SimpleNamespace(__name__="careful", Unpickler=_Careful, load=_Careful.read)
    try:
        model = torch.load(file, map_location="cpu", pickle_module=careful, weights_only=False)
    except (pickle.UnpicklingError, AttributeError, TypeError, RuntimeError, EOFError, KeyError) as error:
        msg = f"{file}: expected a model that PyKEEN saved, found an error: {str(error).partition(chr(10))[0]}"
        raise FormatError(msg, hint="load it yourself and hand over the model.") from None
    if not hasattr(model, "score_t"):
        raise FormatError(f"{file}: expected a model that PyKEEN saved, found {type(model).__name__}")
    return model


class _Careful(pickle.Unpickler):
    """An unpickler that knows tensors and layers, and gives an empty thing for every other name."""

    @classmethod
    def read(cls, file: Any, **options: Any) -> Any:
        """Read one object of a file."""
        return cls(file, **options).load()

    def find_class(self, module: str, name: str) -> Any:
        """Return a class of layers, a function that rebuilds tensors, or the empty thing."""
        if (module, name) in REBUILT or (module == "torch" and name in {"Size", "device"}):
            return super().find_class(module, name)
        if module.partition(".")[0] == "pykeen" or module.startswith("torch.nn.modules."):
            import torch

            found = super().find_class(module, name)
            if isinstance(found, type) and issubclass(found, torch.nn.Module):
                return found
        return _Nothing


class _Nothing:
    """What stands for a function or object that a saved model does not need to score."""

    def __new__(cls, *_: Any, **__: Any) -> Self:
        """Take any arguments and do nothing."""
        return super().__new__(cls)

    def __init__(self, *_: Any, **__: Any) -> None:
        pass

    def __setstate__(self, _: Any) -> None:
        pass
