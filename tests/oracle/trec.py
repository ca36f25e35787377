"""pytrec_eval (trec_eval 9.0.8) as an oracle: its names, its values, and how they meet Assay's."""

from collections.abc import Mapping

import pytest

import assay
from assay.evaluate import evaluate

pytrec_eval = pytest.importorskip("pytrec_eval", reason="the oracle pytrec_eval-terrier is not installed")

CUTOFFS = (1, 3, 5, 10, 100)
BY_CUTOFF = ("P", "recall", "success", "ndcg_cut", "map_cut", "relative_P")
WHOLE = (
    "map", "recip_rank", "ndcg", "Rprec", "bpref", "infAP", "11pt_avg", "set_P", "set_recall", "set_F", "set_map",
    "set_relative_P", "num_ret", "num_rel", "num_rel_ret",
)  # fmt: skip
LEVELS = ("0.00", "0.10", "0.20", "0.30", "0.50", "0.70", "0.75", "0.90", "1.00")

Table = Mapping[str, Mapping[str, float]]


def names(cutoffs: tuple[int, ...] = CUTOFFS) -> list[str]:
    """Return the names of all values that both sides compute for a query."""
    cut = [f"{name}_{k}" for name in BY_CUTOFF for k in cutoffs]
    return [*WHOLE, *cut, *(f"iprec_at_recall_{level}" for level in LEVELS)]


def oracle(gold: Table, run: Table, cutoffs: tuple[int, ...] = CUTOFFS, rel: int = 1) -> dict[str, dict[str, float]]:
    """Return trec_eval's value of each query that both sides hold, by its own names.

    Queries judged with negative grades only are left out: pytrec_eval's ndcg never returns on them.
    """
    wanted = {*WHOLE, "iprec_at_recall." + ",".join(LEVELS)}
    wanted |= {f"{name}." + ",".join(map(str, cutoffs)) for name in BY_CUTOFF}
    judged = {query: items for query, items in gold.items() if any(grade >= 0 for grade in items.values())}
    whole = {query: {item: int(grade) for item, grade in items.items()} for query, items in judged.items()}
    floats = {query: {item: float(score) for item, score in items.items()} for query, items in run.items()}
    return pytrec_eval.RelevanceEvaluator(whole, wanted, relevance_level=rel).evaluate(floats)


def check(gold: object, run: object, expected: Mapping[str, Mapping[str, float]], asked: list[str]) -> int:
    """Assert that Assay gives the oracle's values under the profile trec_eval-9; return how many were compared."""
    result = evaluate(gold, run, " ".join(asked), profile="trec_eval-9")
    canonical = {figure.requested: figure.name for figure in result.figures}
    values = {(m, q): v for _, m, q, v in result.per_query.iter_rows()}
    compared = 0
    for query, row in expected.items():
        for name in asked:
            measure = canonical.get(name) or str(assay.parse(name))
            found = values[canonical.get(name, measure), query]
            # trec_eval prints 0 where a value is undefined, that is, for a query without a relevant item
            assert (found or 0.0) == pytest.approx(row[name], rel=1e-12, abs=1e-12), (name, query)
            compared += 1
    return compared
