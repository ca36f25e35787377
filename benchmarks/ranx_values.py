"""What a user of ranx writes to evaluate one file: `python ranx_values.py GOLD RUN [VALUES]`.

With VALUES it writes the value of each query to that file as well.
"""

import sys
import warnings
from pathlib import Path

warnings.filterwarnings("ignore")

from ranx import Qrels, Run, evaluate  # noqa: E402

MEASURES = {"precision@10": "P@10", "recall@100": "R@100", "mrr": "RR", "map": "AP", "ndcg@10": "nDCG@10"}

gold, run = Qrels.from_file(sys.argv[1], kind="trec"), Run.from_file(sys.argv[2], kind="trec")
for name, value in evaluate(gold, run, list(MEASURES)).items():
    print(MEASURES[name], value)
if len(sys.argv) > 3:
    with Path(sys.argv[3]).open("w", encoding="utf-8") as out:
        out.writelines(
            f"{query}\t{MEASURES[name]}\t{float(value)!r}\n"
            for name, values in run.scores.items()
            for query, value in values.items()
        )
