"""What expansion does to each query: the change taken apart, its cause, and the report of it."""

import json
from dataclasses import dataclass, replace

import jsonschema
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import assay
from assay.core.lexical_expansion import HELPED, HURT, MEANINGS, SAME
from assay.core.run import Run
from assay.core.texts import Documents, Queries
from assay.errors import InputError, ParameterError
from assay.report import documents, lexical_expansion
from assay.report.schema import SCHEMAS
from assay.statistics.many import adjust
from assay.tasks.lexical.analysis import Analyzer
from assay.tasks.lexical.expanding import expand
from assay.tasks.lexical.feedback import RM3, Rocchio
from assay.tasks.lexical.feedback.trial import values_of
from assay.tasks.lexical.index import Index
from assay.tasks.lexical.search import Searcher

PLAIN = Analyzer(stemmer=None, stop=False)
WORDS = ("ab", "cd", "ef", "gh", "ij", "kl", "mn")


@dataclass(frozen=True)
class Fixed:
    """Expands queries to what is given."""

    queries: dict
    docs: int = 2
    name: str = "fixed"

    def expand(self, searcher, weighted):  # noqa: ARG002 - as every expander
        return {query: self.queries.get(query, dict(terms)) for query, terms in weighted.items()}


def searcher_of(texts):
    return Searcher(Index.build(Documents.of(texts), PLAIN))


def only(texts, query, expanded, relevant, docs=2):
    """Return what became of one query whose expansion is given."""
    gold = {"q": dict.fromkeys(relevant, 1)}
    way = Fixed({"q": expanded}, docs)
    found, _ = expand(gold, searcher_of(texts), Queries.of({"q": query}), [way], "AP", flips=100)
    return found.ways[0].queries[0]


TEXTS = {"a": "gold coin", "b": "gold ring", "c": "silver coin mint", "d": "silver ring", "e": "lead pipe pipe"}


def test_new_words_bring_relevant_documents_up():
    one = only(TEXTS, "gold", {"gold": 1.0, "mint": 2.0}, ["c"])
    assert (one.outcome, one.cause) == (HELPED, "new words")
    assert (one.before, one.after, one.reweighting, one.adding) == (0.0, 1.0, 0.0, 1.0)
    assert (one.found, one.lost, one.rose, one.fell) == (1, 0, 0, 0)
    (added,) = [term for term in one.terms if not term.own]
    assert (added.term, added.documents, added.relevant, added.others, added.effect) == ("mint", 1, 1.0, 0.0, 1.0)
    assert (one.feedback, one.feedback_relevant, one.precision) == (2, 0, 0.0)


def test_own_words_may_weigh_better_or_worse():
    better = only(TEXTS, "gold ring", {"gold": 3.0, "ring": 1.0}, ["a"])
    assert (better.outcome, better.cause, better.adding) == (HELPED, "own words", 0.0)
    assert better.reweighting == pytest.approx(better.change)
    worse = only(TEXTS, "coin silver", {"coin": 4.0, "silver": 0.1}, ["d", "c"])
    assert (worse.outcome, worse.cause) == (HURT, "own words")


def test_words_of_no_relevant_document_are_drift():
    one = only(TEXTS, "coin", {"coin": 1.0, "pipe": 5.0}, ["a"])
    assert (one.before, one.after, one.feedback_relevant) == (1.0, 0.5, 1)
    assert (one.outcome, one.cause) == (HURT, "drift")
    assert (one.on_relevant, one.absent) == (0.0, 1.0)


def test_feedback_without_a_relevant_document_is_off_topic():
    one = only(TEXTS, "coin", {"coin": 1.0, "pipe": 5.0}, ["c"], docs=1)
    assert (one.outcome, one.cause, one.precision) == (HURT, "off topic", 0.0)


def test_words_that_others_have_too_crowd_relevant_documents_out():
    texts = {"r": "gold ring", "x": "ring ring ring", "y": "ring ring", "z": "lead"}
    one = only(texts, "gold", {"gold": 0.1, "ring": 9.0}, ["r"])
    assert (one.outcome, one.cause, one.fell) == (HURT, "crowded", 1)
    assert (one.on_relevant, one.absent) == (1.0, 0.0)


def test_a_fused_run_is_explained_by_the_other_run():
    gold = {"1": {"a": 1}, "2": {"c": 1}, "3": {"d": 1}}
    queries = Queries.of({"1": "gold ring", "2": "silver", "3": "silver"})
    other = Run.from_mapping({"1": {"a": 2.0}, "2": {"e": 2.0, "d": 1.0}, "3": {"d": 1.0}}, name="dense")
    found, runs = expand(gold, searcher_of(TEXTS), queries, measures="AP", run=other)
    way = found["bm25+rrf(dense)"]
    assert {one.query: (one.outcome, one.cause, one.other) for one in way.queries} == {
        "1": (HELPED, "other run", 1.0), "2": (HURT, "other run", 0.0), "3": (SAME, "", 1.0),
    }  # fmt: skip
    assert list(runs) == ["bm25", "bm25+rrf(dense)"]
    assert way.tau is None


@settings(max_examples=15)
@given(
    st.lists(st.lists(st.sampled_from(WORDS), min_size=1, max_size=8).map(" ".join), min_size=6, max_size=12),
    st.lists(st.lists(st.sampled_from(WORDS), min_size=1, max_size=3).map(" ".join), min_size=2, max_size=4),
    st.randoms(use_true_random=False),
    st.sampled_from(("AP", "nDCG@3", "RR")),
)
def test_the_parts_of_each_change_are_what_searching_again_gives(texts, asked, chance, measure):
    named = {f"d{place}": text for place, text in enumerate(texts)}
    queries = Queries.of({f"q{place}": text for place, text in enumerate(asked)})
    gold = {query: {f"d{place}": int(chance.random() < 0.4) for place in range(len(texts))} for query in queries.texts}
    searcher = searcher_of(named)
    way = RM3(docs=3, terms=3, common=1)
    found, runs = expand(gold, searcher, queries, [way], measure, depth=8, flips=100)
    expanded = way.expand(searcher, searcher.weighted(queries))

    def value(query, terms):
        return values_of(assay.evaluate(gold, searcher.run({query: terms}, 8), measure), found.measure).get(query)

    contrast = found.comparison.contrasts[0]
    assert (contrast.wins, contrast.losses) == (found.ways[0].counts[HELPED], found.ways[0].counts[HURT])
    for one in found.ways[0].queries:
        full, asked = expanded[one.query], searcher.terms(one.text)
        assert one.after == value(one.query, full)
        if one.outcome != SAME:
            alone = value(one.query, {term: weight for term, weight in full.items() if term in asked})
            assert (one.outcome, one.cause) in MEANINGS
            assert (one.reweighting, one.adding) == (
                pytest.approx(alone - one.before), pytest.approx(one.after - alone),
            )  # fmt: skip
            for term in one.terms:
                without = {other: weight for other, weight in full.items() if other != term.term}
                lost = None if term.own else pytest.approx(one.after - value(one.query, without))
                assert term.effect == lost
        relevant = {item for item, grade in gold[one.query].items() if grade}
        before, after = (relevant & items_of(run, one.query) for run in runs.values())
        assert (one.found, one.lost) == (len(after - before), len(before - after))


def items_of(run, query):
    """Return what a run finds for a query."""
    return set(run.frame().filter(pl.col("query") == query)["item"])


def collection(count=40):
    """Return searcher, queries and gold: even queries gain by their second word, odd ones do not."""
    texts, queries, gold = {}, {}, {}
    for place in range(count):
        mate = f"mate{place}"
        texts |= {
            f"a{place}": f"topic{place} {mate}",
            f"b{place}": f"{mate} other{place}",
            f"c{place}": f"topic{place} x",
        }
        queries[f"q{place:02}"] = f"topic{place}" if place % 2 else f"topic{place} seldom{place}"
        gold[f"q{place:02}"] = {f"b{place}": 1} if place % 2 else {f"c{place}": 1}
    return searcher_of(texts), Queries.of(queries), gold


@pytest.fixture(scope="module")
def tried():
    searcher, queries, gold = collection()
    return expand(gold, searcher, queries, [RM3(docs=1, terms=2), Rocchio(docs=1, terms=2)], "AP R@5", selective=True)


def test_selective_figures_are_those_of_the_run_that_is_written(tried):
    found, runs = tried
    gold = collection()[2]
    for one in found.selections:
        evaluation = assay.evaluate(gold, runs[f"{one.way} selected"], "AP")
        assert evaluation["AP"] == pytest.approx(one.selective)
        assert max(one.never, one.always) <= one.oracle + 1e-12
        assert one.selective <= one.oracle + 1e-12
        assert one.expanded <= one.queries == 40
        assert one.gain == pytest.approx(one.contrast.difference)
        assert [rule.fold for rule in one.rules] == [1, 2, 3, 4, 5, 0]


def test_the_order_of_queries_changes_nothing(tried):
    found, _ = tried
    searcher, queries, gold = collection()
    turned = Queries(queries.table.reverse())
    again, _ = expand(
        dict(reversed(gold.items())), searcher, turned, [RM3(docs=1, terms=2), Rocchio(docs=1, terms=2)], "AP R@5",
        selective=True,
    )  # fmt: skip
    assert [one.to_dict() for one in again.selections] == [one.to_dict() for one in found.selections]
    for way, other in zip(found.ways, again.ways, strict=True):
        assert sorted(way.queries, key=lambda one: one.query) == sorted(other.queries, key=lambda one: one.query)
        assert way.of(HURT) == other.of(HURT)


def test_the_report_says_it_all_in_80_columns(tried):
    found, _ = tried
    text = lexical_expansion.render(found, top=2)
    assert max(map(len, text.splitlines())) <= 80
    for part in ("VERDICT by AP", "QUERIES, bm25+rm3:", "bm25+rm3: why", "only some queries", "HOW TO READ THIS"):
        assert part in text
    assert lexical_expansion.render(found, top=0).count(" most hurt of") == 0
    marked = lexical_expansion.to_markdown(found)
    assert "| means | helped | hurt | same |" in marked
    frame = lexical_expansion.to_frame(found)
    assert frame.height == 80
    assert set(frame["outcome"]) <= {HELPED, HURT, SAME}


def test_json_keeps_its_schema(tried):
    found, _ = tried
    document = json.loads(documents.strict_json(found.to_dict(command=["lexical", "expand"])))
    jsonschema.validate(document, SCHEMAS["lexical expand"])
    assert document["expansion"]["ways"][0]["counts"] == found.ways[0].counts


def test_a_lower_value_can_be_the_better_one():
    gold = {"q": {"c": 1}}
    way = Fixed({"q": {"gold": 1.0, "silver": 1.0, "mint": 5.0}})
    found, _ = expand(gold, searcher_of(TEXTS), Queries.of({"q": "gold silver"}), [way], "MR", flips=100)
    (one,) = found.ways[0].queries
    assert one.after < one.before
    assert (one.outcome, one.cause) == (HELPED, "new words")
    assert one.reweighting + one.adding == pytest.approx(one.before - one.after)


def test_something_must_be_asked_for():
    with pytest.raises(ParameterError, match="expected a way to expand, or a run to fuse with, found neither"):
        expand({"q": {"a": 1}}, searcher_of(TEXTS), Queries.of({"q": "gold"}))


def test_queries_of_the_gold_without_a_text_are_left_out_of_everything_and_named():
    searcher, queries, gold = collection(12)
    half = Queries(queries.table.filter(pl.col("query") < "q06"))
    found, _ = expand(gold, searcher, half, [RM3(docs=1, terms=2)], "AP", selective=True, flips=100)
    asked = {query: items for query, items in gold.items() if query < "q06"}
    same, _ = expand(asked, searcher, half, [RM3(docs=1, terms=2)], "AP", selective=True, flips=100)
    (one,) = found.selections
    assert found.comparison.contrasts[0].mean == same.comparison.contrasts[0].mean == one.always
    assert one.queries == found.comparison.contrasts[0].queries == 6
    assert found.notices == ("Queries of the gold without a text, left out: 6, such as 'q06', 'q07', 'q08'.",)
    assert not same.notices
    with pytest.raises(InputError, match="expected the texts of queries of the gold, found queries such as 'q00'"):
        expand({"other": {"a0": 1}}, searcher, half, [RM3()], "AP")


def fused_with(other, **options):
    """Return what the plain run fused with another one finds for the query b, which is a document as well."""
    texts = {"b": "gold mine", "a": "gold silver", "c": "tin"}
    other = Run.from_mapping({"b": other}, name="other")
    asked = Queries.of({"b": "gold"})
    _, runs = expand({"b": {"a": 1}}, searcher_of(texts), asked, measures="AP", run=other, **options)
    return runs["bm25+rrf(other)"].frame()["item"].to_list()


def test_a_fused_run_is_read_as_it_is_judged():
    other = {"b": 9.0, "c": 8.0, "a": 7.0}
    assert "b" in fused_with(other)
    assert fused_with(other, remove_query=True) == ["a", "c"]
    assert fused_with(other, policy=assay.Policy(self_match="drop")) == ["a", "c"]
    assert "c" not in fused_with(other, exclude=[("b", "c")])
    tied = {"b": 1.0, "c": 1.0, "a": 1.0}
    by_order, by_id = (fused_with(tied, policy=assay.Policy(ties=rule)) for rule in ("order", "id-asc"))
    assert by_order != by_id


def test_p_values_of_selecting_are_corrected_over_the_ways(tried):
    found, _ = tried
    tests = [one.contrast.significance for one in found.selections]
    assert len(tests) == 2
    assert [test.adjusted for test in tests] == adjust([test.p for test in tests], "holm")
    assert "those of the 2 ways a family of its own" in " ".join(lexical_expansion.render(found).split())


def test_a_gain_of_selecting_is_a_gain_where_lower_is_better(tried):
    one = tried[0].selections[0]
    lower = replace(one, never=3.0, always=4.0, selective=2.0, reference="bm25", way="bm25+rm3",
                    contrast=replace(one.contrast, higher_is_better=False))  # fmt: skip
    assert lower.gain == 1.0
    assert replace(lower, contrast=replace(one.contrast, higher_is_better=True)).gain == -1.0
