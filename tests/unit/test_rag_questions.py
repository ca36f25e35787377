"""What a file of retrieval results becomes: gold and run in a unit, matched by one rule."""

import itertools
import random

import pytest

import assay
from assay.errors import GoldError, InputError, ParameterError, UnknownNameError
from assay.tasks.rag import questions_of, several


def question(retrieved, needed=(), **more):
    return [{"id": "q", "retrieved": list(retrieved), "needed": list(needed), **more}]


def ranked(given, **options):
    return questions_of(given, **options).items["item"].to_list()


def test_an_item_counts_where_it_first_stands():
    found = questions_of(question("baba", "a"))
    assert found.items.select("item", "place").rows() == [("b", 1), ("a", 2)]
    assert (found.facts.duplicates, found.facts.longest, found.facts.found) == (2, 2, 1)
    assert assay.evaluate_rag(question("baba", "a"), "P@2 RR")["system"].mean == {"P@2": 0.5, "RR": 0.5}


def test_the_unit_says_what_an_item_is():
    passages = question([["Paris", "p1"], ["Rome", "p9"], ["Paris", "p2"]], [["Paris", "p2"]])
    assert ranked(passages) == ['["Paris", "p1"]', '["Rome", "p9"]', '["Paris", "p2"]']
    assert ranked(passages, unit="document") == ["Paris", "Rome"]
    triples = question([["a", "p", "b"], ["b", "q", "c"]], [["a", "p", "b"]])
    assert questions_of(triples).unit == "fact"
    assert ranked(triples) == ['["a", "p", "b"]', '["b", "q", "c"]']
    assert ranked(triples, unit="entity") == ["a", "b", "c"]


def test_different_triples_are_different_items():
    odd = [['a", "p', "q", "b"], ["a", 'p", "q', "b"], ["a\\", "p", "b"], ["a", "p", "b"]]
    assert len(set(ranked(question(odd)))) == len(odd)


def test_a_unit_without_a_name_is_refused():
    with pytest.raises(InputError, match=r"record 1: expected the document or title of a passage for each item"):
        questions_of(question([{"id": "p1", "text": "t"}], ["Paris"]), unit="document")
    with pytest.raises(UnknownNameError, match=r"no unit is called 'fakt'\. Did you mean 'fact'"):
        questions_of(question("a", "a"), unit="fakt")


def test_scores_rank_the_items_and_ties_are_expected():
    rows = question([{"id": "a", "score": 1}, {"id": "b", "score": 3}, {"id": "c", "score": 1}], ["a"])
    found = several([rows])
    assert found.systems[0].items["item"].to_list() == ["b", "a", "c"]
    assert (found.policy().ties, found.policy({"ties": "order"}).ties) == ("expected", "order")
    assert assay.evaluate_rag(rows, "RR")["system"]["RR"] == pytest.approx((1 / 2 + 1 / 3) / 2)
    assert assay.evaluate_rag(rows, "Deducible@2")["system"]["Deducible@2"] == 0.5
    with pytest.raises(InputError, match="record 1: expected a score for each item, found an item without"):
        several([question([{"id": "a", "score": 1}, "b"], ["a"])])


def test_a_subgraph_without_scores_has_no_order():
    triples = [["a", "p", "b"], ["b", "q", "c"], ["x", "p", "y"]]
    rows = [{"id": "q", "subgraph": triples, "proofs": [triples[:2]]}]
    found = assay.evaluate_rag(rows, "P@1 Deducible@2 SetR RR")["system"]
    rr = (1 * 2 + 1 / 2 * 1) / 3  # the first of two needed among three stands at 1 in two orders of three, else at 2
    assert found.mean == pytest.approx({"P@1": 2 / 3, "Deducible@2": 1 / 3, "SetR": 1, "RR": rr})
    assert found.policy.ties == "expected"
    scored = [{"id": "q", "subgraph": [[*triple, 3 - n] for n, triple in enumerate(triples)], "proofs": [triples[:2]]}]
    assert assay.evaluate_rag(scored, "Deducible@2")["system"]["Deducible@2"] == 1


def test_a_copy_with_a_lower_score_changes_nothing():
    rows = question([{"id": "a", "score": 1}, {"id": "b", "score": 2}, {"id": "a", "score": 3}], ["a"])
    assert assay.evaluate_rag(rows, "RR")["system"]["RR"] == 1


def test_questions_that_need_nothing_or_of_which_nothing_is_known():
    rows = [
        {"id": "known", "retrieved": ["a"], "needed": ["a"]},
        {"id": "nothing", "retrieved": ["a"], "needed": []},
        {"id": "unknown", "retrieved": ["a"]},
        {"id": "missed", "retrieved": [], "needed": ["a"]},
    ]
    found = assay.evaluate_rag(rows, "R@1")
    figure = found["system"].figure("R@1")
    assert (figure.mean, figure.queries, figure.undefined) == (0.5, 2, 1)
    assert found["system"].gold.empty_queries == ("nothing",)
    assert "of 1 question nothing is known of what they need, such as 'unknown'" in " ".join(found.notices)
    assert (found.systems[0].without, found.systems[0].absent) == (1, 0)


def test_needed_items_beside_proofs_are_relevant_and_no_proof():
    rows = [{"id": "q", "retrieved": ["b", "x"], "needed": ["a", "b"], "proofs": [["b"], ["c", "d"]]}]
    found = assay.evaluate_rag(rows, "R@2 Deducible@2")["system"]
    assert found.mean == {"R@2": 0.25, "Deducible@2": 1.0}
    one = assay.evaluate_rag(question("ab", "abc"), "ProofR@2")["system"]
    assert one["ProofR@2"] == pytest.approx(2 / 3)


def test_systems_are_joined_by_question_whatever_the_order():
    one = [{"id": n, "retrieved": ["a"], "needed": ["a", "b"], "proofs": [["a"], ["b", "c"]]} for n in range(5)]
    other = [{**row, "needed": ["b", "a"], "proofs": [["c", "b"], ["a"]]} for row in reversed(one)]
    found = assay.evaluate_rag({"one": one, "other": other}, "R@1 Deducible@1")
    assert found["one"].mean == found["other"].mean
    alone = [several([rows]).gold for rows in (one, other)]
    assert alone[0].table.equals(alone[1].table)
    assert alone[0].details.equals(alone[1].details)


def test_systems_without_common_ids_are_joined_by_their_texts():
    texts = ["who?", "what?", "when?"]
    ids = [{"id": n, "question": text, "retrieved": ["a"], "needed": ["a", "b"]} for n, text in enumerate(texts)]
    bare = [{"question": text, "retrieved": ["b", "a"], "needed": ["a", "b"]} for text in reversed(texts)]
    for systems in ({"ids": ids, "bare": bare}, {"bare": bare, "ids": ids}):
        found = assay.evaluate_rag(systems, "R@2")
        assert found.mean == {name: {"R@2": {"ids": 0.5, "bare": 1}[name]} for name in systems}
        assert {one.figure("R@2").queries for one in found.evaluations} == {3}


def test_systems_that_contradict_each_other_are_refused():
    with pytest.raises(GoldError, match=r"new, record 1: expected the needed items that old, record 1 has"):
        several({"old": question("a", "a"), "new": question("a", "b")})


def test_gold_may_stand_in_a_file_of_its_own(tmp_path):
    (tmp_path / "gold.jsonl").write_text('{"question": "who?", "id": "q7", "needed": ["a", "b"], "hops": 2}\n')
    (tmp_path / "gold.qrels").write_text("q7 0 a 1\nq7 0 b 1\nq7 0 c 0\n")
    by_text = [{"question": "who?", "retrieved": ["b"]}]
    by_id = [{"id": "q7", "retrieved": ["b"]}]
    for rows, name in ((by_text, "gold.jsonl"), (by_id, "gold.jsonl"), (by_id, "gold.qrels")):
        found = assay.evaluate_rag(rows, "R@1 ProofR@1", gold=tmp_path / name)
        assert found["system"].mean == {"R@1": 0.5, "ProofR@1": 0.5}
    sliced = assay.evaluate_rag(by_id, "R@1", gold=tmp_path / "gold.jsonl", by="hops")
    assert [(one.column, dict(one.groups)) for one in sliced.slices] == [("hops", {"2": 1})]
    with pytest.raises(GoldError, match="expected what each answer needs, found nothing"):
        several([by_id])


def test_exact_texts():
    rows = question([{"id": "1", "text": "Ada was born."}, {"id": "2", "text": "x"}], ["Ada was born."])
    by_id, by_text = (assay.evaluate_rag(rows, "R@2", match=rule) for rule in ("id", "exact"))
    assert (by_id["system"]["R@2"], by_text["system"]["R@2"]) == (0, 1)
    assert "no retrieved item is a needed one by their ids" in " ".join(by_id.notices)
    assert by_text.to_dict()["matching"] == {"rule": "exact", "threshold": None}


def distance(one, other):
    """Return Levenshtein's distance by its definition."""
    row = list(range(len(other) + 1))
    for i, a in enumerate(one, 1):
        above, row = row, [i]
        for j, b in enumerate(other, 1):
            row.append(min(above[j] + 1, row[j - 1] + 1, above[j - 1] + (a != b)))
    return row[-1]


def alike(one, other):
    return 1 - distance(one, other) / max(len(one), len(other))


def test_fuzzy_texts_follow_one_rule_for_precision_and_recall():
    pytest.importorskip("rapidfuzz")
    rng = random.Random(4)
    words = ["".join(letters) for letters in itertools.product("ab", repeat=4)]
    for _ in range(30):
        retrieved, needed = rng.sample(words, 4), rng.sample(words, 2)
        names = {}
        for text in retrieved:
            best = max(sorted(needed), key=lambda one, text=text: (alike(text, one), -sorted(needed).index(one)))
            names[text] = best if alike(text, best) >= 0.75 else text
        order = list(dict.fromkeys(names.values()))
        hits = sum(name in needed for name in order)
        found = assay.evaluate_rag(question(retrieved, needed), "SetP SetR", match="fuzzy", threshold=0.75)
        assert found["system"].mean == pytest.approx({"SetP": hits / len(order), "SetR": hits / 2})
        assert found.matching == {"rule": "fuzzy", "threshold": 0.75}


def test_two_texts_alike_the_same_item_are_found_once():
    pytest.importorskip("rapidfuzz")
    found = questions_of(question(["abcdX", "abcdY", "z"], ["abcde", "other"]), match="fuzzy")
    assert found.items["item"].to_list() == ["abcde", "z"]
    assert found.facts.duplicates == 1


def test_a_threshold_is_of_fuzzy_texts_only():
    with pytest.raises(ParameterError, match="expected the rule fuzzy, found exact"):
        several([question("a", "a")], match="exact", threshold=0.5)
    with pytest.raises(ParameterError, match="above 0 and at most 1, found 2"):
        several([question("a", "a")], match="fuzzy", threshold=2)
    with pytest.raises(UnknownNameError, match=r"no rule of matching is called 'fuzy'\. Did you mean 'fuzzy'"):
        several([question("a", "a")], match="fuzy")


def test_breakdowns_by_what_the_files_say():
    rows = [{"id": n, "retrieved": ["a"], "needed": ["a"] if n % 2 else ["b"], "hops": n % 2 + 1} for n in range(8)]
    (slicing,) = assay.evaluate_rag(rows, "R@1", by="hops").slices
    means = {one.group: one.mean for one in slicing.figures}
    assert means == {"1": 0.0, "2": 1.0}
    with pytest.raises(InputError, match="expected a file, or one of hops, relevant, judged, retrieved, found 'hop'"):
        assay.evaluate_rag(rows, "R@1", by="hop")


def test_the_figures_do_not_depend_on_the_order_of_questions():
    rng = random.Random(1)
    same = {"proofs": [["a"], ["b", "c"]]}
    rows = [
        {"id": n, "retrieved": rng.sample("abcdef", 4), "needed": rng.sample("abcdef", 2)} | same for n in range(20)
    ]
    measures = "Complete@3 Deducible@3 ProofR@3 R@3 AP nDCG@3 Noise@3"
    one = assay.evaluate_rag(rows, measures)["system"].mean
    rng.shuffle(rows)
    assert assay.evaluate_rag(rows, measures)["system"].mean == one


def test_a_text_as_ground_truth_is_an_answer_and_the_error_says_so():
    rows = [{"id": "q", "retrieved": ["a"], "ground_truth": "Paris"}]
    with pytest.raises(GoldError, match="found the texts of gold answers alone") as raised:
        assay.evaluate_rag(rows, "R@1")
    assert "a text under ground_truth is a gold answer" in raised.value.hint


def test_where_no_id_is_a_needed_one_other_ways_to_match_are_named():
    rows = question(["Paris is the capital."], ["Paris is the capital"])
    assert "--match fuzzy" in " ".join(assay.evaluate_rag(rows, "R@1").notices)
    assert "--match fuzzy" not in " ".join(assay.evaluate_rag(rows, "R@1", match="fuzzy").notices)
