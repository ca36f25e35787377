"""What the commands of links say of models: their names, hard candidates by another one, what stands above."""

import json

import numpy as np
import pytest
from tests.unit.test_links_cli_candidates import ASKED, NATIONS

from assay.cli.main import run
from assay.core.links_worst import Answer, RankedTriple
from assay.report.links_worst import reading, render
from assay.tasks.links.models.named import NAMED

HARD = ["--hard-model", "complex", "--hard-entities", f"{NATIONS}/entities.npy", "--hard-relations",
        f"{NATIONS}/relations.npy"]  # fmt: skip


def said(capsys, *asked, code=0):
    assert run(["links", *map(str, asked)]) == code
    return capsys.readouterr()


def test_the_help_names_every_model(capsys):
    text = "".join(said(capsys, "evaluate", "--help").out.split())
    offered = text[text.index("--modelNAME") : text.index("--entitiesFILE")]
    assert [name for name in NAMED if name not in offered] == []


def test_rotate_as_in_its_paper_and_as_in_pykeen_differ_and_others_are_unknown(capsys, tmp_path):
    rng = np.random.default_rng(1)
    np.save(tmp_path / "e.npy", rng.normal(size=(14, 8)) + 1j * rng.normal(size=(14, 8)))
    np.save(tmp_path / "r.npy", np.exp(1j * rng.normal(size=(55, 8))))
    own = [*ASKED[:6], *ASKED[12:], "--entities", tmp_path / "e.npy", "--relations", tmp_path / "r.npy", "-o", "json"]
    found = {}
    for name in ("rotate", "rotate-l2"):
        document = json.loads(said(capsys, "evaluate", *own, "-m", "MRR", "--model", name).out)
        found[name] = document["runs"][0]["measures"]["RR"]["mean"]
    assert found["rotate"] != found["rotate-l2"]
    error = said(capsys, "evaluate", *own, "--model", "rotat", code=2).err
    assert "no model is called 'rotat'. Did you mean 'rotate'?" in error
    assert all(name in error for name in NAMED)


def test_hard_candidates_are_the_best_wrong_answers_of_the_other_model(capsys):
    asked = ("sample", *ASKED, "--kind", "hard", "--negatives", 3, "--exact", 0, "-o", "json")
    frequent = json.loads(said(capsys, *asked).out)
    hard = json.loads(said(capsys, *asked, *HARD).out)
    assert "best wrong answers of the model complex" in " ".join(hard["notices"])
    assert "train has most often" in " ".join(frequent["notices"])
    figures = [one["measures"]["HR@3"]["sampled"] for one in (hard, frequent)]
    assert figures[0] < figures[1]
    ranks = json.loads(said(capsys, "evaluate", *ASKED, "-m", "HR@3", "-o", "json").out)
    assert figures[0] == pytest.approx(ranks["runs"][0]["measures"]["HR@3"]["mean"])


def test_a_hard_model_that_does_not_fit_is_refused(capsys, tmp_path):
    np.save(tmp_path / "few.npy", np.ones((3, 4)))
    np.save(tmp_path / "r.npy", np.ones((55, 4)))
    (tmp_path / "named.txt").write_text("14 2\n" + "".join(f"n{row} 1 {row}\n" for row in range(14)))
    other = ["--hard-model", "distmult", "--hard-relations", tmp_path / "r.npy", "--hard-entities"]
    for options, message in (
        (HARD, "--hard-model: expected --kind hard, found --kind uniform"),
        (["--kind", "hard", *HARD[:2]], "expected NAME with --hard-entities FILE and --hard-relations FILE"),
        (
            ["--kind", "hard", *other, tmp_path / "few.npy"],
            "--hard-entities: expected a row for each of the 14 entities",
        ),
    ):
        assert message in said(capsys, "sample", *ASKED, *options, code=2).err


def test_hard_vectors_whose_names_stand_in_another_order_are_refused(capsys, tmp_path):
    names = (NATIONS / "entities.txt").read_text().split()
    rows = {name: place for place, name in enumerate(names)}
    for file, order in (("same.txt", names), ("other.txt", names[::-1])):
        lines = "".join(f"{name} {rows[name]} 1\n" for name in order)
        (tmp_path / file).write_text(f"14 2\n{lines}")
    np.save(tmp_path / "r.npy", np.ones((55, 2)))
    asked = ["sample", *ASKED, "--kind", "hard", "--negatives", 3, "--hard-model", "distmult", "--hard-relations",
             tmp_path / "r.npy", "--hard-entities"]  # fmt: skip
    said(capsys, *asked, tmp_path / "same.txt")
    assert "found names in another order" in said(capsys, *asked, tmp_path / "other.txt", code=2).err


def test_a_threshold_asks_what_it_is_told(capsys, tmp_path):
    (tmp_path / "pairs.csv").write_text("head,relation\nusa,embassy\nuk,embassy\n")
    asked = ("threshold", *ASKED, "--closed-world", "--precision", "0.1", "-o", "json")
    facts = {
        ask: json.loads(said(capsys, *asked, "--ask", ask).out)["facts"]
        for ask in ("train", "all", str(tmp_path / "pairs.csv"))
    }
    train, every, given = facts.values()
    assert (every["questions"], every["candidates"], every["asked"]) == (14 * 55, 14 * 55 * 14, "given")
    assert (given["questions"], given["asked"]) == (2, "given")
    assert 2 < train["questions"] < 14 * 55
    assert train["asked"] == "train"
    assert "--ask: expected train, all or a file" in said(capsys, *asked, "--ask", "some", code=2).err


def test_the_worst_triples_come_with_what_stands_above(capsys):
    document = json.loads(said(capsys, "evaluate", *ASKED, "--worst", 40, "--above", 13, "-o", "json").out)
    for one in document["worst"]:
        assert sum(not answer["known"] for answer in one["above"]) == one["greater"]
        assert all(answer["score"] > one["score"] for answer in one["above"])
        assert all((answer["split"] is None) is not answer["known"] for answer in one["above"])
    none = json.loads(said(capsys, "evaluate", *ASKED, "--above", 0, "-o", "json").out)["worst"]
    assert [one["above"] for one in none] == [None] * 10
    table = said(capsys, "evaluate", *ASKED, "--worst", 2).out
    assert "\n  above: israel (new), indonesia (new), poland (new)\n" in table
    assert "No split holds a new one" in " ".join(table.split())


@pytest.mark.parametrize("width", [40, 80])
def test_what_stands_above_fits_the_terminal(width):
    answers = tuple(Answer(f"entity {number} " * 6, 1.0, split) for number, split in enumerate((None, "train", "test")))
    one = RankedTriple("head", "a head", "a relation", "a tail", 4.0, 3, 0, 99, 0.5, answers)
    lines = render([one], width).splitlines()
    assert max(map(len, lines)) <= width
    assert sum("(train)" in line for line in lines) == sum("(new)" in line for line in lines) == 1
    assert len(list(reading([one]))) == 1
    assert not list(reading([RankedTriple("head", "a", "b", "c", 1.0, 0, 0, 9, 0.5)]))
