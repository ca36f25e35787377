"""Suspect statements: each sign on data made for it, planted faults in a real graph, and labels of real samples."""

import csv
import json
import random

import numpy as np
import pytest

from assay.core.suspects import SIGNS
from assay.errors import FormatError, InputError
from assay.graph.accuracy.statements import Statements, read_statements
from assay.graph.validity.nodes import Nodes, kind_of
from assay.graph.validity.signs import all_signs, far, surprise
from assay.graph.validity.suspects import rank_suspects, read_labels

TYPE = "<http://www.w3.org/1999/02/22-rdf-syntax-ns#type>"
DATE = "^^<http://www.w3.org/2001/XMLSchema#date>"


def iri(name):
    return f"<http://x/{name}>"


def link(subject, predicate, value):
    return iri(subject), iri(predicate), iri(value)


def odd_one(rows, odd):
    """Return the signs of the statement that is odd, which must be the most suspect of all."""
    found = rank_suspects(Statements.of([*rows, odd]))
    assert found.suspects[0].statement == odd
    return set(found.suspects[0].signs)


def cities(n=40):
    rows = [link(f"p{i}", "bornIn", f"c{i % 10}") for i in range(n)]
    rows += [(iri(f"p{i}"), TYPE, iri("Person")) for i in range(n + 1)]
    return rows + [(iri(f"c{i}"), TYPE, iri("City")) for i in range(10)]


def test_an_object_of_another_type():
    film = (iri("film"), TYPE, iri("Film"))
    assert {"object type", "rare value"} <= odd_one([*cities(), film], link("p40", "bornIn", "film"))


def test_an_object_without_a_type_where_all_have_one():
    assert "object type" in odd_one(cities(), link("p40", "bornIn", "gone"))


def test_a_subject_of_another_type():
    rows = [*cities(), *((iri(f"r{n}"), TYPE, iri("River")) for n in range(30))]
    assert odd_one(rows, link("r1", "bornIn", "c1")) == {"subject type"}


def test_what_all_of_a_type_do_is_no_fault_of_one():
    rivers = [link(f"r{n}", "bornIn", "c1") for n in range(3)]
    found = rank_suspects(Statements.of([*cities(), *((iri(f"r{n}"), TYPE, iri("River")) for n in range(3)), *rivers]))
    assert not [one for one in found.suspects if "subject type" in one.signs]


def test_a_type_below_another_is_that_other_too():
    below = (iri("Town"), "<http://www.w3.org/2000/01/rdf-schema#subClassOf>", iri("City"))
    rows = [*cities(), below, (iri("t"), TYPE, iri("Town")), (iri("u"), TYPE, iri("Town"))]
    rows += [link(f"p{i}", "bornIn", "t") for i in range(40, 44)]
    rows += [(iri(f"p{i}"), TYPE, iri("Person")) for i in range(41, 44)]
    known = all_signs(Nodes.of(Statements.of(rows).rows))["object type"]
    assert known.max() < 0.5


def test_without_types_things_are_compared_by_their_links():
    rows = [link(f"p{i}", "bornIn", f"c{i % 10}") for i in range(40)]
    rows += [link(f"c{i}", "inCountry", f"k{i % 2}") for i in range(10)]
    assert "object type" in odd_one(rows, link("p40", "bornIn", "nowhere"))


def test_far_numbers_are_told_by_kind():
    rows = [(iri(f"m{n}"), iri("height"), f'"{170 + n % 15}"') for n in range(40)]
    assert odd_one(rows, (iri("m99"), iri("height"), '"1750"')) == {"number"}


def test_a_price_of_nothing_among_prices():
    rows = [(iri(f"m{n}"), iri("price"), f'"{3 ** (n % 9)}.5"') for n in range(80)]
    assert odd_one(rows, (iri("m99"), iri("price"), '"0"')) == {"number"}


def test_dates_of_another_century():
    rows = [(iri(f"m{n}"), iri("built"), f'"20{n % 20 + 10}-05-01"{DATE}') for n in range(40)]
    assert "date" in odd_one(rows, (iri("m99"), iri("built"), f'"1020-05-01"{DATE}'))


def test_a_second_value_where_everybody_has_one():
    rows = [link(f"p{i}", "bornIn", f"c{i}") for i in range(100)]
    found = rank_suspects(Statements.of([*rows, link("p7", "bornIn", "c100")]))
    assert {one.statement[0] for one in found.suspects[:2]} == {iri("p7")}
    assert list(found.suspects[0].signs) == ["many values"]


def test_statements_of_the_schema_are_no_suspects():
    rows = [(iri(f"c{n}"), TYPE, "<http://www.w3.org/2002/07/owl#Class>") for n in range(20)]
    rows += [(iri(f"c{n}"), iri("note"), f'"{n}"') for n in range(19)] + [(iri("c19"), iri("note"), '"90000"')]
    assert rank_suspects(Statements.of(rows)).suspected == 0


def test_the_order_of_statements_changes_nothing():
    rows = [*cities(), link("p40", "bornIn", "gone")]
    random.Random(1).shuffle(rows)
    first, second = (rank_suspects(Statements.of(each)).suspects for each in (rows, reversed(rows)))
    assert first == second


def test_nothing_is_suspect_where_all_are_alike():
    assert rank_suspects(Statements.of([link(f"p{i}", "bornIn", "c") for i in range(30)])).suspected == 0


def test_strengths_and_surprises_by_hand():
    assert far(np.array([1.0, 2, 3, 4, 5]) - 3).tolist() == [0] * 5
    assert far(np.array([0.0] * 9 + [10]))[-1] == pytest.approx(1 - 3 * 1.2533 / 10)
    assert surprise(np.array([0.0] * 8 + [0.5, 0.9])).tolist() == pytest.approx([0.0] * 8 + [-np.log10(0.2), 1])


@pytest.mark.parametrize(("text", "kind"), [
    ('"a"', "literal text"), ('"a"@en', "literal text"), ("concept:city:rome", "namespace concept:city:"),
    ("2001-02-03", "literal date"), ("_:b1", ""), ("Al Pacino", ""), ("<urn:a>", "namespace urn:"),
])  # fmt: skip
def test_what_writing_says_of_a_thing(text, kind):
    assert kind_of(text) == kind


def labels_of(rows, wrong):
    return {row: row not in wrong for row in rows}


def test_planted_faults_come_first_in_a_real_graph(data):
    """100 links bent to a random thing, 30 numbers times a thousand, in 26,903 statements."""
    rows, chance = list(read_statements([data / "rdf/ck25/prod-inst.ttl"]).rows), random.Random(3)
    links = [n for n, row in enumerate(rows) if row[2].startswith("<") and "prod-vocab" in row[1]]
    numbers = [n for n, row in enumerate(rows) if row[2].endswith(("#decimal>", "#integer>"))]
    things = sorted({row[0] for row in rows if "prod-instances" in row[0]})
    planted = set()
    for n in chance.sample(links, 100):
        rows[n] = (*rows[n][:2], chance.choice(things))
        planted.add(rows[n])
    for n in chance.sample(numbers, 30):
        _, text, kind = rows[n][2].split('"')
        rows[n] = (*rows[n][:2], f'"{float(text) * 1000:.0f}"{kind}')
        planted.add(rows[n])
    found = rank_suspects(Statements.of(rows), labels_of(rows, planted))
    assert found.mean["all"]["P@50"] >= 0.9
    assert found.mean["all"]["P@100"] >= 0.7
    assert found.mean["all"]["AP"] >= 0.65
    assert found.chance < 0.005


def test_the_real_faults_of_that_graph_are_near_the_top(data):
    statements = read_statements([data / "rdf/ck25/prod-inst.ttl"])
    gone = ("Lukas.Gerver", "Frau.Irmalinda", "Ida.Halle")
    wrong = {row for row in statements.rows if "hasProductManager" in row[1] and any(name in row[2] for name in gone)}
    wrong |= {row for row in statements.rows if row[1].endswith("/amount>") and not float(row[2].split('"')[1])}
    assert len(wrong) == 52
    found = rank_suspects(statements, labels_of(statements.rows, wrong))
    assert found.mean["all"]["R@100"] == pytest.approx(1)
    assert found.mean["all"]["P@50"] >= 0.7


LABELLED = {"nell": (1860, 161), "yago": (1386, 11), "dbpedia": (9344, 1395)}
MEASURED = {
    "nell": {"P@100": 0.15, "AP": 0.1768}, "yago": {"P@100": 0.02, "AP": 0.0231},
    "dbpedia": {"P@100": 0.13, "AP": 0.1435},
}  # fmt: skip


@pytest.mark.parametrize("name", sorted(LABELLED))
def test_samples_without_types_are_hard_and_the_figures_say_so(data, name):
    """Facts that people judged: no types, few statements a property. The list is hardly better than chance."""
    folder = data / "rdf/kg-accuracy"
    rows = json.loads((folder / f"{name}_kg.json").read_text("utf-8"))
    right = json.loads((folder / f"{name}_gt.json").read_text("utf-8"))
    labels = {tuple(map(str, row)): bool(right[key]) for key, row in rows.items()}
    found = rank_suspects(read_statements([folder / f"{name}_kg.json"]), labels)
    assert (found.labelled, found.wrong) == LABELLED[name]
    assert {measure: round(found.mean["all"][measure], 4) for measure in MEASURED[name]} == MEASURED[name]
    assert set(found.mean) <= {"all", *SIGNS}


def write(path, rows):
    with path.open("w", newline="", encoding="utf-8") as file:
        csv.writer(file).writerows(rows)
    return path


def test_labels_are_read_by_their_columns(tmp_path):
    head = ["note", "subject", "predicate", "object", "label"]
    path = write(
        tmp_path / "l.csv", [head, ["", "a", "p", "b", "right"], ["", "a", "p", "'=c", "0"], ["", "a", "p", "d", ""]]
    )
    assert read_labels(path) == {("a", "p", "b"): True, ("a", "p", "=c"): False}


@pytest.mark.parametrize(("rows", "said"), [
    ([["subject", "object", "label"]], "no column predicate"),
    ([["subject", "predicate", "object", "label"], ["a", "p", "b", "maybe"]], "line 2: expected right, wrong"),
    ([["subject", "predicate", "object", "label"], ["a", "p", "b", "1"], ["a", "p", "b", "0"]], "line 3: expected one"),
])  # fmt: skip
def test_labels_that_cannot_be_read(tmp_path, rows, said):
    with pytest.raises((InputError, FormatError), match=said):
        read_labels(write(tmp_path / "l.csv", rows))


def test_labels_of_another_graph_and_labels_that_find_nothing():
    statements = Statements.of([("a", "p", "b")])
    with pytest.raises(InputError, match="expected statements of graph, found none of 1"):
        rank_suspects(statements, {("x", "p", "y"): True})
    found = rank_suspects(statements, {("a", "p", "b"): True, ("x", "p", "y"): True})
    assert (found.quality, len(found.notices), found.chance) == ((), 2, 0)
