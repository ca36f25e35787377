"""A cache of judged runs: the same numbers, nothing read again, and nothing believed that is not checked."""

import hashlib
import os
import random
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest

import assay
from assay import Gold, Policy
from assay.core.policy import CHOICES
from assay.engines import judge
from assay.errors import InputError, RunError
from assay.evaluate import Cache, evaluate_all
from assay.formats import read_gold
from assay.formats.blocks import TextRows
from assay.measures import MEASURES
from assay.measures.base import Measure
from assay.testing import variants

ROOT = Path(__file__).parents[2]
SETTINGS = [one for measure in MEASURES.values() for one in variants(measure)]
PLAIN = [one for one in SETTINGS if not one.needs_facets]


@pytest.fixture
def files(tmp_path):
    """A gold standard with facets, and twelve runs with ties, items twice, missing and further queries."""
    rng = random.Random(6)
    ids = [f"d{n}" for n in range(30)]
    gold = [
        (f"q{q}", f"a{n % 2}", item, rng.choice((-1, 0, 1, 2))) for q in range(8) for n, item in enumerate(ids[:20])
    ]
    (tmp_path / "gold.qrels").write_text("".join(f"{q} {a} {i} {g}\n" for q, a, i, g in gold))
    for number in range(12):
        rows = [(f"q{q}", item) for q in range(1, 10) if q != number for item in rng.sample(ids, 12)]
        rows += [("q1", "q1"), rng.choice(rows)]
        rng.shuffle(rows)
        lines = [
            f"{q} Q0 {i} {n} {rng.choice((0.5, 1, 1.00000001, 2, 3))} s{number}\n" for n, (q, i) in enumerate(rows)
        ]
        (tmp_path / f"s{number:02}.run").write_text("".join(lines))
    return tmp_path


def runs(files):
    return sorted(files.glob("s*.run"))


def said(evaluations):
    """Return all that evaluations say, to the last bit."""
    return [
        (one.to_dict(), one.scores.table.to_dicts(), one.notices, [getattr(one.judged.hits, name).tobytes() for name in
        ("query", "grade", "rank", "above", "tied", "row")], one.judged.notes, one.judged.retrieved.tobytes())
        for one in evaluations
    ]  # fmt: skip


ENGINE = [
    {"ties": ties, **fields}
    for ties in CHOICES["ties"]
    for fields in (
        {"precision": "float64", "duplicates": "first", "self_match": "keep"},
        {"precision": "float32", "duplicates": "best", "self_match": "drop", "unjudged": "drop", "missing": "skip"},
    )
]


@pytest.mark.parametrize("fields", ENGINE, ids=lambda fields: "-".join(fields.values()))
def test_kept_ranks_give_equal_results_for_every_measure(files, fields):
    exact = [one for one in PLAIN if type(one).expected is not Measure.expected]
    options = {"policy": Policy(**fields), "exclude": {"q2": ["d3", "d4"]}}
    inputs = files / "gold.qrels", runs(files)[:3], exact if fields["ties"] == "expected" else PLAIN
    anew = said(evaluate_all(*inputs, **options))
    for taken in (0, 3):
        cache = Cache.open(files / "kept")
        assert said(evaluate_all(*inputs, cache=cache, **options)) == anew
        assert sum(not drawer.made for drawer in cache.drawers) == taken


@pytest.mark.parametrize("ties", ["id-desc", "id-asc", "order"])
def test_kept_ranks_give_equal_results_for_measures_of_facets(files, ties):
    wanted = [one for one in SETTINGS if one.name.startswith(("alpha_", "ERR_IA", "NRBP", "StRecall"))]
    gold = read_gold(files / "gold.qrels", "diversity")
    options = {"policy": Policy(ties=ties, duplicates="first")}
    anew = said(evaluate_all(gold, runs(files)[:3], wanted, **options))
    for _ in range(2):
        assert said(evaluate_all(gold, runs(files)[:3], wanted, cache=files / "kept", **options)) == anew
    assert len(list((files / "kept").iterdir())) == 3


def test_a_range_of_ties_a_profile_and_intervals_come_from_what_is_kept(files):
    inputs = files / "gold.qrels", runs(files)[:2], "map nDCG@10 Judged@5"
    for options in (
        {"tie_range": True, "policy": Policy(duplicates="first")},
        {"profile": assay.PROFILES["trec_eval-9"].but(duplicates="first"), "interval": 0.9},
        {"aggregate": "micro", "policy": Policy(duplicates="first"), "weights": {f"q{n}": n for n in range(8)}},
    ):
        wanted = "P@10" if "aggregate" in options else inputs[2]
        anew = said(evaluate_all(*inputs[:2], wanted, **options))
        for _ in range(2):
            assert said(evaluate_all(*inputs[:2], wanted, cache=files / "kept", **options)) == anew


@pytest.fixture
def reads(monkeypatch):
    """Count how often the rows of each file are read."""
    found = Counter()
    ahead = TextRows.ahead

    def counted(rows, work):
        found[Path(rows.source.path).name] += 1
        return ahead(rows, work)

    monkeypatch.setattr(TextRows, "ahead", counted)
    return found


POLICY = Policy(duplicates="first")


def judged(files, cache, measures="AP", **options):
    gold = read_gold(files / "gold.qrels")
    return evaluate_all(gold, runs(files), measures, policy=POLICY, cache=cache, **options)


def test_of_twelve_files_of_which_three_changed_three_are_read(files, reads):
    judged(files, files / "kept")
    reads.clear()
    for name in ("s02.run", "s05.run", "s11.run"):
        with (files / name).open("a") as file:
            file.write("q3 Q0 new 99 9 s\n")
    cache = Cache.open(files / "kept")
    found = judged(files, cache, "nDCG@5 RR")
    assert {name: count for name, count in reads.items() if name.endswith(".run")} == dict.fromkeys(
        ("s02.run", "s05.run", "s11.run"), 1
    )
    assert list(cache.notices()) == ["cache: 9 of 12 runs taken from it, 3 judged and kept."]
    assert said(found) == said(judged(files, None, "nDCG@5 RR"))


def test_equal_bytes_under_another_name_are_one_run(files, reads):
    judged(files, files / "kept")
    (files / "s00.run").rename(files / "s99.run")
    reads.clear()
    (found,) = evaluate_all(files / "gold.qrels", [files / "s99.run"], "AP", policy=POLICY, cache=files / "kept")
    assert (found.name, found.path, reads["s99.run"]) == ("s99", str(files / "s99.run"), 0)
    assert found.digest() == hashlib.sha256((files / "s99.run").read_bytes()).hexdigest()


def test_grades_may_change_and_pairs_may_not(files):
    judged(files, files / "kept")
    graded = read_gold(files / "gold.qrels").table
    for table, made in ((graded.with_columns(grade=1.0), 0), (graded.head(100), 12)):
        cache = Cache.open(files / "kept")
        found = evaluate_all(Gold(table), runs(files), "AP", policy=POLICY, cache=cache)
        assert sum(drawer.made for drawer in cache.drawers) == made
        assert said(found) == said(evaluate_all(Gold(table), runs(files), "AP", policy=POLICY))


@pytest.mark.parametrize(
    "other",
    [
        {"policy": POLICY.but(ties="id-asc")},
        {"policy": POLICY.but(precision="float32")},
        {"policy": POLICY.but(duplicates="best")},
        {"policy": POLICY.but(nan="worst")},
        {"policy": POLICY.but(self_match="drop")},
        {"policy": POLICY, "exclude": [("q1", "d1")]},
    ],
    ids=["ties", "precision", "duplicates", "nan", "self_match", "exclude"],
)
def test_whatever_changes_ranks_has_a_place_of_its_own(files, other):
    judged(files, files / "kept")
    cache = Cache.open(files / "kept")
    evaluate_all(files / "gold.qrels", runs(files), "AP", cache=cache, **other)
    assert all(drawer.made for drawer in cache.drawers)


def test_an_error_is_not_kept(files):
    cache = Cache.open(files / "kept")
    for _ in range(2):
        with pytest.raises(RunError, match=r"s00\.run, lines \d+ and \d+"):
            evaluate_all(files / "gold.qrels", [files / "s00.run"], "AP", cache=cache)
    assert not list((files / "kept").iterdir())


def test_what_is_no_file_and_a_pooled_list_are_not_kept(files):
    cache = Cache.open(files / "kept")
    evaluate_all({"q1": {"d1": 1}}, [{"q1": ["d1"]}, lambda query: [query]], "AP", cache=cache)
    evaluate_all(files / "gold.qrels", runs(files), "P@5", policy=POLICY, aggregate="pooled", cache=cache)
    assert not list((files / "kept").iterdir())
    assert list(cache.notices()) == ["cache: nothing taken from it or kept; it holds runs from files, no pooled lists."]


def test_a_run_that_changes_while_it_is_read_is_not_kept(files, monkeypatch):
    def judge_and_change(run, *rest):
        found = judge(run, *rest)
        (files / "s00.run").write_text("q1 Q0 d1 1 1 other\n")
        return found

    monkeypatch.setattr(sys.modules["assay.evaluate.cache"], "judge", judge_and_change)
    cache = Cache.open(files / "kept")
    evaluate_all(files / "gold.qrels", [files / "s00.run"], "AP", policy=POLICY, cache=cache)
    assert not list((files / "kept").iterdir())
    assert "s00.run changed while it was read" in list(cache.notices())[1]


def _flipped(content):
    return content[:-20] + bytes([content[-20] ^ 1]) + content[-19:]


@pytest.mark.parametrize(
    "damage",
    [
        _flipped,
        lambda content: content[:-8],
        lambda content: content + b"0" * 8,
        lambda _: b"",
        lambda _: b"\x80\x04N.",
    ],
    ids=["a flipped bit", "cut off", "too long", "empty", "a pickle"],
)
def test_a_damaged_file_is_told_and_made_again(files, damage):
    anew = said(judged(files, files / "kept"))
    whole = {path: path.read_bytes() for path in (files / "kept").iterdir()}
    broken = sorted(whole)[4]
    broken.write_bytes(damage(whole[broken]))
    cache = Cache.open(files / "kept")
    assert said(judged(files, cache)) == anew
    assert list(cache.notices()) == [
        "cache: 11 of 12 runs taken from it, 1 judged and kept.",
        f"cache: 1 file was damaged or foreign, such as {broken.name}; judged again.",
    ]
    assert {path: path.read_bytes() for path in (files / "kept").iterdir()} == whole


def test_a_file_under_the_name_of_another_is_refused(files):
    anew = said(judged(files, files / "kept"))
    one, other, *_ = sorted((files / "kept").iterdir())
    one.write_bytes(other.read_bytes())
    cache = Cache.open(files / "kept")
    assert said(judged(files, cache)) == anew
    assert cache.refused == [one.name]


def test_a_cache_that_cannot_be_written_costs_no_result(files, monkeypatch):
    def full(*_, **__):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("pathlib.Path.replace", full)
    cache = Cache.open(files / "kept")
    judged(files, cache)
    assert not list((files / "kept").iterdir())
    assert list(cache.notices())[1] == "cache: 12 runs could not be kept (No space left on device)."


def test_a_cache_that_is_a_file_is_an_error(files):
    with pytest.raises(InputError, match=r"gold\.qrels: expected a folder to keep judged runs in, found a file"):
        judged(files, files / "gold.qrels")


def test_several_processes_share_a_cache(files):
    command = [sys.executable, "-m", "assay", "evaluate", "gold.qrels", *(path.name for path in runs(files))]
    command += ["--duplicates", "first", "--cache", "kept", "-o", "csv", "-q", "--quiet"]
    environment = os.environ | {"PYTHONPATH": str(ROOT / "src")}
    working = [subprocess.Popen(command, cwd=files, env=environment, stdout=subprocess.PIPE) for _ in range(3)]
    outputs = [one.communicate()[0] for one in working]
    assert [one.returncode for one in working] == [0, 0, 0]
    assert outputs[0] == outputs[1] == outputs[2]
    assert len(list((files / "kept").iterdir())) == 12
