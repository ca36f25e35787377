"""Cut SciFact to the files of this folder: python examples/lexical/make.py FOLDER, which holds what the README names.

Of the claims whose evidence BM25 does not bring among its first ten, the first fifteen; of all others, the first
fifteen. Documents: their evidence, and what BM25 and the vectors put first.
"""

import gzip
import json
import sys
from itertools import islice
from pathlib import Path

import assay

HERE, DATA = Path(__file__).parent, Path(sys.argv[1])
EACH, PLACES = 15, 7
NAMES = "corpus.part1.jsonl.gz", "corpus.part2.jsonl.gz"

gold = {}
for line in (DATA / "qrels.test.txt").read_text().splitlines():
    query, _, item, grade = line.split()
    gold.setdefault(query, {})[item] = int(grade)
runs = {}
for name in ("bm25", "dense-wordllama"):
    table = assay.read_run(DATA / "runs" / f"{name}.run.gz").frame()
    ranked = runs.setdefault(name, {})
    for query, item, score in table.select("query", "item", "score").iter_rows():
        ranked.setdefault(query, []).append((item, score))
    for found in ranked.values():
        found.sort(key=lambda entry: -entry[1])

found = {query: {item for item, _ in runs["bm25"][query][:10]} for query in gold}
missed = [query for query, items in gold.items() if items.keys() - found[query]]
others = [query for query in gold if query not in missed]
queries = sorted([*islice(missed, EACH), *islice(others, EACH)], key=int)
items = {item for query in queries for item in gold[query]}
items |= {item for ranked in runs.values() for query in queries for item, _ in ranked[query][:PLACES]}


def lines_of(name):
    """Return the lines of a packed file."""
    return gzip.decompress((DATA / name).read_bytes()).decode().splitlines()


texts = dict(line.split("\t") for line in lines_of("topics.test.tsv.gz"))
lines = [line for name in NAMES for line in lines_of(name) if json.loads(line)["_id"] in items]
(HERE / "corpus.jsonl.gz").write_bytes(gzip.compress("".join(f"{line}\n" for line in lines).encode(), mtime=0))
(HERE / "queries.tsv").write_text("".join(f"{query}\t{texts[query]}\n" for query in queries), encoding="utf-8")
(HERE / "gold.qrels").write_text(
    "".join(f"{query} 0 {item} {grade}\n" for query in queries for item, grade in gold[query].items())
)
(HERE / "dense.run").write_text(
    "".join(
        f"{query} Q0 {item} {place} {score:.6f} dense\n"
        for query in queries
        for place, (item, score) in enumerate(
            [entry for entry in runs["dense-wordllama"][query] if entry[0] in items], 1
        )
    )
)
