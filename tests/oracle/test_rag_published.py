"""Figures that others published for real retrieval systems come out again."""

import json

import pytest

import assay

pytestmark = pytest.mark.oracle

SYSTEMS = ("vdb", "lightrag", "nano", "graph")
PERFECT = {101: (0.42, 0.45, 0.73, 0.93), 51: (0.49, 0.47, 0.75, 0.96)}
"""The share of questions with perfect retrieval, as fast-graphrag's README states it."""
EXACT = {
    "Complete@8": (0.416, 0.446, 0.733, 0.931),
    "R@8": (0.681, 0.683, 0.886, 0.970),
    "AP": (0.618, 0.574, 0.770, 0.866),
}


def runs(data, questions):
    folder = data / "rag" / "graphrag-2wiki-runs"
    return {name: folder / f"{name}_{questions}.json" for name in SYSTEMS}


@pytest.mark.parametrize("questions", PERFECT)
def test_perfect_retrieval_as_fast_graphrag_states_it(data, questions):
    found = assay.evaluate_rag(runs(data, questions), "Complete@8 Deducible@8")
    for name, stated in zip(SYSTEMS, PERFECT[questions], strict=True):
        assert round(found[name]["Complete@8"], 2) == stated
        assert found[name]["Deducible@8"] == found[name]["Complete@8"]
        assert found[name].figure("Complete@8").queries == questions


@pytest.mark.parametrize("measure", EXACT)
def test_recall_and_average_precision_of_the_same_runs(data, measure):
    found = assay.evaluate_rag(runs(data, 101), measure)
    assert tuple(round(found[name][measure], 3) for name in SYSTEMS) == EXACT[measure]


def contexts(data):
    """Return the runs of 101 questions, each title with its passage of the corpus."""
    corpus: dict[str, str] = {}
    for passage in json.loads((data / "rag" / "2wiki-corpus" / "2wikimultihopqa_corpus.json").read_text("utf-8")):
        corpus.setdefault(passage["title"], passage["text"])

    def passages(titles):
        return [{"title": title, "text": corpus.get(title, title)} for title in titles]

    return {
        name: [
            {
                "question": row["question"],
                "retrieved": passages(row["evidence"]),
                "needed": passages(row["ground_truth"]),
            }
            for row in json.loads(path.read_text("utf-8"))
        ]
        for name, path in runs(data, 101).items()
    }


def precision_of_ragas(row, likeness, threshold=0.5):
    """Return ragas' context precision without a language model, by its published formula."""
    wanted = [one["text"] for one in row["needed"]]
    hits = [max(likeness(one["text"], other) for other in wanted) >= threshold for one in row["retrieved"]]
    shares = [sum(hits[: place + 1]) / (place + 1) for place, hit in enumerate(hits) if hit]
    return sum(shares) / len(shares) if shares else 0.0


def test_context_precision_as_ragas_has_it(data):
    levenshtein = pytest.importorskip("rapidfuzz.distance").Levenshtein
    given = contexts(data)
    theirs = {
        name: sum(precision_of_ragas(row, levenshtein.normalized_similarity) for row in rows) / len(rows)
        for name, rows in given.items()
    }
    assert [round(theirs[name], 3) for name in SYSTEMS] == [0.885, 0.726, 0.869, 0.884]
    ours = assay.evaluate_rag(given, "ContextP AP", match="fuzzy", threshold=0.5)
    for name in SYSTEMS:  # a passage that comes twice, or is like one that did, counts once here and twice there
        assert ours[name]["ContextP"] == pytest.approx(theirs[name], abs=0.005)


def test_context_precision_puts_plain_vectors_first_and_that_is_said(data):
    found = assay.evaluate_rag(runs(data, 101), "ContextP AP")
    first = {measure: max(SYSTEMS, key=lambda name: found[name][measure]) for measure in ("ContextP", "AP")}
    assert first == {"ContextP": "vdb", "AP": "graph"}
    assert any("ContextP vdb" in line and "AP graph" in line for line in found.notices)


def test_one_lucky_system_has_the_shortest_proofs(data):
    """The mean over the proofs that were found favours who finds the easy ones; the share within a budget does not."""
    from assay.tasks.rag.questions import several
    from assay.tasks.rag.tokens import with_tokens

    found = several(contexts(data), unit="document")
    figures = {}
    for system in found.systems:
        judged = assay.evaluate(found.gold, system.run, "Deducible@8", policy=found.policy())
        figures[system.name] = with_tokens(judged, system, found.gold, budgets=[400]).mean
    assert min(figures, key=lambda name: figures[name]["TokensToProof"]) == "vdb"
    assert max(figures, key=lambda name: figures[name]["Deducible(tokens=400)"]) == "graph"
    assert all(figures[name]["Deducible(tokens=400)"] <= figures[name]["Deducible@8"] for name in SYSTEMS)
