"""Where ranks are counted. An engine joins gold to a run; it can never change a number."""

from assay.engines.local import judge

__all__ = ["judge"]
