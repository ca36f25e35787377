"""Figures of real graphs that are known from print or from other programs."""

import pytest

from assay.tasks.links.audit import audit_links
from assay.tasks.links.graph import KnowledgeGraph

SPLITS = ("train", "valid", "test")


@pytest.fixture(scope="module")
def audited(data):
    known = {}

    def audit(name):
        if name not in known:
            folder = data / "kg" / name
            numbers = folder / "entity2id.txt"
            given = numbers.exists()
            files = [folder / (f"{split}2id.txt" if given else f"{split}.txt") for split in SPLITS]
            maps = {"entities": numbers, "relations": folder / "relation2id.txt"} if given else {}
            known[name] = audit_links(KnowledgeGraph.read(*files, **maps))
        return known[name]

    return audit


@pytest.mark.parametrize(
    ("name", "percent"),
    [
        ("wn18", 94.0), ("wn18rr-openke", 34.9), ("umls", 40.8), ("kinships", 81.5), ("codex-s", 14.1),
        ("codex-m", 3.5), ("fb15k-237-openke", 0.0),
    ],
)  # fmt: skip
def test_test_triples_that_train_links_the_other_way_round(audited, name, percent):
    assert round(100 * audited(name).split("test").share("reversed"), 1) == percent


def test_same_pairs_of_umls(audited):
    assert round(100 * audited("umls").split("test").share("same_pair"), 1) == 52.2
    assert audited("fb15k-237-openke").split("test").same_pair == 0


@pytest.mark.parametrize(
    ("name", "test", "valid", "entities"), [("fb15k-237-openke", 28, 9, 36), ("wn18rr-openke", 210, 210, 384)]
)
def test_unseen_triples_and_entities(audited, name, test, valid, entities):
    found = audited(name)
    counts = found.split("test").unseen_triples, found.split("valid").unseen_triples, found.unseen_entities
    assert counts == (test, valid, entities)


def test_what_stays_of_fb15k_237_where_unseen_triples_are_dropped(audited):
    found = audited("fb15k-237-openke")
    test = found.split("test")
    assert (test.triples - test.unseen_triples, found.seen_entities) == (20_438, 14_505)
    (finding,) = found.of("unseen")
    assert "17,526 valid and 20,438 test triples and 14,505 entities stay" in finding.detail


def test_inverse_and_symmetric_relations_of_wn18(audited):
    found = audited("wn18")
    pairs = {(pair.first, pair.second) for pair in found.inverse} | {
        (pair.second, pair.first) for pair in found.inverse
    }
    assert ("_hypernym", "_hyponym") in pairs
    assert len(found.inverse) == 7
    assert {one.name for one in found.symmetric} == {"_derivationally_related_form", "_verb_group", "_similar_to"}
    assert {finding.code for finding in found.findings if finding.level == "warning"} == {
        "reversed", "inverse-relations", "symmetric-relations",
    }  # fmt: skip


def test_wn18rr_has_no_inverse_relations_left(audited):
    assert audited("wn18rr-openke").inverse == ()
    assert audited("wn18rr-openke").split("test").inverse == 0
