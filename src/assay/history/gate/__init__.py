"""The gate: may this change pass? It blocks a drop that is both large enough and no chance, and says why."""

from assay.history.gate.gate import Places, baseline_place, gate, keep_baseline, update_baseline
from assay.history.gate.settings import Settings, read_settings

__all__ = ["Places", "Settings", "baseline_place", "gate", "keep_baseline", "read_settings", "update_baseline"]
