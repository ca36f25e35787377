"""Where ranks are counted. An engine joins gold to a run; it can never change a number."""

from assay.engines.head import head
from assay.engines.local import judge

__all__ = ["head", "judge"]
