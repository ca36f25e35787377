"""Every measure: one file holds one family; importing this package registers them all."""

import importlib
import pkgutil

from assay.measures.base import MEASURES, Measure, measure
from assay.measures.notation import parse, parse_many

for _module in pkgutil.iter_modules(__path__, f"{__name__}."):
    importlib.import_module(_module.name)

__all__ = ["MEASURES", "Measure", "measure", "parse", "parse_many"]
