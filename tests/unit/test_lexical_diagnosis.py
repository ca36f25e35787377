"""Why documents are missed: each blame where it belongs, coverage as counted by hand, what the run seems to read."""

import math
import random
from collections import Counter
from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.unit.lexical_purses import DOCUMENTS, GOLD, QUERIES, blamed, bm25

from assay.core.lexical_diagnosis import BLAMES, LexicalDiagnosis
from assay.core.policy import Policy
from assay.core.run import Run
from assay.core.texts import Documents, Queries
from assay.engines import head
from assay.report import lexical_diagnosis as report
from assay.tasks.lexical.analysis import Analyzer
from assay.tasks.lexical.diagnosis.analysers import Way, ways
from assay.tasks.lexical.diagnosis.diagnose import diagnose
from assay.tasks.lexical.diagnosis.readings import Texts, plain, unstemmed
from assay.tasks.lexical.index import Index
from assay.tasks.lexical.models import BM25
from assay.tasks.lexical.search import Searcher
from assay.tasks.lexical.variants import Variant


@pytest.fixture(scope="module")
def found() -> LexicalDiagnosis:
    return diagnose(GOLD, bm25(), DOCUMENTS, QUERIES, cutoff=3)


def test_each_document_has_the_blame_that_holds_first(found: LexicalDiagnosis) -> None:
    assert blamed(found) == {
        ("1", "absent"): "absent", ("1", "disjoint"): "disjoint", ("1", "common"): "frequent",
        ("2", "long"): "length", ("2", "less"): "frequent",
    }  # fmt: skip
    assert {one.name: one.documents for one in found.blames} == dict.fromkeys(BLAMES, 0) | {
        "absent": 1, "disjoint": 1, "frequent": 2, "length": 1,
    }  # fmt: skip
    assert sum(one.documents for one in found.blames) == len(found.missed) == found.relevant - found.found


def test_a_model_that_cannot_weigh_another_length_blames_none() -> None:
    pytest.importorskip("bm25s")
    found = diagnose(GOLD, bm25(), DOCUMENTS, QUERIES, cutoff=3, model=Variant("lucene"))
    assert "length" not in blamed(found).values()
    assert "No document is blamed for its length: how lucene would weigh another is not known." in found.notices


def test_what_is_known_of_a_missed_document(found: LexicalDiagnosis) -> None:
    known = {(one.query, one.item): one for one in found.missed}
    long = known["2", "long"]
    assert (long.shared, long.lacks, long.length, long.weight, long.by) == (
        ("golden", "purse"), (), 408, 1.0, "as written",
    )  # fmt: skip
    common = known["1", "common"]
    assert (common.shared, set(common.lacks)) == (("silk",), {"golden", "purse", "thieves"})
    assert known["1", "absent"].length is None
    assert known["1", "disjoint"].searched is None


def test_coverage_as_counted_by_hand(found: LexicalDiagnosis) -> None:
    """Query 1 has 4 words, of which its indexed documents have 3, 0 and 1; query 2 has 2: 2, 2 and 1."""
    first = found.overlaps[0]
    assert first.coverage == pytest.approx(((3 / 4 + 0 + 1 / 4) / 3 + (1 + 1 + 1 / 2) / 3) / 2)
    assert (first.disjoint, first.pairs, first.ceiling) == (1, 6, pytest.approx((2 / 4 + 3 / 3) / 2))
    assert first.unknown == 0.0
    idf = {word: np.log(1 + (13 - df + 0.5) / (df + 0.5)) for word, df in Counter(
        word for text in DOCUMENTS.values() for word in set(text.split())).items()}  # fmt: skip
    whole = sum(idf[word] for word in ("golden", "purse", "silk", "thieves"))
    weighted = [(whole - idf["silk"]) / whole, 0, idf["silk"] / whole]
    other = [1, 1, idf["purse"] / (idf["purse"] + idf["golden"])]
    bare = found.overlaps[1]
    assert bare.name == "no stems"
    assert bare.weighted == pytest.approx((np.mean(weighted) + np.mean(other)) / 2)


@pytest.mark.parametrize("ties", ["id-desc", "id-asc", "order"])
def test_ranks_are_those_of_the_whole_search(ties: Any) -> None:
    rng = random.Random(3)
    words = [f"w{n}" for n in range(30)]
    documents = {f"d{n}": " ".join(rng.choices(words, k=rng.randint(1, 12))) for n in range(80)}
    queries = {f"q{n}": " ".join(rng.choices(words, k=4)) for n in range(12)}
    gold = {query: {f"d{rng.randrange(80)}": 1 for _ in range(9)} for query in queries}
    run = {query: rng.sample(list(documents), 5) for query in queries}
    found = diagnose(gold, run, documents, queries, cutoff=3, policy=Policy(ties=ties))
    whole = head(Searcher(Index.build(Documents.of(documents))).run(Queries.of(queries), 80), None, Policy(ties=ties))
    assert (whole["tied"] > 1).any()
    ranks = {(q, i): n for q, i, n in whole.select("query", "item", "rank").rows()}
    assert len(found.missed) > 50
    for one in found.missed:
        assert one.searched == ranks.get((one.query, one.item))
        assert one.rank == (run[one.query].index(one.item) + 1 if one.item in run[one.query] else None)
        assert (one.blame == "disjoint") == (one.searched is None)
        assert (one.blame == "unread") == (one.searched is not None and one.searched <= 3)


@pytest.mark.parametrize("ties", ["id-desc", "id-asc", "order"])
def test_a_run_of_the_same_search_is_not_blamed_for_equal_scores(ties: Any) -> None:
    documents = {f"d{n:02}": "gold" for n in range(40)} | {"x": "silk"}
    gold = {"1": dict.fromkeys(documents, 1)}
    run = Searcher(Index.build(Documents.of(documents))).run(Queries.of({"1": "gold"}))
    found = diagnose(gold, run, documents, {"1": "gold"}, cutoff=3, policy=Policy(ties=ties))
    assert len(found.missed) == 38
    assert "unread" not in blamed(found).values()
    assert found.analysis.best is not None
    assert found.analysis.best.overlap == 1.0
    assert not [one for one in found.remedies if one.name == "words"]


def test_no_run_of_the_words_has_a_higher_recall_than_the_ceiling() -> None:
    """One document that is found, nine of another query that share nothing with it, and one that is not there."""
    documents = {"a": "gold"} | {f"n{n}": "tin" for n in range(9)}
    gold = {"1": {"a": 1}, "2": {f"n{n}": 1 for n in range(9)}, "3": {"a": 1, "absent": 1}}
    queries = {"1": "gold", "2": "silver", "3": "gold"}
    run = Searcher(Index.build(Documents.of(documents))).run(Queries.of(queries))
    found = diagnose(gold, run, documents, queries, measures="R@1000")
    assert found.run.figures[0].mean == found.overlaps[0].ceiling == pytest.approx((1 + 0 + 1 / 2) / 3)
    assert found.overlaps[0].share_disjoint == pytest.approx(9 / 11)
    assert "81.8 % of the 11 that are among the documents share no word with their query" in report.paragraph(found)


@given(st.lists(st.text(alphabet="aAbB's stTheESing ", max_size=30), min_size=1, max_size=8))
def test_words_found_once_make_the_same_index(texts: list[str]) -> None:
    documents = Documents.of({str(n): text for n, text in enumerate([*texts, "gold"])})
    read = Texts(documents, {}, Analyzer())
    for analyzer in (Analyzer(), unstemmed(Analyzer()), plain(Analyzer()), Analyzer(stop=False, lower=False)):
        made, whole = read.index(analyzer), Index.build(documents, analyzer)
        assert made.terms.equals(whole.terms)
        for part in ("starts", "places", "counts", "lengths"):
            assert np.array_equal(getattr(made, part), getattr(whole, part)), part


@dataclass(frozen=True)
class Forms:
    """Texts in which words stand in several forms, and the runs that analysers make of them."""

    documents: dict[str, str]
    queries: dict[str, str]
    gold: dict[str, dict[str, int]]

    @classmethod
    def drawn(cls, seed: int) -> "Forms":
        rng = random.Random(seed)
        stems, ends = ("jump", "walk", "talk", "play", "Paint", "Cook"), ("", "s", "ing", "ed")
        words = [f"{stem}{end}" for stem in stems for end in ends] + ["the", "of", "The", "with"]
        documents = {f"d{n}": " ".join(rng.choices(words, k=8)) for n in range(120)}
        queries = {f"q{n}": " ".join(rng.choices(words, k=4)) for n in range(30)}
        return cls(documents, queries, {query: {f"d{rng.randrange(120)}": 1 for _ in range(3)} for query in queries})

    def run(self, way: Way) -> Run:
        searcher = Searcher(Index.build(Documents.of(self.documents), way.documents), BM25())
        weighted = {query: dict(Counter(way.queries.terms(text))) for query, text in self.queries.items()}
        return searcher.run(weighted, 10)

    def diagnosed(self, way: Way) -> LexicalDiagnosis:
        return diagnose(self.gold, self.run(way), self.documents, self.queries)


@pytest.mark.parametrize("name", [way.name for way in ways(Analyzer())][:5])
def test_the_analyser_of_a_run_is_recognised(name: str) -> None:
    way = next(way for way in ways(Analyzer()) if way.name == name)
    found = Forms.drawn(5).diagnosed(way)
    assert found.analysis.best is not None
    assert (found.analysis.best.name, found.analysis.explained) == (name, True)
    assert found.analysis.mismatch == (name != "as described")
    assert ("other-analyser" in {one.code for one in found.findings}) == found.analysis.mismatch


@pytest.mark.parametrize("seed", range(4))
def test_shares_as_sets_have_them(seed: int) -> None:
    """Coverage, idf-weighted, unknown and disjoint of every reading, with plain sets and loops."""
    forms = Forms.drawn(seed)
    queries = {query: f"{text} zebra zebra" for query, text in forms.queries.items()}
    found = diagnose(forms.gold, {"q0": ["d0"]}, forms.documents, queries)
    readings = (Analyzer(), Analyzer(stemmer=None), Analyzer(stemmer=None, lower=False, possessive=False))
    for overlap, analyzer in zip(found.overlaps, readings, strict=True):
        sets = {item: set(analyzer.terms(text)) for item, text in forms.documents.items()}
        some = len([1 for words in sets.values() if words])

        def idf(term: str, sets: dict[str, set[str]] = sets, some: int = some) -> float:
            df = sum(term in words for words in sets.values())
            return math.log(1 + (some - df + 0.5) / (df + 0.5))

        rows, disjoint = [], 0
        for query, items in forms.gold.items():
            kept = [word for word in queries[query].split() if Analyzer().terms(word)]
            asked = {analyzer.terms(word)[0] for word in kept}
            shared = [asked & sets[item] for item in items]
            whole = sum(map(idf, asked))
            rows.append((
                np.mean([len(one) / len(asked) for one in shared]),
                np.mean([sum(map(idf, one)) / whole for one in shared]),
                np.mean([not any(term in words for words in sets.values()) for term in asked]),
            ))  # fmt: skip
            disjoint += sum(not one for one in shared)
        assert (overlap.coverage, overlap.weighted, overlap.unknown) == pytest.approx(np.mean(rows, axis=0))
        assert (overlap.disjoint, overlap.pairs) == (disjoint, sum(map(len, forms.gold.values())))


def test_a_run_without_stems_is_blamed_for_them_and_a_run_with_stems_is_not() -> None:
    forms = Forms.drawn(11)
    described, bare, *_ = ways(Analyzer())
    assert "stems" not in blamed(forms.diagnosed(described)).values()
    found = forms.diagnosed(bare)
    by = {(one.query, one.item): one.by for one in found.missed}
    assert "stems" in blamed(found).values()
    for pair, blame in blamed(found).items():
        words, asked = (set(bare.documents.terms(text)) for text in (forms.documents[pair[1]], forms.queries[pair[0]]))
        shares = bool(words & asked)
        assert (blame == "stems") == (by[pair] == "as described") == (not shares and blame != "disjoint")
    remedy = next(one for one in found.remedies if one.name == "stems")
    assert remedy.documents == sum((one.searched or 99) <= 10 for one in found.missed) > 0


def test_frequent_is_below_the_mean_idf_and_not_below_the_greatest() -> None:
    """Gold is rarer than the words are on average, though not the rarest."""
    texts = {f"s{n}": "silk" for n in range(40)} | {f"g{n}": "gold" for n in range(4)} | {"t": "tin"}
    found = diagnose({"1": {"g0": 1, "s0": 1}}, {"1": ["t"]}, texts, {"1": "tin gold silk silk"}, cutoff=1)
    idf = {one.word: one.idf for one in found.per_query[0].terms}
    assert sum(idf.values()) / 3 < idf["gold"] < idf["tin"]
    assert blamed(found)["1", "s0"] == "frequent"
    assert blamed(found)["1", "g0"] != "frequent"


def test_a_query_of_stop_words_shares_nothing() -> None:
    found = diagnose({"1": {"best": 1}, "2": {"best": 1}}, bm25(), DOCUMENTS, {"1": "to be or not", "2": "purse"})
    row = found.per_query[0]
    assert (row.coverage, row.unknown, row.disjoint, row.terms) == (None, None, 1, ())
    assert any("no word but stop words: 1" in line for line in found.notices)


def test_order_of_inputs_changes_nothing() -> None:
    def turned(mapping: dict) -> dict:
        return dict(reversed(mapping.items()))

    gold = {query: turned(items) for query, items in turned(GOLD).items()}
    run = bm25()
    first = diagnose(GOLD, run, DOCUMENTS, QUERIES, cutoff=3)
    other = diagnose(gold, turned(run), DOCUMENTS, turned(QUERIES), cutoff=3)
    assert first.to_dict() == other.to_dict()
