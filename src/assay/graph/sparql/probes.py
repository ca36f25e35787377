"""The probes as data: a query, what a correct engine answers, and where engines were seen to fail."""

from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal

Cell = Decimal | bool | str | None
"""A number, true or false, a text (IRIs and typed literals as N-Triples writes them), or unbound."""

WHOLE = "<http://www.w3.org/2001/XMLSchema#integer>"
TIME = "<http://www.w3.org/2001/XMLSchema#dateTime>"
TEN = " ".join(map(str, range(10)))


@dataclass(frozen=True, slots=True)
class Probe:
    """A query and its right answer.

    Parameters
    ----------
    name, what
        What it is called, and what a correct engine does.
    query
        The SPARQL.
    expected
        True or false for ASK; the rows, columns by name; or only how many rows there are.
    ordered
        Whether the rows come in this order.
    source
        Where an engine was seen to fail.
    data
        Turtle that the graph holds; empty where the query brings its data.
    """

    name: str
    what: str
    query: str
    expected: bool | int | Sequence[tuple[Cell, ...]]
    ordered: bool = False
    source: str = ""
    data: str = ""


def numbers(*values: float | str) -> list[tuple[Cell, ...]]:
    """Return one row for each number."""
    return [(Decimal(str(value)),) for value in values]


PROBES = (
    Probe("ask", "answers a question that is true", "ASK {}", True),
    Probe("ask-no", "answers a question that is false", "ASK { FILTER(false) }", False),
    Probe(
        "nested-not-exists",
        "tells what does not exist within what does not exist",
        "SELECT ?a { VALUES ?a { 1 } FILTER NOT EXISTS { VALUES ?a { 1 } FILTER NOT EXISTS { VALUES ?a { 2 } } } }",
        [],
        source="RDFLib/rdflib#709",
    ),
    Probe(
        "path-of-a-literal",
        "finds no literal at the beginning of a path",
        'SELECT * { VALUES ?v { "urn:x-assay:text" } ?v <urn:x-assay:b>? ?v }',
        [],
        source="oxigraph/oxigraph#317",
    ),
    Probe(
        "filter-alone",
        "applies a filter that stands alone in a group",
        "SELECT (1 AS ?x) { FILTER NOT EXISTS { VALUES ?y { 1 } } }",
        [],
        source="dotnetrdf/dotnetrdf#58",
    ),
    Probe(
        "outer-variable",
        "lets a filter within NOT EXISTS see the variables outside",
        "SELECT ?n { VALUES (?a ?n) { (1 1) (1 2) } "
        "FILTER NOT EXISTS { VALUES (?a ?m) { (1 1) (1 2) } FILTER(?m < ?n) } }",
        numbers(1),
        source="tentris/tentris#19",
    ),
    Probe(
        "filter-then-optional",
        "keeps a row that has nothing of what is optional",
        "SELECT ?x { VALUES (?x ?a) { (1 1) (2 9) } FILTER(?a < 5) OPTIONAL { VALUES (?x ?y) { (2 3) } } }",
        numbers(1),
        source="d2rq/d2rq#184",
    ),
    Probe(
        "exists-as-value",
        "computes EXISTS as a column",
        "SELECT (EXISTS { <urn:x-assay:a> <urn:x-assay:b> <urn:x-assay:c> } AS ?e) {}",
        [(False,)],
        source="RDFLib/rdflib#1472",
    ),
    Probe(
        "all-rows",
        "returns 11,000 rows, not only the first 10,000",
        f"SELECT ?a {{ VALUES ?a {{ {TEN} }} VALUES ?b {{ {TEN} }} VALUES ?c {{ {TEN} }} VALUES ?d {{ {TEN} 10 }} }}",
        11_000,
    ),
    Probe("duplicates", "keeps equal rows without DISTINCT", "SELECT ?x { VALUES ?x { 1 1 } }", numbers(1, 1)),
    Probe("distinct", "drops them with it", "SELECT DISTINCT ?x { VALUES ?x { 1 1 } }", numbers(1)),
    Probe(
        "unbound",
        "leaves a cell empty where a value is undefined",
        "SELECT ?x ?y { VALUES (?x ?y) { (1 UNDEF) } }",
        [(Decimal(1), None)],
    ),
    Probe(
        "order-of-numbers",
        "sorts numbers by value",
        "SELECT ?x { VALUES ?x { 10 9 -1 2.5 } } ORDER BY ?x",
        numbers(-1, 2.5, 9, 10),
        ordered=True,
    ),
    Probe(
        "order-of-unbound",
        "sorts what is unbound first",
        "SELECT ?x { VALUES ?x { 1 UNDEF } } ORDER BY ?x",
        [(None,), (Decimal(1),)],
        ordered=True,
    ),
    Probe(
        "descending",
        "sorts downwards by a second condition",
        "SELECT ?x ?y { VALUES (?x ?y) { (1 1) (1 2) (0 3) } } ORDER BY ?x DESC(?y)",
        [(Decimal(0), Decimal(3)), (Decimal(1), Decimal(2)), (Decimal(1), Decimal(1))],
        ordered=True,
    ),
    Probe(
        "limit-offset",
        "cuts the rows that it has sorted",
        "SELECT ?x { VALUES ?x { 5 3 1 2 4 } } ORDER BY ?x LIMIT 2 OFFSET 1",
        numbers(2, 3),
        ordered=True,
    ),
    Probe(
        "limit-within",
        "cuts the rows of a sub-select",
        "SELECT (COUNT(*) AS ?n) { { SELECT ?x { VALUES ?x { 1 2 3 } } LIMIT 2 } }",
        numbers(2),
    ),
    Probe(
        "count-of-nothing",
        "counts no rows as 0",
        "SELECT (COUNT(?x) AS ?n) (SUM(?x) AS ?s) { VALUES ?x {} }",
        [(Decimal(0), Decimal(0))],
    ),
    Probe(
        "groups",
        "counts by group, and keeps a group by its count",
        "SELECT ?x (COUNT(?y) AS ?n) { VALUES (?x ?y) { (1 1) (1 2) (2 3) } } GROUP BY ?x HAVING(COUNT(?y) > 1)",
        [(Decimal(2), Decimal(1))],
    ),
    Probe(
        "count-distinct",
        "counts different values, unbound ones not among them",
        "SELECT (COUNT(DISTINCT ?x) AS ?n) { VALUES ?x { 1 1 2 UNDEF } }",
        numbers(2),
    ),
    Probe("average", "divides whole numbers exactly", "SELECT (AVG(?x) AS ?a) { VALUES ?x { 1 2 } }", numbers(1.5)),
    Probe("decimals", "adds decimals exactly", "SELECT (0.1 + 0.2 AS ?x) {}", numbers(0.3)),
    Probe("equal-numbers", "finds 1 and 1.0 equal", "ASK { FILTER(1 = 1.0 && 1 = 1e0) }", True),
    Probe("error-is-unbound", "leaves a column unbound where it fails", "SELECT (1 / 0 AS ?x) {}", [(None,)]),
    Probe("error-in-or", "finds true where one side of || is", "ASK { FILTER(?none || true) }", True),
    Probe(
        "minus",
        "takes nothing away where no variable is shared",
        "SELECT ?x { VALUES ?x { 1 } MINUS { VALUES ?y { 1 } } }",
        numbers(1),
    ),
    Probe(
        "filter-in-optional",
        "applies a filter within OPTIONAL to what is optional",
        "SELECT ?x ?y { VALUES ?x { 1 2 } OPTIONAL { VALUES ?y { 2 } FILTER(?x = ?y) } }",
        [(Decimal(1), None), (Decimal(2), Decimal(2))],
    ),
    Probe(
        "bottom-up",
        "evaluates a group before what is around it",
        "SELECT ?x { VALUES ?x { 1 } { FILTER(BOUND(?x)) } }",
        [],
    ),
    Probe(
        "union",
        "keeps the rows of both sides of UNION",
        "SELECT ?x { { VALUES ?x { 1 } } UNION { VALUES ?x { 1 } } }",
        numbers(1, 1),
    ),
    Probe(
        "languages",
        "compares languages without case, and by range",
        'ASK { FILTER(LANGMATCHES(LANG("a"@de-AT), "DE") && "a"@en != "a" && LANG("a") = "") }',
        True,
    ),
    Probe("characters", "counts characters, not bytes", 'SELECT (STRLEN("né😀") AS ?n) {}', numbers(3)),
    Probe(
        "text",
        "returns quotes, line ends and other scripts as they are",
        "SELECT ?x { VALUES ?x { 'a\"b\\n\\\\c é 漢 😀' } }",
        [('a"b\n\\c é 漢 😀',)],
    ),
    Probe(
        "iri",
        "returns letters beyond ASCII in an IRI as they are",
        "SELECT ?x { VALUES ?x { <http://example.org/é%20x> } }",
        [("<http://example.org/é%20x>",)],
    ),
    Probe(
        "dates",
        "compares dates with their zones",
        f'ASK {{ FILTER("2020-01-01T12:00:00Z"^^{TIME} = "2020-01-01T14:00:00+02:00"^^{TIME} '
        f'&& "2020-02-01T00:00:00Z"^^{TIME} > "2020-01-31T00:00:00Z"^^{TIME}) }}',
        True,
    ),
    Probe("year", "takes dates apart", f'SELECT (YEAR("2020-02-03T00:00:00Z"^^{TIME}) AS ?y) {{}}', numbers(2020)),
    Probe(
        "regex",
        "searches without regard to case where asked to",
        'ASK { FILTER(REGEX("Bonn", "^bo", "i") && !REGEX("Bonn", "^bo")) }',
        True,
    ),
    Probe("replace", "replaces by groups of a pattern", 'SELECT (REPLACE("ab", "(a)(b)", "$2$1") AS ?x) {}', [("ba",)]),
    Probe("cast", "reads numbers in text", f'SELECT ({WHOLE}("7") AS ?x) {{}}', numbers(7)),
)
"""What any engine of SPARQL 1.1 answers alike, on any graph."""

REPORTED = (
    Probe(
        "nested-not-exists",
        "tells what does not exist within what does not exist",
        "PREFIX ex: <http://www.example.de#> SELECT ?a ?b { ?a ex:rel ?b "
        "FILTER NOT EXISTS { ?a ex:rel ?b . FILTER NOT EXISTS { ?c ex:rel2 ?b } } }",
        0,
        source="RDFLib/rdflib#709",
        data="@prefix ex: <http://www.example.de#> . ex:a ex:rel ex:b .",
    ),
    Probe(
        "path-of-a-literal",
        "finds no literal at the beginning of a path",
        "SELECT * { VALUES ?v { 1 } ?v <http://example.com/p>? ?v }",
        0,
        source="oxigraph/oxigraph#317",
    ),
    Probe(
        "filter-alone",
        "applies a filter that stands alone in a group",
        "SELECT (<http://e/s> AS ?x) { FILTER NOT EXISTS { <http://e/s> <http://e/p> <http://e/o> } }",
        0,
        source="dotnetrdf/dotnetrdf#58",
        data="<http://e/s> <http://e/p> <http://e/o> .",
    ),
    Probe(
        "outer-variable",
        "lets a filter within NOT EXISTS see the variables outside",
        "PREFIX : <http://w/> SELECT * { ?main a :Main ; :hasSize ?size . "
        "FILTER NOT EXISTS { ?main :hasSize ?size2 . FILTER(?size2 < ?size) } }",
        1,
        source="tentris/tentris#19",
        data="@prefix : <http://w/> . :main a :Main ; :hasSize 1, 2 .",
    ),
    Probe(
        "filter-then-optional",
        "keeps a row that has nothing of what is optional",
        "PREFIX : <http://x/> SELECT ?x { ?x :p ?a FILTER(?a < 5) OPTIONAL { ?x :q ?y } }",
        1,
        source="d2rq/d2rq#184",
        data="@prefix : <http://x/> . :a :p 1 . :b :p 9 ; :q 3 .",
    ),
    Probe(
        "exists-as-value",
        "computes EXISTS as a column",
        "SELECT (EXISTS { <http://e/a> <http://e/b> <http://e/c> } AS ?e) {}",
        1,
        source="RDFLib/rdflib#1472",
    ),
)
"""What people reported of engines, with the data that they reported."""
