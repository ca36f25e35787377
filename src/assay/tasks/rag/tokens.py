"""Tokens: how much of the context has to be read until an answer can be deduced, and what fits into a budget."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np
import polars as pl

from assay.core.evaluation import Evaluation, Figure
from assay.core.gold import Gold
from assay.core.judged import Floats
from assay.core.policy import Policy
from assay.core.sample import Sample
from assay.core.scores import Scores
from assay.errors import InputError, ParameterError
from assay.report.amounts import counted
from assay.tasks.rag.questions import Questions

TO_PROOF = "TokensToProof"
ALL = "Tokens"
SHARE = (0.0, 1.0)
AMOUNT = (0.0, float("inf"))
WORD = r"\S+"


@dataclass(frozen=True, eq=False)
class Spending:
    """What each retrieved item costs, in the order in which a reader takes them.

    `rows` has query, at (the row of the records), cost (null where nothing says it), place and `spent`: the tokens up
    to the end of the item, repeated items included, null behind an item of unknown cost. `stated` items say their
    tokens themselves, for `counted` words stand in (`bare` of them are a single text that may be a name), `unknown`
    have neither tokens nor a text.
    """

    rows: pl.DataFrame
    stated: int
    counted: int
    bare: int
    unknown: int

    @classmethod
    def of(cls, questions: Questions, count: Callable[[str], int] | None = None) -> "Spending":
        """Take the tokens that items state, else count those of their text: by `count`, or words parted by blanks."""
        triple = pl.concat_str("subject", "predicate", "object", separator=" ")
        held = questions.records.retrieved.with_row_index("at").with_columns(words=pl.coalesce("text", triple))
        rows = held.with_columns(cost=pl.coalesce("tokens", _counted(held["words"], count)))
        if questions.scored:
            rows = rows.sort("query", "score", "at", descending=[False, True, False], nulls_last=True)
        before = pl.col("cost").is_null().cum_max()
        spent = pl.when(~before).then(pl.col("cost").fill_null(0).cum_sum())
        rows = rows.select(
            "query", "at", "cost", place=pl.int_range(pl.len()).over("query"), spent=spent.over("query")
        )  # fmt: skip
        stated, unknown = held.height - held["tokens"].null_count(), rows["cost"].null_count()
        bare = held.filter(pl.col("tokens").is_null() & (pl.col("id") == pl.col("text"))).height
        return cls(rows, stated, held.height - stated - unknown, bare, unknown)

    def said(self) -> str:
        """Say how tokens were counted."""
        mean = self.rows["cost"].mean()
        shown = f"{mean:,.1f} an item in the mean" if isinstance(mean, float) else "none known"
        if not self.counted:
            how = "as the items state them"
        elif not self.stated:
            how = "as counted in their texts"
        else:
            how = (
                f"as {counted(self.stated, 'item states', 'items state')} them and as counted in "
                f"the texts of {self.counted:,}"
            )
        bare = (
            f"; {counted(self.bare, 'item is', 'items are')} a single text, which may be a name only"
            if self.bare
            else ""
        )
        unknown = (
            f"; {counted(self.unknown, 'item has', 'items have')} neither tokens nor a text" if self.unknown else ""
        )
        return f"tokens are {how} ({shown}), repeated items included{bare}{unknown}."


def with_tokens(
    evaluation: Evaluation,
    questions: Questions,
    gold: Gold,
    *,
    budgets: Sequence[int] = (),
    count: Callable[[str], int] | None = None,
) -> Evaluation:
    r"""Return the evaluation with figures about tokens behind the others: compared, sliced and drawn like any other.

    `Tokens` is the mean length of the whole context, `TokensToProof` how many tokens there are up to the end of the
    first complete proof: $$ \min_p \max_{i \in p} \sum_{j \le i} t_j $$ It is undefined, and counted as that, where no
    proof is complete, so of two systems the worse may have the lower mean: read it beside Deducible. For each budget
    `Deducible(tokens=N)` is the share of questions with a complete proof within the first N tokens,
    `Complete(tokens=N)` that with all needed items within them.

    Parameters
    ----------
    budgets
        Numbers of tokens.
    count
        A tokenizer, text to number; without one, words parted by blanks. What an item states itself comes first.

    Raises
    ------
    InputError
        Items with neither tokens nor a text, all of them.
    ParameterError
        A budget below 1; an evaluation whose questions weigh differently, or that is no mean over questions.
    """
    _check(evaluation, budgets)
    spending = Spending.of(questions, count)
    if spending.rows.height and spending.unknown == spending.rows.height:
        place = questions.records.path or questions.name
        raise InputError(f"{place}: expected tokens or a text for retrieved items, found neither")
    values = _values(questions, gold, spending, budgets)
    return replace(
        evaluation,
        figures=(*evaluation.figures, *(_figure(name, of, evaluation.policy) for name, of in values.items())),
        scores=Scores(pl.concat([
            evaluation.scores.table,
            Scores.of(evaluation.name, {name: (of.queries, of.numbers) for name, of in values.items()}).table,
        ])),
        samples={**evaluation.samples, **{name: of.sample(evaluation.policy) for name, of in values.items()}},
        notices=(*evaluation.notices, spending.said()),
    )  # fmt: skip


@dataclass(frozen=True, eq=False)
class _Values:
    """A number for each question of the gold (NaN: undefined), shape (queries,)."""

    queries: pl.Series
    numbers: Floats
    answered: Floats
    empty: Floats
    bounds: tuple[float, float]

    def sample(self, policy: Policy) -> Sample:
        """Return the values that enter the mean, by the conventions."""
        numbers = self.numbers
        if self.bounds == SHARE and policy.empty in {"zero", "one"}:
            numbers = np.where(self.empty > 0, float(policy.empty == "one"), numbers)
        inside = ~np.isnan(numbers) & ((self.answered > 0) | (policy.missing != "skip"))
        return Sample(self.queries.filter(pl.Series(inside)), numbers[inside], bounds=self.bounds)


def _figure(name: str, of: _Values, policy: Policy) -> Figure:
    sample = of.sample(policy)
    return Figure(
        name=name,
        requested=name,
        mean=float(sample.values.mean()) if len(sample) else None,
        queries=len(sample),
        undefined=int(np.isnan(of.numbers).sum()),
        higher_is_better=of.bounds == SHARE,
    )


def _values(questions: Questions, gold: Gold, spending: Spending, budgets: Sequence[int]) -> dict[str, _Values]:
    """Return what is known of each question, by the name of its figure."""
    ends = questions.items.select("query", "item", "at").join(spending.rows, on=["query", "at"], how="left")
    proofs = _first_proof(gold, ends)
    every = _all_needed(gold, ends)
    whole = spending.rows.group_by("query").agg(tokens=pl.col("cost").sum(), unknown=pl.col("cost").null_count())
    table = (
        pl.DataFrame({"query": gold.queries})
        .join(proofs, on="query", how="left", maintain_order="left")
        .join(every, on="query", how="left", maintain_order="left")
        .join(whole, on="query", how="left", maintain_order="left")
    )
    spent = pl.when(pl.col("unknown").fill_null(0) == 0).then(pl.col("tokens").fill_null(0))
    found = {ALL: _of(table, spent, AMOUNT), TO_PROOF: _of(table, pl.when("proven").then("proof_spent"), AMOUNT)}
    for budget in budgets:
        found[f"Deducible(tokens={budget})"] = _of(table, _within(budget, "proven", "proof_spent"), SHARE)
        found[f"Complete(tokens={budget})"] = _of(table, _within(budget, "complete", "all_spent"), SHARE)
    return found


def _within(budget: int, complete: str, spent: str) -> pl.Expr:
    """Whether all was found within the budget; unknown where it was found behind an item of unknown length."""
    inside = pl.when(pl.col(complete)).then(pl.col(spent) <= budget).when(~pl.col(complete)).then(statement=False)
    return inside.cast(pl.Float64)


def _of(table: pl.DataFrame, value: pl.Expr, bounds: tuple[float, float]) -> _Values:
    held = table.select(
        value=value.cast(pl.Float64),
        answered=pl.col("tokens").is_not_null().cast(pl.Float64),
        empty=pl.col("complete").is_null().cast(pl.Float64),
    ).with_columns(pl.col("value").fill_null(float("nan")))
    numbers, answered, empty = (held[name].to_numpy() for name in ("value", "answered", "empty"))
    return _Values(table["query"], numbers, answered, empty, bounds)


def _first_proof(gold: Gold, ends: pl.DataFrame) -> pl.DataFrame:
    """Return for each question whether a proof is complete, and the tokens up to the end of the first such."""
    details = gold.table.with_columns(group=pl.lit("")) if gold.details is None else gold.details
    rows = details.filter(pl.col("grade") >= 1).join(ends, on=["query", "item"], how="left")
    each = rows.group_by("query", "group").agg(**_end("place", "spent"))
    first = each.sort("place", nulls_last=True).group_by("query", maintain_order=True).first()
    return first.select("query", proven=pl.col("place").is_not_null(), proof_spent=pl.col("spent"))


def _all_needed(gold: Gold, ends: pl.DataFrame) -> pl.DataFrame:
    rows = gold.table.filter(pl.col("grade") >= 1).join(ends, on=["query", "item"], how="left")
    found = rows.group_by("query").agg(**_end("place", "spent"))
    return found.select("query", complete=pl.col("place").is_not_null(), all_spent=pl.col("spent"))


def _end(*columns: str) -> dict[str, pl.Expr]:
    """Return the highest value of each column; null where one of its values is."""
    return {name: pl.when(pl.col(name).is_not_null().all()).then(pl.col(name).max()) for name in columns}


def _counted(texts: pl.Series, count: Callable[[str], int] | None) -> pl.Series:
    """Return how many tokens texts have."""
    if count is None:
        return texts.str.count_matches(WORD).cast(pl.Float64)
    known = {text: float(count(text)) for text in texts.drop_nulls().unique(maintain_order=True)}
    return pl.Series([None if text is None else known[text] for text in texts], dtype=pl.Float64)


def _check(evaluation: Evaluation, budgets: Sequence[int]) -> None:
    wrong: Iterator[int] = (budget for budget in budgets if budget < 1)
    if (budget := next(wrong, None)) is not None:
        raise ParameterError(f"tokens: expected budgets of at least 1, found {budget}")
    if evaluation.weighted or evaluation.options.aggregate != "macro":
        raise ParameterError("tokens: expected the mean over questions that weigh alike, found another one")
