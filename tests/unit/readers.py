"""Every reader of files by its name: the ending that it looks at, a small file that it reads, and how it is called."""

import io
import json
import tempfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl

from assay.cli.trec_eval.zscores import read_scales
from assay.compare.recorded import read_results
from assay.formats import FORMATS, Source, read_gold, read_run
from assay.formats.answer_files import read_answers
from assay.formats.clicks import read_clicks
from assay.formats.labels import read_labels
from assay.formats.link_questions import read_candidates, read_pairs
from assay.formats.name_files import read_names
from assay.formats.rag_files import read_records
from assay.formats.rdf import read_links, read_terms
from assay.formats.sparql_results import read_results as read_sparql
from assay.formats.suites import read_suite
from assay.formats.table import read_table
from assay.formats.triples import read_triples
from assay.graph.accuracy import label_file
from assay.graph.accuracy.statements import read_statements
from assay.graph.completeness.no_value import read_marks
from assay.graph.completeness.reference import read_reference
from assay.graph.sparql.store import Store
from assay.graph.validity import suspects
from assay.judging import links as same_as
from assay.judging import pool_file
from assay.judging.clicks.propensity import read_propensities
from assay.tasks.answers.query_log import suite_of_log
from assay.tasks.entities.records import read_sources, read_weights
from assay.tasks.links.breakdowns import read_types
from assay.tasks.links.embeddings import read_embeddings
from assay.tasks.links.models.predictions import Predictions
from assay.tasks.neighbours.adapters import answers_of
from assay.tasks.neighbours.label_files import as_labels
from assay.tasks.neighbours.vectors import Vectors
from assay.verify.document import read_document

VECTORS = Vectors.of([[0.0], [1.0]], ["a", "b"])
NAMES = pl.Series(["a", "b"])
TURTLE = b'@prefix x: <http://x/> . x:a x:p x:b, "v"@en ; x:q ( 1 2 ) .\n'
XML = (
    b'<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns:x="http://x/">'
    b'<rdf:Description rdf:about="http://x/a"><x:p>v</x:p></rdf:Description></rdf:RDF>'
)
SUITE = b'{"id": "q1", "query": "SELECT ?x { ?x ?p ?o }", "answers": [["http://x/a"]]}\n'
RESULT = b'{"head": {"vars": ["x"]}, "results": {"bindings": [{"x": {"type": "uri", "value": "http://x/a"}}]}}'
SEQUENCE = b'{"question": "q1", "retrieved": ["a", "b"], "needed": ["a"], "answer": "yes"}\n'


@dataclass(frozen=True)
class Reader:
    """A reader, and a file that it reads."""

    ending: str
    example: bytes
    read: Callable[[str], Any]


def array(save: Callable[..., None], *given: Any, **named: Any) -> bytes:
    """Return what NumPy saves."""
    file = io.BytesIO()
    save(file, *given, **named)
    return file.getvalue()


def parquet(**columns: Any) -> bytes:
    """Return a table as Parquet."""
    file = io.BytesIO()
    pl.DataFrame(columns).write_parquet(file)
    return file.getvalue()


def safetensors(**about: Any) -> bytes:
    """Return a file of safetensors of four zeros of which its head says this."""
    head = json.dumps({"e": {"dtype": "F32", "shape": [2, 2], "data_offsets": [0, 16]} | about}).encode()
    return len(head).to_bytes(8, "little") + head + bytes(16)


def drained(found: Any) -> list[Any]:
    """Read on to the end."""
    return list(found)


def formats() -> Iterator[tuple[str, Reader]]:
    """Yield the readers of all registered formats of gold and runs."""
    for name, known in FORMATS.items():
        ending = (*known.suffixes, "dat")[0]
        yield f"gold {name}", Reader(ending, known.example("gold"), lambda path, name=name: read_gold(path, name))
        yield f"run {name}", Reader(ending, known.example("run"), lambda path, name=name: read_run(path, name).frame())


def rows_of_pairs(path: str) -> list[Any]:
    """Read what is to be judged."""
    return drained(pool_file.read_pairs(path)[1])


def asked_of_pairs(path: str) -> list[Any]:
    """Read the queries of what is to be judged."""
    return drained(pool_file.named_rows(Source.open(path)))


def graph(path: str) -> Any:
    """Load RDF."""
    return Store.open([path])


READERS: dict[str, Reader] = {
    **dict(formats()),
    "any gold": Reader("dat", b"q1 0 a 1\n", read_gold),
    "any run": Reader("dat", b"q1 Q0 a 1 2.5 x\n", lambda path: read_run(path).frame()),
    "costs": Reader("jsonl", b'{"query": "q", "item": "a", "score": 1, "latency": 2}\n', lambda p: read_run(p).costs()),
    "table": Reader("csv", b"a,b\n1,2\n", read_table),
    "triples": Reader("tsv", b"a\tp\tb\nb\tp\ta\n", lambda path: read_triples(path).table),
    "triples nt": Reader("nt", b"<http://x/a> <http://x/p> <http://x/b> .\n", read_triples),
    "triples openke": Reader("txt", b"2\n0 1 0\n1 0 0\n", lambda path: read_triples(path, "openke").table),
    "triples parquet": Reader("parquet", parquet(head=["a"], relation=["p"], tail=["b"]), read_triples),
    "links ttl": Reader("ttl", TURTLE, lambda path: read_links(Source.open(path), "turtle")),
    "terms xml": Reader("rdf", XML, lambda path: drained(read_terms(Source.open(path), "RDF_XML"))),
    "graph ttl": Reader("ttl", TURTLE, graph),
    "graph rdf": Reader("rdf", XML, graph),
    "graph jsonld": Reader("jsonld", b'{"@id": "http://x/a", "http://x/p": {"@id": "http://x/b"}}', graph),
    "suite jsonl": Reader("jsonl", SUITE, read_suite),
    "suite yaml": Reader("yaml", b"- id: q1\n  query: SELECT ?x { ?x ?p ?o }\n  answers: [[a]]\n", read_suite),
    "query log": Reader("csv", b"query,count\nSELECT ?x { ?x ?p ?o },2\n", suite_of_log),
    "query log text": Reader("log", b"SELECT ?x { ?x ?p ?o }\nGET /sparql?query=ASK+%7B%7D\n", suite_of_log),
    "answers": Reader("jsonl", b'{"id": "q1", "answers": ["http://x/a"]}\n', read_answers),
    "sparql results": Reader("json", RESULT, lambda path: read_sparql(Source.open(path).text(), path)),
    "rag": Reader("jsonl", SEQUENCE, read_records),
    "rag gold": Reader("jsonl", SEQUENCE, lambda path: read_records(path, gold=True)),
    "labels": Reader("csv", b"query,item,ann,bob\nq1,a,1,0\n", read_labels),
    "clicks": Reader("csv", b"query,item,click,rank\nq,a,1,1\nq,b,0,2\n", lambda p: drained(read_clicks(p).blocks())),
    "clicks jsonl": Reader(
        "jsonl", b'{"query": "q", "item": "a", "click": 1}\n', lambda path: drained(read_clicks(path).blocks())
    ),
    "propensities": Reader("csv", b"rank,propensity\n1,1\n2,0.5\n", read_propensities),
    "pool": Reader("csv", b"query,item,title\nq1,a,b\n", rows_of_pairs),
    "pool jsonl": Reader("jsonl", b'{"id": "q1", "text": "what", "tags": ["a"]}\n', asked_of_pairs),
    "same as": Reader("csv", b"left,right\nhttp://x/a,http://x/b\n", same_as.read_links),
    "candidates": Reader("csv", b"relation,side,entity\np,head,a\n", read_candidates),
    "candidates openke": Reader("txt", b"1\n0 2 1 2\n0 1 3\n", read_candidates),
    "questions": Reader("tsv", b"head\trelation\na\tp\n", read_pairs),
    "names": Reader("txt", b"2\na\t0\nb\t1\n", read_names),
    "names json": Reader("json", b'{"a": 0, "b": 1}', read_names),
    "types": Reader("json", b'{"a": ["T"], "b": "U"}', read_types),
    "types text": Reader("tsv", b"a\tT\nb\tU\n", read_types),
    "predictions": Reader(
        "tsv", b"head\trelation\ttail\tscore\na\ta\tb\t0.5\n", lambda p: Predictions.of(p, NAMES, NAMES)
    ),
    "embeddings npy": Reader("npy", array(np.save, np.eye(2)), read_embeddings),
    "embeddings npz": Reader("npz", array(np.savez, e=np.eye(2)), read_embeddings),
    "embeddings safetensors": Reader("safetensors", safetensors(), read_embeddings),
    "embeddings parquet": Reader("parquet", parquet(v=[[1.0, 2.0]], name=["a"]), read_embeddings),
    "embeddings text": Reader("vec", b"2 2\na 1 2\nb 3 4\n", read_embeddings),
    "found": Reader("npy", array(np.save, np.array([[0, 1]])), lambda p: answers_of(p, VECTORS, np.array([1]), 1)),
    "found npz": Reader(
        "npz", array(np.savez, ids=np.array([[0, 1]])), lambda p: answers_of(p, VECTORS, np.array([1]), 1)
    ),
    "labels of vectors": Reader("tsv", b"a\tT\nb\tU\n", lambda path: as_labels(path, VECTORS)),
    "sources": Reader("csv", b"record,source\nr1,shop\n", read_sources),
    "weights": Reader("csv", b"entity,weight\ne1,2\n", read_weights),
    "statements json": Reader(
        "json", b'[["a", "p", "b"], {"subject": "a", "predicate": "p", "object": 1}]', lambda p: read_statements([p])
    ),
    "statements jsonl": Reader("jsonl", b'["a", "p", "b"]\n', lambda path: read_statements([path])),
    "label file": Reader(
        "csv", b"id,design,draw,weight,stratum,subject,predicate,object,label\n", label_file.read_labels
    ),
    "suspects": Reader("csv", b"subject,predicate,object,label\na,p,b,1\n", suspects.read_labels),
    "reference": Reader("csv", b"subject,predicate,object\nhttp://x/a,http://x/p,v\n", read_reference),
    "reference jsonl": Reader("jsonl", b'"http://x/a"\n{"entity": "http://x/b"}\n', read_reference),
    "marks": Reader("txt", b"http://x/a http://x/p\n", read_marks),
    "result": Reader("json", b'{"assay_version": "1", "runs": [], "options": {}, "gold": {}}', read_document),
    "results": Reader(
        "json", b'{"assay_version": "1", "runs": [], "options": {}, "gold": {}}', lambda p: read_results([p])
    ),
    "z scores": Reader("txt", b"q1 map 0.5 0.1\n", read_scales),
}


def outcome(name: str, content: bytes | Path) -> Any:
    """Return what a reader makes of a file, or of one with this content; or its error, which is one of Assay's."""
    from assay.errors import AssayError

    reader = READERS[name]
    with tempfile.TemporaryDirectory() as folder:
        path = content if isinstance(content, Path) else Path(folder, f"a.{reader.ending}")
        if isinstance(content, bytes):
            path.write_bytes(content)
        try:
            return reader.read(str(path))
        except AssayError as error:
            return error
