"""What judges and admins do on the pages, without scripts."""

import re

import pytest

pytest.importorskip("starlette")
pytest.importorskip("sqlalchemy")

from tests.unit.judging_pages import Reader, opened

from assay.core.judging import Verdict


@pytest.fixture
def desk(tmp_path):
    with opened(str(tmp_path / "kept.db"), overlap=1) as found:
        yield found


def test_a_decision_that_is_sent_twice_counts_once(desk):
    store, app, _ = desk
    ben = Reader(app, store.invite("ben"))
    fields = ben.fields() | {"decision": "grade 2", "seconds": "3.5", "note": " so so "}
    for _ in range(3):
        assert ben.client.post("/judge", data=fields).status_code == 200
    (row,) = store.labels().table.to_dicts()
    assert (row["grade"], row["seconds"], row["note"], row["guideline"]) == (2.0, 3.5, "so so", "1")


def test_undo_brings_the_pair_back_once(desk):
    store, app, _ = desk
    ben = Reader(app, store.invite("ben"))
    first = ben.fields()["number"]
    ben.decide("grade 1")
    ben.decide("grade 1")
    undo = {"csrf": ben.fields()["csrf"], "key": "one"}
    ben.client.post("/undo", data=undo)
    ben.client.post("/undo", data=undo)
    assert store.standing("ben").judged == 1
    ben.client.post("/undo", data=undo | {"key": "two"})
    assert store.standing("ben").judged == 0
    assert ben.fields()["number"] == first


def test_who_cannot_tell_says_why(desk):
    store, app, _ = desk
    ben = Reader(app, store.invite("ben"))
    answer = ben.decide("cannot")
    assert answer.status_code == 400
    assert "expected a reason" in answer.text
    ben.decide("cannot", reason="cannot be shown")
    assert store.labels().table["reason"].to_list() == ["cannot be shown"]


def test_nothing_says_which_pairs_overlap_or_where_they_come_from(tmp_path):
    with opened(str(tmp_path / "kept.db"), overlap=0.5) as (store, app, _):
        ben = Reader(app, store.invite("ben"))
        pages = set()
        for _ in range(12):
            text = ben.get().text
            pages.add(re.sub(r'value="[^"]*"|title \d-\d+|question \d|\d+ judged, \d+ left', "", text))
            ben.decide("grade 1")
        assert (
            len({re.sub(r"<details class=.guideline.*?</details>", "", page, flags=re.DOTALL) for page in pages}) == 1
        )


def test_a_list_takes_what_is_chosen_and_puts_the_rest_off(desk):
    store, app, _ = desk
    ben = Reader(app, store.invite("ben"))
    numbers = re.findall(r'data-number="(\d+)"', ben.get("/bulk").text)
    assert len(numbers) == 6
    form = {f"key-{number}": f"k{number}" for number in numbers} | {f"grade-{numbers[0]}": "3", "rest": "later"}
    assert ben.post("/bulk", form).status_code == 200
    standing = store.standing("ben")
    assert (standing.judged, standing.later) == (1, 5)


def test_an_invited_judge_gets_a_link_that_works(desk):
    store, app, start = desk
    ann = Reader(app, start.code)
    link = re.search(r"http://localhost:8321/join/([\w-]+)", ann.post("/admin/invite", {"name": "ben"}).text)[1]
    assert "title" in Reader(app, link).get().text
    assert "is invited" in ann.post("/admin/invite", {"name": "ben"}).text
    assert ann.post("/admin/invite", {"name": "ben", "again": "1"}).status_code == 200
    assert store.judge(link) is None
    assert "would end this session" in ann.post("/admin/invite", {"name": "ann", "again": "1"}).text
    assert ann.post("/admin/invite", {"name": "eve", "role": "owner"}).status_code == 400
    assert ann.post("/admin/invite", {"name": " "}).status_code == 400


def test_the_guideline_gets_a_version_that_judgments_name(desk):
    store, app, start = desk
    ann = Reader(app, start.code)
    ann.decide("grade 1")
    ann.post("/admin/guideline", {"text": "Look twice.\r\nReally."})
    ann.post("/admin/guideline", {"text": "Look twice.\r\nReally."})
    assert (store.project.guideline.version, store.project.guideline.text) == (2, "Look twice.\nReally.")
    ann.decide("grade 1")
    assert sorted(store.labels().table["guideline"]) == ["1", "2"]


def test_judgments_of_others_come_in_and_gold_goes_out(desk):
    store, app, start = desk
    ann = Reader(app, start.code)
    table = b"query,item,judge,grade\nq0,d0-0,x,1\nq0,d0-1,y,3\nq9,d9,x,1\n"
    assert "New: 2" in ann.post("/admin/labels", files={"file": ("other.csv", table)}).text
    qrels = b"q0 0 d0-0 1\nq0 0 d0-1 0\n"
    assert ann.post("/admin/labels", files={"file": ("z.qrels", qrels)}).status_code == 400
    assert "New: 2" in ann.post("/admin/labels", {"judge": "z"}, files={"file": ("z.qrels", qrels)}).text
    assert [judge.name for judge in store.judges()] == ["ann", "x", "y", "z"]
    bad = ann.post("/admin/labels", files={"file": ("other.csv", b"query,item,judge,grade\nq0,d0-0,x,7\n")})
    assert bad.status_code == 400
    assert "expected a grade of 0, 1, 2, 3" in bad.text
    assert ann.get("/admin/files/gold.qrels").text.splitlines() == ["q0 0 d0-0 1", "q0 0 d0-1 0"]
    told = ann.get("/admin/files/judgments.csv")
    assert told.headers["content-disposition"] == 'attachment; filename="judgments.csv"'
    assert told.text.count("\n") == 5
    assert "Adjudicate 1 pair<" in ann.get("/admin").text


def test_the_matrix_says_kappa_and_how_many_pairs(desk):
    store, app, start = desk
    ann = Reader(app, start.code)
    for judge, grades in (("ben", (0.0, 0.0, 1.0, 1.0)), ("cy", (0.0, 1.0, 1.0, 1.0))):
        store.invite(judge)
        for number, grade in enumerate(grades, 1):
            store.record(judge, number, Verdict("grade", f"k{number}", grade))
    found = ann.get("/admin").text
    assert "0.50<small>n = 4, 75 % same" in found
    assert "cy gave (columns) what others gave (rows); on average +0.25 against theirs" in found
    assert "Krippendorff" in found
