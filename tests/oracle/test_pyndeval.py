"""pyndeval (ndeval 4.5) as an oracle of the diversity measures, on random collections."""

import numpy as np
import polars as pl
import pytest

from assay.core.gold import Gold
from assay.evaluate import evaluate

pyndeval = pytest.importorskip("pyndeval", reason="the oracle pyndeval is not installed")

pytestmark = pytest.mark.oracle

CUTOFFS = (2, 3, 5, 10, 20)
"""From 2 on: at 1 ndeval leaves out the division of ERR-IA and alpha-DCG."""

NAMES = {
    "ERR-IA": "ERR_IA(alpha={alpha})@{k}", "nERR-IA": "nERR_IA(alpha={alpha})@{k}",
    "alpha-DCG": "alpha_DCG(alpha={alpha})@{k}", "alpha-nDCG": "alpha_nDCG(alpha={alpha})@{k}",
    "P-IA": "P_IA@{k}", "strec": "StRecall@{k}", "NRBP": "NRBP(alpha={alpha},p={p})",
    "nNRBP": "nNRBP(alpha={alpha},p={p})", "MAP-IA": "AP_IA",
}  # fmt: skip
WHOLE = ("NRBP", "nNRBP", "MAP-IA")
EXACT = (0.5, 0.25, 0.75, 0.0, 1.0)
"""Powers of 1 - alpha are exact in binary: other values let rounding decide which of two items is ideal."""


def asked(alpha, p, cutoffs=CUTOFFS):
    """Return the names of all values: ndeval's and Assay's."""
    whole = {name: NAMES[name].format(alpha=alpha, p=p) for name in WHOLE}
    cut = {f"{name}@{k}": NAMES[name].format(alpha=alpha, k=k) for name in NAMES if name not in WHOLE for k in cutoffs}
    return whole | cut


def collection(seed):
    """Judgments by aspect and rankings, with unjudged items, aspects and relevant items that nobody retrieved."""
    chance = np.random.default_rng(seed)
    judged, run = [], {}
    for query in map(str, range(1, 7)):
        items = [f"d{i}" for i in chance.permutation(30)]
        for aspect in chance.permutation(8)[: int(chance.integers(1, 7))].tolist():
            grades = chance.integers(-1, 3, 12) if aspect else np.zeros(12, int)
            some = chance.permutation(items)[:12].tolist()
            judged += [(query, str(aspect), item, int(grade)) for item, grade in zip(some, grades, strict=True)]
        retrieved = chance.permutation([*items[:20], "u1", "u2", "u3"])[: int(chance.integers(1, 24))].tolist()
        run[query] = {item: float(100 - place) for place, item in enumerate(retrieved)}
    return judged, run


def theirs(judged, run, names, *, alpha=0.5, p=0.5, rel=1):
    evaluator = pyndeval.RelevanceEvaluator(judged, list(names), relevance_level=rel, alpha=alpha, beta=p)
    return evaluator.evaluate([(query, item, score) for query, scores in run.items() for item, score in scores.items()])


def gold_of(judged):
    return Gold.from_details(pl.DataFrame(judged, schema=["query", "group", "item", "grade"], orient="row"))


@pytest.mark.parametrize("alpha", EXACT)
@pytest.mark.parametrize("seed", range(6))
def test_every_measure_equals_ndeval(seed, alpha):
    judged, run = collection(seed)
    p, rel = (0.5, 1) if seed % 2 else (0.8, 2)
    names = asked(alpha, p)
    expected = theirs(judged, run, names, alpha=alpha, p=p, rel=rel)
    ours = evaluate(gold_of(judged), run, list(names.values()), rel=rel)
    found = {(name, query): value for _, name, query, value in ours.per_query.iter_rows()}
    canonical = {figure.requested: figure.name for figure in ours.figures}
    compared = 0
    for query, row in expected.items():
        for name, value in row.items():
            own = found[canonical[names[name]], query]
            assert (own or 0.0) == pytest.approx(value, rel=1e-9, abs=1e-12), (name, query)
            compared += 1
    assert compared == len(names) * len(run)


@pytest.mark.parametrize("seed", range(4))
def test_ties_are_broken_as_the_profile_of_ir_measures_says(seed):
    judged, run = collection(seed)
    tied = {query: {item: score // 4 for item, score in scores.items()} for query, scores in run.items()}
    names = asked(0.5, 0.5)
    expected = theirs(judged, tied, names)
    ours = evaluate(gold_of(judged), tied, list(names.values()), profile="ir_measures")
    found = {(name, query): value for _, name, query, value in ours.per_query.iter_rows()}
    canonical = {figure.requested: figure.name for figure in ours.figures}
    for query, row in expected.items():
        for name, value in row.items():
            assert (found[canonical[names[name]], query] or 0.0) == pytest.approx(value, rel=1e-9, abs=1e-12), name


def test_ndeval_does_not_divide_at_the_first_place():
    judged, run = [("1", "a", "x", 1), ("1", "b", "x", 1)], {"1": {"x": 1.0}}
    assert theirs(judged, run, ["alpha-DCG@1", "ERR-IA@1"]) == {"1": {"alpha-DCG@1": 2.0, "ERR-IA@1": 2.0}}
    assert evaluate(gold_of(judged), run, "alpha_DCG@1 ERR_IA@1").mean == {"alpha_DCG@1": 1.0, "ERR_IA@1": 1.0}
