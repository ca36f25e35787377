"""Completeness by a reference, by relations and by demand."""

import json

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from assay.core.answers import Question, Suite
from assay.core.terms import Term, iri
from assay.errors import AssayError, FormatError, InputError, ParameterError
from assay.graph.completeness.completeness import completeness
from assay.graph.completeness.reference import Reference, read_reference
from assay.graph.sparql.store import Store
from assay.statistics.finite import finite_share
from assay.statistics.proportion import wilson
from assay.statistics.recapture import chapman

pytest.importorskip("pyoxigraph")
X = "http://x/"
TOWNS = Store.of(
    """@prefix : <http://x/> . :a a :Town ; :name "Ahausen" ; :in :r ; :size 100 ; :twin :b , :c .
    :b a :Town ; :name "Bdorf"@de ; :in :r ; :size 2.50 ; :twin :a . :c a :Town ; :name "Cstadt" . :d a :Town ."""
)


def write(folder, name, text):
    (folder / name).write_text(text, "utf-8")
    return folder / name


NAMED = "<http://x/%s> <http://x/%s> %s .\n"
AS_OBJECT = '{"head": "http://x/%s", "relation": "http://x/%s", "tail": %s}\n'
FACTS = (("a", "name", '"Ahausen"'), ("a", "in", "<http://x/r>"), ("b", "size", '"2.5"'), ("d", "name", '"Dheim"'))
FILES = {
    "facts.csv": "subject,predicate,object\n" + "".join("http://x/{},http://x/{},{}\n".format(*fact) for fact in FACTS),
    "facts.tsv": "".join("http://x/{}\thttp://x/{}\t{}\n".format(*fact) for fact in FACTS).replace('"', "") + "\n",
    "facts.nt": "".join(NAMED % fact for fact in FACTS).replace(
        '2.5"', '2.5"^^<http://www.w3.org/2001/XMLSchema#double>'
    ),
    "facts.jsonl": "".join(AS_OBJECT % fact for fact in FACTS).replace("<http://x/r>", '"r"').replace('"2.5"', "2.5"),
}


@pytest.mark.parametrize(("name", "text"), FILES.items(), ids=list(FILES))
def test_facts_of_a_reference_are_found_by_value_whatever_holds_them(tmp_path, name, text):
    found = completeness(TOWNS, reference=write(tmp_path, name, text))
    assert (found.domain.unit, found.domain.found, found.domain.of) == ("facts", 3, 4)
    assert found.domain.interval is None
    assert len(found.domain.missing) == 1
    assert "Dheim" in found.domain.missing[0]
    assert {one.predicate: (one.found, one.reference) for one in found.relations} == {
        f"{X}in": (1, 1), f"{X}name": (1, 2), f"{X}size": (1, 1),
    }  # fmt: skip


def test_entities_by_iri_and_by_what_a_property_holds(tmp_path):
    listed = write(tmp_path, "towns.csv", "entity\nhttp://x/a\nhttp://x/z\nhttp://x/a\n")
    assert (completeness(TOWNS, reference=listed).domain.found, len(read_reference(listed))) == (1, 2)
    named = write(tmp_path, "names.txt", "Ahausen\nBdorf\nZburg\n")
    with pytest.raises(InputError, match="expected entities as IRIs, found 'Ahausen'"):
        completeness(TOWNS, reference=named)
    found = completeness(TOWNS, reference=named, key=f"{X}name", recapture=True)
    assert (found.domain.found, found.domain.of, found.domain.unit) == (2, 3, "entities")
    assert (found.domain.recaptured.first, found.domain.recaptured.both) == (3, 2)
    assert found.domain.recaptured.total == pytest.approx(4 * 4 / 3 - 1)


def test_a_sample_has_an_interval_and_a_whole_list_has_none(tmp_path):
    reference = write(tmp_path, "towns.csv", "entity\nhttp://x/a\nhttp://x/b\nhttp://x/z\n")
    unknown = completeness(TOWNS, reference=reference, drawn_from=0).domain
    assert (unknown.interval.low, unknown.interval.high) == pytest.approx(wilson(2 / 3, 3, 0.95))
    finite = completeness(TOWNS, reference=reference, drawn_from=4).domain
    assert (finite.interval.low, finite.interval.high) == (0.5, 0.75)
    with pytest.raises(ParameterError, match="expected 1 to 2 drawn"):
        completeness(TOWNS, reference=reference, drawn_from=2)


def test_values_of_one_subject_were_drawn_together():
    twins = [(name, "twin", other) for name, others in {"a": "bcd", "b": "ac"}.items() for other in others]
    truth = Reference("twins", tuple((iri(X + s), iri(X + p), iri(X + o)) for s, p, o in twins))
    level = completeness(TOWNS, reference=truth, drawn_from=0).relations[0]
    assert (level.found, level.reference, level.interval.units) == (3, 5, 2)
    assert level.interval.low < wilson(3 / 5, 5, 0.95)[0]


def test_rules_of_thumb_and_when_one_value_says_little():
    found = {one.predicate: one for one in completeness(TOWNS, rules=["cwa", "pca", "2"]).relations}
    twin = found[f"{X}twin"]
    assert (twin.subjects, twin.values, twin.of, twin.functionality) == (2, 3, 4, pytest.approx(2 / 3))
    assert {one.rule: one.complete for one in twin.oracles} == {"cwa": 4, "pca": 2, "least-2": 1}
    assert found[f"{X}name"].functionality == 1
    with pytest.raises(ParameterError, match="expected cwa, pca or a number of values"):
        completeness(TOWNS, rules=["0"])


def test_demand_counts_what_is_never_used_and_what_cannot_be_read():
    asked = (
        Question("1", gold_query=f"SELECT ?n {{ ?x a <{X}Town> ; <{X}name> ?n }}", weight=3),
        Question("2", gold_query=f"SELECT ?n {{ ?x <{X}mayor> ?n }}"),
        Question("3", gold_query="SELECT nonsense"),
        Question("4", gold_query=f"SELECT ?n {{ <{X}a> ?any ?n }}"),
    )
    found = completeness(TOWNS, suite=Suite("s", asked)).demand
    assert {one.predicate: (one.weight, one.ratio, one.used) for one in found.wanted} == {
        f"{X}mayor": (0.25, 0.0, False), f"{X}name": (0.75, 0.75, True),
    }  # fmt: skip
    assert (found.queries, found.unread, found.variable) == (3, 1, 1)
    assert found.weighted == pytest.approx(0.75 * 0.75)
    assert found.classes == {f"{X}Town": 1.0}
    with pytest.raises(InputError, match="expected questions with SPARQL that names properties"):
        completeness(TOWNS, suite=Suite("s", (Question("1", "Who?"),)))


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("subject,predicate,object\nAnna,http://x/p,b\n", "line 2: expected the IRI of a subject"),
        ("subject,predicate,object\nhttp://x/a,http://x/p\n", "line 2: expected subject, predicate and object"),
        ("subject,predicate,object,entity\n,,,http://x/a\n", "line 2: expected the IRI of a subject"),
        ("entity\n", "expected facts or entities, found none"),
    ],
)
def test_a_reference_that_is_none_says_where(tmp_path, text, said):
    good = text if "none" in said else text + "http://x/a,http://x/p,b\n"
    with pytest.raises(FormatError if "none" not in said else InputError, match=said):
        read_reference(write(tmp_path, "odd.csv", good))


def test_broken_json_names_its_line(tmp_path):
    with pytest.raises(FormatError, match=r"odd.jsonl, line 2: expected a JSON object"):
        read_reference(write(tmp_path, "odd.jsonl", '"http://x/a"\n{"entity": \n'))


@pytest.mark.parametrize(("found", "drawn", "total"), [(9, 10, 100), (0, 5, 40), (5, 5, 40), (13, 30, 31), (1, 1, 2)])
def test_the_interval_of_a_finite_list_is_that_of_all_counts_that_are_no_surprise(found, drawn, total):
    stats = pytest.importorskip("scipy.stats")
    possible = [
        marked / total
        for marked in range(total + 1)
        if stats.hypergeom.sf(found - 1, total, marked, drawn) > 0.025
        and stats.hypergeom.cdf(found, total, marked, drawn) > 0.025
    ]
    assert finite_share(found, drawn, total, 0.95) == (min(possible), max(possible))


def test_capture_and_recapture_covers_what_was_drawn_from():
    random = np.random.default_rng(8)
    covered = []
    for _ in range(400):
        first, second = random.random(1_000) < 0.4, random.random(1_000) < 0.3
        _, _, found = chapman(int(first.sum()), int(second.sum()), int((first & second).sum()), 0.95)
        covered.append(found.low <= 1_000 <= found.high)
    assert 0.92 <= np.mean(covered) <= 0.98


def test_lists_that_are_all_alike_leave_nothing_unseen():
    total, error, found = chapman(50, 50, 50, 0.95)
    assert (total, error, found.low, found.high) == (50, 0, 50, 50)
    with pytest.raises(ParameterError, match="expected lists that share at most 3"):
        chapman(3, 5, 4, 0.95)


def test_a_text_means_a_literal_or_the_end_of_an_iri():
    truth = Reference(
        "t", ((iri(f"{X}a"), iri(f"{X}in"), Term("text", "r")), (iri(f"{X}b"), iri(f"{X}name"), Term("text", "Bdorf")))
    )
    assert completeness(TOWNS, reference=truth).domain.found == 2


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=200)
@given(
    st.sampled_from(["csv", "tsv", "jsonl", "nt", "txt"]),
    st.lists(
        st.sampled_from(
            ["subject,predicate,object\n", '"', "http://x/a", ",", "\t", "\n", "{", '"entity": 1}', "<", "ä"]
        )
    ),
)
def test_a_reference_is_read_or_refused_with_its_place(tmp_path, ending, parts):
    file = write(tmp_path, f"any.{ending}", "".join(parts))
    refused = ""
    try:
        found = len(read_reference(file))
    except AssayError as error:
        found, refused = 0, error.message
    assert bool(found) != (f"any.{ending}" in refused)


def test_values_of_json_and_lines_within_quotes(tmp_path):
    lines = [{"s": f"{X}a", "p": f"{X}p", "o": value} for value in (True, 2.5, None, "x")]
    with pytest.raises(FormatError, match="line 3: expected subject, predicate and object"):
        read_reference(write(tmp_path, "a.jsonl", "".join(json.dumps(one) + "\n" for one in lines)))
    del lines[2]
    found = read_reference(write(tmp_path, "a.jsonl", "".join(json.dumps(one) + "\n" for one in lines)))
    assert [fact[2].value for fact in found.facts] == ["true", "2.5", "x"]
    quoted = read_reference(write(tmp_path, "a.csv", f's,p,o\n{X}a,{X}p,"two\nlines"\n'))
    assert quoted.facts[0][2].value == "two\nlines"
