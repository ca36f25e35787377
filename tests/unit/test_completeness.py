"""The schema level of completeness: what counts as a value, who is in the denominator, what is expected."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assay.errors import FormatError, ParameterError, UnknownNameError
from assay.graph.completeness.completeness import completeness
from assay.graph.completeness.no_value import read_marks
from assay.graph.completeness.profile import profile
from assay.graph.completeness.required import required, restricted
from assay.graph.sparql.asking import QueryError
from assay.graph.sparql.store import Store

pytest.importorskip("pyoxigraph")
X = "http://x/"
PREFIXES = """@prefix : <http://x/> . @prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
@prefix owl: <http://www.w3.org/2002/07/owl#> . @prefix sh: <http://www.w3.org/ns/shacl#> .
@prefix xsd: <http://www.w3.org/2001/XMLSchema#> . """


def graph(text):
    return Store.of(PREFIXES + text)


def pairs(found):
    return {
        (one.class_name.removeprefix(X), one.predicate.removeprefix(X)): (one.have, one.of)
        for one in found.schema.filled
    }


@pytest.mark.parametrize("empty", ["''", "''@en", "''^^xsd:token"])
def test_an_empty_string_is_missing_unless_it_is_said_to_be_a_value(empty):
    one = graph(f":a a :C ; :p {empty} . :b a :C ; :p 'x' , {empty} . :c a :C ; :p [] .")
    assert pairs(completeness(one, expect="all")) == {("C", "p"): (2, 3)}
    assert pairs(completeness(one, expect="all", empty=True)) == {("C", "p"): (3, 3)}


def test_what_is_known_to_have_no_value_leaves_the_denominator():
    one = graph(":a a :C ; :p 'x' . :b a :C ; :p 'n/a' . :c a :C . :d a :C .")
    assert pairs(completeness(one, expect="all")) == {("C", "p"): (2, 4)}
    assert pairs(completeness(one, expect="all", no_value=["n/a"])) == {("C", "p"): (1, 3)}
    found = completeness(one, expect="all", no_value=["n/a"], marks=[(f"{X}c", f"{X}p")])
    assert pairs(found) == {("C", "p"): (1, 2)}
    assert found.schema.filled[0].no_value == 2


def test_a_mark_that_a_value_contradicts_does_not_count_and_is_told():
    found = completeness(graph(":a a :C ; :p 'x' . :b a :C ."), marks=[(f"{X}a", f"{X}p")])
    assert pairs(found) == {("C", "p"): (1, 2)}
    assert "1 marks of no value contradict" in " ".join(found.notices)


@pytest.mark.parametrize(
    "stated",
    [
        "[ owl:complementOf [ a owl:Restriction ; owl:onProperty :p ; owl:someValuesFrom owl:Thing ] ]",
        "[ a owl:Restriction ; owl:onProperty :p ; owl:maxCardinality 0 ]",
    ],
)
def test_owl_says_that_there_is_no_value(stated):
    one = graph(f":a a :C ; :p 'x' . :b a :C . :c a :C , {stated} .")
    assert pairs(completeness(one)) == {("C", "p"): (1, 2)}


def test_no_value_reaches_the_classes_above():
    one = graph(":D rdfs:subClassOf :C . :a a :C ; :p 1 . :b a :D , :C . :c a :D ; :p 2 .")
    found = completeness(one, expect="all", marks=[(f"{X}b", f"{X}p")])
    assert pairs(found) == {("C", "p"): (2, 2), ("D", "p"): (1, 1)}


def test_entities_of_several_classes_count_once_and_circles_do_no_harm():
    one = graph(":D rdfs:subClassOf :C . :C rdfs:subClassOf :D , owl:Thing . :a a :C , :D ; :p 1 . :b a :D .")
    found = profile(one)
    assert found.entities == {f"{X}C": 2, f"{X}D": 2}
    assert found.direct == {f"{X}C": 1, f"{X}D": 2}
    assert found.use(f"{X}C", f"{X}p").have == 1


@given(
    st.lists(st.tuples(st.sampled_from("abcdef"), st.sampled_from("CDEF")), max_size=12, unique=True),
    st.lists(st.tuples(st.sampled_from("CDEF"), st.sampled_from("CDEF")), max_size=5, unique=True),
    st.lists(st.tuples(st.sampled_from("abcdef"), st.sampled_from("pq"), st.sampled_from("xy")), max_size=12),
)
def test_counts_are_those_of_a_plain_loop(types, subclasses, values):
    lines = [f":{one} a :{kind} ." for one, kind in types]
    lines += [f":{low} rdfs:subClassOf :{high} ." for low, high in subclasses]
    lines += [f":{one} :{name} '{value}' ." for one, name, value in values]
    above = {kind: {kind} for kind in "CDEF"}
    for _ in above:
        for low, high in subclasses:
            above[low] |= above[high]
    members = {kind: {one for one, stated in types if kind in above[stated]} for kind in "CDEF"}
    found = profile(graph(" ".join(lines)))
    assert found.entities == {X + kind: len(some) for kind, some in members.items() if some}
    for kind, some in members.items():
        for name in "pq":
            having = {one for one, used, _ in values if used == name and one in some}
            assert found.use(X + kind, X + name).have == len(having)


def test_shapes_and_axioms_say_what_is_required():
    shapes = graph(
        """[] sh:targetClass :C ; sh:property [ sh:path :p ; sh:minCount 2 ] , [ sh:path :q ; sh:minCount 0 ] ,
           [ sh:path [ sh:inversePath :p ] ; sh:minCount 1 ] , [ sh:path :off ; sh:minCount 1 ; sh:deactivated true ] .
           :D a rdfs:Class , sh:NodeShape ; sh:property [ sh:path :p ; sh:minCount 1 ] ."""
    )
    assert required(shapes) == ({(f"{X}C", f"{X}p"): 2, (f"{X}D", f"{X}p"): 1}, 1)
    axioms = graph(
        """:C rdfs:subClassOf [ owl:onProperty :p ; owl:minCardinality 1 ] .
           :D owl:equivalentClass [ owl:intersectionOf ( :C [ owl:onProperty :q ; owl:someValuesFrom :C ] ) ] .
           :E rdfs:subClassOf [ owl:onProperty :q ; owl:allValuesFrom :C ] ."""
    )
    assert restricted(axioms) == {(f"{X}C", f"{X}p"): 1, (f"{X}D", f"{X}q"): 1}
    data = graph(":a a :C ; :p 1 , 2 . :b a :C ; :p 1 .")
    found = completeness(data, shapes=shapes, ontology=axioms)
    assert pairs(found) == {("C", "p"): (1, 2), ("D", "p"): (0, 0), ("D", "q"): (0, 0)}
    assert [one.why for one in found.schema.filled] == ["shapes", "shapes", "axioms"]


def test_a_class_without_entities_is_not_evaluated():
    shapes = graph("[] sh:targetClass :None ; sh:property [ sh:path :p ; sh:minCount 1 ] .")
    found = completeness(graph(":a a :C ."), shapes=shapes)
    assert found.schema.ratio is None
    assert found.schema.filled[0].ratio is None
    assert found.to_dict()["schema"]["not_evaluated"] == 1


def test_a_required_property_that_nothing_has_is_complete_to_no_part():
    shapes = graph("[] sh:targetClass :C ; sh:property [ sh:path :p ; sh:minCount 1 ] .")
    assert completeness(graph(":a a :C ."), shapes=shapes).schema.ratio == 0


def test_an_ontology_beside_the_graph_states_subclasses():
    found = completeness(graph(":a a :D ; :p 1 . :b a :C ; :p 2 ."), ontology=graph(":D rdfs:subClassOf :C ."))
    assert pairs(found)["C", "p"] == (2, 2)


def test_what_most_of_a_class_has_is_expected_and_the_share_is_said():
    text = ":a a :C ; :p 1 ; :q 1 . :b a :C ; :p 1 . :c a :C . :d a :C ."
    assert pairs(completeness(graph(text))) == {("C", "p"): (2, 4)}
    assert pairs(completeness(graph(text), threshold=0.25)) == {("C", "p"): (2, 4), ("C", "q"): (1, 4)}
    assert completeness(graph(text)).schema.threshold == 0.5
    assert completeness(graph(text), expect="all").schema.threshold is None


def test_the_graph_is_the_mean_of_its_classes_weighed_by_their_entities():
    found = completeness(graph(":a a :C ; :p 1 . :b a :C ; :p 1 . :c a :C . :d a :D ; :p 1 ."))
    assert found.schema.ratio == pytest.approx((2 / 3 * 3 + 1 * 1) / 4)


def test_order_and_repeated_statements_change_nothing():
    lines = [":a a :C ; :p 1 .", ":b a :D .", ":D rdfs:subClassOf :C .", ":b :p 2 ."]
    assert completeness(graph(" ".join(lines))).to_dict() == completeness(graph(" ".join(lines[::-1] * 2))).to_dict()


def test_a_graph_without_types_says_so():
    found = completeness(graph(":a :p 1 ."))
    assert found.schema.ratio is None
    assert "No entity has a type" in found.notices[-1]


def test_marks_from_a_file(tmp_path):
    file = tmp_path / "none.csv"
    file.write_text("subject,property\nhttp://x/a,http://x/p\n<http://x/b> <http://x/p>\n", "utf-8")
    assert read_marks(file) == [(f"{X}a", f"{X}p"), (f"{X}b", f"{X}p")]
    file.write_text("http://x/a,http://x/p\nhttp://x/b\n", "utf-8")
    with pytest.raises(FormatError, match=r"none.csv, line 2: expected two IRIs \(subject, property\), found"):
        read_marks(file)


def test_mistakes_have_one_line():
    one = graph(":a a :C .")
    with pytest.raises(UnknownNameError, match="Did you mean 'usage'"):
        completeness(one, expect="usages")
    with pytest.raises(ParameterError, match="expected a share above 0"):
        completeness(one, threshold=0)
    with pytest.raises(ParameterError, match="confidence between 0 and 1"):
        completeness(one, level=95)


def test_a_graph_that_does_not_answer_is_no_zero():
    class Broken:
        name = "broken"

        def select(self, query):
            raise QueryError(f"broken: expected an answer, found none to {query}")

    with pytest.raises(QueryError, match="found none"):
        completeness(Broken())
