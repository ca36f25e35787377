"""Statements as a population, and samples of them: one sequence from a seed, of which each sample is the beginning."""

import gzip
import json
from collections import Counter

import numpy as np
import pytest

from assay.errors import FormatError, InputError, ParameterError, UnknownNameError
from assay.graph.accuracy.draws import design_of, draw
from assay.graph.accuracy.statements import Statements, graph_statements, read_statements, settled
from assay.graph.sparql.store import Store

KINDS = ["simple", "cluster", "stratified"]


def made(seed=0, subjects=60):
    random = np.random.default_rng(seed)
    return [
        (f"s{subject}", f"p{random.integers(12) // 3 * (random.random() > 0.1)}", f"o{number}")
        for subject in range(subjects)
        for number in range(random.integers(1, 9))
    ]


@pytest.mark.parametrize("kind", KINDS)
def test_a_smaller_sample_is_the_beginning_of_a_larger_one(kind):
    statements = Statements.of(made())
    design = design_of(statements, kind)
    large, small = draw(statements, design, 120), draw(statements, design, 40)
    assert small == large[: len(small)]
    assert 40 <= len(small) < 43
    assert large != draw(statements, design_of(statements, kind, seed=1), 120)


@pytest.mark.parametrize("kind", KINDS)
def test_the_order_of_statements_changes_nothing(kind):
    rows = made()
    first, second = Statements.of(rows), Statements.of([*reversed(rows), rows[0]])
    assert (first.digest, second.repeated) == (second.digest, 1)
    assert draw(first, design_of(first, kind), 50) == draw(second, design_of(second, kind), 50)


@pytest.mark.parametrize("kind", ["simple", "stratified"])
def test_no_statement_is_drawn_twice_and_all_can_be_drawn(kind):
    statements = Statements.of(made())
    drawn = draw(statements, design_of(statements, kind), 10_000)
    assert sorted(row.statement for row in drawn) == list(statements.rows)
    assert [row.draw for row in drawn] == list(range(1, len(statements) + 1))


def test_strata_keep_their_shares():
    statements = Statements.of(made(subjects=200))
    drawn = draw(statements, design_of(statements, "stratified"), 90)
    counts, weights = Counter(row.stratum for row in drawn), {row.stratum: row.weight for row in drawn}
    assert sum(weights.values()) == pytest.approx(1)
    assert all(abs(counts[name] - 90 * weight) <= 1.5 for name, weight in weights.items())
    rare = [*made(subjects=200), ("s1", "rare", "o")]
    drawn = draw(Statements.of(rare), design_of(Statements.of(rare), "stratified"), 10_000)
    assert next(row.stratum for row in drawn if row.statement[1] == "rare") == "(other)"


def test_subjects_are_drawn_by_their_number_of_statements():
    statements = Statements.of([("large", "p", f"{n}") for n in range(80)] + [(f"s{n}", "p", "o") for n in range(20)])
    drawn = draw(statements, design_of(statements, "cluster", per_subject=5), 10_000)
    heads = {row.draw: row.statement[0] for row in drawn}
    share = np.mean([head == "large" for head in heads.values()])
    assert share == pytest.approx(0.8, abs=0.03)
    by_draw = Counter(row.draw for row in drawn)
    assert {by_draw[number] for number, head in heads.items() if head == "large"} == {5}
    assert {by_draw[number] for number, head in heads.items() if head != "large"} == {1}
    assert len({(row.draw, row.statement) for row in drawn}) == len(drawn)
    assert all(row.weight == 1 / by_draw[row.draw] for row in drawn)


def test_designs_that_make_no_sense_are_refused():
    statements = Statements.of(made())
    with pytest.raises(UnknownNameError, match="Did you mean 'cluster'"):
        design_of(statements, "clusters")
    with pytest.raises(ParameterError, match="at least 1 statement"):
        design_of(statements, "cluster", per_subject=0)
    with pytest.raises(ParameterError, match="seed"):
        design_of(statements, seed=-1)
    with pytest.raises(ParameterError, match="size"):
        draw(statements, design_of(statements), 0)
    with pytest.raises(ParameterError, match="found one of others"):
        draw(Statements.of(made()[1:]), design_of(statements), 5)


def test_statements_are_read_from_rdf_tables_and_json(tmp_path):
    (tmp_path / "a.ttl").write_text('@prefix : <http://x/> . :a :knows :b ; :age 5 ; :name "A"@en .')
    (tmp_path / "b.csv").write_text("subject,predicate,object\na,knows,b\n")
    (tmp_path / "c.tsv.gz").write_bytes(gzip.compress(b"a\tknows\tc\n"))
    (tmp_path / "d.json").write_text(json.dumps({"1": ["a", "age", 5], "2": [["b", "age", 6], ["from", "to"]]}))
    (tmp_path / "e.json").write_text(json.dumps([{"subject": "a", "predicate": "p", "object": "o"}]))
    (tmp_path / "f.jsonl").write_text('{"s": "a", "p": "p", "o": 1}\n\n["b", "p", 2]\n')
    rdf = read_statements([tmp_path / "a.ttl"]).rows
    assert ("<http://x/a>", "<http://x/name>", '"A"@en') in rdf
    assert ("<http://x/a>", "<http://x/age>", '"5"^^<http://www.w3.org/2001/XMLSchema#integer>') in rdf
    assert read_statements([tmp_path / "b.csv", tmp_path / "c.tsv.gz"]).rows == (
        ("a", "knows", "b"),
        ("a", "knows", "c"),
    )
    assert read_statements([tmp_path / "d.json"]).rows == (("a", "age", "5"), ("b", "age", "6"))
    assert read_statements([tmp_path / "e.json"]).rows == (("a", "p", "o"),)
    assert read_statements([tmp_path / "f.jsonl"]).rows == (("a", "p", "1"), ("b", "p", "2"))
    assert len(read_statements(sorted(tmp_path.iterdir()))) == 10
    assert graph_statements(Store.open([tmp_path / "a.ttl"])).rows == rdf


@pytest.mark.parametrize(
    ("name", "text", "error", "said"),
    [
        ("a.json", "[1", FormatError, "expected JSON"),
        ("a.json", "7", InputError, "expected statements, found 7"),
        ("a.json", '{"x": ["a", "b"]}', InputError, r"statement x: expected \[subject, predicate, object\]"),
        ("a.json", '[{"s": "a", "p": "b"}]', InputError, "statement 1: expected"),
        ("a.json", "[]", InputError, "expected statements, found none"),
        ("a.jsonl", '["a", "b", "c"]\n["a", null, "c"]\n', InputError, "line 2: expected"),
        ("a.jsonl", '["a", "b", "c"]\n{\n', FormatError, "line 2: expected JSON"),
        ("a.ttl", "@prefix : <http://x/> .", InputError, "expected statements, found none"),
    ],
)  # fmt: skip
def test_files_without_statements_are_refused(tmp_path, name, text, error, said):
    (tmp_path / name).write_text(text)
    with pytest.raises(error, match=said):
        read_statements([tmp_path / name])


def test_blank_nodes_are_named_by_what_is_said_of_them(tmp_path):
    text = "@prefix : <http://x/> . :a :p [ :q 1 ; :r [ :q 2 ] ] , [ :q 3 ] , [ :q 3 ] . _:z :next _:z ."
    (tmp_path / "a.ttl").write_text(text)
    first, second = (read_statements([tmp_path / "a.ttl"]) for _ in range(2))
    assert first.rows == second.rows
    assert first.digest == second.digest
    assert len({row[0] for row in first.rows if row[0].startswith("_:")}) == 4
    assert len(first) == 7  # the two that are alike are one, and their statements two
    chain = [(f"_:{n}", "next", f"_:{n + 1}") for n in range(30)]
    other = [(f"_:{(7 * n) % 31}", "next", f"_:{(7 * n + 7) % 31}") for n in range(30)]
    assert len({row[0] for row in settled(chain)}) == 30
    assert sorted(settled(chain)) == sorted(settled(other))
