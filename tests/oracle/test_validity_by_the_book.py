"""Rules in SPARQL against the same rules as plain loops over the statements, on graphs made by chance."""

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assay.graph.sparql.store import Store
from assay.graph.validity.validity import validity

pytest.importorskip("pyoxigraph")
X = "http://x/"
AXIOMS = """
@prefix : <http://x/> . @prefix owl: <http://www.w3.org/2002/07/owl#> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
:p a owl:FunctionalProperty, owl:InverseFunctionalProperty, owl:AsymmetricProperty, owl:SymmetricProperty,
  owl:IrreflexiveProperty ; rdfs:domain :A ; rdfs:range :A .
:A2 rdfs:subClassOf :A1 . :A1 rdfs:subClassOf :A . :A owl:disjointWith :B .
"""
CLASSES = ("A", "A1", "A2", "B", "C")
THINGS = tuple(f"t{n}" for n in range(5))
BELOW_A = {"A", "A1", "A2"}

links = st.sets(st.tuples(st.sampled_from(THINGS), st.sampled_from(THINGS)), max_size=12)
types = st.sets(st.tuples(st.sampled_from(THINGS), st.sampled_from(CLASSES)), max_size=8)


def by_the_book(pairs, typed):
    """Return checked, wrong and unclear of each rule about p."""
    kinds = {thing: {name for one, name in typed if one == thing} for thing in THINGS}
    known = {s for s, _ in pairs} | {s for s, _ in typed}
    subjects, objects = Counter(s for s, _ in pairs), Counter(o for _, o in pairs)

    def ends(place):
        things = [pair[place] for pair in pairs]
        return (
            len(pairs),
            sum(bool(kinds[t]) and not kinds[t] & BELOW_A for t in things),
            sum(not kinds[t] for t in things),
        )

    return {
        "domain": ends(0),
        "range": ends(1),
        "functional": (len(subjects), sum(n > 1 for n in subjects.values()), 0),
        "inverse functional": (len(objects), sum(n > 1 for n in objects.values()), 0),
        "asymmetric": (len(pairs), sum((o, s) in pairs for s, o in pairs), 0),
        "symmetric": (len(pairs), sum((o, s) not in pairs for s, o in pairs), 0),
        "irreflexive": (len(pairs), sum(s == o for s, o in pairs), 0),
        "dangling": (len(pairs), sum(o not in known for _, o in pairs), 0),
        "self": (len(pairs), sum(s == o for s, o in pairs), 0),
    }


@given(links, types)
def test_every_count_is_that_of_the_loops(pairs, typed):
    said = "".join(f":{s} :p :{o} . " for s, o in pairs) + "".join(f":{s} a :{name} . " for s, name in typed)
    found = validity(Store.of(AXIOMS + said), namespaces=[X])
    rules = {one.kind: (one.checked, one.wrong, one.unclear) for one in found.rules if one.about == X + "p"}
    expected = by_the_book(pairs, typed)
    assert {kind: rules.get(kind, (0, 0, 0)) for kind in expected} == expected
    both = {t for t in THINGS if {n for s, n in typed if s == t} & BELOW_A and (t, "B") in typed}
    either = {s for s, name in typed if name in BELOW_A | {"B"}}
    one = found.of("disjoint", X + "A")
    assert (one.checked, one.wrong) == (len(either), len(both))
    assert len({pair for pair in found.invalid if pair[1] == X + "p"}) <= len(pairs)
