"""Real collections and runs: every value of every query equals trec_eval 9's.

The runs are read by Assay from their files and by plain Python for the oracle, so that the readers are tested
with the numbers.
"""

import gzip
import random
from pathlib import Path

import pytest

from tests.oracle import trec

COLLECTIONS = ("cacm", "cisi", "cranfield", "scifact", "vaswani")
RUNS = ("bm25", "bm25-nostem", "bm25-rm3", "bm25-rocchio", "dense-wordllama", "hybrid-rrf60")
POOLS = {
    "trec-covid": "qrels.covid-complete.txt.gz",
    "trec-dl-2019": "qrels.dl19-passage.txt",
    "trec-dl-2020": "qrels.dl20-passage.txt",
    "msmarco-passage-dev": "qrels.msmarco-passage.dev-subset.txt",
}
CUTOFFS = (1, 5, 10, 100)


def lines(path: Path) -> list[list[str]]:
    text = gzip.decompress(path.read_bytes()) if path.suffix == ".gz" else path.read_bytes()
    return [line.split() for line in text.decode().splitlines() if line.strip()]


def gold_of(path: Path) -> trec.Table:
    table: dict[str, dict[str, float]] = {}
    for row in lines(path):
        # TREC: query iter item grade; Cranfield: query item grade
        table.setdefault(row[0], {})[row[-2]] = int(row[-1])
    return table


def run_of(path: Path) -> trec.Table:
    table: dict[str, dict[str, float]] = {}
    for query, _, item, _, score, *_ in lines(path):
        table.setdefault(query, {})[item] = float(score)
    return table


def assert_equal(gold: trec.Table, gold_path: object, run: Path) -> None:
    expected = trec.oracle(gold, run_of(run), CUTOFFS)
    assert trec.check(gold_path, run, expected, trec.names(CUTOFFS)) >= len(expected) > 0


@pytest.fixture(scope="session")
def robust(data: Path) -> tuple[trec.Table, Path]:
    path = data / "ir/trec-robust03/qrels.robust03.txt.gz"
    return gold_of(path), path


@pytest.mark.parametrize("depth", ["top100", "full"])
def test_robust03(depth: str, robust: tuple[trec.Table, Path]) -> None:
    gold, path = robust
    runs = sorted((path.parent / depth).glob("input.*.gz"))
    assert len(runs) == {"top100": 17, "full": 4}[depth]
    for run in runs:
        assert_equal(gold, path, run)


def cisi(path: Path) -> trec.Table:
    table: dict[str, dict[str, float]] = {}
    for row in lines(path):
        table.setdefault(row[0], {})[row[1]] = 1
    return table


@pytest.mark.parametrize("name", COLLECTIONS)
def test_classic_collections(name: str, data: Path) -> None:
    folder = data / "ir" / name
    file = {"cisi": "CISI.REL", "cranfield": "cranqrel", "scifact": "qrels.test.txt", "vaswani": "qrels"}
    path = folder / file.get(name, "qrels.txt")
    gold = cisi(path) if name == "cisi" else gold_of(path)
    for run in RUNS:
        assert_equal(gold, gold if name == "cisi" else path, folder / "runs" / f"{run}.run.gz")


def made_run(gold: trec.Table, rng: random.Random, depth: int) -> str:
    """Return a run over judged and unjudged items, full of ties, in TREC's format, lines shuffled."""
    rows = []
    for query, items in gold.items():
        judged = rng.sample(sorted(items), min(len(items), depth // 2))
        ranked = sorted({*judged, *(f"x{rng.randrange(10**6)}" for _ in range(depth // 2))})
        rows += [f"{query}\tQ0  {item} 0 {rng.randrange(40) / 4} made\n" for item in ranked]
    rng.shuffle(rows)
    return "".join(rows)


@pytest.mark.parametrize("name", sorted(POOLS))
def test_generated_runs_for_real_judgments(name: str, data: Path, tmp_path: Path) -> None:
    path = data / "ir" / name / POOLS[name]
    gold = gold_of(path)
    run = tmp_path / "made.run"
    run.write_text(made_run(gold, random.Random(name), 20 if name.startswith("msmarco") else 300))
    assert_equal(gold, path, run)


def test_trec_covid_holds_negative_grades(data: Path) -> None:
    gold = gold_of(data / "ir/trec-covid" / POOLS["trec-covid"])
    assert min(grade for items in gold.values() for grade in items.values()) == -1
