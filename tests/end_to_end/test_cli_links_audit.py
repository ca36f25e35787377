"""`assay links` and `assay links audit` as people run them."""

import json

import pytest


@pytest.fixture
def graph(tmp_path):
    (tmp_path / "train.tsv").write_text(
        "a\tparent of\tb\nb\tchild of\ta\nc\tparent of\td\nd\tchild of\tc\ne\tknows\tf\n"
    )
    (tmp_path / "valid.tsv").write_text("f\tknows\te\n")
    (tmp_path / "test.tsv").write_text("e\tparent of\tf\na\tparent of\tb\nx\tknows\ta\n")
    return tmp_path


SPLITS = ("--train", "train.tsv", "--valid", "valid.tsv", "--test", "test.tsv")


def test_the_group_explains_itself(assay):
    page = assay("links").out
    assert page == assay("links", "--help").out
    assert page.startswith("Usage: assay links [OPTIONS] COMMAND [ARGS]...")
    assert "\n  audit " in page
    verb = assay("links", "audit", "--help").out
    assert verb.startswith("Usage: assay links audit [OPTIONS]")
    for option in ("--train", "--valid", "--test", "--format", "--entities", "--relations", "--debug"):
        assert option in verb
    assert max(map(len, (page + verb).splitlines())) <= 80
    assert "  links " in assay("--help").out


def test_the_audit_as_a_table(assay, graph):
    done = assay("links", "audit", *SPLITS)
    assert done.err == ""
    assert max(map(len, done.out.splitlines())) <= 80
    for words in ("WARNINGS", "[test-in-train]", "[same-pair]", "[unseen]", "INVERSE RELATIONS", "HOW TO READ THIS"):
        assert words in done.out
    assert "every figure comes out higher" in " ".join(done.out.split())


def test_the_audit_as_json(assay, graph):
    found = json.loads(assay("links", "audit", *SPLITS, "-o", "json").out)
    test = found["splits"][2]
    assert (test["name"], test["triples"], test["in_train"], test["unseen_triples"]) == ("test", 3, 1, 1)
    assert [(pair["first"], pair["second"]) for pair in found["inverse"]] == [("parent of", "child of")]
    assert found["counts"]["error"] == 0
    assay("links", "audit", *SPLITS, "--out", "audit.json")
    assert json.loads((graph / "audit.json").read_text()) == found


def test_names_and_formats(assay, graph):
    (graph / "train2id.txt").write_text("1\n0 1 0\n")
    (graph / "entity2id.txt").write_text("3\nParis\t0\nFrance\t1\nRome\t2\n")
    (graph / "names.txt").write_text("in\n")
    options = ("--entities", "entity2id.txt", "--relations", "names.txt", "--format", "openke", "-o", "json")
    found = json.loads(assay("links", "audit", "--train", "train2id.txt", *options).out)
    assert (found["entities"], found["unused_entities"], found["per_relation"][0]["name"]) == (3, 1, "in")


@pytest.mark.parametrize(
    ("args", "said"),
    [
        ((), "Missing option '--train'"),
        (("--train", "tran.tsv"), "Hint: did you mean 'train.tsv'?"),
        (("--train", "broken.tsv"), "broken.tsv, line 2: expected 3 columns (head relation tail), found 2: 'a\\tr'"),
        (
            ("--train", "train.tsv", "--entities", "few.txt"),
            "train.tsv, line 3: expected one of the 2 names of entities",
        ),
        (("--train", "train.tsv", "--format", "tvs"), "Did you mean 'tsv'?"),
        (("--train", "train.tsv", "-o", "jsno"), "Did you mean 'json'?"),
    ],
)
def test_mistakes_are_named(assay, graph, args, said):
    (graph / "broken.tsv").write_text("a\tr\tb\na\tr\n")
    (graph / "few.txt").write_text("a\nb\n")
    done = assay("links", "audit", *args, expect=2)
    assert said in done.err
    assert done.out == ""


def test_an_unknown_verb_of_the_group(assay):
    assert "Did you mean 'audit'?" in assay("links", "aduit", expect=2).err
