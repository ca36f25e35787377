"""The pages of link predictors and of vectors: every figure is that of the result, and names are only ever text."""

import hashlib
from dataclasses import replace

import numpy as np
import pytest

pytest.importorskip("altair")
pytest.importorskip("jinja2")
pytest.importorskip("vl_convert")

from tests.unit.link_pages import drifted, judged, quality, typed
from tests.unit.pages import Page

from assay.core.links_worst import RankedTriple
from assay.report.html import links, neighbours, neighbours_drift
from assay.report.html.links_ranks import ends_of, ranks_of, up_to

SECTIONS = [
    "result", "protocol", "measures", "ranks", "protocols", "breakdowns", "worst", "notices", "reproduce",
]  # fmt: skip


@pytest.fixture(scope="module")
def found():
    evaluation, pooled = judged()
    return replace(evaluation, results=(*evaluation.results, pooled))


@pytest.fixture(scope="module")
def laid_out(found):
    return links.lay_out(found, ("assay", "links", "evaluate"), (("train", "no-such-file.tsv"),), "Half the sum")


@pytest.fixture(scope="module")
def page(found):
    return Page(links.render(found))


def blocks(page, name, kind):
    (section,) = [one for one in page.sections if one.name == name]
    return [block for block in section.blocks if block.kind == kind]


def texts(table):
    return [[cell.text for cell in row] for row in table.rows]


def test_sections_come_in_their_order_and_the_contents_point_to_them(page):
    assert [attrs["id"] for attrs in page.all("section")] == SECTIONS
    assert [attrs["href"] for attrs in page.all("a")] == ["#content", *(f"#{name}" for name in SECTIONS)]


def test_what_was_not_asked_for_is_left_out(found):
    bare = replace(found, results=found.results[:1], breakdowns=(), worst=(), notices=())
    names = [one.name for one in links.lay_out(bare).sections]
    assert names == ["result", "protocol", "measures", "ranks", "reproduce"]
    unknown = replace(bare, results=(replace(bare.filtered, evaluation=None),))
    assert [one.name for one in links.lay_out(unknown).sections] == ["result", "protocol", "measures", "reproduce"]


def test_the_measures_are_those_of_the_evaluation(found, laid_out):
    table, ties = blocks(laid_out, "measures", "table")
    figures = {row[0]: row for row in texts(table)}
    mrr = found.filtered.figure("RR")
    tail, head = (found.filtered.figure("RR", side).mean for side in ("tail", "head"))
    low, high = mrr.interval.low, mrr.interval.high
    shown = [f"{mrr.mean:.4f}", f"[{low:.4f}, {high:.4f}]", f"{tail:.4f}", f"{head:.4f}"]
    assert figures["MRR"][1:5] == shown
    assert figures["MRR"][5:] == [f"{mrr.by_query:.4f}", f"{mrr.by_relation:.4f}", str(mrr.queries), "0"]
    assert texts(ties)[0] == ["MRR", *(f"{value:.4f}" for value in mrr.ties.values())]


def test_the_protocol_card_says_every_convention(found, laid_out):
    (card,) = blocks(laid_out, "protocol", "facts")
    facts = dict(card.pairs)
    filtered, graph = found.filtered, found.graph
    assert facts["Score"] == "Half the sum"
    assert facts["Graph"].startswith("tiny: 12 entities, 3 relations; triples: train 75, valid 30, test 45")
    assert facts["Asked"].startswith(f"45 triples of test, each for its tail and for its head: {filtered.ranks} ranks")
    assert facts["Filter"] == "other right answers known from train, valid, test are no candidates"
    assert facts["Tie rule"].startswith("realistic: ")
    assert facts["Ties"].startswith(f"{filtered.tied} of {filtered.ranks} true entities (")
    low, middle, high = filtered.candidates
    assert facts["Candidates"].endswith(f"{low} to {high}, median {middle}")
    assert facts["Unseen in train"].startswith(f"kept: {graph['unseen']} triple")
    assert f"{filtered.figures[0].interval.units} different questions" in facts["Intervals"]
    dropped = replace(found, protocol=dict(found.protocol) | {"unseen": "drop", "known": []}, dropped=7)
    facts = dict(blocks(links.lay_out(dropped), "protocol", "facts")[0].pairs)
    assert facts["Unseen in train"].startswith("left out: 7 triples")
    assert facts["Filter"].startswith("none: ")


def test_every_other_protocol_stands_under_its_name_with_its_meaning(found, laid_out):
    side_by_side, multi, *_ = blocks(laid_out, "protocols", "table")
    assert [row[0] for row in texts(side_by_side)] == ["filtered", "raw"]
    assert texts(side_by_side)[1][1] == f"{found.under('raw')['RR']:.4f}"
    assert texts(multi)[0][:2] == ["P@1", f"{found.under('multi-answer')['P@1']:.4f}"]
    said = " ".join(block.text for block in blocks(laid_out, "protocols", "text"))
    for result in found.results[2:]:
        assert result.protocol in said
        assert result.meaning[1:] in said
    (meanings,) = blocks(laid_out, "protocols", "facts")
    assert dict(meanings.pairs)["raw"] == found.under("raw").meaning


def test_a_protocol_with_measures_of_its_own_has_a_table_of_its_own(found):
    figure = replace(found.filtered.figure("HR@10"), name="OGB-Hits@20", requested="OGB-Hits@20", interval=None)
    shared = replace(
        found.filtered, protocol="ogb-shared-negatives", figures=(figure,), sides={}, candidates=(9, 9, 9),
        evaluation=None,
    )  # fmt: skip
    page = links.lay_out(replace(found, results=(*found.results, shared)))
    side_by_side, *_, own = blocks(page, "protocols", "table")
    assert [row[0] for row in texts(side_by_side)] == ["filtered", "raw"]
    assert texts(own)[0][:2] == ["OGB-Hits@20", f"{figure.mean:.4f}"]
    assert page.runs == ("filtered", "raw")


def test_typed_ranks_count_their_misses():
    found = typed()
    page = links.lay_out(found)
    (table, *_) = blocks(page, "protocols", "table")
    rows = {row[0]: row for row in texts(table)}
    assert found.under("typed").outside > 0
    assert rows["typed"][-1] == str(found.under("typed").outside)
    assert dict(blocks(page, "protocol", "facts")[0].pairs)["Outside its candidates"].startswith("no rank")
    ranks, candidates = ranks_of(found.under("typed"))
    shares, _ = up_to(ends_of(candidates.max()), ranks, candidates)
    assert shares[-1] == pytest.approx(1 - found.under("typed").outside / found.under("typed").ranks)


def test_the_spread_of_ranks_is_that_of_a_loop(found, laid_out):
    chart = blocks(laid_out, "ranks", "chart")[0]
    ranks, candidates = ranks_of(found.filtered)
    rows = [dict(zip(chart.fields, row, strict=True)) for row in chart.rows if row[0] == "filtered"]
    assert [row["rank"] for row in rows] == ["1", "2", "3", "4–5", "6–10", "11"]
    many = len(candidates)
    assert rows[0]["ranks"] == sum(rank <= 1 for rank in ranks)
    assert rows[3]["ranks"] == sum(3 < rank <= 5 for rank in ranks)
    assert rows[3]["share"] == pytest.approx(rows[3]["ranks"] / many)
    chance = sum((min(5, one) - min(3, one)) / one for one in candidates) / many
    assert rows[3]["chance"] == pytest.approx(chance)
    assert sum(row["ranks"] for row in rows) == many
    assert sum(row["chance"] for row in rows) == pytest.approx(1)
    assert np.mean(1 / ranks) == pytest.approx(found["RR"])


def test_hits_over_k_are_those_of_the_measure(found, laid_out):
    chart = blocks(laid_out, "ranks", "chart")[1]
    rows = {(row[0], row[1]): row[3] for row in chart.rows}
    for protocol in ("filtered", "raw"):
        for k in (1, 3, 10):
            assert rows[protocol, k] == pytest.approx(found.under(protocol)[f"HR@{k}"])
    assert laid_out.runs == ("filtered", "raw")


def test_the_rank_drawn_follows_the_tie_rule(found):
    first = found.filtered.evaluation
    means = {}
    for ties in ("optimistic", "realistic", "pessimistic"):
        policy = replace(first.policy, ties=ties)
        ranks, _ = ranks_of(replace(found.filtered, evaluation=replace(first, policy=policy)))
        means[ties] = float(np.mean(1 / ranks))
    expected = found.filtered.figure("RR").ties
    assert means == {name: pytest.approx(expected[name]) for name in means}


def test_breakdowns_are_drawn_and_tabled_and_can_be_sorted(found, laid_out, page):
    charts, tables = blocks(laid_out, "breakdowns", "chart"), blocks(laid_out, "breakdowns", "table")
    assert len(charts) == len(tables) == len(found.breakdowns) == 5
    one = found.breakdowns[0].figures[0]
    assert charts[0].rows[0] == ("MRR", one.group, one.queries, "filtered", one.mean, one.interval.low,
                                 one.interval.high)  # fmt: skip
    assert texts(tables[0])[0][:3] == [one.group, str(one.queries), f"{one.mean:.4f}"]
    assert all(table.sortable for table in tables)
    assert len([attrs for attrs in page.all("table") if "data-sortable" in attrs]) == 6


def test_a_breakdown_of_many_groups_draws_the_first_and_tables_all(found):
    (slicing, *_) = found.breakdowns
    many = replace(slicing, groups={f"g{place:02}": 5 for place in range(40)}, figures=tuple(
        replace(slicing.figures[0], group=f"g{place:02}") for place in range(40)
    ))  # fmt: skip
    page = links.lay_out(replace(found, breakdowns=(many,)))
    (chart,), (table,) = blocks(page, "breakdowns", "chart"), blocks(page, "breakdowns", "table")
    assert len(chart.rows) == 30
    assert "30 largest of 40 groups" in chart.shows
    assert len(table.rows) == 40


def test_the_worst_triples_come_with_what_stands_above_them(found, laid_out):
    (table,) = blocks(laid_out, "worst", "table")
    worst = found.worst[0]
    question, answer, rank, of, above = texts(table)[0]
    assert (rank, of) == (f"{worst.rank:,.10g}", str(worst.candidates))
    assert answer == (worst.tail if worst.side == "tail" else worst.head)
    assert question.count("?") == 1
    assert above == ", ".join(f"{one.entity} ({one.split or 'new'})" for one in worst.above)
    plain = tuple(replace(one, above=None) for one in found.worst)
    (table,) = blocks(links.lay_out(replace(found, worst=plain)), "worst", "table")
    assert [column.head for column in table.columns] == ["question", "true answer", "rank", "of"]


def test_no_ties_are_said_aloud_and_many_are_a_warning(found):
    (verdicts,) = blocks(links.lay_out(found), "result", "verdicts")
    assert (verdicts.verdicts[-1].tone, verdicts.verdicts[-1].word) == ("bad", "the tie rule matters")
    untied = replace(found, results=(replace(found.filtered, tied=0),))
    (verdicts,) = blocks(links.lay_out(untied), "result", "verdicts")
    assert verdicts.verdicts[-1].sentence.startswith("No true entity ties")


def test_inputs_are_named_with_their_digests(found, tmp_path):
    file = tmp_path / "train.tsv"
    file.write_text("a\tb\tc\n")
    page = links.lay_out(found, ("assay", "links"), (("train", str(file)), ("pykeen", str(tmp_path))))
    (table,) = blocks(page, "reproduce", "table")
    digest = hashlib.sha256(b"a\tb\tc\n").hexdigest()
    assert texts(table) == [["train", str(file), digest], ["pykeen", str(tmp_path), "-"]]
    (how,) = blocks(page, "reproduce", "facts")
    assert dict(how.pairs)["command"] == "assay links"
    assert dict(how.pairs)["SHA-256"].startswith(found.evaluation.gold.digest())


def test_the_page_of_vectors_shows_each_part_that_was_asked_for():
    found = quality()
    page = neighbours.lay_out(found)
    assert [one.name for one in page.sections] == ["result", "labels", "index", "clusters", "hubs", "reproduce"]
    bars, spread = blocks(page, "labels", "chart")
    worst = found.labels.labels[0]
    assert bars.rows[0] == (worst.label, worst.precision, worst.chance, worst.items)
    assert sum(row[2] for row in spread.rows) == 40
    values = found.labels.evaluation.scores.table.filter(measure="P@5")["value"]
    assert spread.rows[0] == ("5 of 5", (values == 1).sum() / 40, (values == 1).sum())
    (index,) = blocks(page, "index", "table")
    assert texts(index)[0][:2] == ["recall@5", f"{found.index.evaluation.figures[0].mean:.4f}"]
    (hubs,) = blocks(page, "hubs", "chart")
    assert hubs.rows[0] == (found.hubs.hubs[0].name, found.hubs.hubs[0].times / 40, 5 / 40, found.hubs.hubs[0].times)
    bare = replace(found, labels=None, index=None, clustering=None, hubs=None)
    assert [one.name for one in neighbours.lay_out(bare).sections] == ["reproduce"]


def test_the_page_of_drift_shows_what_changed():
    found = drifted()
    page = neighbours_drift.lay_out(found)
    assert [one.name for one in page.sections] == ["result", "change", "types", "moved", "reproduce"]
    (verdicts,) = blocks(page, "result", "verdicts")
    assert verdicts.verdicts[0].word == "cannot be told"
    (spread,) = blocks(page, "change", "chart")
    overlap = found.table["overlap"]
    assert spread.rows[-1] == ("0 of 5", (overlap == 0).sum() / 40, (overlap == 0).sum())
    (moved,) = blocks(page, "moved", "table")
    assert texts(moved)[0][0] == found.moved[0].name


def test_many_neighbours_are_gathered_in_tenths():
    from assay.report.html.neighbours_parts import spread_of

    chart = spread_of("values", [0.0, 0.48, 0.52, 1.0], 50, "neighbours were kept")
    assert chart.rows[0] == ("about 100 %", 0.25, 1)
    assert chart.rows[5] == ("about 50 %", 0.5, 2)


def test_a_triple_without_answers_above_has_a_dash(found):
    first = found.worst[0]
    best = RankedTriple(first.side, first.head, first.relation, first.tail, 1.0, 0, 0, 5, 1.0, ())
    (table,) = blocks(links.lay_out(replace(found, worst=(best,))), "worst", "table")
    assert texts(table)[0][-1] == "-"
