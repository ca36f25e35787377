"""Diagnosis, expansion and systems side by side to make pages of: texts drawn by chance, some named like markup."""

from functools import cache

import numpy as np
from tests.unit.dossiers import ODD

from assay.core.texts import Documents, Queries
from assay.tasks.lexical.analysis import Analyzer
from assay.tasks.lexical.diagnosis.diagnose import diagnose
from assay.tasks.lexical.expanding import expand
from assay.tasks.lexical.feedback import RM3
from assay.tasks.lexical.index import Index
from assay.tasks.lexical.search import Searcher
from assay.tasks.lexical.sides import compare_sides

PLAIN = Analyzer(stemmer=None, stop=False)
TERMS = [f"word{i:02}" for i in range(40)]


@cache
def texts(*, hostile=False, queries=12):
    """Return documents, queries and gold; an item, a query and a term of each text are markup where that is wanted."""
    rng = np.random.default_rng(5)
    odd = ODD if hostile else ""
    chances = 1 / np.arange(1, len(TERMS) + 1)
    chances /= chances.sum()
    documents = {f"d{i:02}{odd if i % 7 == 0 else ''}": " ".join(rng.choice(TERMS, 14, p=chances)) for i in range(60)}
    names = list(documents)
    asked = {
        f"q{i:02}{odd if i == 1 else ''}": f"{' '.join(rng.choice(TERMS, 3))} {odd}".strip() for i in range(queries)
    }
    gold = {query: dict.fromkeys(rng.choice(names, 4, replace=False).tolist(), 1) for query in asked}
    return documents, asked, gold | {"q00": gold["q00"] | {f"gone{odd}": 1}}


@cache
def runs(*, hostile=False):
    """Return a search by words, and a run by chance that is named like markup where that is wanted."""
    documents, asked, gold = texts(hostile=hostile)
    rng = np.random.default_rng(7)
    searcher = Searcher(Index.build(Documents.of(documents), PLAIN))
    first = searcher.run(searcher.weighted(Queries.of(asked)), 30)
    chance = {}
    for query in asked:
        some = rng.choice(list(documents), 20, replace=False).tolist()
        chance[query] = list(dict.fromkeys([*list(gold[query])[:1], *some]))
    return {"bm25": first, f"dense{ODD if hostile else ''}": chance}


@cache
def diagnosed(*, hostile=False, dense=True):
    documents, asked, gold = texts(hostile=hostile)
    first, second = runs(hostile=hostile).values()
    return diagnose(
        gold, first, Documents.of(documents), Queries.of(asked), dense=second if dense else None, analyzer=PLAIN,
        cutoff=5,
    )  # fmt: skip


@cache
def side_by_side(*, hostile=False):
    _, asked, gold = texts(hostile=hostile)
    return compare_sides(gold, runs(hostile=hostile), "nDCG@5 P@5", cutoff=5, texts=asked, flips=100, resamples=100)


@cache
def expanded(*, hostile=False):
    documents, asked, gold = texts(hostile=hostile)
    searcher = Searcher(Index.build(Documents.of(documents), PLAIN))
    found, _ = expand(
        gold, searcher, Queries.of(asked), [RM3(docs=3, terms=5)], "AP P@5", selective=True, flips=100, resamples=100
    )  # fmt: skip
    return found
