"""Files of unusual form that are read all the same, and what is written of what is unusual."""

import csv
import json
import math
from dataclasses import replace
from pathlib import Path

import polars as pl
import pytest

from assay.convert import convert
from assay.core.answers import Answer
from assay.core.terms import iri, literal
from assay.errors import FormatError
from assay.formats import read_run
from assay.formats.answer_files import append_answer, read_answers
from assay.formats.corpora import read_documents
from assay.formats.headers import guess_kind
from assay.formats.markup import marked_up
from assay.formats.name_files import read_names
from assay.formats.rag_files import read_records
from assay.formats.rag_items import cells
from assay.formats.rag_langsmith import contexts_in
from assay.formats.rdf import require_harmless
from assay.formats.smart import smart
from assay.formats.source import Source, file_digest
from assay.formats.suites import line_of, read_suite, yaml_of
from assay.formats.triples import read_triples

WHO = {"id": "1", "question": [{"language": "en", "string": "Who?"}], "query": {"sparql": "ASK {}"}}


@pytest.fixture
def file(tmp_path):
    """Make a file of some content, text or bytes."""

    def make(name, content):
        place = tmp_path / name
        place.write_bytes(content if isinstance(content, bytes) else content.encode())
        return place

    return make


class TestRuns:
    def test_parts_named_by_a_wildcard_alone_are_called_run(self, tmp_path, monkeypatch):
        pl.DataFrame({"query": ["q"], "item": ["a"], "score": [1.0]}).write_parquet(tmp_path / "1.parquet")
        monkeypatch.chdir(tmp_path)
        assert read_run("*.parquet").name == "run"

    def test_a_stretch_of_empty_lines_in_a_table(self, file):
        run = read_run(file("a.csv", "query,item,score\nq,a,1\n" + "\n" * 100 + "q,b,0.5\n"))
        small = replace(run.rows, size=16)
        assert [row for block in small.blocks() for row in block.rows()] == [("q", "a", 1.0), ("q", "b", 0.5)]

    def test_ranks_alone_in_less_memory_are_the_same_rows(self, file):
        run = read_run(file("a.run", "q1\ta\t1\nq1\tb\t2\nq2\tc\t1\n"), format="msmarco")
        assert pl.concat(run.rows.within(1 << 20).blocks()).equals(run.frame())

    def test_an_item_that_stands_twice_is_written_twice(self, file, tmp_path):
        convert(file("a.run", "q Q0 a 1 2 t\nq Q0 b 2 1.5 t\nq Q0 a 3 1 t\n"), tmp_path / "a.json")
        assert (tmp_path / "a.json").read_text() == '{"q": {"a": 2, "b": 1.5, "a": 1}}\n'

    def test_a_rank_that_is_a_decimal_number_but_whole(self, file):
        run = read_run(
            file("a.json", '[{"query": "q", "item": "a", "rank": 2.0}, {"query": "q", "item": "b", "rank": 1}]')
        )
        assert run.frame()["position"].to_list() == [2, 1]

    def test_more_sets_of_keys_than_are_remembered(self, file):
        rows = [{"query": "q", "item": f"{number}", "score": 1, f"note {number}": 1} for number in range(1100)]
        run = read_run(file("a.jsonl", "".join(f"{json.dumps(row)}\n" for row in rows)))
        assert run.frame()["item"].to_list() == [row["item"] for row in rows]

    def test_a_place_is_found_past_a_line_of_another_form(self, file):
        lines = ['{"query": "q", "item": "a", "score": 1, "grade": null}', '{"query": "q", "item": "a", "score": 2}']
        run = read_run(file("a.jsonl", "".join(f"{line}\n" for line in lines)))
        assert run.origin.place("q", "a").endswith("a.jsonl, line 2")

    def test_costs_stand_in_objects_alone(self, file):
        run = read_run(file("a.jsonl", '{"q": {"latency": 1.0, "b": 0.5}}\n[{"latency": 1}]\n'))
        assert run.costs() is None

    def test_names_that_tell_no_pairs_tell_no_kind(self):
        assert guess_kind(["colour", "size"]) is None
        assert guess_kind(["query", "item", "score"]) == "run"


class TestAnswers:
    def test_a_document_of_questions_on_one_line(self, file):
        answered = WHO | {"answers": [{"head": {}, "boolean": True}]}
        found = read_answers(file("a.json", json.dumps({"questions": [answered]})))
        assert found.answers["1"].boolean is True

    def test_the_first_answer_to_an_empty_file(self, file):
        place = file("a.jsonl", "")
        append_answer(place, "1", Answer("answered", boolean=False))
        assert read_answers(place).answers["1"].boolean is False


class TestSuites:
    def test_a_file_without_an_ending_is_known_by_its_beginning(self, file):
        asked = 'questions:\n  - {"id": "1", "question": "Who?"}\n'
        assert [one.text for one in read_suite(file("asked", asked)).questions] == ["Who?"]
        assert [one.text for one in read_suite(file("asked", '{"id": "1", "question": "Who?"}')).questions] == ["Who?"]

    def test_answers_in_several_columns_some_of_them_empty(self, file):
        rows = ((iri("urn:a"), literal("1", "urn:number")), (iri("urn:b"), None))
        asked = read_suite(file("a.json", '[{"id": "1", "question": "Who?"}]')).questions[0]
        asked = replace(asked, gold=Answer("answered", ("answer", "answer2"), rows))
        written = line_of(asked)
        assert json.loads(written)["answers"] == [["<urn:a>", '"1"^^<urn:number>'], ["<urn:b>", None]]
        assert read_suite(file("b.jsonl", written)).questions[0].gold.rows == rows

    def test_what_looks_like_a_literal_but_is_none_is_text(self, file):
        suite = read_suite(file("a.json", json.dumps([{"id": "1", "question": "Who?", "answers": [r'"a\q"']}])))
        assert suite.questions[0].gold.rows[0][0].kind == "text"
        assert "\\\\q" in yaml_of(suite)

    def test_a_question_of_spinach_without_its_answer(self, file):
        asked = {"question": "Who?", "gold_sparql": "ASK {}", "predicted_answer_tuple": None, "gold_answer_tuple": None}
        assert read_suite(file("a.json", json.dumps([asked]))).questions[0].gold is None


class TestTexts:
    def test_one_document_in_an_object_of_several_lines(self, file):
        found = read_documents(file("a.json", json.dumps({"id": "d", "text": ["gold", 7, "silver"]}, indent=1)))
        assert found.table.rows() == [("d", "gold\nsilver")]

    def test_empty_lines_between_texts_in_columns(self, file):
        assert read_documents(file("a.tsv", "d1\tgold\n\nd2\tsilver\n")).table["item"].to_list() == ["d1", "d2"]

    def test_a_field_that_is_closed_but_was_never_opened(self):
        ((_, fields),) = marked_up("<DOC><DOCNO>1</DOCNO></b> gold </DOC>", "docs.trec")
        assert fields == {"docno": "1", "text": "gold"}

    def test_what_stands_in_no_field_of_smart_is_no_text(self):
        assert list(smart(".I 1\nlost\n.W\ngold\n", "docs")) == [(1, {"id": "1", "text": "gold"})]
        assert list(smart("lost\n", "docs")) == []

    def test_names_that_begin_with_a_bracket(self, file):
        assert read_names(file("names.txt", "[unknown]\nParis\n")) == ["[unknown]", "Paris"]


class TestRetrieved:
    def test_a_trace_whose_record_is_no_json(self, file):
        row = {"record_id": "1", "app_id": "a", "input": "how old?", "output": "very", "record_json": "{broken"}
        found = read_records(file("a.jsonl", f"{json.dumps(row)}\n"))
        assert found.questions["question"].to_list() == ["how old?"]

    def test_an_id_that_is_none_and_scores_beyond_all_floats(self):
        assert cells({"id": {"of": 1}, "_id": None, "text": "gold"})[:2] == (None, "gold")
        assert cells({"text": "gold", "score": 10**400})[6] == math.inf
        assert cells({"text": "gold", "score": -(10**400)})[6] == -math.inf

    def test_documents_that_are_all_that_a_run_puts_out(self):
        assert contexts_in([{"page_content": "gold"}]) == [{"page_content": "gold"}]
        assert contexts_in("gold") == []


class TestGraphs:
    def test_a_first_row_too_large_for_a_table(self, file):
        large = "a" * (csv.field_size_limit() + 10)
        with pytest.raises(FormatError, match="line 1: expected"):
            read_triples(file("facts.csv", f'"{large}",knows,b\n'), format="csv")

    def test_a_literal_of_more_than_16_mib(self, file):
        place = file("facts.ttl", b'<urn:a> <urn:b> "' + b"a" * (17 << 20) + b'" .\n')
        with pytest.raises(FormatError, match="found a literal or a name of more than 16 MiB"):
            read_triples(place)

    @pytest.mark.parametrize(("entity", "harmless"), [('a "urn:a:"', True), ('b "&a;&a;"', False)])
    def test_short_entities_at_the_beginning_of_a_long_file(self, file, entity, harmless):
        source = Source.open(file("a.rdf", f"<!DOCTYPE rdf:RDF [<!ENTITY {entity}>]>" + "<a>b</a>" * 500))
        if harmless:
            require_harmless(source, "RDF_XML")
        else:
            with pytest.raises(FormatError, match="expected entities that are short texts of their own"):
                require_harmless(source, "RDF_XML")


def test_what_cannot_be_read_has_no_digest(tmp_path, monkeypatch):
    def refuse(self, *args):
        raise PermissionError

    place = tmp_path / "a"
    place.write_bytes(b"text")
    assert len(file_digest(place)) == 64
    monkeypatch.setattr(Path, "open", refuse)
    assert file_digest(place) is None
