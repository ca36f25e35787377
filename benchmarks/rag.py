"""Benchmark of retrieval for answers: context precision and recall of many questions, as ragas without LLM."""

import json
import os
import subprocess
import tempfile
from dataclasses import dataclass
from functools import cache
from importlib.util import find_spec
from pathlib import Path

import numpy as np
import polars as pl

from assay.tasks.rag.evaluate import evaluate_several
from assay.tasks.rag.questions import Several, several
from benchmarks.inputs import PART, SEED
from benchmarks.measuring import Measured, Spent, call, in_turns
from benchmarks.options import Options
from benchmarks.table import difference, heading, row
from benchmarks.tools import VALUES, largest_difference, read_values

QUESTIONS, RETRIEVED, MOST, PASSAGES = 100_000, 8, 4, 6_000
CHARACTERS = 540
SAMPLE = 1_000
"""So many questions ragas scores; its time is given for as many questions as Assay judges."""
ROUNDS = 3
MEASURES = "ContextP R@8"
THRESHOLD = 0.5
"""Ragas takes two texts for the same from this similarity on."""
RAGAS, FORMULA = "ragas", "ragas' formula"


@dataclass(frozen=True)
class RagBenchmark:
    """Context precision and recall: by ids of questions ready in memory, from a file, by the likeness of texts."""

    letter: str

    def run(self, options: Options) -> bool:
        """Compare the values, then the times; return whether the values are equal."""
        many = round(QUESTIONS * (PART if options.small else 1.0))
        path, sample = made(options.folder, many)
        print(heading(self.letter, f"{many:,} questions, {RETRIEVED} passages retrieved for each", path))
        found = several([path])
        rival, spent, theirs = _rival(sample, options, many)
        wanted = theirs["query"].unique().implode()
        ours = _values(found)
        equal = difference(
            rival, 1e-9, theirs.height, largest_difference(ours.filter(pl.col("query").is_in(wanted)), theirs)
        )
        if equal:
            contenders = {
                "Assay": lambda: call(lambda: evaluate_several(found, MEASURES)),
                "from the file": lambda: call(lambda: evaluate_several(several([path]), MEASURES)),
            }
            measured = in_turns([*contenders.values()], options.times(ROUNDS))
            for name, one in zip(contenders, measured, strict=True):
                print(_line(name, one, measured[0], many))
            print(_line(rival, Measured((spent,)), measured[0], many))
            _by_text(sample, many, measured[0])
        return equal


def _line(name: str, spent: Measured, ours: Measured, many: int) -> str:
    return f"{row(name, spent, ours):58}{many / spent.seconds:13,.0f} questions/s"


def _by_text(path: Path, many: int, ours: Measured) -> None:
    """Print how long it takes where texts are compared by their likeness, as ragas does."""
    if find_spec("rapidfuzz") is None:
        print("   left out: no texts by likeness (pip install rapidfuzz)")
        return
    found = call(lambda: evaluate_several(several([path], match="fuzzy", threshold=THRESHOLD), MEASURES))
    print(_line("by likeness", Measured((Spent(found.seconds * many / min(SAMPLE, many)),)), ours, many))


def _values(found: Several) -> pl.DataFrame:
    return evaluate_several(found, MEASURES).evaluations[0].scores.table.select(*VALUES)


def _rival(path: Path, options: Options, many: int) -> tuple[str, Spent, pl.DataFrame]:
    """Return what scores some of the questions, its time scaled to all, and its values: ragas, else its formula."""
    program = os.environ.get("RAGAS")
    if not program or RAGAS in options.without:
        if RAGAS not in options.without:
            print("   left out: ragas (the environment variable RAGAS names a Python that has it)")
        values: list[tuple[str, str, float]] = []
        spent = call(lambda: values.extend(by_formula(path)))
        table = pl.DataFrame(values, schema=list(VALUES), orient="row").cast(VALUES)
        return FORMULA, Spent(spent.seconds * many / min(SAMPLE, many)), table
    with tempfile.TemporaryDirectory() as folder:
        file, script = Path(folder) / "values", Path(__file__).with_name("ragas_values.py")
        done = subprocess.run(
            [program, str(script), str(path), str(file), str(SAMPLE)], capture_output=True, text=True, check=True
        )
        table = read_values(file, new_columns=list(VALUES))
        return RAGAS, Spent(float(done.stdout.split()[-1]) * many / min(SAMPLE, many)), table


def by_formula(path: Path) -> list[tuple[str, str, float]]:
    """Return both values of some questions as ragas defines them; without rapidfuzz only equal texts are alike."""
    likeness = _likeness()
    found = []
    with path.open(encoding="utf-8") as file:
        for line, _ in zip(file, range(SAMPLE), strict=False):
            one = json.loads(line)
            brought, wanted = ([part["text"] for part in one[name]] for name in ("retrieved", "needed"))
            hits = [max(likeness(text, other) for other in wanted) >= THRESHOLD for text in brought]
            shares = [sum(hits[: place + 1]) / (place + 1) for place, hit in enumerate(hits) if hit]
            recalled = [max(likeness(text, other) for text in brought) > THRESHOLD for other in wanted]
            found.append((one["id"], "ContextP", sum(shares) / len(shares) if shares else 0.0))
            found.append((one["id"], "R@8", sum(recalled) / len(recalled)))
    return found


@cache
def _likeness():
    if find_spec("rapidfuzz") is None:
        return lambda one, other: float(one == other)
    from rapidfuzz.distance import Levenshtein

    return Levenshtein.normalized_similarity


def made(folder: Path, many: int) -> tuple[Path, Path]:
    """Return a file of questions by the ids of passages, and one of the first by their texts, made unless there."""
    path, sample = folder / f"rag-{many}.jsonl", folder / f"rag-{many}-texts.jsonl"
    if not sample.exists():
        random = np.random.default_rng(SEED)
        rows = [question(number, random) for number in range(many)]
        texts = passages(random)
        for file, written in ((path, rows), (sample, [spelled(one, texts) for one in rows[:SAMPLE]])):
            file.write_text("".join(json.dumps(one) + "\n" for one in written), "utf-8")
    return path, sample


def question(number: int, random: np.random.Generator) -> dict[str, object]:
    """Return one question: two to four needed passages, some of which are among those retrieved."""
    chosen = np.unique(random.integers(0, PASSAGES, 2 * (RETRIEVED + MOST)))
    chosen = random.permutation(chosen)[: RETRIEVED + MOST]
    needed = chosen[: random.integers(2, MOST + 1)]
    found = needed[random.random(len(needed)) < 0.7]
    retrieved = random.permutation(np.concatenate([found, chosen[MOST:]])[:RETRIEVED])
    names = {name: [f"p{one}" for one in many] for name, many in (("retrieved", retrieved), ("needed", needed))}
    return {"id": f"q{number}", "question": f"question {number}?", **names}


def passages(random: np.random.Generator) -> list[str]:
    """Return texts of letters and blanks by chance, of which no two are alike."""
    letters = random.integers(97, 123, (PASSAGES, CHARACTERS)).astype(np.uint8)
    letters[random.random((PASSAGES, CHARACTERS)) < 0.18] = ord(" ")
    return [bytes(one).decode() for one in letters]


def spelled(row: dict[str, object], texts: list[str]) -> dict[str, object]:
    """Return a question with the texts of its passages."""
    parts = {name: [{"id": one, "text": texts[int(one[1:])]} for one in row[name]] for name in ("retrieved", "needed")}
    return row | parts


RAG = [RagBenchmark("rag")]
