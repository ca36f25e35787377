"""Files that were made to do harm: each gives rows or one error, in bounded time and memory.

They are read by a process of their own, which may take 2 GiB more of memory than it holds when the file comes.
"""

import gzip
import json
import os
import subprocess
import sys

import numpy as np
import pytest
from tests.unit.hostile_bytes import entities, header, zeros_in_gzip, zeros_in_zstd, zip_of_zeros
from tests.unit.readers import READERS, XML, array, outcome, parquet, safetensors

from assay.formats.compression import zstandard

resource = pytest.importorskip("resource")
pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="limits of memory are those of Linux")

MEMORY = 2 << 30
FEW_ARENAS = {"MALLOC_ARENA_MAX": "2", "POLARS_MAX_THREADS": "2"}
SECONDS = 60
HUGE = 1 << 40
CHILD = """
import json, resource, sys, time
from tests.unit.readers import READERS, outcome
from assay.errors import AssayError
from pathlib import Path
import assay.formats.click_rows, scipy
outcome("graph ttl", READERS["graph ttl"].example)
outcome("suite yaml", READERS["suite yaml"].example)
outcome("any run", READERS["any run"].example)
for line in sys.stdin:
    name, path = json.loads(line)
    held = int(Path("/proc/self/statm").read_text().split()[0]) * resource.getpagesize()
    resource.setrlimit(resource.RLIMIT_AS, (held + {memory}, resource.RLIM_INFINITY))
    begun = time.monotonic()
    try:
        found = outcome(name, Path(path))
        said = str(found) if isinstance(found, AssayError) else None
        kind = "refused" if isinstance(found, AssayError) else "read"
    except BaseException as error:
        kind, said = type(error).__name__, str(error)[:300]
    found = None
    print(json.dumps([kind, said, time.monotonic() - begun]), flush=True)
"""
LAUGHS = "\n".join([
    "a0: &a0 [lol, lol, lol, lol, lol, lol, lol, lol, lol]",
    *(f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 9)}]" for n in range(1, 10)),
    "questions: *a9",
]).encode()  # fmt: skip
WIDE = b"query,item,score," + b",".join(b"c%d" % n for n in range(1_000_000)) + b"\nq,a,1" + b"," * 1_000_000 + b"\n"
DEEP = b'{"query": ' + b"[" * 200_000 + b"]" * 200_000 + b"}"
STATEMENT = b"<http://x/a> <http://x/p> "
DEEP_TURTLE = {
    "list": b"(" * 50_000 + b")" * 50_000,
    "blank nodes": b"[ <http://x/p> " * 50_000 + b"1" + b" ]" * 50_000,
    "blank nodes without an end": b"[ <http://x/p> " * 50_000,
    "blank nodes behind brackets in texts": b'[ <http://x/]]]> \']]]\' , """]] " ]]""" ; <http://x/p> # ]]]\n' * 50_000,
    "triple terms": b"<<( <http://x/a> <http://x/p> " * 50_000 + b"1" + b" )>>" * 50_000,
}
DEEP_XML = (
    XML.partition(b"<rdf:Description")[0] + b"<rdf:Description><x:p>" * 50_000 + b"</x:p></rdf:Description>" * 50_000
)
DEEP_JSON_LD = b'{"http://x/p":' * 50_000 + b"1" + b"}" * 50_000
LONG_LITERAL = b'<http://x/a> <http://x/p> "' + b"v" * 50_000_000 + b'" .'
ABSURD = b"q1 Q0 a 1 1e999 x\nq1 Q0 b 2 " + b"9" * 400 + b" x\n"
LONG_LINE = b"q1 Q0 " + b"a" * 100_000_000 + b" 1 2.5 x\n"
SIZES = [[1 << 33, 1 << 33], [-1, 4], [1 << 62, 4]]

FILES = {
    "run in gzip": ("run trec", lambda: zeros_in_gzip(300 << 20, b"#"), "200 times"),
    "run of good lines in gzip": ("any run", lambda: zeros_in_gzip(300 << 20, b"q1 Q0 aaaaaaa 1 2.5 x\n"), "200 times"),
    "run in zstd": ("any run", lambda: zeros_in_zstd(HUGE >> 8), "200 times"),
    "gold in zstd": ("any gold", lambda: zeros_in_zstd(HUGE >> 8), "200 times"),
    "triples in zstd": ("triples", lambda: zeros_in_zstd(HUGE >> 8), "200 times"),
    "suite in zstd": ("suite jsonl", lambda: zeros_in_zstd(HUGE >> 8), "200 times"),
    "graph in zstd": ("graph ttl", lambda: zeros_in_zstd(HUGE >> 8), "200 times"),
    "pool in zstd": ("pool", lambda: zeros_in_zstd(HUGE >> 8), "expected"),
    "labels in zstd": ("labels", lambda: zeros_in_zstd(HUGE >> 8), "200 times"),
    "clicks in zstd": (
        "clicks",
        lambda: b"".join([zstandard().compress(b"query,item,click\n"), zeros_in_zstd(HUGE >> 8)]),
        "expected",
    ),
    "gzip within gzip": ("any run", lambda: gzip.compress(zeros_in_gzip(300 << 20)), "expected"),
    "npz": ("embeddings npz", lambda: zip_of_zeros(1 << 29), "200 times"),
    "ids in npz": ("found npz", lambda: zip_of_zeros(1 << 29), "expected"),
    "deep JSON": ("run json", lambda: DEEP, "expected"),
    "deep JSON Lines": ("run jsonl", lambda: DEEP, "expected"),
    "deep JSON of triples": ("statements json", lambda: b"[" * 200_000, "expected"),
    "deep JSON of RAG": (
        "rag",
        lambda: b'{"question": "q", "retrieved": ' + b"[" * 200_000 + b"]" * 200_000 + b"}",
        "expected",
    ),
    "deep JSON of a result": ("result", lambda: DEEP, "expected"),
    "deep JSON of names": ("names json", lambda: b"[" * 200_000, "expected"),
    "deep JSON of costs": (
        "costs",
        lambda: b'{"query": "q", "item": "a", "score": 1}\n{"query": "q", "item": "b", "score": 1, "cost": ' + DEEP,
        "expected",
    ),
    "deep JSON-LD": ("graph jsonld", lambda: DEEP_JSON_LD, "500 levels"),
    "deep RDF/XML": ("graph rdf", lambda: DEEP_XML, "500 levels"),
    "deep RDF/XML in terms": ("terms xml", lambda: DEEP_XML, "500 levels"),
    "a deep triple term in N-Triples": (
        "triples nt",
        lambda: STATEMENT + DEEP_TURTLE["triple terms"] + b" .\n",
        "expected",
    ),
    **{
        f"deep Turtle, {kind}, in {reader}": (reader, lambda text=text: STATEMENT + text + b" .", "500 levels")
        for kind, text in DEEP_TURTLE.items()
        for reader in ("graph ttl", "links ttl")
    },
    "deep YAML": ("suite yaml", lambda: b"- " * 20_000 + b"a", "50 levels"),
    "deep flow of YAML": ("suite yaml", lambda: b"[" * 20_000, "expected"),
    "aliases of YAML": ("suite yaml", lambda: LAUGHS, "without aliases"),
    "a tag of YAML": ("suite yaml", lambda: b"- !!python/object/apply:os.system ['true']\n", "expected"),
    "entities of XML": ("graph rdf", lambda: entities(12), "expected entities"),
    "entities of XML in terms": ("terms xml", lambda: entities(12), "expected entities"),
    "a long literal": ("graph ttl", lambda: LONG_LITERAL, "16 MiB"),
    "absurd numbers": ("run trec", lambda: ABSURD, None),
    "absurd numbers of JSON": (
        "run jsonl",
        lambda: b'{"query": "q", "item": "a", "score": 1' + b"0" * 400 + b"}\n",
        None,
    ),
    "more digits than Python reads": (
        "run jsonl",
        lambda: b'{"query": "q", "item": "a", "score": 1' + b"0" * 9000 + b"}\n",
        "expected",
    ),
    "a long line": ("run trec", lambda: LONG_LINE, None),
    "a long cell": ("labels", lambda: b"query,item,ann\nq1," + b"a" * 50_000_000 + b",1\n", None),
    "NUL bytes": ("any run", lambda: b"q1 Q0 a\0b 1 2.5 x\n", "expected"),
    "mixed encodings": ("any run", lambda: b"q1 Q0 \xc3\xa9 1 2.5 x\nq1 Q0 \xe9 2 1.5 x\n", "UTF-8"),
    "UTF-16": ("any run", lambda: "q1 Q0 a 1 2.5 x\n".encode("utf-16"), "expected"),
    "a million columns": ("run csv", lambda: WIDE, None),
    "wrong types in Parquet": ("run parquet", lambda: parquet(query=[[1]], item=[{"a": 1}], score=[b"x"]), "expected"),
    "text as score in Parquet": ("run parquet", lambda: parquet(query=["q"], item=["a"], score=["high"]), "expected"),
    "cut Parquet": (
        "run parquet",
        lambda: parquet(query=["q"], item=["a"], score=[1.0])[:-20] + b"\xff" * 12 + b"PAR1",
        "expected",
    ),
    "npy of a false shape": ("embeddings npy", lambda: header("(1099511627776, 4)"), "expected"),
    "npy of a shape that overflows": ("embeddings npy", lambda: header("(9223372036854775807, 9)"), "expected"),
    "npy of a negative shape": ("embeddings npy", lambda: header("(-1, 2)"), "expected"),
    "ids of a false shape": ("found", lambda: header("(1099511627776, 4)"), "expected"),
    "npy of objects": ("embeddings npy", lambda: array(np.save, np.array([{}], object), allow_pickle=True), "objects"),
    "npz of objects": ("embeddings npz", lambda: array(np.savez, e=np.array([[{}]], object)), "objects"),
    **{
        f"safetensors of shape {shape}": (
            "embeddings safetensors",
            lambda shape=shape: safetensors(shape=shape),
            "expected",
        )
        for shape in SIZES
    },
    "safetensors of false offsets": ("embeddings safetensors", lambda: safetensors(data_offsets=[0, HUGE]), "expected"),
    "safetensors of a long head": (
        "embeddings safetensors",
        lambda: (1 << 26).to_bytes(8, "little") + b"{" + bytes(100),
        "expected",
    ),
    "word2vec of a false width": ("embeddings text", lambda: b"1 999999999\na 1 2\n", "expected"),
    "OpenKE of a false count": ("triples openke", lambda: b"999999999999999999\n0 1 0\n", "expected"),
    "names of a false count": ("names", lambda: b"999999999999999999\na\t0\n", "expected"),
}


class Child:
    """The process that reads; where it died, another is started."""

    process = None

    def ask(self, *message: str) -> str:
        """Return what it says of a reader and a file; nothing where it died."""
        if self.process is None or self.process.poll() is not None:
            self.process = subprocess.Popen(
                [sys.executable, "-c", CHILD.replace("{memory}", str(MEMORY))],
                stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, env=os.environ | FEW_ARENAS,
            )  # fmt: skip
        self.process.stdin.write(json.dumps(message) + "\n")
        self.process.stdin.flush()
        said = self.process.stdout.readline()
        if not said:
            self.close()
        return said

    def close(self) -> None:
        """End it."""
        if self.process is not None:
            self.process.kill()
            self.process.communicate()
            self.process = None


@pytest.fixture(scope="module")
def child():
    found = Child()
    yield found
    found.close()


@pytest.mark.parametrize("name", FILES)
def test_a_hostile_file_is_read_or_refused_in_bounded_time_and_memory(child, tmp_path, name):
    reader, make, expected = FILES[name]
    path = tmp_path / f"a.{READERS[reader].ending}"
    path.write_bytes(make())
    said = child.ask(reader, str(path))
    assert said, "the process died"
    kind, message, seconds = json.loads(said)
    assert kind in {"read", "refused"}, message
    assert seconds < SECONDS
    if expected is not None:
        assert kind == "refused"
        assert expected in message


def test_what_is_packed_well_but_small_is_read():
    content = gzip.compress(b"".join(b"q%d Q0 a 1 2.5 x\n" % n for n in range(5)) + b"#" * (1 << 20))
    assert outcome("any run", content).height == 5


def test_text_that_begins_as_packed_bytes_do_stays_text():
    for query in ("x\u0683", "x\x5e", "BZ", "PK"):
        assert outcome("any run", f"{query} Q0 a 1 2.5 x\n".encode())["query"].to_list() == [query]
        assert outcome("run csv", f"query,item,score\n{query},a,1\n".encode())["query"].to_list() == [query]
        assert outcome("triples", f"{query}\tp\tb\n".encode())["head"].to_list() == [query]


def test_entities_that_are_short_texts_are_read():
    text = READERS["terms xml"].example.decode().replace(">v<", ">&v;<")
    found = outcome("terms xml", f'<!DOCTYPE rdf:RDF [<!ENTITY v "word" >]>{text}'.encode())
    assert found == [("<http://x/a>", "<http://x/p>", '"word"')]
    for declared in (
        '<!ENTITY v "&w;">',
        f'<!ENTITY v "{"x" * 501}">',
        '<!ENTITY v SYSTEM "file:///etc/passwd">',
        "<!ENTITY % v 'x'>",
    ):
        for space in (0, 1_048_570, 1 << 20):
            found = outcome("terms xml", f"<!--{' ' * space}--><!DOCTYPE rdf:RDF [{declared}]>{text}".encode())
            assert "expected entities that are short" in str(found)


def test_hdf5_reads_no_other_file_and_unfolds_nothing(tmp_path):
    h5py = pytest.importorskip("h5py")
    other = tmp_path / "other.h5"
    (tmp_path / "secret").write_bytes(bytes(32))
    with h5py.File(other, "w") as file:
        file["e"] = np.eye(2)

    def outside(file):
        file.create_dataset("e", (2, 2), "<f8", external=[(str(tmp_path / "secret"), 0, 32)])

    def virtual(file):
        layout = h5py.VirtualLayout((2, 2), "<f8")
        layout[:] = h5py.VirtualSource(str(other), "e", (2, 2))
        file.create_virtual_dataset("e", layout)

    def linked(file):
        file["e"] = h5py.ExternalLink(str(other), "/e")

    def sparse(file):
        file.create_dataset("e", (1 << 40, 4), "<f4", chunks=(1024, 4))

    hostile = {outside: "lies in another", virtual: "lies in another", linked: "found none", sparse: "200 times"}
    for make, said in hostile.items():
        path = tmp_path / f"{make.__name__}.h5"
        with h5py.File(path, "w") as file:
            make(file)
        assert said in str(outcome("embeddings npy", path))
        assert "HDF" in str(path.read_bytes()[:8])
    assert outcome("embeddings npy", other).matrix.shape == (2, 2)
