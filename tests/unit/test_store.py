"""`Store`: RDF files as one graph, asked by SPARQL."""

import gzip

import pytest
from tests.unit.services import served

from assay.core.terms import XSD, Term, iri, literal
from assay.errors import FormatError, InputError
from assay.graph.sparql.asking import QueryError
from assay.graph.sparql.casts import RANGES, whole_of
from assay.graph.sparql.store import Store

pytest.importorskip("pyoxigraph")

TRIPLE = "<http://x/a> <http://x/p> <http://x/b>"
WRITTEN = {
    "nt": f"{TRIPLE} .",
    "nq": f"{TRIPLE} <http://x/g> .",
    "ttl": "@prefix : <http://x/> . :a :p :b .",
    "trig": "@prefix : <http://x/> . :g { :a :p :b }",
    "rdf": '<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns:x="http://x/">'
    '<rdf:Description rdf:about="http://x/a"><x:p rdf:resource="http://x/b"/></rdf:Description></rdf:RDF>',
    "jsonld": '{"@id": "http://x/a", "http://x/p": {"@id": "http://x/b"}}',
    "n3": "@prefix : <http://x/> . :a :p :b .",
}
ALL = "SELECT ?s ?p ?o { ?s ?p ?o }"


@pytest.mark.parametrize("ending", WRITTEN)
@pytest.mark.parametrize("packed", [False, True])
def test_every_format_is_read_plain_and_packed(tmp_path, ending, packed):
    path = tmp_path / (f"a.{ending}.gz" if packed else f"a.{ending}")
    content = b"" if ending == "jsonld" else b"\xef\xbb\xbf"
    content += WRITTEN[ending].encode()
    path.write_bytes(gzip.compress(content) if packed else content)
    assert Store.open([path]).select(ALL).rows == ((iri("http://x/a"), iri("http://x/p"), iri("http://x/b")),)


def test_a_triple_of_two_named_graphs_is_one_row(tmp_path):
    path = tmp_path / "a.nq"
    path.write_text(f'{TRIPLE} <http://x/g> .\n{TRIPLE} <http://x/h> .\n<http://x/c> <http://x/p> "x" .\n')
    kept = tmp_path / "kept"
    for given in ([[path]], [[path], kept], [[kept]]):
        store = Store.open(*given)
        assert len(store) == 2
        assert len(store.select(ALL).rows) == 2
        assert len(store.select("SELECT ?g { GRAPH ?g { ?s ?p ?o } }").rows) == 2
        del store  # what writes a folder lets go of it before another opens it


def test_blank_nodes_of_two_files_are_two(tmp_path):
    for name in ("a", "b"):
        (tmp_path / f"{name}.nt").write_text(f'_:x <http://x/p> "{name}" .')
    store = Store.open([tmp_path / "a.nt", tmp_path / "b.nt"])
    assert len({row[0] for row in store.select(ALL).rows}) == 2


def test_a_kept_graph_is_read_by_several_and_changed_by_none(tmp_path):
    (tmp_path / "a.nt").write_text(f"{TRIPLE} .")
    Store.open([tmp_path / "a.nt"], tmp_path / "kept")
    first, second = Store.reopen(tmp_path / "kept"), Store.reopen(tmp_path / "kept")
    assert len(first) == len(second) == 1
    with pytest.raises(RuntimeError, match="read-write"):
        first._store.clear()


def test_a_folder_of_named_graphs_alone_is_refused(tmp_path):
    import pyoxigraph

    store = pyoxigraph.Store(str(tmp_path / "theirs"))
    store.load(input=WRITTEN["nq"], format=pyoxigraph.RdfFormat.N_QUADS)
    store.flush()
    del store
    with pytest.raises(InputError, match="some that only named graphs hold"):
        Store.open([tmp_path / "theirs"])


def test_a_folder_without_a_graph_is_refused(tmp_path):
    with pytest.raises(InputError, match="found a folder without a graph"):
        Store.open([tmp_path])


def test_an_ill_formed_statement_is_named_by_its_line(tmp_path):
    path = tmp_path / "a.nt"
    path.write_text(f"{TRIPLE} .\n<http://x/a> nonsense .\n")
    with pytest.raises(FormatError, match=r"a\.nt, line 2: expected N-Triples"):
        Store.open([path])


def test_relative_names_are_of_the_file(tmp_path):
    path = tmp_path / "a.ttl"
    path.write_text("<#a> <http://x/p> <b> .")
    row = Store.open([path]).select(ALL).rows[0]
    assert row[0].value == f"{path.as_uri()}#a"


def test_terms_come_as_they_are():
    store = Store.of('@prefix : <http://x/> . :a :p "x"@EN-gb, 1, "y", _:b .')
    found = {row[0] for row in store.select("SELECT ?o { ?s ?p ?o }").rows}
    assert found >= {literal("x", language="en-gb"), literal("1", XSD + "integer"), literal("y")}
    assert sum(term.kind == "blank" for term in found) == 1


def test_columns_keep_their_order_and_unbound_cells_are_none():
    found = Store.of("").select("SELECT ?z ?a ?m { VALUES (?a ?z) { (1 UNDEF) } }")
    assert found.columns == ("z", "a", "m")
    assert found.rows == ((None, Term("literal", "1", XSD + "integer"), None),)


def test_rows_beyond_the_limit_are_left_out_and_it_says_so():
    store = Store.of("")
    query = "SELECT ?x { VALUES ?x { 1 2 3 } }"
    assert [store.select(query, most).truncated for most in (2, 3)] == [True, False]
    assert len(store.select(query, 2).rows) == 2


@pytest.mark.parametrize("query", ["SELEC", "CONSTRUCT { ?s ?p ?o } WHERE { ?s ?p ?o }", "DESCRIBE <http://x/a>", ""])
def test_what_is_no_question_is_an_error(query):
    store = Store.of("", "few")
    assert store.ask(query).status == "error"
    with pytest.raises(QueryError, match="few: expected"):
        store.select(query)


ELSEWHERE = [
    "SELECT * { SERVICE <%s> { ?s ?p ?o } }",
    "SELECT * { service silent <%s> { ?s ?p ?o } }",
    "SELECT * { VALUES ?x { 1 } ?x ?y 1SERVICE<%s>{ ?s ?p ?o } }",
    "SELECT * { ?x ?y 1e5SERVICE<%s>{ ?s ?p ?o } }",
    "PREFIX : <%s> SELECT * { SERVICE:{ ?s ?p ?o } }",
    "SELECT * { FILTER(1 < 2) # > \n SERVICE <%s> { ?s ?p ?o } }",
]


@pytest.mark.parametrize("query", ELSEWHERE)
def test_no_query_makes_this_process_ask_another_machine(query):
    with served(lambda handler: handler.send()) as server:
        found = Store.of("").ask(query % server.url)
        assert not server.asked
    assert found.status == "error"
    assert "SERVICE" in found.message


@pytest.mark.parametrize(
    "query", ["SELECT ?service { ?service <http://x/SERVICE> 'SERVICE' } # SERVICE", 'ASK { FILTER("service" = ?x) }']
)
def test_the_word_service_elsewhere_is_no_matter(query):
    assert Store.of("").ask(query).answered


@pytest.mark.parametrize(
    ("text", "datatype", "name", "number"),
    [
        ("12", "string", "int", 12),
        (" +7 ", "string", "int", 7),
        ("1.5", "string", "int", None),
        ("x", "string", "int", None),
        ("1.9", "decimal", "int", 1),
        ("-1.9e0", "double", "int", -1),
        ("INF", "double", "int", None),
        ("NaN", "double", "int", None),
        ("true", "boolean", "int", 1),
        ("2147483648", "integer", "int", None),
        ("9007199254740993", "integer", "long", 9007199254740993),
        ("-1", "integer", "nonNegativeInteger", None),
        ("0", "integer", "positiveInteger", None),
        ("1e999999999", "double", "nonNegativeInteger", None),
        ("2020-01-01", "date", "int", None),
    ],
)
def test_casts_to_whole_numbers_are_those_of_xpath(text, datatype, name, number):
    assert whole_of(text, XSD + datatype, name) == number


@pytest.mark.parametrize("name", RANGES)
def test_every_cast_is_known_to_the_engine(name):
    cast = f"<{XSD}{name}>"
    found = Store.of("").select(
        f'SELECT (1 + {cast}("-5") AS ?x) (1 + {cast}("5") AS ?y) ({cast}(<http://x>) AS ?z) {{}}'
    )
    assert [None if cell is None else cell.value for cell in found.rows[0]] == [
        None if name in {"nonNegativeInteger", "positiveInteger"} or name.startswith("unsigned") else "-4",
        None if name in {"nonPositiveInteger", "negativeInteger"} else "6",
        None,
    ]
