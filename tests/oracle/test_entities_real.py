"""Real record pairs, with candidates by the cosine of character 3-grams: the figures that are known of them."""

import csv

import numpy as np
import polars as pl
import pytest

from assay import Gold, Run, evaluate
from assay.tasks.entities.evaluate import evaluate_entities

DEEP = 10


def ranked(texts, others, k, *, own=False):
    """Return the k rows of `others` nearest to each text, best first, and their cosines; `own`: they are the same."""
    feature = pytest.importorskip("sklearn.feature_extraction.text", reason="candidates need scikit-learn")
    vectors = feature.TfidfVectorizer(analyzer="char_wb", ngram_range=(3, 3)).fit([*texts, *([] if own else others)])
    left, right = vectors.transform(texts), vectors.transform(others).T.tocsc()
    places, cosines = [], []
    for start in range(0, len(texts), 500):
        block = (left[start : start + 500] @ right).toarray()
        order = np.argsort(-block, axis=1, kind="stable")[:, :k]
        places.append(order)
        cosines.append(np.take_along_axis(block, order, axis=1))
    return np.concatenate(places), np.concatenate(cosines)


def lists(ids, others, found):
    places, cosines = found
    queries = np.repeat(np.array(ids, dtype=object), places.shape[1])
    items = np.array(others, dtype=object)[places.ravel()]
    return pl.DataFrame({"record": queries.tolist(), "candidate": items.tolist(), "score": cosines.ravel()})


def table(path, mark, fields, prefix):
    quoting = csv.QUOTE_MINIMAL if mark == "|" else csv.QUOTE_NONE
    with path.open(encoding="utf-8", errors="replace", newline="") as file:
        rows = list(csv.DictReader(file, delimiter=mark, quoting=quoting))
    return [prefix + row["id"] for row in rows], [" ".join(row[field] or "" for field in fields) for row in rows]


LINKED = {
    "abt-buy": ("|", ("abt", "buy"), ("name",), (0.857, 0.967, 0.985)),
    "amazon-google": ("#", ("amazon", "gp"), ("title",), (0.728, 0.959, 0.985)),
    "dblp-acm": ("%", ("dblp", "acm"), ("title", "authors"), (0.979, 0.999, 1.0)),
}


@pytest.mark.slow
@pytest.mark.oracle
@pytest.mark.parametrize("name", LINKED)
def test_two_sources(data, name):
    mark, files, fields, expected = LINKED[name]
    folder = data / "er" / name
    ids, texts = zip(*(table(folder / f"{one}.csv", mark, fields, f"{one}-") for one in files), strict=True)
    pairs = [line.split(mark) for line in (folder / "gt.csv").read_text().splitlines()[1:]]
    truth = pl.DataFrame(
        {"left": [f"{files[0]}-{a}" for a, _ in pairs], "right": [f"{files[1]}-{b}" for _, b in pairs]}
    )
    sources = {record: one for one, records in zip(files, ids, strict=True) for record in records}
    found = evaluate_entities(
        truth, lists(ids[0], ids[1], ranked(texts[0], texts[1], DEEP)), "R@{1,5,10} Complete@10 P@10", sources=sources
    )
    means = found.evaluations[0].mean
    for measure, value in zip(("R@1", "R@5", "R@10"), expected, strict=True):
        assert means[measure] == pytest.approx(value, abs=0.0025)
    assert found.mode == "link"
    records, blocking = found.results[0].records, found.results[0].blocking
    assert records.asked == len(ids[0])
    assert records.with_match == truth["left"].n_unique()
    assert blocking.possible == len(ids[0]) * len(ids[1])
    assert blocking.distinct == DEEP * len(ids[0])


@pytest.mark.slow
@pytest.mark.oracle
def test_duplicates_of_one_source(data):
    with (data / "er" / "febrl" / "dataset3.csv").open(newline="") as file:
        rows = list(csv.reader(file, skipinitialspace=True))[1:]
    ids, texts = [row[0] for row in rows], [" ".join((row[1], row[2], row[4], row[6])) for row in rows]
    truth = {record: record.split("-")[1] for record in ids}
    near = lists(ids, ids, ranked(texts, texts, 6, own=True))
    found = evaluate_entities(truth, near, "R@5 Complete@5 P@5")
    records, means = found.results[0].records, found.evaluations[0].mean
    assert (records.asked, records.with_match, records.without_match) == (5000, 4165, 835)
    assert means["R@5"] == pytest.approx(0.9859, abs=0.0001)
    assert means["Complete@5"] == pytest.approx(0.9525, abs=0.0001)
    assert found.results[0].blocking.own == 5000

    same = pl.DataFrame({"query": ids, "entity": list(truth.values())})
    gold = same.join(same.rename({"query": "item"}), on="entity").select("query", "item")
    counted = evaluate(
        Gold.from_frame(gold), Run.from_frame(near.rename({"record": "query", "candidate": "item"})), "R@5"
    )
    assert counted["R@5"] == pytest.approx(0.959, abs=0.001)
