"""A regression test of retrieval in one line: pytest --rootdir examples/gate examples/gate."""

from assay import Policy


def test_retrieval(assay_gate):
    assay_gate("../graphrag-2wiki/gold.qrels", "../graphrag-2wiki/fast-graphrag.run", policy=Policy(duplicates="first"))
