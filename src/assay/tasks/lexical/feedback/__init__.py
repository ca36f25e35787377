"""Feedback: queries learn terms from the documents that they find first."""

from assay.tasks.lexical.feedback.expander import Expander
from assay.tasks.lexical.feedback.naming import EXPANDERS, expander, expanders
from assay.tasks.lexical.feedback.prf import BM25PRF
from assay.tasks.lexical.feedback.rm3 import RM3
from assay.tasks.lexical.feedback.rocchio import Rocchio

__all__ = ["BM25PRF", "EXPANDERS", "RM3", "Expander", "Rocchio", "expander", "expanders"]
