"""Grades from clicks: each model against its definition, and against relevance that was planted."""

import numpy as np
import polars as pl
import pytest
from tests.unit.click_logs import by_the_book, planted, small

from assay.formats.clicks import ClickLog
from assay.judging.clicks import MODELS, grade_clicks, model_of
from assay.judging.clicks.cells import Cells
from assay.judging.clicks.em import maximised
from assay.judging.clicks.pbm import Pbm
from assay.judging.clicks.propensity import comparable, conditional

RAW = {"min_exposure": 0, "prior": 0}


def estimates(log, model, **more):
    table = grade_clicks(log, model, **RAW | more).table
    return {(query, item): raw for query, item, raw in table.select("query", "item", "raw").iter_rows()}


def inversions(found, truth) -> float:
    """Return the share of pairs of items of one query whose grades are in the wrong order."""
    wrong = total = 0
    for (_,), group in found.table.join(truth, on=["query", "item"]).group_by("query"):
        grade, true = group["grade"].to_numpy(), group["truth"].to_numpy()
        upper = np.triu_indices(len(grade), 1)
        product = np.subtract.outer(grade, grade)[upper] * np.subtract.outer(true, true)[upper]
        wrong, total = wrong + int((product < 0).sum()), total + len(product)
    return wrong / total


def error(found, truth) -> float:
    both = found.table.join(truth, on=["query", "item"])
    return (both["raw"] - both["truth"]).abs().mean()


@pytest.mark.parametrize("model", ["ctr", "coec", "cascade", "sdbn"])
@pytest.mark.parametrize("seed", [1, 2, 3])
def test_estimates_are_those_of_the_definition(model, seed):
    log = small(seed)
    found, book = estimates(log, model), by_the_book(model, log)
    assert found.keys() == book.keys()
    assert all(found[pair] == pytest.approx(book[pair], abs=1e-12) for pair in book)


def test_coec_by_hand():
    # Rank 1: 3 of 6 clicked, rank 2: 1 of 4. b: 2 clicks, expected 2 × .5 + 2 × .25 = 1.5.
    rows = [("a", 1, 1), ("a", 1, 0), ("a", 1, 0), ("a", 1, 0), ("b", 1, 1), ("b", 1, 1)]
    rows += [("b", 2, 0), ("b", 2, 0), ("c", 2, 1), ("c", 2, 0)]
    log = pl.DataFrame([("q", *row) for row in rows], schema=["query", "item", "rank", "click"], orient="row")
    assert estimates(log, "coec") == pytest.approx({("q", "a"): 1 / 2, ("q", "b"): 4 / 3, ("q", "c"): 2})


def test_sdbn_by_hand():
    # a over b over c: a clicked then c; b clicked alone; no click. Examined: a 3, b 3, c 2.
    clicks = [[1, 0, 1], [0, 1, 0], [0, 0, 0]]
    rows = [("q", item, rank, click, f"s{s}") for s, line in enumerate(clicks)
            for rank, (item, click) in enumerate(zip("abc", line, strict=True), 1)]  # fmt: skip
    log = pl.DataFrame(rows, schema=["query", "item", "rank", "click", "session"], orient="row")
    table = grade_clicks(log, "sdbn", **RAW).table
    assert table.select("item", "examined", "attraction", "satisfaction", "raw").rows() == [
        ("a", 3.0, pytest.approx(1 / 3), 0.0, 0.0),
        ("b", 3.0, pytest.approx(1 / 3), 1.0, pytest.approx(1 / 3)),
        ("c", 2.0, 0.5, 1.0, 0.5),
    ]


@pytest.mark.parametrize("model", ["pbm", "ipw"])
def test_exact_rates_give_back_what_made_them(model):
    # 10,000 impressions in each cell, clicked as often as θ · α says: nothing is left to chance.
    theta, alpha = {1: 1.0, 2: 0.5, 3: 0.2}, {"a": 0.8, "b": 0.3, "c": 0.1}
    rows = [
        ("q", item, rank, click)
        for item, attract in alpha.items() for rank, look in theta.items()
        for click in [1] * round(1000 * look * attract) + [0] * round(1000 * (1 - look * attract))
    ]  # fmt: skip
    log = pl.DataFrame(rows, schema=["query", "item", "rank", "click"], orient="row")
    found = grade_clicks(log, model, **RAW)
    assert found.ranks["looked_at"].to_list() == pytest.approx([1.0, 0.5, 0.2], abs=1e-4)
    assert found.table["raw"].to_list() == pytest.approx([0.8, 0.3, 0.1], abs=1e-4)
    assert found.fit.converged


@pytest.mark.parametrize("seed", [0, 1, 2])
@pytest.mark.parametrize(
    ("people", "model"), [("pbm", "pbm"), ("pbm", "ipw"), ("cascade", "cascade"), ("sdbn", "sdbn")]
)
def test_planted_relevance_is_recovered_where_the_rate_of_clicks_does_not(people, model, seed):
    log, truth = planted(people, seed)
    found, rate = grade_clicks(log, model), grade_clicks(log, "ctr")
    assert inversions(found, truth) < 0.75 * inversions(rate, truth)
    assert error(found, truth) < 0.06


def test_looks_at_ranks_are_recovered():
    found = grade_clicks(planted("pbm", 0)[0], "pbm")
    assert found.ranks["looked_at"].to_list() == pytest.approx([1 / rank for rank in range(1, 9)], abs=0.05)


def test_rare_pairs_do_not_mislead_the_position_based_model():
    # Thousands of queries asked once or twice: with an attraction fitted to each, low ranks look far too good.
    random, share = np.random.default_rng(5), 1 / np.arange(1, 20_001)
    query = random.choice(20_000, 20_000, p=share / share.sum())
    attract = random.beta(1, 3, (20_000, 5))
    order = np.argsort(random.normal(0, 0.2, (len(query), 5)) - attract[query], axis=1)
    click = random.random(order.shape) < np.take_along_axis(attract[query], order, 1) / np.arange(1, 6)
    log = pl.DataFrame({
        "query": np.repeat(query, 5), "item": order.ravel(), "rank": np.tile(np.arange(1, 6), len(query)),
        "click": click.ravel(),
    })  # fmt: skip
    cells = Cells.of(ClickLog.of(log))
    theta = [1, 1 / 2, 1 / 3, 1 / 4, 1 / 5]
    (naive, _), _ = maximised(cells, conditional(cells)[0], known=False)
    assert np.abs(naive - theta).max() > 0.1
    assert conditional(cells)[0].tolist() == pytest.approx(theta, abs=0.03)
    assert Pbm().estimate(cells).propensity.tolist() == pytest.approx(theta, abs=0.03)


@pytest.mark.parametrize(("people", "model"), [("pbm", "pbm"), ("pbm", "ipw"), ("cascade", "cascade")])
@pytest.mark.parametrize("interval", ["wilson", "beta"])
def test_intervals_hold_the_truth_as_often_as_they_say(people, model, interval):
    held = []
    for seed in range(4):
        log, truth = planted(people, seed)
        both = grade_clicks(log, model, interval=interval, prior=0).table.join(truth, on=["query", "item"])
        held += ((both["low"] <= both["truth"]) & (both["truth"] <= both["high"])).to_list()
    assert 0.91 < np.mean(held) <= 1


def test_a_hundred_of_a_hundred_does_not_beat_nine_thousand_of_ten_thousand():
    shown = {"always": (100, 100), "often": (9_000, 10_000), "seldom": (500, 40_000), "never": (0, 5)}
    rows = [("q", item, click) for item, (hit, all_) in shown.items() for click in [1] * hit + [0] * (all_ - hit)]
    log = pl.DataFrame(rows, schema=["query", "item", "click"], orient="row")
    found = grade_clicks(log, "ctr")
    grades = dict(found.table.select("item", "grade").iter_rows())
    assert grades["often"] > grades["always"] > grades["seldom"]
    mean = 9_600 / 50_100
    assert grades["always"] == pytest.approx((100 + 20 * mean) / 120)
    assert found.few == 1
    raw = dict(grade_clicks(log, "ctr", prior=0).table.select("item", "grade").iter_rows())
    assert raw == {"always": 1.0, "often": 0.9, "seldom": 0.0125}
    always = found.table.row(by_predicate=pl.col("item") == "always", named=True)
    assert always["low"] <= always["grade"] <= always["high"] == 1.0


def test_the_order_of_rows_and_blocks_changes_nothing(monkeypatch):
    from assay.formats import click_rows as reader
    from assay.judging.clicks import cells

    log = planted("sdbn", 3, queries=5, searches=600)[0]
    for model in MODELS:
        before = grade_clicks(log, model)
        with monkeypatch.context() as small_blocks:
            small_blocks.setattr(reader, "BATCH", 97)
            small_blocks.setattr(cells, "FEWEST", 50)
            after = grade_clicks(log.sample(fraction=1, shuffle=True, seed=1), model)
        assert before.table.equals(after.table)


def test_what_is_held_grows_with_pairs_and_not_with_rows(monkeypatch):
    from assay.judging.clicks import cells

    monkeypatch.setattr(cells, "FEWEST", 100)
    found, held = cells.Gathering(("pair",), pl.all().sum()), []
    for _ in range(200):
        found.add(pl.DataFrame({"pair": range(60), "shown": 1}))
        held.append(sum(part.height for part in found.held))
    assert max(held) <= 160
    assert found.table().sort("pair")["shown"].to_list() == [200] * 60


def test_given_propensities_are_used_as_they_are():
    log, truth = planted("pbm", 4)
    given = {rank: 1 / rank for rank in range(1, 9)}
    for name in ("pbm", "ipw"):
        found = grade_clicks(log, model_of(name, given))
        assert found.ranks["looked_at"].to_list() == [1 / rank for rank in range(1, 9)]
        assert found.settings["model"]["propensities"] == "given"
        assert error(found, truth) < 0.06


def test_inverse_propensities_by_hand_and_clipped():
    rows = [("q", "a", 1, 1)] * 2 + [("q", "a", 1, 0)] * 8 + [("q", "a", 2, 1)] + [("q", "a", 2, 0)] * 9
    log = pl.DataFrame(rows, schema=["query", "item", "rank", "click"], orient="row")
    given = {1: 1.0, 2: 0.1}
    assert estimates(log, model_of("ipw", given)) == {("q", "a"): pytest.approx((2 + 1 / 0.1) / 20)}
    clipped = grade_clicks(log, model_of("ipw", given, 0.5), **RAW)
    assert clipped.table["raw"].item() == pytest.approx((2 + 1 / 0.5) / 20)
    assert "10 impressions stood at ranks below the clip" in clipped.notices[0]
    whole, weighted = (grade_clicks(log, model_of("ipw", one), **RAW).table["examined"].item()
                       for one in ({1: 1.0, 2: 1.0}, given))  # fmt: skip
    assert whole == pytest.approx(20)
    assert weighted < 10


def test_the_effective_sample_size_is_that_of_the_variance():
    # Draw the same pair again and again: the estimate varies as if so many plain trials had been made.
    random, theta, attract = np.random.default_rng(0), np.array([1.0, 0.2]), 0.4
    drawn = random.binomial([300, 300], theta * attract, (4_000, 2)) @ (1 / theta) / 600
    rows = [("q", "a", rank, click) for rank, hit in ((1, 120), (2, 24)) for click in [1] * hit + [0] * (300 - hit)]
    log = pl.DataFrame(rows, schema=["query", "item", "rank", "click"], orient="row")
    examined = grade_clicks(log, model_of("ipw", {1: 1.0, 2: 0.2}), **RAW).table["examined"].item()
    assert examined == pytest.approx(attract * (1 - attract) / drawn.var(), rel=0.08)


def test_ranks_that_share_no_clicked_item_cannot_be_compared():
    rows = [("q", item, rank, click) for item, ranks in (("a", (1, 2)), ("b", (2, 3)), ("c", (4,)))
            for rank in ranks for click in [1] * 10 + [0] * 20]  # fmt: skip
    rows += [("q", "never", rank, 0) for rank in (1, 4) for _ in range(30)]
    log = pl.DataFrame(rows, schema=["query", "item", "rank", "click"], orient="row")
    assert comparable(Cells.of(ClickLog.of(log))).tolist() == [True, True, True, False]
    found = grade_clicks(log, "pbm")
    assert set(found.table["item"]) == {"a", "b", "never"}
    assert (found.undefined, found.ranks["looked_at"][3]) == (1, None)
    assert "Ranks 4 share no clicked item" in found.notices[0]
