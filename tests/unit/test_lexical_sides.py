"""Systems side by side: what each finds, who wins, what could be reached, checked by hand and by brute force."""

import re
from itertools import permutations

import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from assay import Policy, evaluate
from assay.core.gold import Gold
from assay.core.run import Run
from assay.errors import AssayError, UnknownNameError
from assay.report import lexical_sides, lexical_sides_documents
from assay.report.lexical_sides_words import sentences
from assay.statistics.agreement import rbo
from assay.tasks.lexical.sides import compare_sides
from assay.tasks.lexical.sides_ceilings import at_best

GOLD = {"q1": {"a": 1, "b": 2, "c": 1}, "q2": {"d": 1, "e": 0}, "q3": {"f": 1}}
SPARSE = {"q1": ["a", "x", "b"], "q2": ["e", "d"], "q3": ["y"]}
DENSE = {"q1": ["x", "c"], "q2": ["d"], "q4": ["z"]}


@pytest.fixture(scope="module")
def sides():
    return compare_sides(GOLD, {"sparse": SPARSE, "dense": DENSE}, "P@1 R@2 RR", cutoff=1, texts={"q2": "what?"})


def test_relevant_items_are_counted_by_who_finds_them(sides):
    top, whole = sides.found
    assert (top.places, top.relevant, top.by, top.only, top.all, top.none) == (1, 5, (1, 1), (1, 1), 0, 3)
    assert (whole.places, whole.by, whole.only, whole.all, whole.none) == (None, (3, 2), (2, 1), 1, 1)
    assert whole.together == {(0,): 2, (1,): 1, (0, 1): 1}


def test_the_table_holds_each_relevant_item_with_its_ranks(sides):
    assert sides.table.columns == ["query", "item", "grade", "rank sparse", "rank dense"]
    assert sides.table.rows() == [
        ("q1", "a", 1.0, 1, None), ("q1", "b", 2.0, 3, None), ("q1", "c", 1.0, None, 2), ("q2", "d", 1.0, 2, 1),
        ("q3", "f", 1.0, None, None),
    ]  # fmt: skip


def test_examples_are_those_that_only_one_finds(sides):
    found = [(one.system, one.query, one.item, one.rank, one.elsewhere) for one in sides.examples]
    assert found == [("sparse", "q1", "a", 1, None), ("dense", "q2", "d", 1, 2)]


def test_pairs_are_held_against_each_other(sides):
    (pair,) = sides.pairings
    assert (pair.first, pair.second, pair.queries) == ("sparse", "dense", 2)
    assert (pair.wins, pair.ties, pair.losses) == (1, 1, 1)
    assert pair.jaccard == 0.0
    alike = [rbo(SPARSE[query], DENSE[query]).extrapolated for query in ("q1", "q2")]
    assert pair.rbo == pytest.approx(sum(alike) / 2)
    assert [one.query for one in pair.for_second] == ["q2"]
    assert [one.query for one in pair.for_first] == ["q1"]
    assert sides.leads == (1, 1)
    assert sides.texts == {"q2": "what?"}


def test_ceilings_by_hand(sides):
    precision, recall, rr = sides.ceilings
    third = 1 / 3
    assert (precision.best, precision.single) == ("sparse", pytest.approx(third))
    assert precision.chosen == pytest.approx(2 / 3)
    assert precision.own == (pytest.approx(2 / 3), pytest.approx(2 / 3))
    assert precision.union == pytest.approx(2 / 3)
    assert recall.union == pytest.approx((2 / 3 + 1) / 3)
    assert rr.chosen == pytest.approx((1 + 1) / 3)
    assert set(precision.fused) == {"RRF", "CombSUM", "CombMNZ"}


ITEMS = "abcde"
RANKING = st.lists(st.sampled_from(ITEMS), unique=True, min_size=1, max_size=4)
SYSTEM = st.dictionaries(st.sampled_from(["q1", "q2"]), RANKING, min_size=1)
GRADES = st.dictionaries(st.sampled_from(ITEMS), st.integers(-1, 3), min_size=1)


@settings(max_examples=12)
@given(gold=st.fixed_dictionaries({"q1": GRADES, "q2": GRADES}), systems=st.lists(SYSTEM, min_size=2, max_size=2))
def test_no_order_of_all_items_goes_beyond_the_ceiling(gold, systems):
    """Brute force over all orders of the union, and every fusion below it."""
    named = dict(zip(("a", "b"), systems, strict=True))
    if not any(query in system for query in gold for system in systems):
        return
    found = compare_sides(gold, named, "nDCG@2 AP R@2", cutoff=2, fusions=("rrf", "combsum"), resamples=100, flips=100)
    best = []
    for query in gold:
        union = sorted({item for system in systems for item in system.get(query, ())})
        orders = (
            [evaluate(gold, {query: list(order)}, "nDCG@2 AP R@2") for order in permutations(union)] if union else []
        )
        best.append(
            [max((value_of(one, query, measure) for one in orders), default=0.0) for measure in ("nDCG@2", "AP", "R@2")]
        )
    for place, ceiling in enumerate(found.ceilings):
        assert ceiling.union == pytest.approx(sum(one[place] for one in best) / 2)
        reached = [*ceiling.fused.values(), ceiling.chosen, ceiling.single, *ceiling.own]
        assert all(value <= ceiling.union + 1e-9 for value in reached)
        assert ceiling.single <= ceiling.chosen + 1e-9


def value_of(evaluation, query, measure):
    value = evaluation.per_query.filter(pl.col("query") == query, pl.col("measure") == measure)["value"][0]
    return 0.0 if value is None else value


def test_row_order_changes_nothing():
    frames = [Run.from_mapping(one).frame() for one in (SPARSE, DENSE)]
    first, second = (
        compare_sides(GOLD, [Run.from_frame(frame, name=name) for frame, name in zip(some, "ab", strict=True)], "P@1")
        for some in (frames, [frame.reverse() for frame in frames])
    )
    assert first.to_dict() == second.to_dict()


def test_depth_cuts_all_that_is_measured():
    found = compare_sides(GOLD, {"sparse": SPARSE, "dense": DENSE}, "R@100", cutoff=1, depth=1)
    assert found.found[1].by == (1, 1)
    assert found.ceilings[0].single == pytest.approx(1 / 3)
    assert found.ceilings[0].union == pytest.approx((1 / 3 + 1) / 3)


def test_pairs_that_are_taken_out_are_found_by_nobody():
    excluded = pl.DataFrame({"query": ["q1"], "item": ["a"]})
    found = compare_sides(GOLD, {"sparse": SPARSE, "dense": DENSE}, "P@1", cutoff=1, exclude=excluded)
    assert found.found[0].by == (0, 1)


@pytest.mark.parametrize("depth", [None, 10])
def test_fusions_do_not_see_pairs_that_are_taken_out(depth):
    first, second = {"q1": {"s": 9.0, "x": 8.0, "y": 7.0}}, {"q1": {"y": 9.0, "x": 8.0, "z": 7.0}}
    found = compare_sides(
        {"q1": {"x": 1, "y": 0}}, {"a": first, "b": second}, "RR", cutoff=1, depth=depth, fusions=("combsum",),
        exclude=[("q1", "s")],
    )  # fmt: skip
    assert found.ceilings[0].fused == {"CombSUM": 1.0}


def test_grades_below_the_threshold_are_not_relevant():
    found = compare_sides(GOLD, {"sparse": SPARSE, "dense": DENSE}, "P@3", cutoff=3, rel=2)
    assert (found.found[0].relevant, found.found[0].only) == (1, (1, 0))


def test_weights_of_queries_count_in_ceilings():
    weights = {"q1": 2, "q2": 1, "q3": 1}
    found = compare_sides(GOLD, {"sparse": SPARSE, "dense": DENSE}, "P@1", cutoff=1, weights=weights)
    assert found.ceilings[0].chosen == pytest.approx(3 / 4)


def test_the_best_order_has_items_that_nobody_judged_before_those_below_grade_0():
    gold = Gold.from_mapping({"q": {"bad": -1, "good": 2, "elsewhere": 1}})
    lists = [Run.from_mapping({"q": {item: 1.0}}).frame() for item in ("bad", "new", "good")]
    best = at_best(gold, lists, "ideal").frame().sort("score", descending=True)
    assert best.select("item", "score").rows() == [("good", 2.0), ("new", 0.0), ("bad", -1.0)]


def test_a_figure_that_is_no_mean_is_not_chosen():
    found = compare_sides(GOLD, {"sparse": SPARSE, "dense": DENSE}, "NumRelRet P@1", cutoff=1)
    assert found.ceilings[0].chosen is None
    assert found.leads == (0, 0)
    assert "A perfect choice" not in " ".join(sentences(found))


def test_lower_is_better_is_chosen_downwards():
    found = compare_sides(GOLD, {"sparse": SPARSE, "dense": DENSE}, "MR", cutoff=1, fusions=())
    one = found.ceilings[0]
    assert one.chosen <= one.single


@pytest.mark.parametrize("ties", ["expected", "order", "pessimistic", "realistic"])
def test_every_tie_rule(ties):
    tied = {"q1": {"a": 1.0, "x": 1.0}, "q2": {"d": 1.0, "e": 1.0}}
    found = compare_sides(GOLD, {"sparse": tied, "dense": DENSE}, "P@1", cutoff=1, policy=Policy(ties=ties))
    assert found.found[0].relevant == 5


@pytest.mark.parametrize(
    ("said", "error", "message"),
    [
        ({"cutoff": 0}, AssayError, "cutoff: expected at least 1 place, found 0"),
        ({"cutoff": 10, "depth": 5}, AssayError, "depth: expected at least the cutoff, 10, found 5"),
        ({"fusions": ["rff"]}, UnknownNameError, "Did you mean 'rrf'"),
        ({"fuse_weights": [1.0]}, AssayError, "one for each of 2 runs"),
    ],
)
def test_what_cannot_be_asked_is_said(said, error, message):
    with pytest.raises(error, match=re.escape(message)):
        compare_sides(GOLD, {"sparse": SPARSE, "dense": DENSE}, **said)


def test_one_run_is_not_enough():
    with pytest.raises(AssayError, match="expected two runs or more, found 1"):
        compare_sides(GOLD, [SPARSE])


def test_the_sentences_say_what_it_comes_to(sides):
    said = " ".join(sentences(sides))
    assert (
        "Among its first 1, dense finds 1 relevant item that sparse does not; sparse finds 1 that dense does not."
        in said
    )
    assert "Of 5 relevant items, 1 stands in no list: no fusion brings them. 2 stand in a list, but not" in said
    assert "A perfect choice of the system for each query would reach 0.6667" in said


def test_a_set_of_three_has_a_row_for_each_set():
    third = {"q1": ["a", "c"], "q2": ["e"]}
    found = compare_sides(GOLD, {"sparse": SPARSE, "dense": DENSE, "third": third}, "P@1", cutoff=2, fusions=())
    table = lexical_sides.found_table(found)
    rows = {row[0]: row[1:] for row in table.rows}
    assert rows["only sparse and third"] == ("1", "1")
    assert rows["only dense and third"] == ("1", "1")
    total = sum(
        int(count)
        for name, (count, _) in rows.items()
        if name.startswith("only") or name in {"found by all", "found by none"}
    )
    assert total == found.found[0].relevant


def test_text_fits_into_80_columns_and_markdown_holds_the_same(sides):
    text = lexical_sides.render(sides)
    assert max(map(len, text.splitlines())) <= 80
    assert "what?" in text
    shown = lexical_sides.to_markdown(sides)
    for one in lexical_sides.tables(sides):
        assert one.title in text
        assert f"**{one.title}**" in shown


def test_the_frame_has_a_row_for_each_figure(sides):
    frame = lexical_sides_documents.to_frame(sides)
    kinds = frame.group_by("kind").len().sort("kind").rows()
    assert kinds == [
        ("ceiling (choice)", 3), ("ceiling (order)", 6), ("ceiling (union)", 3), ("fusion", 9), ("system", 6),
    ]  # fmt: skip
    row = frame.row(1, named=True)
    assert (row["name"], row["baseline"], row["found"], row["wins"]) == ("dense", "sparse", 1, 1)


def test_a_retriever_is_asked_with_the_texts():
    texts = {"q1": "first", "q2": "second", "q3": "third", "q9": "of no gold"}
    asked = []

    def retrieve(text):
        asked.append(text)
        return ["a", "d"]

    found = compare_sides(GOLD, {"sparse": SPARSE, "callable": retrieve}, "P@1", cutoff=1, texts=texts)
    assert sorted(asked) == ["first", "second", "third"]
    assert found.found[0].by == (1, 1)
