"""Benchmark of a graph's completeness: load 1.06 million triples and count class by property; the rival is rdflib.

`python -m benchmarks.graph CONTENDER FILE` does it once and prints the counts, as a process of its own with its memory.
"""

import json
import os
import sys
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from importlib.util import find_spec
from pathlib import Path

import numpy as np

from benchmarks.inputs import SEED
from benchmarks.measuring import Spent, execute, in_turns
from benchmarks.options import Options
from benchmarks.table import difference, heading, row

COPIES, SMALL, ROUNDS = 40, 2, 3
ENTITIES = 2_600
"""Entities of one copy of the graph that stands in where the real one is absent."""
TYPE = "http://www.w3.org/1999/02/22-rdf-syntax-ns#type"
QUERY = "SELECT ?c ?p (COUNT(DISTINCT ?s) AS ?n) { ?s a ?c ; ?p ?o } GROUP BY ?c ?p"
Counts = dict[str, int]
COMMAND = "assay graph"
"""All of `assay graph completeness`, which says more than these counts."""


@dataclass(frozen=True)
class GraphBenchmark:
    """Which entities of which class have which property: file to counts, beside rdflib's SPARQL and a loop over it."""

    letter: str

    def run(self, options: Options) -> bool:
        """Compare the counts, then the times; return whether all were equal."""
        if find_spec("pyoxigraph") is None:
            print(f"{heading(self.letter, 'a graph')}\n   left out: no pyoxigraph (pip install 'assay[graph]')")
            return True
        path = made(options.folder, SMALL if options.small else COPIES)
        print(heading(self.letter, f"{lines_of(path):,} triples, class by property, from the file", path))
        rivals = [name for name in CONTENDERS if name.startswith("rdflib")] if _wanted(options) else []
        names = ["Assay", COMMAND, *rivals]
        counts: dict[str, Counts] = {}
        measured = in_turns([partial(_once, name, path, counts) for name in names], options.times(ROUNDS))
        same = [_equal(name, counts) for name in (*rivals, COMMAND)]
        equal = all(same)
        for name, spent in zip(names, measured, strict=True) if equal else ():
            print(row(name, spent, measured[0], path))
        return equal


def _wanted(options: Options) -> bool:
    if find_spec("rdflib") is None or "rdflib" in options.without:
        print("   left out: rdflib")
        return False
    return True


def _once(name: str, path: Path, counts: dict[str, Counts]) -> Spent:
    if name == COMMAND:
        asked = ["assay", "graph", "completeness", str(path), "--expect", "all", "-o", "json"]
        spent, printed = execute([sys.executable, "-m", *asked])
        counts[name] = of_document(json.loads(printed))
    else:
        spent, printed = execute([sys.executable, "-m", "benchmarks.graph", name, str(path)])
        counts[name] = json.loads(printed)
    return spent


def _equal(name: str, counts: dict[str, Counts]) -> bool:
    ours, theirs = counts["Assay"], counts[name]
    apart = max(abs(ours.get(pair, 0) - theirs.get(pair, 0)) for pair in ours.keys() | theirs.keys())
    return difference(name, 0, len(theirs), apart)


def made(folder: Path, copies: int) -> Path:
    """Return N-Triples: copies of the CK25 graph where ASSAY_DATA has it, else of one much like it."""
    source = Path(os.environ.get("ASSAY_DATA", "")) / "rdf" / "ck25" / "prod-inst.ttl"
    real = "ASSAY_DATA" in os.environ and source.is_file()
    path = folder / f"{'ck25' if real else 'drawn'}-{copies}.nt"
    if not path.exists():
        partly = path.with_suffix(".partly")
        with partly.open("w", encoding="utf-8") as file:
            file.writelines(copied(source, copies) if real else drawn(copies))
        partly.replace(path)
    return path


def copied(source: Path, copies: int) -> Iterator[str]:
    """Yield the statements of a graph again and again, its instances with another name each time."""
    import pyoxigraph

    def named(term: object, copy: int) -> str:
        text = str(term)
        if "/prod-instances/" in text and text.endswith(">"):
            return f"{text[:-1]}-{copy}>"
        return f"{text}x{copy}" if text.startswith("_:") else text

    statements = list(pyoxigraph.parse(path=str(source), format=pyoxigraph.RdfFormat.TURTLE))
    for copy in range(copies):
        for one in statements:
            yield f"{named(one.subject, copy)} {one.predicate} {named(one.object, copy)} .\n"


def drawn(copies: int) -> Iterator[str]:
    """Yield statements of entities of twelve classes, each class with properties that a share of them has."""
    random = np.random.default_rng(SEED)
    shares = random.random((12, 12))
    for entity in range(copies * ENTITIES):
        kind = int(random.integers(12))
        yield f"<http://x/e{entity}> <{TYPE}> <http://x/C{kind}> .\n"
        for place in np.flatnonzero(random.random(12) < shares[kind]).tolist():
            yield f'<http://x/e{entity}> <http://x/p{kind}-{place}> "{entity}" .\n'


def lines_of(path: Path) -> int:
    """Count the statements."""
    with path.open("rb") as file:
        return sum(1 for _ in file)


def assay(path: str) -> Counts:
    """Load and count, subclasses included, by Assay's library."""
    from assay.graph.completeness.profile import profile
    from assay.graph.sparql.store import Store

    uses = profile(Store.open([path])).uses
    return {f"{kind} {name}": use.direct_have for (kind, name), use in uses.items() if use.direct_have}


def of_document(document: dict) -> Counts:
    """Return the counts that the command's JSON holds among all else."""
    pairs = document["schema"]["pairs"]
    return {f"{one['class']} {one['property']}": one["direct"]["have"] for one in pairs if one["direct"]["have"]}


def rdflib_query(path: str) -> Counts:
    """Load and count by rdflib's SPARQL."""
    from rdflib import Graph

    found = Graph().parse(path, format="nt").query(QUERY)
    return _kept({(str(kind), str(name)): int(count) for kind, name, count in found})


def rdflib_loop(path: str) -> Counts:
    """Load by rdflib and count by a loop over its statements."""
    from rdflib import RDF, Graph

    graph = Graph().parse(path, format="nt")
    kinds = defaultdict(list)
    for entity, kind in graph.subject_objects(RDF.type):
        kinds[entity].append(str(kind))
    pairs = {(entity, str(name)) for entity, name, _ in graph if entity in kinds}
    return _kept(Counter((kind, name) for entity, name in pairs for kind in kinds[entity]))


def _kept(found: dict[tuple[str, str], int]) -> Counts:
    """Leave out the types themselves, and classes of the language."""
    return {f"{kind} {name}": n for (kind, name), n in found.items() if name != TYPE and "//www.w3.org/" not in kind}


CONTENDERS: dict[str, Callable[[str], Counts]] = {
    "Assay": assay, "rdflib": rdflib_query, "rdflib, a loop": rdflib_loop,
}  # fmt: skip
GRAPH = [GraphBenchmark("graph")]

if __name__ == "__main__":
    print(json.dumps(CONTENDERS[sys.argv[1]](sys.argv[2])))
