"""Logs of clicks with planted relevance, and the models of clicks as plain loops."""

from collections import defaultdict

import numpy as np
import polars as pl

ITEMS = 8


def planted(model: str, seed: int, *, queries: int = 20, searches: int = 12_000) -> tuple[pl.DataFrame, pl.DataFrame]:
    """Return a log and the truth (query, item, truth); worse items stand higher more often than not.

    `model` is how people click: pbm (looks fall as 1/rank), cascade (they stop at a click), sdbn (they stop when
    satisfied).
    """
    random = np.random.default_rng(seed)
    attraction = random.beta(1, 3, (queries, ITEMS))
    satisfaction = random.uniform(0.3, 0.9, (queries, ITEMS)) if model == "sdbn" else np.ones((queries, ITEMS))
    query = random.integers(0, queries, searches)
    order = np.argsort(attraction[query] + random.normal(0, 0.3, (searches, ITEMS)), axis=1)
    attracted = random.random(order.shape) < np.take_along_axis(attraction[query], order, 1)
    if model == "pbm":
        click = attracted & (random.random(order.shape) < 1 / np.arange(1, ITEMS + 1))
    else:
        done = attracted & (random.random(order.shape) < np.take_along_axis(satisfaction[query], order, 1))
        click = attracted & (np.cumsum(done, 1) - done == 0)
    log = {
        "query": np.repeat(query, ITEMS), "item": order.ravel(), "rank": np.tile(np.arange(1, ITEMS + 1), searches),
        "click": click.ravel().astype(int), "session": np.repeat(np.arange(searches), ITEMS),
    }  # fmt: skip
    truth = {
        "query": np.repeat(np.arange(queries), ITEMS), "item": np.tile(np.arange(ITEMS), queries),
        "truth": (attraction * satisfaction).ravel(),
    }  # fmt: skip
    ids = pl.col("query", "item").cast(pl.String)
    return pl.DataFrame(log).with_columns(ids), pl.DataFrame(truth).with_columns(ids)


def small(seed: int, *, searches: int = 60) -> pl.DataFrame:
    """Return a short log of two queries and five items, four shown, with clicks by chance."""
    random = np.random.default_rng(seed)
    rows = []
    for session in range(searches):
        query = f"q{random.integers(2)}"
        for rank, item in enumerate(random.permutation(5)[:4], 1):
            rows.append((query, f"d{item}", rank, int(random.random() < 0.8 / rank), f"s{session}"))
    return pl.DataFrame(rows, schema=["query", "item", "rank", "click", "session"], orient="row")


def by_the_book(model: str, log: pl.DataFrame) -> dict[tuple[str, str], float]:
    """Return the estimate of each pair that has one, by going through the searches one by one."""
    searches = defaultdict(list)
    for row in log.sort("rank").iter_rows(named=True):
        searches[row["session"], row["query"]].append(row)
    return {"ctr": _ctr, "coec": _coec, "cascade": _cascade, "sdbn": _sdbn}[model](searches.values())


def _ctr(searches):
    shown, clicks = defaultdict(int), defaultdict(int)
    for search in searches:
        for row in search:
            shown[row["query"], row["item"]] += 1
            clicks[row["query"], row["item"]] += row["click"]
    return {pair: clicks[pair] / many for pair, many in shown.items()}


def _coec(searches):
    rows = [row for search in searches for row in search]
    shown, clicks, expected = defaultdict(int), defaultdict(int), defaultdict(float)
    for row in rows:
        shown[row["rank"]] += 1
        clicks[row["rank"]] += row["click"]
    pair_clicks = defaultdict(int)
    for row in rows:
        expected[row["query"], row["item"]] += clicks[row["rank"]] / shown[row["rank"]]
        pair_clicks[row["query"], row["item"]] += row["click"]
    return {pair: pair_clicks[pair] / usual for pair, usual in expected.items() if usual}


def _cascade(searches):
    examined, clicks = defaultdict(int), defaultdict(int)
    for search in searches:
        for row in search:
            examined[row["query"], row["item"]] += 1
            if row["click"]:
                clicks[row["query"], row["item"]] += 1
                break
    return {pair: clicks[pair] / many for pair, many in examined.items()}


def _sdbn(searches):
    examined, clicks, last = defaultdict(int), defaultdict(int), defaultdict(int)
    for search in searches:
        at = max((row["rank"] for row in search if row["click"]), default=None)
        for row in search:
            if at is None or row["rank"] <= at:
                pair = row["query"], row["item"]
                examined[pair] += 1
                clicks[pair] += row["click"]
                last[pair] += row["click"] and row["rank"] == at
    return {
        pair: (clicks[pair] / many) * (last[pair] / clicks[pair]) if clicks[pair] else 0.0
        for pair, many in examined.items()
    }
