"""Predictors of a query against their definitions, written out as loops over plain lists."""

import math
from collections.abc import Sequence

import polars as pl
import pytest

from assay.core.texts import Documents
from assay.tasks.lexical.diagnosis.predictors import PREDICTORS, predictors
from assay.tasks.lexical.index import Index
from assay.tasks.lexical.search import Searcher
from assay.tasks.lexical.variants import Variant

TEXTS = {
    "a": "gold gold gold purse", "b": "gold silver silver", "c": "silk", "d": "purse silk gold tin",
    "e": "silver tin tin tin purse", "f": "tin silk silk",
}  # fmt: skip
WORDS = {item: text.split() for item, text in TEXTS.items()}
ALL = [word for words in WORDS.values() for word in words]
QUERY = ["gold", "silver", "gold", "zinc"]


def sd(values: Sequence[float]) -> float:
    mean = sum(values) / len(values)
    return math.sqrt(sum((value - mean) ** 2 for value in values) / len(values))


def idf(word: str) -> float:
    df = sum(word in words for words in WORDS.values())
    return math.log(1 + (len(WORDS) - df + 0.5) / (df + 0.5))


def bm25(item: str) -> float:
    words, average = WORDS[item], len(ALL) / len(WORDS)
    norm = 0.9 * (1 - 0.4 + 0.4 * len(words) / average)
    return sum(idf(word) * words.count(word) / (words.count(word) + norm) for word in QUERY if word in ALL)


def by_the_book() -> dict[str, float]:
    known = ["gold", "silver"]
    cf = {word: ALL.count(word) for word in ALL}
    df = {word: sum(word in words for words in WORDS.values()) for word in ALL}
    scq = [(1 + math.log(cf[word])) * math.log(1 + len(WORDS) / df[word]) for word in known]
    spread = [
        sd([1 + math.log(w.count(word)) * math.log(1 + len(WORDS) / df[word]) for w in WORDS.values() if word in w])
        for word in known
    ]
    own = {"gold": 2 / 3, "silver": 1 / 3}
    scores = sorted((score for item in WORDS if (score := bm25(item)) > 0), reverse=True)
    in_all = sum(times * math.log(cf[word] / len(ALL)) for word, times in (("gold", 2), ("silver", 1)))
    return {
        "length": 3, "idf_mean": (idf("gold") + idf("silver")) / 2, "idf_max": idf("silver"),
        "scq_sum": sum(scq), "scq_max": max(scq), "var_sum": sum(spread), "var_max": max(spread),
        "scs": sum(own[word] * math.log2(own[word] / (cf[word] / len(ALL))) for word in known),
        "ictf_mean": sum(math.log2(len(ALL) / cf[word]) for word in known) / 2, "clarity": clarity(cf),
        "nqc": sd(scores) / abs(in_all), "score_sd": sd(scores), "score_gap": 1 - scores[1] / scores[0],
        "wig": (sum(scores[:5]) / len(scores[:5]) - sum(map(bm25, WORDS)) / len(WORDS)) / math.sqrt(3),
    }  # fmt: skip


def clarity(cf: dict[str, int]) -> float:
    found = [item for item in WORDS if bm25(item) > 0]

    def model(word: str, item: str) -> float:
        return 0.6 * WORDS[item].count(word) / len(WORDS[item]) + 0.4 * cf[word] / len(ALL)

    likely = {item: model("gold", item) ** 2 * model("silver", item) for item in found}
    whole = sum(likely.values())
    total = 0.0
    for word, times in cf.items():
        here = sum(model(word, item) * likely[item] / whole for item in found)
        total += here * math.log2(here / (times / len(ALL)))
    return total


@pytest.fixture(scope="module")
def searcher() -> Searcher:
    return Searcher(Index.build(Documents.of(TEXTS)))


@pytest.fixture(scope="module")
def row(searcher: Searcher) -> dict[str, float]:
    terms = {"gold": 2.0, "silver": 1.0, "zinc": 1.0}
    return predictors(searcher, {"q": terms}).rows(named=True)[0]


@pytest.mark.parametrize("name", list(PREDICTORS))
def test_as_defined(row: dict[str, float], name: str) -> None:
    assert row[name] == pytest.approx(by_the_book()[name], rel=1e-6)


def test_a_query_of_unknown_terms_has_no_figures(searcher: Searcher) -> None:
    row = predictors(searcher, {"q": {"zinc": 1.0}, "empty": {}}).drop("query", "length")
    assert row.null_count().row(0) == (2,) * row.width


def test_one_document_found_has_no_spread_and_no_gap(searcher: Searcher) -> None:
    one = Searcher(Index.build(Documents.of({"a": "gold silver", "b": "silk"})))
    row = predictors(one, {"q": {"gold": 1.0}}).rows(named=True)[0]
    assert (row["score_sd"], row["score_gap"], row["nqc"]) == (None, None, None)
    assert row["clarity"] is not None


def test_rows_keep_the_order_of_queries_and_do_not_depend_on_it(searcher: Searcher) -> None:
    asked = {"b": {"gold": 1.0}, "a": {"silk": 1.0, "tin": 1.0}}
    found = predictors(searcher, asked)
    other = predictors(searcher, dict(reversed(asked.items())))
    assert found["query"].to_list() == ["b", "a"]
    assert found.sort("query").equals(other.sort("query"))
    assert all(kind == pl.Float64 for name, kind in found.schema.items() if name != "query")


def test_a_first_score_of_nothing_has_no_gap():
    pytest.importorskip("bm25s")
    index = Index.build(Documents.of({"a": "gold", "b": "gold tin", "c": "gold", "d": "tin"}))
    (row,) = predictors(Searcher(index, Variant("robertson")), {"1": {"gold": 1.0}}).rows(named=True)
    assert row["score_gap"] is None


def test_the_order_of_documents_changes_nothing() -> None:
    """More documents have the last score that is read than there are places for."""
    texts = {f"d{n:02}": f"gold word{n} word{n % 7} {'tin ' * (n % 5)}" for n in range(40)}
    texts |= {f"e{n:02}": f"gold silk{n} other{n % 3}" for n in range(30)}
    found = [
        predictors(Searcher(Index.build(Documents.of(dict(rows)))), {"1": {"gold": 1.0, "tin": 1.0}}, depth=50)
        for rows in (texts.items(), reversed(texts.items()))
    ]
    assert found[0].rows() == found[1].rows()
