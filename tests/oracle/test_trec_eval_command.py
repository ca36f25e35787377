"""`assay trec_eval --as 9` prints what trec_eval 9.0.8 computes, on collections made by chance."""

import random

import pytest

from assay.cli.trec_eval.command import trec_eval

pytrec_eval = pytest.importorskip("pytrec_eval", reason="the oracle pytrec_eval-terrier is not installed")
pytestmark = pytest.mark.oracle

GRADES = ([0, 1], [0, 1, 1, 2, 3], [-1, 0, 1, 2], [0, 0, 0, 1])


def collection(seed):
    """Return judgments and results with ties, unjudged documents, negative grades, missing and extra queries."""
    chance = random.Random(seed)
    documents = [f"d{number}" for number in range(chance.choice([4, 12, 40]))]
    grades = chance.choice(GRADES)
    queries = [f"q{number}" for number in chance.sample(range(30), 6)]
    gold = {}
    for query in queries:
        judged = chance.sample(documents, chance.randint(1, len(documents)))
        gold[query] = {document: chance.choice(grades) for document in judged}
        gold[query][judged[0]] = max(0, gold[query][judged[0]])  # pytrec_eval never returns on negative grades only
    scores = [1.0, 2.0, 0.99999999, 0.99999998, 1 / 3]
    found = {
        query: {d: chance.choice(scores) for d in chance.sample(documents, chance.randint(1, len(documents)))}
        for query in (*queries, "extra")
        if query == queries[0] or chance.random() < 0.8
    }
    return gold, found


def write(folder, gold, found):
    qrels, run = folder / "qrels", folder / "run"
    qrels.write_text("".join(f"{q} 0 {d} {g}\n" for q, items in gold.items() for d, g in items.items()))
    run.write_text("".join(f"{q} Q0 {d} 1 {s!r} me\n" for q, items in found.items() for d, s in items.items()))
    return str(qrels), str(run)


@pytest.mark.parametrize("seed", range(40))
def test_every_value_is_that_of_trec_eval_9(seed, tmp_path, capsysbinary):
    gold, found = collection(seed)
    top = max(grade for items in gold.values() for grade in items.values())
    level = max(1, top - 1)  # never above the top grade, where trec_eval reads past the end of an array
    assert trec_eval(["--as", "9", "-nq", f"-l{level}", "-m", "all_trec", *write(tmp_path, gold, found)]) == 0
    lines = capsysbinary.readouterr().out.decode().splitlines()
    fields = (line.split("\t") for line in lines)
    printed = {(name.strip(), query): value for name, query, value in fields if "relstring" not in name}
    evaluator = pytrec_eval.RelevanceEvaluator(gold, pytrec_eval.supported_measures, relevance_level=level)
    expected = evaluator.evaluate(found)
    compared = 0
    for query, row in expected.items():
        for name in {name for name, _ in printed} & row.keys():
            assert float(printed[name, query]) == float(f"{row[name]:.4f}"), (name, query)
            compared += 1
    assert compared >= 85 * len(expected)
    assert {query for _, query in printed} == set(expected)
