"""What there is to say about the rows of a run, whatever the gold."""

from collections.abc import Iterator, Sequence

import polars as pl

from assay.core.audit import Finding
from assay.core.run import Run

EXAMPLES = 5


def run_findings(run: Run, rows: pl.DataFrame, cutoffs: Sequence[int]) -> Iterator[Finding]:
    """Yield what is noteworthy about rows of query, item and score."""
    place = place_of(run)
    if not rows.height:
        yield Finding("error", "empty-run", "the run holds no answer", place=place)
        return
    yield from _about_duplicates(run, rows, place)
    yield from _about_numbers(rows, place)
    lists = rows.group_by("query").agg(size=pl.len(), distinct=pl.col("score").n_unique())
    yield from _about_constant(lists, place)
    yield from _about_ties(lists, rows, place, cutoffs)
    yield from _about_lengths(lists, place, cutoffs)
    yield from _about_precision(rows, place)
    yield from _about_self_matches(rows, place)


def place_of(run: Run) -> str:
    """Return the file of a run, or its name."""
    return run.origin.path if run.origin else run.name


def _about_duplicates(run: Run, rows: pl.DataFrame, place: str) -> Iterator[Finding]:
    times = rows.group_by("query", "item").len().filter(pl.col("len") > 1).sort("query", "item")
    if times.height:
        extra = int(times["len"].sum()) - times.height
        yield Finding(
            "error",
            "duplicates",
            f"rows that repeat an item of their query: {extra}",
            "A measure that counts an item twice can pass 1, so evaluation stops here. duplicates='first' or "
            "'best' keeps one of them.",
            tuple(_twice(run, *row) for row in times.head(EXAMPLES).iter_rows()),
            place,
        )


def _twice(run: Run, query: str, item: str, times: int) -> str:
    where = run.origin.place(query, item) if run.origin else ""
    lines = where.removeprefix(run.origin.path).removeprefix(", ") if run.origin else ""
    return f"query {query!r}, item {item!r}: {times} times" + (f" ({lines})" if lines else "")


def _about_numbers(rows: pl.DataFrame, place: str) -> Iterator[Finding]:
    wrong = rows.filter(pl.col("score").is_nan())
    if wrong.height:
        yield Finding(
            "error",
            "nan-scores",
            f"scores that are no number: {wrong.height}",
            "NaN has no place in an order, so evaluation stops here. nan='worst' ranks such items last.",
            _pairs(wrong),
            place,
        )
    endless = rows.filter(pl.col("score").is_infinite())
    if endless.height:
        yield Finding(
            "warning",
            "infinite-scores",
            f"infinite scores: {endless.height}",
            "They rank first or last, and tie with each other.",
            _pairs(endless),
            place,
        )


def _about_constant(lists: pl.DataFrame, place: str) -> Iterator[Finding]:
    several = lists.filter(pl.col("size") > 1)
    constant = several.filter(pl.col("distinct") == 1)
    if constant.height:
        yield Finding(
            "warning",
            "constant-scores",
            f"lists in which all items have the same score: {constant.height} of {several.height}",
            "The tie rule decides every rank there, not the system: a run of constant scores can get any value. "
            "If the order of the rows is the ranking, say ties='order'.",
            _names(constant),
            place,
        )


def _about_ties(lists: pl.DataFrame, rows: pl.DataFrame, place: str, cutoffs: Sequence[int]) -> Iterator[Finding]:
    tied = lists.filter(pl.col("distinct") < pl.col("size"))
    if tied.height:
        crossing = {k: count for k in cutoffs if (count := _crossed(rows, k))}
        by = ", ".join(f"{count} at k = {k}" for k, count in crossing.items())
        yield Finding(
            "note",
            "ties",
            f"lists that hold items with equal scores: {tied.height} of {lists.height}",
            (f"A tie crosses place k in: {by}. " if by else "No tie crosses a cutoff. ")
            + "ties='expected' or --ties range show what that can change.",
            _names(tied),
            place,
        )


def _about_lengths(lists: pl.DataFrame, place: str, cutoffs: Sequence[int]) -> Iterator[Finding]:
    short = {k: count for k in cutoffs if (count := lists.filter(pl.col("size") < k).height)}
    if short:
        sizes = lists["size"].to_numpy()
        by = ", ".join(f"{count} at k = {k}" for k, count in short.items())
        yield Finding(
            "note",
            "short-lists",
            f"lists shorter than a cutoff: {max(short.values())} of {lists.height}",
            f"They hold {sizes.min()} to {sizes.max()} items. Shorter than k: {by}. P@k still divides by k.",
            place=place,
        )


def _crossed(rows: pl.DataFrame, k: int) -> int:
    """Count the queries whose items k and k + 1 by score are tied."""
    last = rows.group_by("query").agg(
        inside=pl.col("score").sort(descending=True).get(k - 1, null_on_oob=True),
        outside=pl.col("score").sort(descending=True).get(k, null_on_oob=True),
    )
    return last.filter(pl.col("inside") == pl.col("outside")).height


def _about_precision(rows: pl.DataFrame, place: str) -> Iterator[Finding]:
    """Find scores that only 64 bits keep apart, and whether the order of any query then changes."""
    single = rows.with_columns(single=pl.col("score").cast(pl.Float32).cast(pl.Float64))
    merged = single.group_by("query").agg(
        pl.col("score").n_unique().alias("double"), pl.col("single").n_unique().alias("less")
    )
    merged = merged.filter(pl.col("less") < pl.col("double"))
    if not merged.height:
        return
    some = single.join(merged, on="query", how="semi")
    by_double, by_single = (
        some.sort(["query", column, "item"], descending=[False, True, True])["item"] for column in ("score", "single")
    )
    queries = some.sort("query")["query"]
    moved = queries.filter(by_double != by_single).unique().sort()
    order = f"the order changes in {len(moved)} of them" if len(moved) else "ordered by id, no list changes"
    yield Finding(
        "warning" if len(moved) else "note",
        "float32-ties",
        f"lists with scores that differ only beyond 32 bits: {merged.height}",
        f"trec_eval 9, pytrec_eval and what builds on them see ties there; {order}. The profile trec_eval-9 does "
        "the same.",
        tuple(moved.head(EXAMPLES)) or _names(merged),
        place,
    )


def _about_self_matches(rows: pl.DataFrame, place: str) -> Iterator[Finding]:
    own = rows.filter(pl.col("query") == pl.col("item"))
    if own.height:
        yield Finding(
            "note",
            "self-matches",
            f"rows that name their own query as item: {own.height}",
            "They stay in the ranking; self_match='drop' takes them out, as BEIR does.",
            _names(own),
            place,
        )


def _names(table: pl.DataFrame) -> tuple[str, ...]:
    return tuple(table["query"].unique().sort().head(EXAMPLES))


def _pairs(table: pl.DataFrame) -> tuple[str, ...]:
    shown = table.sort("query", "item").head(EXAMPLES)
    return tuple(f"query {query!r}, item {item!r}" for query, item in shown.select("query", "item").iter_rows())
