"""The dashboard: what its pages say, who may write, and that nothing of a store is taken for HTML."""

import re
from dataclasses import replace

import numpy as np
import pytest

pytest.importorskip("starlette")
pytest.importorskip("sqlalchemy")

from tests.unit.history_pages import HOSTILE, Reader, evaluation, gold, opened
from tests.unit.history_stores import evaluation as drawn

from assay.core.history import RecordedFigure
from assay.history.app.application import application
from assay.statistics.difference import significance
from assay.statistics.interval import difference_interval
from assay.statistics.many import adjust
from assay.store.evaluations import HistoryStore
from assay.web.security import POLICY

TAGS = re.compile(r"<[^>]+>")


@pytest.fixture(scope="module")
def desk(tmp_path_factory):
    with opened(str(tmp_path_factory.mktemp("desk") / "kept.db")) as found:
        yield found


@pytest.fixture(scope="module")
def ids(desk):
    """The newest evaluation and the baseline of the suite that fell."""
    web = next(one for one in desk[0].suites() if one.name == "web")
    return web.newest.id, web.baseline.id


def words(answer):
    """Return what a page says, without its marks."""
    return " ".join(TAGS.sub(" ", answer.text).replace("&#39;", "'").split())


def paths(store):
    """Return an address of each kind of page, for every suite."""
    found = ["/"]
    for suite in store.suites():
        newest = store.get(suite.newest.id)
        asked = [("/suite", {"suite": suite.name}), ("/suite", {"suite": suite.name, "measure": "AP", "last": "30"})]
        asked += [("/evaluation", {"id": newest.id}), ("/query", {"id": newest.id, "query": newest.queries[0]})]
        found += [*asked, ("/compare", {"a": 1, "b": newest.id})]
    return [(one, {}) if isinstance(one, str) else one for one in found]


def test_the_overview_says_the_state_of_each_suite_the_worst_first(desk):
    page = Reader(desk[1]).get().text
    said = re.findall(r'<bdi>([^<]*)</bdi></a></h2><span class="state [a-z-]+">([^<]*)</span>', page)
    assert said[:3] == [("web", "fell"), ("sparse", "few judged"), ("other gold", "not comparable")]
    assert dict(said)["first"] == "no baseline"
    assert dict(said)["fine"] == "fine"
    assert page.count('class="spark"') == 6 * 4


def test_the_state_is_the_paired_test_of_the_newest_against_the_baseline(tmp_path):
    with HistoryStore.open(str(tmp_path / "kept.db")) as store:
        store.add(evaluation(0, baseline=True))
        store.add(evaluation(0, fallen=1))
        assert '"state fine"' in Reader(application(store)).get().text
        store.add(evaluation(0, fallen=12))
        page = words(Reader(application(store)).get())
        assert "AP" in page.split("fell beyond chance")[0]
        store.set_baseline(3)
        assert "It is the baseline." in words(Reader(application(store)).get())


def test_a_suite_shows_every_measure_its_events_and_the_baseline(desk, ids):
    page = Reader(desk[1]).get("/suite", suite="web").text
    assert page.count('<div class="plot">') == 5
    assert page.count('class="base"') == 5
    said = words(Reader(desk[1]).get("/suite", suite="web"))
    assert "pinned as the baseline" in said
    assert "New index." in said
    assert said.count("other code") == 2
    assert f'name="a" value="{ids[1]}" checked' in page
    assert f'name="b" value="{ids[0]}" checked' in page


def test_one_measure_of_one_suite_links_each_of_its_points(desk):
    page = Reader(desk[1]).get("/suite", suite="web", measure="AP").text
    assert len(re.findall(r'<a href="/evaluation\?id=\d+" tabindex="-1" aria-label="2026-', page)) == 30


@pytest.mark.parametrize(
    ("path", "asked", "status"),
    [
        ("/suite", {"suite": "nowhere"}, 400),
        ("/suite", {"suite": "web", "measure": "nDGC"}, 400),
        ("/suite", {"suite": "web", "slice": "x=1"}, 400),
        ("/suite", {"suite": "web", "last": "all"}, 400),
        ("/evaluation", {"id": "999999"}, 404),
        ("/evaluation", {"id": "-1"}, 400),
        ("/evaluation", {"id": "9" * 30}, 400),
        ("/evaluation", {"id": "٣"}, 400),
        ("/evaluation", {"id": "1", "measure": "x"}, 400),
        ("/evaluation", {"id": "1", "from": "x"}, 400),
        ("/query", {"id": "1", "query": "nowhere"}, 400),
        ("/compare", {"a": "1"}, 400),
        ("/", {"from": "x"}, 400),
        ("/nowhere", {}, 404),
        ("/static/../visits.py", {}, 404),
    ],
)
def test_what_is_not_there_is_refused_in_words(desk, path, asked, status):
    answer = Reader(desk[1]).get(path, **asked)
    assert answer.status_code == status
    assert 'role="alert"' in answer.text


def test_an_evaluation_shows_how_it_was_made_and_its_worst_queries(desk, ids):
    store = desk[0]
    page = words(Reader(desk[1]).get("/evaluation", id=ids[0]))
    made = store.get(ids[0]).made
    assert made.gold[:12] in page
    assert "c0000002" in page
    assert "tag branch main" in page
    assert re.search(r"q00 0\.1667 1\.0000 −0\.8333 other-0 , bad-0 , fair-0", page)
    assert "1 to 20 of 40" in page
    assert "21 to 40 of 40" in words(Reader(desk[1]).get("/evaluation", id=ids[0], **{"from": 20}))


def test_two_evaluations_are_compared_as_the_statistics_say(desk, ids):
    store, app, _ = desk
    now, before = store.get(ids[0]), store.get(ids[1])
    names = ["AP", "nDCG@10", "RR", "P@10"]
    gaps = [now.values[name] - before.values[name] for name in names]
    zero = np.zeros(len(now.queries))
    judged = now.values["Judged@10"] - before.values["Judged@10"]
    ps = adjust([significance(gap, test="t")[0].p for gap in (*gaps, judged)])
    said = words(Reader(app).get("/compare", a=ids[1], b=ids[0]))
    for name, gap, p in zip(names, gaps, ps, strict=False):
        ends = difference_interval(zero, gap, method="t")
        shown = f"{name} {before.values[name].mean():.4f} {now.values[name].mean():.4f} {gap.mean():+.4f} "
        shown += (
            f"[ {ends.low:.4f} , {ends.high:.4f} ] {p:.4f} {(gap > 0).sum()}, {(gap == 0).sum()}, {(gap < 0).sum()}"
        )
        assert shown.replace("-", "−").replace(" ", "") in said.replace("-", "−").replace(" ", "")
    assert said.index("They were not made alike") < said.index("Figures")
    assert "code : c0000000 → c0000002" in said


def test_of_many_measures_some_are_compared_and_how_many_are_not_is_said(tmp_path):
    measures = tuple(f"M{n}" for n in range(200))
    with HistoryStore.open(str(tmp_path / "kept.db")) as store:
        for day in range(2):
            store.add(drawn(day, measures=measures))
        answers = [Reader(application(store)).get("/compare", a=1, b=2, measure=one) for one in ("", "M199")]
    for answer, last in zip(answers, ("M49", "M199"), strict=True):
        assert answer.text.count("measure=M") < 100
        assert "150 more measures are not tested here." in words(answer)
        assert f">{last}</bdi></a></th>" in answer.text
    assert "Queries by M199" in words(answers[1])


def test_another_gold_is_said_first_and_alike(desk):
    store, app, _ = desk
    there = store.list("other gold")
    said = words(Reader(app).get("/compare", a=there[0].id, b=there[-1].id))
    assert said.index("Judged by another gold") < said.index("Figures")
    assert "They were not made alike" not in words(Reader(app).get("/compare", a=there[0].id, b=there[0].id))


def test_a_query_is_followed_over_time_and_its_ranking_held_against_the_baseline(desk, ids):
    answer = Reader(desk[1]).get("/query", id=ids[0], query="q01", measure="AP")
    said = words(answer)
    assert "30 of the 30 newest evaluations have a value" in said
    assert "1 went out" in said
    assert "need the gold" in said
    assert len(re.findall(r'<a href="/query\?id=\d+&amp;query=q01&amp;measure=AP" tabindex="-1"', answer.text)) == 30


def test_a_query_is_explained_where_head_and_gold_allow(desk, ids):
    store = desk[0]
    reader = Reader(application(store, gold=gold()))
    said = words(reader.get("/query", id=ids[0], query="q01", measure="AP"))
    assert "Contributions add up to the value of AP" in said
    assert re.search(r"3 fair-1 1 ↓ down 8 1 0\.1667", said)
    other = Reader(application(store, gold=gold(("q01",))))
    assert "not the one of this evaluation" in words(other.get("/query", id=ids[0], query="q01", measure="AP"))


def test_what_looks_deeper_than_the_head_is_not_explained(tmp_path):
    with HistoryStore.open(str(tmp_path / "kept.db")) as store:
        one = evaluation(0)
        first = one.head.group_by("query", maintain_order=True).head(1)
        number = store.add(evaluation(0)).id
        short = store.add(replace(one, head=first, depth=1)).id
        reader = Reader(application(store, gold=gold()))
        assert "add up" in words(reader.get("/query", id=number, query="q02", measure="AP"))
        assert "The first 1 items, which were kept, do not give the value of AP" in words(
            reader.get("/query", id=short, query="q02", measure="AP")
        )


def sliced(day, values, *, higher=True, **more):
    """Return an evaluation of ten queries in two slices, by one measure."""
    queries = tuple(f"q{n}" for n in range(10))
    hops = {query: str(1 + n % 2) for n, query in enumerate(queries)}
    parts = {"": slice(None), "hops=1": slice(0, None, 2), "hops=2": slice(1, None, 2)}
    figures = tuple(
        RecordedFigure("Error", part, float(np.mean(values[of])), len(values[of]), 0, higher_is_better=higher)
        for part, of in parts.items()
    )
    rest = {"queries": queries, "values": {"Error": values}, "groups": {"hops": hops}, "head": None, "depth": 0}
    return replace(drawn(day), figures=figures, **rest | more)


def test_slices_are_shown_and_compared_and_lower_may_be_better(tmp_path):
    before, now = np.linspace(0, 0.9, 10), np.linspace(0, 0.9, 10) + np.array([0.1, 0.2] * 5)
    with HistoryStore.open(str(tmp_path / "kept.db")) as store:
        store.add(sliced(0, before, higher=False, baseline=True))
        store.add(sliced(1, now, higher=False))
        reader = Reader(application(store))
        assert '"state fell"' in reader.get().text
        said = words(reader.get("/compare", a=1, b=2))
        assert "Error 0.4500 0.6000 +0.1500" in said
        assert "0, 0, 10 of 10" in said
        assert said.index("Slices of Error") < said.index("hops=1 0.4000 0.5000 +0.1000") < said.index("hops=2 0.5000")
        page = reader.get("/evaluation", id=2).text
        assert 'class="bad">+0.2000' in page
        assert "hops=2" in page
        said = words(reader.get("/evaluation", id=2))
        assert said.index("q1 0.3000 0.1000 +0.2000") > said.index("q9 1.1000 0.9000 +0.2000")
        assert "Its slices" in words(reader.get("/suite", suite="web", measure="Error"))
        assert words(reader.get("/suite", suite="web", slice="hops=2")).count("0.7000") == 2
        store.add(sliced(2, before - 0.1, higher=False))
        assert '"state fine"' in reader.get().text


def test_weights_of_queries_count(tmp_path):
    with HistoryStore.open(str(tmp_path / "kept.db")) as store:
        for day, values in enumerate((np.zeros(10), np.array([1.0] + [0.0] * 9))):
            weights = np.array([9.0] + [1.0] * 9)
            store.add(sliced(day, values, weights=weights, baseline=not day))
        assert "Error 0.0000 0.5000 +0.5000" in words(Reader(application(store)).get("/compare", a=1, b=2))


def test_nothing_in_a_store_is_taken_for_html(desk):
    store, app, _ = desk
    reader = Reader(app)
    for path, asked in paths(store):
        page = reader.get(path, **asked)
        assert page.status_code == 200, (path, asked, words(page)[:300])
        assert "<script" not in page.text
        assert "<img" not in page.text
        assert " onerror=" not in re.sub(r'"[^"]*"', "", "".join(re.findall(r"<[a-z][^>]*>", page.text)))
        assert "style=" not in re.sub(r'"[^"]*"', "", "".join(re.findall(r"<[a-z][^>]*>", page.text)))
    assert "{{ 7*7 }}" in reader.get("/suite", suite=HOSTILE).text


@pytest.mark.parametrize("name", ["web", HOSTILE])
def test_every_link_of_a_page_leads_somewhere(desk, name):
    reader = Reader(desk[1])
    seen = set()
    for start in (("/", {}), ("/suite", {"suite": name})):
        page = reader.get(start[0], **start[1]).text
        for link in set(re.findall(r'href="(/[^"]*)"', page)) - seen:
            seen.add(link)
            plain = link.replace("&amp;", "&").replace("&#39;", "'").replace("&#34;", '"')
            if len(seen) < 60:
                assert reader.client.get(plain).status_code == 200, plain
    assert len(seen) > 10


def test_every_answer_is_guarded(desk):
    reader = Reader(desk[1])
    for path in ("/", "/nowhere", "/static/history.css", "/suite?suite=web"):
        assert reader.get(path).headers["content-security-policy"] == POLICY
    assert reader.client.get("/", headers={"host": "evil.example"}).status_code == 421


def test_nobody_writes_without_the_link(desk, ids):
    reader = Reader(desk[1])
    page = reader.get("/evaluation", id=ids[0])
    assert "read-only" in page.text
    assert 'action="/note"' not in page.text
    for path in ("/note", "/baseline", "/leave"):
        assert reader.client.post(path, data={"id": ids[0], "note": "x"}).status_code == 403
        assert reader.client.get(path).status_code == 405
    assert reader.get("/join/x").status_code == 403
    assert reader.client.post("/join", data={"link": "x"}).status_code == 403
