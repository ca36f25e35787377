"""What a user of ragas writes to score one file: `python ragas_values.py FILE VALUES [ROWS]`; prints the seconds.

Only scoring is timed, not the import of ragas nor the reading of the file. It runs in a Python of its own, which
RAGAS names; in November 2026 ragas 0.4.3 imports with `pip install ragas 'langchain-community<0.4'` only.
"""

import asyncio
import json
import sys
import time
import warnings
from pathlib import Path

warnings.filterwarnings("ignore")

from ragas import SingleTurnSample  # noqa: E402
from ragas.metrics import NonLLMContextPrecisionWithReference, NonLLMContextRecall  # noqa: E402

METRICS = {"ContextP": NonLLMContextPrecisionWithReference(), "R@8": NonLLMContextRecall()}


async def score(samples: list[tuple[str, SingleTurnSample]]) -> list[tuple[str, str, float]]:
    """Score each sample by both metrics, one after the other: the work is in this process."""
    return [
        (query, name, await metric.single_turn_ascore(sample))
        for query, sample in samples
        for name, metric in METRICS.items()
    ]


with Path(sys.argv[1]).open(encoding="utf-8") as file:
    rows = [json.loads(line) for line, _ in zip(file, range(int((sys.argv[3:] or ["100000000"])[0])), strict=False)]
samples = [
    (
        row["id"],
        SingleTurnSample(
            retrieved_contexts=[one["text"] for one in row["retrieved"]],
            reference_contexts=[one["text"] for one in row["needed"]],
        ),
    )
    for row in rows
]
start = time.perf_counter()
values = asyncio.run(score(samples))
print(time.perf_counter() - start)
Path(sys.argv[2]).write_text("".join(f"{query}\t{name}\t{value!r}\n" for query, name, value in values), "utf-8")
