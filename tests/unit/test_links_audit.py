"""The audit of a knowledge graph: what the splits give away, and what is unseen."""

import json

import jsonschema
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from assay.errors import InputError, ParameterError
from assay.report.links_audit import render
from assay.report.schema.links_audit import LINKS_AUDIT
from assay.tasks.links.audit import audit_links
from assay.tasks.links.graph import KnowledgeGraph
from assay.tasks.links.leakage import leaks, relation_overlap


def audited(train, test=None, valid=None, **options):
    return audit_links(KnowledgeGraph.from_arrays(train, valid, test), **options)


def codes(found, level=None):
    return {finding.code for finding in found.findings if level in {None, finding.level}}


def only(found, code):
    (finding,) = found.of(code)
    return finding


LEAKY = [[0, 0, 1], [2, 0, 3], [1, 1, 0], [3, 1, 2], [4, 0, 5], [4, 2, 6]]
"""Relation 1 turns relation 0 around for two of its three pairs."""
ASKED = [[5, 1, 4], [0, 0, 1], [6, 2, 4]]


def test_duplicates_inverses_and_symmetry_are_told_apart():
    graph = KnowledgeGraph.from_arrays(LEAKY, test=ASKED)
    found = audit_links(graph)
    test = found.split("test")
    assert (test.in_train, test.reversed, test.inverse, test.symmetric) == (1, 2, 1, 1)
    (overlap,) = found.overlaps
    assert (overlap.first, overlap.second, overlap.triples, overlap.examples) == (
        "train",
        "test",
        1,
        (("0", "0", "1"),),
    )
    (pair,) = found.inverse
    assert (pair.first, pair.second, pair.shared, pair.test) == ("0", "1", 2, 1)
    assert (pair.of_first, pair.of_second) == (pytest.approx(2 / 3), 1)
    flags = leaks(graph)
    assert graph.splits["test"][flags.in_train].tolist() == [[0, 0, 1]]
    assert graph.splits["test"][flags.inverse].tolist() == [[5, 1, 4]]
    assert graph.splits["test"][flags.symmetric].tolist() == [[6, 2, 4]]
    assert only(found, "test-in-train").examples == ("0 0 1",)
    assert {"reversed", "inverse-relations"} <= codes(found, "warning")


def test_unseen_entities_and_the_triples_with_them_are_counted_apart():
    found = audited([[0, 0, 1], [1, 0, 2]], [[0, 0, 2], [3, 0, 1], [0, 0, 4]])
    test = found.split("test")
    assert (found.unseen_entities, test.unseen_entities, test.unseen_triples) == (2, 2, 2)
    assert (2 * test.triples, found.entities) == (6, 5)
    assert (2 * (test.triples - test.unseen_triples), found.seen_entities) == (2, 3)
    finding = only(found, "unseen")
    assert finding.level == "error"
    assert finding.examples == ("3", "4")
    assert finding.detail.startswith("Do these files belong together?")


def test_an_unseen_relation_counts_too():
    found = audited([[0, 0, 1], [1, 0, 2], [2, 0, 0]], [[0, 1, 1], [1, 0, 0], [2, 0, 1]])
    test = found.split("test")
    assert (test.unseen_relations, test.unseen_entities, test.unseen_triples) == (1, 0, 1)
    assert only(found, "unseen").level == "warning"
    assert "and relations: 1" in only(found, "unseen").title


def test_the_same_pair_under_another_relation():
    found = audited([[0, 0, 1], [2, 0, 3], [0, 1, 1]], [[2, 1, 3], [3, 1, 2]])
    test = found.split("test")
    assert (test.same_pair, test.reversed, test.symmetric) == (1, 1, 0)
    (pair,) = found.duplicate
    assert (pair.first, pair.second, pair.of_first, pair.of_second, pair.test) == ("0", "1", 0.5, 1, 1)


def test_a_triple_of_an_entity_with_itself_is_no_reverse():
    found = audited([[0, 0, 0], [1, 0, 2]], [[0, 1, 0], [1, 0, 1]])
    test = found.split("test")
    assert (test.self_loops, test.reversed, test.same_pair) == (2, 0, 1)
    assert found.per_relation[0].symmetric == 0
    assert only(found, "self-loops").title == "triples from an entity to itself: train 1, test 2"


def test_missing_splits_and_overlaps():
    alone = audited([[0, 0, 1]])
    assert alone.missing == ("valid", "test")
    assert {"no-valid", "no-test"} <= codes(alone, "warning")
    with_valid = audited([[0, 0, 1]], valid=[[1, 0, 0]])
    assert only(with_valid, "no-test").level == "note"
    assert only(with_valid, "reversed").title.startswith("valid triples")
    whole = audited([[0, 0, 1]], [[1, 0, 0]], [[1, 0, 0]])
    assert not whole.missing
    assert only(whole, "test-in-valid").title == "triples of test that valid holds too: 1 of 1"


def test_repeats_singles_and_unused():
    graph = KnowledgeGraph.from_arrays(
        [[0, 0, 1], [0, 0, 1], [0, 0, 2]], test=[[2, 0, 0]], entities=["a", "b", "c", "d"]
    )
    found = audit_links(graph)
    assert found.split("train").repeats == 1
    assert only(found, "repeats").examples == ("a 0 b",)
    assert (found.single_entities, found.unused_entities, found.split("test").rare_triples) == (2, 1, 1)
    assert only(found, "unused-entities").title.endswith(": 1")


def test_relations_are_listed_by_their_test_triples():
    train = [[h, 0, t] for h in (0, 1, 2) for t in (3, 4, 5)] + [[0, 1, 1], [1, 1, 0], [6, 2, 7]]
    found = audited(train, [[2, 1, 1], [1, 1, 2], [7, 2, 6]])
    assert [(one.name, one.train, one.test) for one in found.per_relation] == [("1", 2, 2), ("2", 1, 1), ("0", 9, 0)]
    (product,) = found.cartesian
    assert (product.name, product.heads, product.tails, product.filled) == ("0", 3, 3, 1)
    assert [one.name for one in found.symmetric] == ["1"]
    assert found.per_relation[1].filled is None
    assert (
        only(found, "test-by-relation").title == "half of the test triples belong to 1 of 3 relations; without any: 1"
    )


def test_a_threshold_decides_what_is_an_inverse():
    assert len(audited(LEAKY, ASKED, threshold=1).inverse) == 1
    assert audited(LEAKY, ASKED, threshold=0.6).split("test").inverse == 1
    weak = [[0, 0, 1], [2, 0, 3], [1, 1, 0], [5, 1, 6]]
    assert not audited(weak).inverse
    assert len(audited(weak, threshold=0.5).inverse) == 1
    with pytest.raises(ParameterError, match="threshold: expected a share above 0 and at most 1, found 0"):
        audited(weak, threshold=0)


def test_a_fact_at_another_time_is_not_held_by_train():
    found = audited([[0, 0, 1, 10], [0, 0, 1, 20], [2, 0, 0, 10]], [[0, 0, 1, 20], [0, 0, 1, 30], [2, 0, 0, 30]])
    test = found.split("test")
    assert (test.triples, test.in_train, test.at_other_time, test.same_pair) == (3, 1, 2, 0)
    assert found.overlaps[0].triples == 1
    assert only(found, "times").title.endswith("held by train at another time: test 2 of 3")
    assert audited([[0, 0, 1]], [[0, 0, 1]]).split("test").at_other_time is None


def test_an_entity_linked_to_itself_stands_in_one_triple():
    assert audited([[0, 0, 0], [1, 0, 2], [2, 0, 1]]).single_entities == 1


def test_three_triples_are_three_rows():
    found = audited([[0, 0, 1], [1, 1, 0], [2, 0, 3]], [[3, 1, 2]])
    assert (found.split("test").inverse, found.split("test").reversed) == (1, 1)
    assert [(one.name, one.heads, one.tails) for one in found.per_relation] == [("1", 1, 1), ("0", 2, 2)]


def test_a_graph_without_training_triples_is_refused():
    with pytest.raises(InputError, match="expected training triples, found none"):
        audit_links(KnowledgeGraph.from_arrays([], test=[[0, 0, 1]]))


def test_a_graph_without_test_triples_is_audited():
    found = audited([[0, 0, 1]], [])
    assert found.split("test").share("reversed") is None
    assert "test-by-relation" not in codes(found)


def test_it_is_plain_data_and_text(tmp_path):
    found = audited(LEAKY, ASKED)
    document = json.loads(json.dumps(found.to_dict(), allow_nan=False))
    jsonschema.validate(document, LINKS_AUDIT)
    assert document["splits"][1]["inverse"] == 1
    assert document["inverse"][0]["of_second"] == 1
    assert document["overlaps"][0]["examples"] == [["0", "0", "1"]]
    assert document["counts"]["warning"] == len([one for one in document["findings"] if one["level"] == "warning"])
    for width in (60, 80, 100):
        text = render(found, width=width)
        assert max(map(len, text.splitlines())) <= width
        assert "INVERSE RELATIONS" in text
    assert repr(found).startswith("LinksAudit('graph', 0 errors, ")


def test_long_and_odd_names_are_shortened_and_made_visible():
    train = [["a\x1b[31m", "/r/" + "x" * 90, "b"], ["b", "/s/" + "y" * 90, "a\x1b[31m"]]
    text = render(audited(train, [["b", "/r/" + "x" * 90, "a\x1b[31m"]]))
    assert "\x1b" not in text
    assert max(map(len, text.splitlines())) <= 80


TRIPLES = st.lists(st.tuples(st.integers(0, 4), st.integers(0, 2), st.integers(0, 4)), min_size=1, max_size=9)


@settings(max_examples=150)
@given(TRIPLES, TRIPLES, st.sampled_from([0.3, 0.5, 1.0]), st.randoms())
def test_the_counts_are_those_of_plain_loops(train, test, threshold, chance):
    found = audited(train, test, threshold=threshold)
    known, asked = set(train), set(test)

    def share(r, s):
        pairs = {(h, t) for h, q, t in known if q == r and h != t}
        return sum((t, s, h) in known for h, t in pairs) / len(pairs) if pairs else 0

    new = {one for one in asked if one not in known}
    plain = {one for one in new if one[0] != one[2]}
    split = found.split("test")
    assert split.in_train == len(asked) - len(new)
    assert split.symmetric == sum((t, r, h) in known for h, r, t in plain)
    assert split.reversed == sum(any((t, s, h) in known for s in range(3)) for h, r, t in plain)
    assert split.inverse == sum(
        any(s != r and (t, s, h) in known and share(r, s) >= threshold for s in range(3)) for h, r, t in plain
    )
    assert split.same_pair == sum(any((h, s, t) in known for s in range(3) if s != r) for h, r, t in new)
    entities = {end for h, _, t in known for end in (h, t)}
    relations = {r for _, r, _ in known}
    assert split.unseen_triples == sum(not ({h, t} <= entities and r in relations) for h, r, t in asked)
    assert {(int(p.first), int(p.second)) for p in found.inverse} == {
        (r, s) for r in range(3) for s in range(r + 1, 3) if max(share(r, s), share(s, r)) >= threshold
    }
    chance.shuffle(train)
    chance.shuffle(test)
    again = audited(train, test, threshold=threshold)
    assert (again.splits, again.inverse, again.per_relation) == (found.splits, found.inverse, found.per_relation)


def test_overlaps_leave_out_pairs_of_an_entity_with_itself():
    found = relation_overlap(np.array([[0, 0, 0], [0, 1, 0], [0, 0, 1], [0, 1, 1]]), 2, reverse=False)
    assert (found.shared.tolist(), found.share.tolist()) == ([1, 1], [1, 1])
