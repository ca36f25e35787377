"""The report of several runs, as data: `dossier` gathers what a page shows."""

from assay.dossier.dossier import dossier
from assay.dossier.write import write_report

__all__ = ["dossier", "write_report"]
