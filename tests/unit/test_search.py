"""Questions as text, searched for by words, by vectors, by a service or by a function."""

from collections import Counter
from math import log

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from assay.core.answers import Answer, Question, Suite
from assay.core.terms import Term, iri
from assay.errors import AssayError
from assay.graph.sparql.asking import QueryError
from assay.tasks.answers.evaluate import evaluate_answers
from assay.tasks.answers.run import run_suite
from assay.tasks.answers.search import LabelSearch, VectorSearch, search_graph
from assay.tasks.answers.search_service import ResponseError, ranking_in, searched
from assay.tasks.neighbours.vectors import Vectors

TEXTS = {
    "http://x/sales": ["Sales Department", "sells things"],
    "http://x/anna": ["Anna Brant", "manager of the sales department"],
    "http://x/coil": ["Coil 15"],
    "http://x/mute": [],
}


KEYS = st.sampled_from(["a", "b", "id", "score", "results", "hits"])
LEAVES = st.none() | st.booleans() | st.integers(-3, 3) | st.floats() | st.text("ab:/", max_size=4)
JSON = st.recursive(LEAVES, lambda of: st.lists(of, max_size=4) | st.dictionaries(KEYS, of, max_size=4), max_leaves=12)


def found(answer):
    return [row[0].value for row in answer.rows]


class TestLabels:
    @pytest.fixture(autouse=True)
    def _libraries(self):
        pytest.importorskip("bm25s")
        pytest.importorskip("Stemmer")

    def test_scores_are_those_of_the_formula(self):
        texts = {"http://x/a": ["red red fox"], "http://x/b": ["red hen"], "http://x/c": ["blue hen and dog"]}
        words = {name: said[0].split() for name, said in texts.items()}
        mean = sum(map(len, words.values())) / 3

        def score(name):
            total = 0.0
            for word in ("red", "hen"):
                holders = sum(word in those for those in words.values())
                many = Counter(words[name])[word]
                weight = log(1 + (3 - holders + 0.5) / (holders + 0.5))
                total += weight * many / (many + 1.5 * (1 - 0.75 + 0.75 * len(words[name]) / mean))
            return total

        answer = LabelSearch(texts, language="none")(Question("1", "red hen"))
        by_hand = sorted(texts, key=lambda name: -score(name))
        assert found(answer) == by_hand
        assert answer.scores == pytest.approx([score(name) for name in by_hand], abs=1e-8)

    def test_words_are_compared_by_their_stems_without_case(self):
        search = LabelSearch(TEXTS)
        assert found(search(Question("1", "Which DEPARTMENTS?"))) == ["http://x/sales", "http://x/anna"]
        assert found(LabelSearch(TEXTS, language="none")(Question("1", "departments"))) == []
        assert found(LabelSearch({"http://x/a": ["Straße"]}, language="none")(Question("1", "STRASSE"))) == [
            "http://x/a"
        ]

    def test_equal_scores_stand_in_the_order_of_their_names_whatever_the_order_given(self):
        texts = {f"http://x/{name}": ["the same"] for name in "dbca"}
        for order in (texts, dict(reversed(texts.items()))):
            answer = LabelSearch(order, k=3)(Question("1", "same"))
            assert found(answer) == ["http://x/a", "http://x/b", "http://x/c"]
            assert len(set(answer.scores)) == 1

    @pytest.mark.parametrize("text", ["", "?!", "unheard of"])
    def test_a_question_without_known_words_finds_nothing(self, text):
        answer = LabelSearch(TEXTS)(Question("1", text.replace("of", "")))
        assert (answer.status, answer.rows, answer.empty) == ("answered", (), True)

    def test_labels_and_descriptions_of_a_graph_are_read(self):
        pytest.importorskip("pyoxigraph")
        from assay.graph.sparql.store import Store

        store = Store.of(
            "@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> . @prefix : <http://x/> ."
            "@prefix skos: <http://www.w3.org/2004/02/skos/core#> ."
            ':a rdfs:label "Coil"@en ; rdfs:comment "winds" . :b skos:altLabel "coils" . :c :other "coil" .'
            ':d rdfs:label :a . [] rdfs:label "coil" .'
        )
        search = search_graph("labels", store)
        assert found(search(Question("1", "coil"))) == ["http://x/b", "http://x/a"]
        assert found(search(Question("1", "wind"))) == ["http://x/a"]
        assert search.name == "labels"
        with pytest.raises(AssayError, match="things with labels, found none"):
            LabelSearch.of(store, properties=["http://x/none"])

    def test_labels_that_are_not_whole_are_an_error(self):
        class Short:
            name = "short"

            def select(self, query):
                del query
                return Answer("answered", ("x", "t"), ((iri("http://x/a"), Term("literal", "a")),), truncated=True)

        with pytest.raises(QueryError, match="all labels, found more than 1"):
            LabelSearch.of(Short())

    @pytest.mark.parametrize(
        ("options", "said"),
        [({"language": "klingon"}, "no language is called 'klingon'"), ({"k": 0}, "at least 1, found 0")],
    )
    def test_mistakes_are_named(self, options, said):
        with pytest.raises(AssayError, match=said):
            LabelSearch(TEXTS, **options)
        with pytest.raises(AssayError, match="found none"):
            LabelSearch({"http://x/a": [" "]})

    def test_a_search_is_run_and_measured_as_any_answer(self):
        gold = Answer("answered", ("x",), ((iri("http://x/anna"),),))
        suite = Suite("made", (Question("1", "Sales department?", gold=gold), Question("2", "Coil?", gold=gold)))

        class Nothing:
            name = "nothing"

        answers = run_suite(suite, Nothing(), search=LabelSearch(TEXTS))
        judged = evaluate_answers(suite, answers, measures="RR P@1 R@2", interval=None)
        assert judged.systems[0].ranked.mean == {"RR": 0.25, "P@1": 0.0, "R@2": 0.5}

    def test_a_company_finds_its_things_by_name(self, data):
        from assay.graph.sparql.store import Store

        search = LabelSearch.of(Store.open([data / "rdf" / "ck25" / "prod-inst.ttl"]))
        asked = {
            "Who is our sensor expert?": "prod-cat-Sensor",
            "Baldwin Dirksen's phone": "empl-Baldwin.Dirksen%40company.org",
        }
        for text, name in asked.items():
            assert found(search(Question("1", text)))[0] == f"http://ld.company.org/prod-instances/{name}"
        assert not any("prod-vocab" in name for name in search.entities)


class TestVectors:
    def test_things_are_ranked_by_cosine_then_by_name(self):
        things = Vectors.of([[1, 0], [0, 2], [3, 0], [1, 1]], ["c", "b", "a", "d"])
        search = VectorSearch(things, Vectors.of([[1.0, 0.0]], ["q"]), k=9)
        answer = search(Question("q"))
        assert found(answer) == ["a", "c", "d", "b"]
        assert answer.scores == pytest.approx((1, 1, 0.5**0.5, 0))
        assert answer.ordered

    def test_a_question_is_known_by_its_id_or_text_and_else_an_error(self):
        search = VectorSearch(Vectors.of([[1.0]], ["a"]), Vectors.of([[1.0]], ["Who?"]))
        assert found(search(Question("1", "Who?"))) == ["a"]
        assert search(Question("1", "What?")).status == "error"

    def test_vectors_come_from_two_files(self, tmp_path):
        things, questions = tmp_path / "things.npz", tmp_path / "questions.npy"
        np.savez(things, vectors=np.eye(2), names=np.array(["http://x/a", "http://x/b"]))
        np.save(questions, np.array([[0.0, 1.0]]))
        (tmp_path / "questions.names").write_text("q7\n", encoding="utf-8")
        search = search_graph(f"{things},{questions}", k=1)
        assert search(Question("q7")).rows == ((iri("http://x/b"),),)
        assert search.name == "vectors things.npz, questions.npy"

    @pytest.mark.parametrize("how", ["lables", "things.npz"])
    def test_what_is_no_search_is_refused(self, how):
        with pytest.raises(AssayError, match="labels, an address, or two files"):
            search_graph(how)
        with pytest.raises(AssayError, match="expected a graph, found none"):
            search_graph("labels")


class TestResponses:
    @pytest.mark.parametrize(
        ("document", "ids", "names", "scores"),
        [
            (["a", "b"], "", ["a", "b"], None),
            ([{"iri": "b", "score": 1}, {"iri": "a", "score": 2}], "", ["a", "b"], (2, 1)),
            ({"results": [{"uri": "a"}]}, "", ["a"], None),
            ({"hits": {"hits": [{"_id": 7, "_score": 0.5}]}}, "", ["7"], (0.5,)),
            ({"results": []}, "", [], None),
            ({"x": {"y": [{"z": "a"}, {"z": "b"}]}}, "x.y.*.z", ["a", "b"], None),
            ({"x": [["a", "b"], ["c"]]}, "x.*.*", ["a", "b", "c"], None),
            ({"x": []}, "x.*.z", [], None),
            (["a", "b", "a"], "*", ["a", "b"], None),
        ],
    )
    def test_rankings_are_found(self, document, ids, names, scores):
        answer = ranking_in(document, ids)
        assert (found(answer), answer.scores, answer.ordered) == (names, scores, True)

    @pytest.mark.parametrize(
        ("document", "ids", "scores"),
        [
            ({"other": 1}, "", ""),
            ("text", "", ""),
            ({"x": [{"y": 1}]}, "x.*.z", ""),
            ([{"title": "a"}], "", ""),
            ([{"id": "a", "score": 1}, {"id": "b"}], "", ""),
            ([{"id": "a", "score": "high"}], "", ""),
            ([{"id": "a", "score": float("nan")}], "", ""),
            ({"x": [{"y": "a", "s": 1}, {"y": "b"}]}, "x.*.y", "x.*.s"),
            ([["a"]], "", ""),
            ([True], "", ""),
        ],
    )
    def test_what_is_no_ranking_is_refused(self, document, ids, scores):
        with pytest.raises(ResponseError):
            ranking_in(document, ids, scores)

    @given(JSON, st.sampled_from(["", "*", "a.*", "a.*.b", "results.*.id"]), st.sampled_from(["", "a.*.b", "*"]))
    def test_whatever_comes_is_a_ranking_or_refused(self, document, ids, scores):
        try:
            answer = ranking_in(document, ids, scores)
        except ResponseError:
            return
        assert len(set(answer.rows)) == len(answer.rows)
        if answer.scores is not None:
            assert list(answer.scores) == sorted(answer.scores, reverse=True)

    def test_scores_stand_beside_ids_and_the_best_k_are_kept(self):
        answer = ranking_in({"x": [{"y": n, "s": n % 3} for n in range(5)]}, "x.*.y", "x.*.s", k=3)
        assert (found(answer), answer.scores) == (["2", "1", "4"], (2, 1, 1))

    def test_ids_that_are_no_iris_are_texts(self):
        answer = ranking_in(["http://x/a", "urn:isbn:1", "Anna Brant"])
        assert [row[0].kind for row in answer.rows] == ["iri", "iri", "text"]

    def test_a_function_is_a_search(self):
        search = searched(lambda text: [("a", 0.2), ("b", 0.7)] if text else None)
        assert found(search(Question("1", "Who?"))) == ["b", "a"]
        assert search(Question("1")).status == "error"
        assert searched(lambda text: text)(Question("1", "ab")).status == "error"
