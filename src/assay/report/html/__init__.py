"""One page for the browser: everything about some runs, in one file that needs no network."""

from assay.report.html.document import render

__all__ = ["render"]
