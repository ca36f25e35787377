"""Diversity measures against their definitions as plain loops, on any small collection."""

import math

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

import assay
from assay.core.gold import Gold
from assay.core.policy import Policy
from assay.errors import GoldError, ParameterError, UnsupportedError
from assay.evaluate import evaluate
from assay.measures import MEASURES, parse
from assay.measures.aspects import AspectMeasure
from assay.testing import variants

MEASURES_OF_ASPECTS = [cls for cls in MEASURES.values() if issubclass(cls, AspectMeasure)]
SETTINGS = [one for cls in MEASURES_OF_ASPECTS for one in variants(cls)]
ITEMS, ASPECTS, QUERIES = "abcdefgh", ("1", "2", "x", "ü"), ("q1", "q10", "q2")

judgments = st.dictionaries(
    st.tuples(st.sampled_from(QUERIES), st.sampled_from(ASPECTS), st.sampled_from(ITEMS)),
    st.sampled_from((-1, 0, 1, 2, 3)),
    min_size=1,
    max_size=40,
)
rankings = st.dictionaries(
    st.sampled_from((*QUERIES, "other")), st.lists(st.sampled_from((*ITEMS, "y", "z")), unique=True, min_size=1)
)


def gold_of(judged):
    rows = [(query, aspect, item, grade) for (query, aspect, item), grade in judged.items()]
    return Gold.from_details(pl.DataFrame(rows, schema=["query", "group", "item", "grade"], orient="row"))


def run_of(ranked):
    return {query: {item: -place for place, item in enumerate(items)} for query, items in ranked.items()}


class Book:
    """One query, read as the papers read it."""

    def __init__(self, judged, ranking, rel):
        self.ranking = ranking
        self.relevant = {aspect: {i for (a, i), grade in judged.items() if a == aspect and grade >= rel}
                         for aspect, _ in judged}  # fmt: skip
        self.relevant = {aspect: items for aspect, items in self.relevant.items() if items}

    def gain(self, ranking, alpha, discount, k=None):
        total = 0.0
        for aspect in self.relevant.values():
            met = 0
            for place, item in enumerate(ranking[:k], 1):
                if item in aspect:
                    total += discount(place) * (1 - alpha) ** met
                    met += 1
        return total

    def ideal(self, alpha):
        order, left = [], sorted(set().union(*self.relevant.values()), key=str.encode, reverse=True)
        while left:
            best = max(left, key=lambda item: round(self.added(order, item, alpha), 12))
            order.append(best)
            left.remove(best)
        return order

    def added(self, order, item, alpha):
        return sum((1 - alpha) ** len(aspect & set(order)) for aspect in self.relevant.values() if item in aspect)

    def everything(self, alpha, discount, k):
        return len(self.relevant) * sum(discount(i) * (1 - alpha) ** (i - 1) for i in range(1, k + 1))

    def average_precision(self, aspect):
        found = [place for place, item in enumerate(self.ranking, 1) if item in aspect]
        return sum(n / place for n, place in enumerate(found, 1)) / len(aspect)


def log_discount(place):
    return 1 / math.log2(place + 1)


def rank_discount(place):
    return 1 / place


def by_the_book(measure, book):  # noqa: C901, PLR0911 - nine measures, nine lines
    k, alpha, p = (getattr(measure, name, None) for name in ("k", "alpha", "p"))
    top, aspects = book.ranking[:k], book.relevant.values()
    match measure.name:
        case "alpha_DCG":
            return book.gain(top, alpha, log_discount) / book.everything(alpha, log_discount, k)
        case "alpha_nDCG":
            return book.gain(top, alpha, log_discount) / book.gain(book.ideal(alpha), alpha, log_discount, k)
        case "ERR_IA":
            return book.gain(top, alpha, rank_discount) / book.everything(alpha, rank_discount, k)
        case "nERR_IA":
            return book.gain(top, alpha, rank_discount) / book.gain(book.ideal(alpha), alpha, rank_discount, k)
        case "NRBP":
            scale = (1 - (1 - alpha) * p) / len(aspects)
            return scale * book.gain(book.ranking, alpha, lambda i: p ** (i - 1))
        case "nNRBP":
            ideal = book.gain(book.ideal(alpha), alpha, lambda i: p ** (i - 1))
            return book.gain(book.ranking, alpha, lambda i: p ** (i - 1)) / ideal
        case "P_IA":
            return sum(item in aspect for aspect in aspects for item in top) / k / len(aspects)
        case "AP_IA":
            return sum(map(book.average_precision, aspects)) / len(aspects)
        case "StRecall":
            return sum(bool(aspect & set(top)) for aspect in aspects) / len(aspects)
    raise NotImplementedError(measure.name)


def values(gold, run, measures):
    if not any(query in run for query in gold.queries):
        return {}
    result = evaluate(gold, run, measures)
    return {(name, query): value for _, name, query, value in result.per_query.iter_rows()}


@given(judgments, rankings)
def test_every_measure_follows_the_book(judged, ranked):
    found = values(gold_of(judged), run_of(ranked), SETTINGS)
    for (name, query), value in found.items():
        measure = parse(name)
        own = {(aspect, item): grade for (q, aspect, item), grade in judged.items() if q == query}
        book = Book(own, ranked.get(query, []), measure.rel)
        if book.relevant:
            assert value == pytest.approx(by_the_book(measure, book), rel=1e-12, abs=1e-12), (name, query)
            assert measure.bounds[0] <= value <= measure.bounds[1] + 1e-12
        else:
            assert value is None, (name, query)


@given(judgments, rankings)
def test_the_order_of_judgments_changes_nothing(judged, ranked):
    backwards = dict(reversed(judged.items()))
    run = run_of(ranked)
    assert values(gold_of(judged), run, SETTINGS) == values(gold_of(backwards), run, SETTINGS)


@given(judgments, rankings)
def test_one_aspect_alone_gives_the_measures_without_aspects(judged, ranked):
    whole = {(query, "1", item): min(grade, 1) for (query, _, item), grade in judged.items()}
    found = values(gold_of(whole), run_of(ranked), ["alpha_nDCG(alpha=0)@3", "AP_IA", "P_IA@3", "nDCG@3", "AP", "P@3"])
    pairs = (("alpha_nDCG(alpha=0)@3", "nDCG@3"), ("AP_IA", "AP"), ("P_IA@3", "P@3"))
    for query in {query for _, query in found}:
        for aspects, plain in pairs:
            one, other = found[aspects, query], found[plain, query]
            assert (one is None) if aspects != "P_IA@3" and other is None else True
            assert one is None or one == pytest.approx(other, abs=1e-12)


def test_several_alphas_in_one_call_each_give_their_own_value():
    gold = gold_of({("q", a, i): 1 for a, i in ("1a", "1b", "2b", "3c")})
    run = run_of({"q": ["b", "a", "c"]})
    asked = [f"{name}(alpha={alpha})@3" for name in ("alpha_nDCG", "alpha_DCG") for alpha in (0.1, 0.5, 0.9)]
    asked += [f"NRBP(alpha={alpha},p={p})" for alpha in (0.1, 0.9) for p in (0.3, 0.8)]
    together = {requested.requested: requested.mean for requested in evaluate(gold, run, asked).figures}
    alone = {name: evaluate(gold, run, name).figures[0].mean for name in asked}
    assert together == alone
    assert len(set(together.values())) == len(asked)


def test_a_ranking_can_beat_the_greedy_ideal():
    ranking, missed = [{"1", "2", "3"}, {"4", "5", "6"}], [{"1", "2", "4", "5"}]
    value = MEASURES["alpha_nDCG"](alpha=1, k=2).of_aspects(ranking, missed)
    assert 1 < value < MEASURES["alpha_nDCG"].bounds[1]


def test_of_aspects_takes_no_aspect_and_none_at_all():
    ndcg = MEASURES["alpha_nDCG"](k=3)
    assert ndcg.of_aspects([set(), {"a"}]) == pytest.approx(1 / math.log2(3))
    assert ndcg.of_aspects([set()]) is None
    assert ndcg.of_aspects([], missed=[{"a"}]) == 0


def test_names_of_other_tools_are_read():
    assert parse("αnDCG@10") == parse("α_nDCG(alpha=0.5)@10") == parse("alpha_nDCG(cutoff=10)")
    assert parse("NRBP(beta=0.8)") == parse("NRBP(p=0.8)")
    assert parse("MAP_IA") == parse("AP_IA")
    assert assay.alpha_nDCG @ 10 == parse("alpha_nDCG@10")
    with pytest.raises(ParameterError, match="alpha must be a number from 0 to 1"):
        parse("alpha_nDCG(alpha=2)@5")


def test_gold_without_aspects_is_refused():
    with pytest.raises(UnsupportedError, match="one grade for each item"):
        evaluate({"q": {"a": 1}}, {"q": {"a": 1.0}}, "alpha_nDCG@5")
    with pytest.raises(UnsupportedError, match="alpha_nDCG@5"):
        parse("alpha_nDCG@5").by_the_book([1], [1])


@pytest.mark.parametrize("ties", ["optimistic", "pessimistic", "realistic", "expected"])
def test_tie_rules_that_read_one_grade_for_an_item_are_refused(ties):
    gold, run = gold_of({("q", "1", "a"): 1, ("q", "2", "b"): 1}), {"q": {"a": 1.0, "b": 1.0}}
    with pytest.raises(UnsupportedError, match=f"ties={ties} orders tied items by one grade each"):
        evaluate(gold, run, "alpha_nDCG@5", policy=Policy(ties=ties))
    with pytest.raises(UnsupportedError, match="ties=pessimistic"):
        evaluate(gold, run, "AP_IA", tie_range=True)
    found = {one: evaluate(gold, run, "P_IA@1", policy=Policy(ties=one)).mean for one in ("id-desc", "id-asc", "order")}
    assert set(map(str, found.values())) == {"{'P_IA@1': 0.5}"}


def test_frames_with_a_column_of_aspects_are_read():
    rows = {"query_id": ["1"] * 3, "doc_id": ["a", "a", "b"], "relevance": [1, 0, 2]}
    for name in ("aspect", "subtopic", "intent", "Aspect"):
        gold = Gold.from_frame(pl.DataFrame(rows | {name: [1, 2, 2]}))
        assert gold.table.rows() == [("1", "a", 1.0), ("1", "b", 2.0)]
        assert evaluate(gold, {"1": {"a": 1.0}}, "StRecall@1").mean == {"StRecall@1": 0.5}


@pytest.mark.parametrize(
    ("rows", "message"),
    [
        ({"group": ["1", "1"]}, "judged more than once"),
        ({"group": ["1", None]}, "expected a group in each row"),
        ({"group": ["1", "2"], "grade": [1.0, None]}, "expected a grade in each row"),
        ({"group": ["1", "2"], "grade": [1.0, np.nan]}, "expected a finite grade|expected a grade"),
        ({"group": ["1", "2"], "query": ["q", None]}, "expected a query in each row"),
        ({"group": ["1", "2"], "probability": [1.0, 1.5]}, "probability from 0 to 1 in each row, found 1.5"),
        ({"group": ["1", "2"], "probability": [None, 0.5]}, "probability from 0 to 1 in each row, found None"),
    ],
)
def test_details_that_contradict_themselves_are_refused(rows, message):
    plain = {"query": ["q", "q"], "item": ["a", "a"], "grade": [1.0, 0.0]}
    with pytest.raises(GoldError, match=message):
        Gold.from_details(pl.DataFrame(plain | rows))
