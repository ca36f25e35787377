"""Link predictors: each file one model, its formula and its conventions."""

from assay.tasks.links.models.base import MODELS, Model
from assay.tasks.links.models.complex import ComplEx
from assay.tasks.links.models.conventions import Fit, fits, verify
from assay.tasks.links.models.cp import CP
from assay.tasks.links.models.decoder import Decoder
from assay.tasks.links.models.distmult import DistMult
from assay.tasks.links.models.named import NAMED, model_of
from assay.tasks.links.models.predictions import Predictions
from assay.tasks.links.models.pyg import from_pyg
from assay.tasks.links.models.pykeen import from_pykeen, pykeen_names
from assay.tasks.links.models.reciprocal import Reciprocal
from assay.tasks.links.models.rescal import RESCAL
from assay.tasks.links.models.rotate import RotatE
from assay.tasks.links.models.scorer import Scorer
from assay.tasks.links.models.simple import SimplE
from assay.tasks.links.models.transe import TransE
from assay.tasks.links.models.transh import TransH
from assay.tasks.links.models.transr import TransR
from assay.tasks.links.models.tucker import TuckER

__all__ = [
    "CP",
    "MODELS",
    "NAMED",
    "RESCAL",
    "ComplEx",
    "Decoder",
    "DistMult",
    "Fit",
    "Model",
    "Predictions",
    "Reciprocal",
    "RotatE",
    "Scorer",
    "SimplE",
    "TransE",
    "TransH",
    "TransR",
    "TuckER",
    "fits",
    "from_pyg",
    "from_pykeen",
    "model_of",
    "pykeen_names",
    "verify",
]
