"""Make log.csv: 720 searches of a shop in which what sold for long, and is worse, stands on top."""

from pathlib import Path

import numpy as np
import polars as pl

GOOD = {
    "rain jacket": {"parka": 0.25, "poncho": 0.12, "shell": 0.60, "softshell": 0.30, "umbrella": 0.05},
    "running shoes": {"racer": 0.45, "runner": 0.30, "sandal": 0.05, "trail": 0.55, "walker": 0.15},
    "tent": {"dome": 0.50, "hammock": 0.10, "shelter": 0.20, "tunnel": 0.65, "yurt": 0.08},
}
LOOKED_AT = (1.0, 0.55, 0.35, 0.22, 0.15)
"""How likely each rank is looked at."""

random = np.random.default_rng(12)
rows = []
for session in range(1, 721):
    query = list(GOOD)[random.integers(len(GOOD))]
    items, good = list(GOOD[query]), np.array(list(GOOD[query].values()))
    order = np.argsort(good + random.normal(0, 0.25, len(items)))
    for rank, place in enumerate(order, 1):
        rows.append((session, query, items[place], rank, int(random.random() < LOOKED_AT[rank - 1] * good[place])))
names = ["session", "query", "item", "rank", "click"]
pl.DataFrame(rows, schema=names, orient="row").write_csv(Path(__file__).with_name("log.csv"))
