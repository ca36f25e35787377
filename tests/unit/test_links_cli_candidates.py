"""Candidates that fit the relation and the side: read, ranked among, and shown beside ranks among all."""

import json
from pathlib import Path

import numpy as np
import polars as pl
import pytest
from tests.unit.link_rankings import brute_ranking, random_graph

from assay.cli.main import run
from assay.errors import InputError
from assay.formats.link_questions import read_candidates, read_pairs
from assay.tasks.links.admitted import pairs_of
from assay.tasks.links.candidates import constrained, remarks, seen_candidates
from assay.tasks.links.evaluate import evaluate_ranking
from assay.tasks.links.models.scorer import Scorer
from assay.tasks.links.ranking import Ranking, rank

NATIONS = Path(__file__).parents[2] / "examples" / "links-nations"
ASKED = [
    *(part for split in ("train", "valid", "test") for part in (f"--{split}", f"{NATIONS}/{split}.tsv")),
    "--model", "complex", "--entities", f"{NATIONS}/entities.npy", "--relations", f"{NATIONS}/relations.npy",
    "--names", f"{NATIONS}/entities.txt", "--relation-names", f"{NATIONS}/relations.txt",
]  # fmt: skip
GRAPH = random_graph(3, entities=6, triples=40)


def written(folder, text, name="candidates.tsv"):
    path = folder / name
    path.write_text(text)
    return path


def test_openke_lists_heads_before_tails(tmp_path):
    read = read_candidates(written(tmp_path, "2\n0\t2\t1\t2\n0\t1\t3\n1\t0\n1\t2\t0\t5\n"))
    assert read.are_numbers
    assert {place: found.tolist() for place, found in constrained(GRAPH, read).items()} == {
        ("head", 0): [1, 2], ("tail", 0): [3], ("head", 1): [], ("tail", 1): [0, 5],
    }  # fmt: skip


@pytest.mark.parametrize("mark", [",", "\t"], ids=["csv", "tsv"])
def test_a_table_names_relation_side_and_entity_in_any_order(tmp_path, mark):
    rows = [("Entity", "why", "Side", "Relation"), ("e1", "-", "Head", "r0"), ("e2", "-", "tail", "r0")]
    read = read_candidates(written(tmp_path, "\n".join(mark.join(row) for row in rows) + "\n"))
    found = constrained(GRAPH, read)
    assert {place: entities.tolist() for place, entities in found.items()} == {("head", 0): [1], ("tail", 0): [2]}


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("2\n0 1 1\n0 1 1\n", "line 1: expected two lines for each of 2 relations"),
        ("1\n0 2 1 2\n0 3 1 2\n", "line 3: expected a relation, a count and 3 entities, found 2"),
        ("1\n0 1 a\n0 1 1\n", "line 2: expected whole numbers, found 'a'"),
        ("2\n0 1 1\n1 1 1\n1 1 1\n0 1 1\n", "line 3: expected the tails of relation 0"),
        ("1\n0 1 1\n0 1 99\n", "line 3: expected one of the 6 names of entities (given) as entity, found '99'"),
        ("relation\tside\tentity\nr0\thead\te0\nr0\ttial\te1\n", "line 3: no side is called 'tial'. Did you mean"),
        ("relation\tside\tentity\nr0\thead\n", "line 2: expected 3 columns"),
        ("relation\tside\tentity\nr0\thead\t\n", "line 2: expected a value as entity, found an empty cell"),
        ("relation\tside\tentity\nr9\thead\te1\n", "line 2: expected one of the 2 names of relations"),
        ("relation\tside\tentity\n", "expected rows below the line of names, found none"),
        ("r0\thead\te1\n", "expected a first line with the names relation, side, entity"),
    ],
)
def test_what_is_wrong_is_said_with_its_line(tmp_path, text, said):
    with pytest.raises(InputError) as error:
        constrained(GRAPH, read_candidates(written(tmp_path, text)))
    assert said in str(error.value)


def test_parquet_holds_candidates_too(tmp_path):
    pl.DataFrame({"relation": [0, 1], "side": ["head", "tail"], "entity": [4, 5]}).write_parquet(tmp_path / "c.parquet")
    found = constrained(GRAPH, read_candidates(tmp_path / "c.parquet"))
    assert {place: entities.tolist() for place, entities in found.items()} == {("head", 0): [4], ("tail", 1): [5]}


def test_ranks_among_what_train_holds_are_those_of_every_candidate():
    table = np.random.default_rng(2).integers(0, 5, size=(2, 6, 2, 6)) / 4
    scores = lambda entity, relation, side: table[int(side == "head"), entity, relation]  # noqa: E731
    given = seen_candidates(GRAPH)
    typed = {(side, relation): set(found.tolist()) for (side, relation), found in given.items()}
    found = rank(GRAPH, Scorer(scores, 6, 2), constrained=given)
    brute = brute_ranking(GRAPH, lambda side, entity, relation: scores(entity, relation, side), typed=typed)
    for name in ("typed_greater", "typed_equal", "greater", "raw_greater"):
        assert found.table[name].to_list() == brute.table[name].to_list()
    assert not found.table["typed_inside"].all()


def test_a_missed_entity_is_a_miss_and_the_ranks_say_where_candidates_are_from(tmp_path):
    model = Scorer(lambda entity, *_: np.tile(np.arange(6.0), (len(entity), 1)), 6, 2)
    ranking = rank(GRAPH, model, constrained=seen_candidates(GRAPH))
    named = Ranking(ranking.table, GRAPH, ranking.protocol, "m", candidates="train")
    named.write_parquet(tmp_path / "ranks.parquet")
    result = evaluate_ranking(Ranking.read_parquet(tmp_path / "ranks.parquet", GRAPH), "RR MR").under("typed")
    missed = int((~ranking.table["typed_inside"]).sum())
    assert result.outside == result.figure("MR").undefined == missed > 0
    assert result.figure("RR").undefined == 0
    assert result.meaning.endswith("fit the relation and the side, by train")


def test_candidates_made_with_the_answers_are_pointed_out():
    every = seen_candidates(GRAPH, ("train", "valid", "test"))
    assert "made with the answers" in " ".join(remarks(GRAPH, "test", every))
    before = seen_candidates(GRAPH)
    assert list(remarks(GRAPH, "test", before)) == []
    (said,) = remarks(GRAPH, "test", {("tail", 0): before["tail", 0]})
    assert said.startswith("3 relations and sides that are asked have no candidates given")


def evaluated(capsys, *options, code=0):
    assert run(["links", "evaluate", *ASKED, "-m", "MRR MR", "--worst", "0", *map(str, options)]) == code
    return capsys.readouterr()


def test_the_command_shows_typed_ranks_beside_filtered_ones(capsys, tmp_path):
    plain = json.loads(evaluated(capsys, "-o", "json").out)
    typed = json.loads(evaluated(capsys, "--candidates", "train", "-o", "json").out)
    assert typed["runs"][0]["measures"] == plain["runs"][0]["measures"]
    assert set(typed["protocols"]) - set(plain["protocols"]) == {"typed"}
    assert typed["protocols"]["typed"]["outside"] == 32
    table = evaluated(capsys, "--candidates", "train").out
    assert "(32 true entities are none of them: misses, left out of MR)" in " ".join(table.split())
    assert max(map(len, table.splitlines())) <= 80
    given = written(tmp_path, "relation,side,entity\nembassy,head,usa\nembassy,tail,china\n", "c.csv")
    assert "80 relations and sides that are asked have no candidates" in evaluated(capsys, "--candidates", given).err
    wider = json.loads(evaluated(capsys, "--candidates", "train+valid", "-o", "json").out)
    assert wider["protocols"]["typed"]["outside"] < 32


def test_words_and_numbers_that_mean_nothing_are_refused(capsys, tmp_path):
    said = evaluated(capsys, "--candidates", "trian", code=2).err
    assert "--candidates: expected train, train+valid or a file, found 'trian'" in said
    triples = written(tmp_path, "a\tr\tb\nb\tr\tc\n", "train.tsv")
    scores = written(tmp_path, "a\tr\tc\t0.5\n", "scores.tsv")
    lists = written(tmp_path, "1\n0 1 1\n0 1 1\n", "type_constrain.txt")
    asked = ["--train", triples, "--test", triples, "--scores", scores, "--candidates", lists]
    assert run(["links", "evaluate", *map(str, asked)]) == 2
    assert "expected names, as the triples hold, found numbers" in capsys.readouterr().err


def test_pairs_are_all_or_those_of_a_file(tmp_path):
    assert pairs_of(GRAPH, "train") is None
    assert len(pairs_of(GRAPH, "all")) == 12
    path = written(tmp_path, "Subject,predicate\ne3,r1\ne0,r0\n", "pairs.csv")
    assert pairs_of(GRAPH, path).tolist() == [[3, 1], [0, 0]]
    assert read_pairs(path).where(1).endswith("pairs.csv, line 3")
    with pytest.raises(InputError, match="line 2: expected one of the 2 names of relations"):
        pairs_of(GRAPH, written(tmp_path, "head,relation\ne3,r7\n", "pairs.csv"))
