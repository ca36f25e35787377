"""Search by words: what BM25 finds, why it misses, and what expansion, feedback or vectors would bring.

`analysis` makes terms of texts, `index` keeps which document holds which, `models` weigh them, `search` ranks.

    >>> from assay import Documents, Queries
    >>> from assay.tasks.lexical import BM25, Index, Searcher
    >>> searcher = Searcher(Index.build(Documents.of({"a": "gold mines", "b": "silver"})), BM25(k1=1.2, b=0.75))
    >>> searcher.run(Queries.of({"1": "the gold mine"})).frame()["item"].to_list()
    ['a']
"""

from assay.tasks.lexical.analysis import Analyzer
from assay.tasks.lexical.index import Index
from assay.tasks.lexical.models import BM25, Dirichlet, Model, model
from assay.tasks.lexical.search import Searcher
from assay.tasks.lexical.variants import Variant

__all__ = ["BM25", "Analyzer", "Dirichlet", "Index", "Model", "Searcher", "Variant", "model"]
