"""Which queries, slices and causes a drop comes from."""

import json
from dataclasses import replace

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.unit.history_stores import START
from tests.unit.nights import MEASURE, names, night

import assay
from assay.core.history_drift import CAUSES, Drift
from assay.core.history_series import Point
from assay.errors import InputError
from assay.history.drift import drift
from assay.history.drift.attribution import attribution
from assay.history.drift.causes import LOOKS, Scene
from assay.history.drift.change import Sides
from assay.history.drift.charts import Plan, series_of
from assay.history.drift.evidence import Evidence
from assay.history.drift.judging_again import JudgedAgain
from assay.report.history_drift import reasons
from assay.report.history_drift_documents import render, to_markdown
from assay.store.evaluations import HistoryStore

pytest.importorskip("sqlalchemy", reason="needs the extra store")

GOLD = assay.Gold.from_mapping({query: {"a": 1, "b": 1, "w": 0} for query in names(4)})
BEFORE = ["a", "b", "x"]


def heads(*rankings):
    rows = [(query, item, float(9 - at)) for query, items in zip(names(9), rankings, strict=False)
            for at, item in enumerate(items)]  # fmt: skip
    return pl.DataFrame(rows, schema=["query", "item", "score"], orient="row")


def attributed(before, after, *, gold=GOLD, evidence=None, judged=None, values=((0.9, 0.9), (0.4, 0.9)), **made):
    """Attribute the loss of the first of two queries, whose rankings are these."""
    old = night(0, values[0], head=heads(*before))
    new = night(1, values[1], head=heads(*after), **made)
    sides = Sides.of(old, new, MEASURE, "", judged or JudgedAgain(is_same=True))
    scene = Scene(old, new, gold, evidence or Evidence())
    return attribution(scene, sides.only(sides.shared), up=True)


def cause(after, **more):
    """Return cause and evidence of the query that lost."""
    (mover,) = attributed([BEFORE, BEFORE], [after, BEFORE], **more).movers
    return mover.cause, mover.evidence


def test_an_item_that_is_not_in_the_index_any_more():
    found = cause(["x", "y", "b"], evidence=Evidence(corpus=frozenset({"b", "x", "y"})))
    assert found == ("gone", "not in the index: a (rank 1)")
    assert cause(["x", "y", "b"], evidence=Evidence(corpus=frozenset({"a", "b"})))[0] != "gone"


def other_corpus(**made):
    """Attribute a loss between two corpora, of neither of which the ids are known."""
    rankings = [[BEFORE, BEFORE], [["w", "b", "x"], ["b", "x"]]]
    old, new = (
        night(at, values, head=heads(*rankings[at]), corpus=str(at) * 64, **(made if at else {}))
        for at, values in enumerate(([0.9, 0.9], [0.4, 0.9]))
    )
    sides = Sides.of(old, new, MEASURE, "", JudgedAgain(is_same=True))
    return attribution(Scene(old, new, GOLD, Evidence()), sides, up=True)


def test_an_item_in_no_ranking_of_another_corpus_may_be_gone():
    assert cause(["x", "b", "w"])[0] == "unexplained", "the corpus is not known"
    found = other_corpus().movers[0]
    assert (found.cause, found.evidence) == ("absent", "in no ranking of another corpus: a (rank 1)")
    assert CAUSES["absent"] == "an item may be gone from the index"
    assert other_corpus(code="def").movers[0].cause == "engine", "what is known comes before what may be"


def test_what_may_be_is_not_said_to_be_most():
    found = other_corpus()
    drifted = Drift("web", "both", 0.05, 90, (alarmed(),), attribution=found)
    assert not any(one.startswith("Mostly") for one in reasons(drifted))
    drifted = replace(drifted, attribution=other_corpus(code="def"))
    assert any(one.startswith("Mostly: the engine changed") for one in reasons(drifted))


def alarmed():
    points = [Point(at, START, "bm25", 0.5 - 0.2 * (at > 7) + 0.01 * (at % 2)) for at in range(12)]
    return series_of(points, MEASURE, "", up=True, plan=Plan())


def test_a_link_that_is_invalid_names_the_item_or_the_query():
    assert cause(["x", "b", "a"], evidence=Evidence(invalid=frozenset({"a"}))) == (
        "link",
        "named by an invalid link: a",
    )
    assert cause(["x", "b", "a"], evidence=Evidence(invalid=frozenset({"q0000"})))[0] == "link"
    assert cause(["x", "b", "a"], evidence=Evidence(invalid=frozenset({"x"})))[0] == "unexplained", "x did not fall"


def test_an_embedding_that_moved():
    found = cause(["x", "b", "a"], evidence=Evidence(moved={"a": 0.4, "b": 1.0}))
    assert found == ("moved", "kept 40 % of its neighbours: a")
    assert cause(["x", "a", "b"], evidence=Evidence(moved={"b": 1.0}))[0] == "unexplained", "it did not move"


def test_items_that_nobody_judged_came_in():
    assert cause(["y", "z", "a"]) == ("unjudged", "2 unjudged came in, 1 went")
    assert cause(["y", "z", "a"], gold=None)[0] == "unexplained"
    right = assay.Gold.from_mapping({query: {"a": 1, "b": 1} for query in names(4)})
    assert cause(["y", "z", "a"], gold=right)[0] == "unexplained", "a gold of right items alone has no holes"


def test_another_engine_is_the_cause_where_the_ranking_is_another():
    assert cause(["x", "b", "a"], code="def") == ("engine", "code abc → def; a 1 → 3")
    assert cause(BEFORE, code="def") == ("unexplained", "the same items in the same order")
    assert cause(["x", "b", "a"], platform="Darwin")[0] == "engine"


def test_conventions_are_the_cause_where_the_ranking_is_the_same():
    assert cause(BEFORE, policy={"ties": "expected"}) == ("conventions", "ties id-desc → expected")


def test_gold_is_the_cause_where_it_makes_half_of_a_loss():
    for value, expected in ((0.6, "gold"), (0.7, "unexplained")):
        judged = JudgedAgain(is_same=False, again=(np.array([value, 0.9]), names(2)))
        assert cause(BEFORE, judged=judged)[0] == expected


def test_the_first_cause_of_the_order_is_taken():
    everything = Evidence(frozenset({"b"}), frozenset({"a"}), {"a": 0.1})
    assert cause(["y", "z", "b"], evidence=everything, code="def")[0] == "gone"
    assert cause(["y", "z", "b"], evidence=replace(everything, corpus=None), code="def")[0] == "link"
    assert cause(["y", "z", "b"], evidence=replace(everything, corpus=None, invalid=None), code="def")[0] == "moved"
    assert cause(["y", "z", "b"], code="def")[0] == "unjudged"
    assert [*LOOKS, "unexplained"] == list(CAUSES)


def test_without_items_nothing_is_explained():
    old, new = night(0, [0.9]), night(1, [0.4], code="def")
    sides = Sides.of(old, new, MEASURE, "", JudgedAgain(is_same=True))
    (mover,) = attribution(Scene(old, new, None, Evidence()), sides, up=True).movers
    assert (mover.cause, mover.evidence, mover.places) == ("unexplained", "no items were kept", ())


def test_ranks_that_changed_are_the_evidence():
    (mover,) = attributed([BEFORE, BEFORE], [["x", "y", "a"], BEFORE]).movers
    rows = [(one.item, one.before, one.now, one.grade) for one in mover.places]
    assert rows == [("a", 1, 3, 1.0), ("b", 2, None, 1.0), ("x", 3, 1, None), ("y", None, 2, None)]


@given(
    st.lists(st.tuples(st.floats(0, 1), st.floats(0, 1), st.floats(0.1, 4), st.sampled_from("abc")), min_size=1),
    st.booleans(),
)
def test_contributions_add_up(rows, up):
    before, after, weights, labels = (list(column) for column in zip(*rows, strict=True))
    groups = {"kind": {query: label for query, label in zip(names(len(rows)), labels, strict=True) if label != "c"}}
    old = night(0, before, weights=weights, groups=groups, up=up)
    new = night(1, after, weights=weights, groups=groups, up=up)
    sides = Sides.of(old, new, MEASURE, "", JudgedAgain(is_same=True))
    found = attribution(Scene(old, new, None, Evidence()), sides, up=up)
    assert sum(one.contribution for one in (*found.causes, found.gained)) == pytest.approx(found.change, abs=1e-9)
    assert sum(one.contribution for one in found.slices) == pytest.approx(found.change, abs=1e-9)
    assert found.change == pytest.approx(new.figures[0].mean - old.figures[0].mean, abs=1e-9)
    assert sum(one.queries for one in found.causes) == found.lost


def test_the_worst_come_first_and_equal_ones_by_id():
    values = np.full(30, 0.5)
    after = values - np.where(np.arange(30) % 2, 0.1, 0.2)
    old, new = night(0, values), night(1, after)
    sides = Sides.of(old, new, MEASURE, "", JudgedAgain(is_same=True))
    found = attribution(Scene(old, new, None, Evidence()), sides, up=True)
    assert [one.query for one in found.movers] == [f"q{n:04}" for n in range(0, 20, 2)]
    assert found.lost == 30


def test_evidence_is_read_from_what_other_verbs_write(tmp_path):
    (tmp_path / "ids.txt").write_text("a\n\nb\n")
    (tmp_path / "corpus.jsonl").write_text('{"id": "a"}\n{"_id": "b"}\n')
    for name in ("ids.txt", "corpus.jsonl"):
        assert Evidence.read(tmp_path / name, tmp_path / "ids.txt", None).corpus == {"a", "b"}
    validity = {
        "predicates": None,
        "rules": [
            {"wrong": 3, "faults": [{"subject": "<http://x/a>", "object": '"b"'}, {"subject": "<c>", "object": None}]}
        ],
    }
    (tmp_path / "validity.json").write_text(json.dumps(validity))
    found = Evidence.read(None, tmp_path / "validity.json", None)
    assert found.invalid == {"http://x/a", "b", "c"}
    assert "names 2 of 3 invalid links" in found.notices[0]
    moved = {"moved": [{"name": "a", "displacement": 0.3, "overlap": 0.4, "gained": [], "lost": []}]}
    (tmp_path / "moved.json").write_text(json.dumps(moved))
    assert Evidence.read(None, None, tmp_path / "moved.json").moved == {"a": 0.4}


@pytest.mark.parametrize(
    ("place", "text", "said"),
    [
        (0, None, "expected a file, found an error: No such file"),
        (0, '{"name": 1}', "line 1: expected an id, or JSON with an id"),
        (1, '{"rules": 1}', "expected ids or the JSON of assay graph validity, found other JSON"),
        (1, '{"rules": [1], "predicates": []}', "expected rules with the faults of links, found others"),
        (1, '{"rules": [{"faults": ["a"]}], "predicates": []}', "expected rules with the faults of links"),
        (1, '{"rules": [{"faults": [{"subject": 1}]}], "predicates": []}', "expected rules with the faults"),
        (2, "{}", "expected the JSON of assay neighbours drift, found another file"),
        (2, '{"moved": [{"name": 1}]}', "expected items with name and overlap, found others"),
    ],
)
def test_other_files_are_refused(tmp_path, place, text, said):
    file = tmp_path / "x.json"
    if text is not None:
        file.write_text(text)
    paths = [None] * 3
    paths[place] = file
    with pytest.raises(InputError, match=said):
        Evidence.read(*paths)


def test_a_drop_is_told_with_slices_causes_and_ranks(tmp_path):
    (tmp_path / "ids.txt").write_text("b\nx\ny\n")
    groups = {"lang": {query: "de" if at < 10 else "en" for at, query in enumerate(names(40))}}
    random = np.random.default_rng(0)
    base = random.uniform(0.6, 0.9, 40)
    with HistoryStore.open("sqlite://") as store:
        for day in range(45):
            fell = day >= 40
            values = base + random.normal(0, 0.01) - 0.4 * fell * (np.arange(40) < 10)
            rows = [(q, i, 3.0 - at) for q in names(40)
                    for at, i in enumerate(["x", "y"] if fell and int(q[1:]) < 10 else ["a", "b"])]  # fmt: skip
            head = pl.DataFrame(rows, schema=["query", "item", "score"], orient="row")
            store.add(night(day, values, groups=groups, head=head))
        found = drift(store, "web", corpus_items=tmp_path / "ids.txt")
    assert {one.value: round(one.contribution, 1) for one in found.attribution.slices}["de"] == -0.1
    gone = next(one for one in found.attribution.causes if one.cause == "gone")
    assert gone.queries == 10
    text = render(found)
    assert max(map(len, text.splitlines())) <= 80
    for said in ("BY lang, of nDCG@10", "an item is gone from the index", "WORST QUERIES by nDCG@10", "a 1 → out"):
        assert said in text
    assert "### WORST QUERIES by nDCG@10" in to_markdown(found)
