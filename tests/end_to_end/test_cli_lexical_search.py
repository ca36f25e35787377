"""`assay lexical search` as people run it."""

import gzip
import json

import numpy as np
import pytest

DOCUMENTS = {
    "d1": "The mines of gold and silver.",
    "d2": "Silver purses; a purse of silver!",
    "d3": "Mining for gold: miners, mines and mine shafts.",
    "q3": "Nothing but a purse",
}
QUERIES = {"q1": "gold mines", "q2": "silver purse", "q3": "purses", "q4": "the", "q5": "unheard-of"}


@pytest.fixture
def texts(tmp_path):
    pytest.importorskip("Stemmer")
    lines = [json.dumps({"_id": name, "title": "", "text": text}) for name, text in DOCUMENTS.items()]
    (tmp_path / "corpus.jsonl").write_text("\n".join(lines) + "\n")
    (tmp_path / "queries.tsv").write_text("".join(f"{name}\t{text}\n" for name, text in QUERIES.items()))
    return "--documents", "corpus.jsonl", "--queries", "queries.tsv"


def rows(text):
    return [tuple(line.split()[place] for place in (0, 2, 5)) for line in text.splitlines()]


def test_a_run_is_written_and_what_was_searched_is_said(assay, texts, tmp_path):
    done = assay("lexical", "search", *texts, "--out", "bm25.run")
    found = rows((tmp_path / "bm25.run").read_text())
    assert found == [
        ("q1", "d3", "bm25"), ("q1", "d1", "bm25"), ("q2", "d2", "bm25"), ("q2", "q3", "bm25"), ("q2", "d1", "bm25"),
        ("q3", "d2", "bm25"), ("q3", "q3", "bm25"),
    ]  # fmt: skip
    assert done.out == ""
    assert done.err.splitlines() == [
        "4 documents, 7 terms; 5 queries.",
        "Note: no words that are searched for in 1 query: q4.",
        "Note: nothing found for 1 query: q5.",
        "7 rows written to bm25.run.",
    ]


def test_a_run_goes_into_a_pipe(assay, texts, small):
    found = assay("lexical", "search", *texts, "--quiet", "--depth", 1)
    assert rows(found.out) == [("q1", "d3", "bm25"), ("q2", "d2", "bm25"), ("q3", "d2", "bm25")]
    assert found.err == ""
    (small / "gold.qrels").write_text("q1 0 d3 1\nq3 0 d2 1\n")
    judged = assay("evaluate", "gold.qrels", "-", "-m", "RR", "-o", "json", stdin=found.stdout)
    assert json.loads(judged.out)["runs"][0]["measures"]["RR"]["mean"] == 1


def test_words_of_a_file_are_left_out(assay, texts, tmp_path):
    (tmp_path / "stop.txt").write_text("silver\nunheard\n")
    found = rows(assay("lexical", "search", *texts, "--stop-words", "stop.txt", "--quiet").out)
    assert ("q2", "d2", "bm25") in found
    assert ("q2", "d1", "bm25") not in found
    fields = assay("lexical", "search", "--queries", "queries.tsv", "--fields", "title", expect=2)
    assert "--fields: expected --documents to take them from, found none" in fields.err
    both = assay("lexical", "search", *texts, "--stop-words", "stop.txt", "--keep-stop-words", expect=2)
    assert "expected --stop-words or --keep-stop-words, found both" in both.err


@pytest.mark.parametrize("name", ["ql", "lucene", "robertson", "atire", "bm25l", "bm25plus"])
def test_other_models(assay, texts, name):
    pytest.importorskip("bm25s")
    found = rows(assay("lexical", "search", *texts, "--model", name, "--depth", 1, "--quiet").out)
    best = ["d1", "d1", "d2"] if name == "robertson" else ["d3", "d2", "d2"]  # there a term of half of all is worth 0
    assert found == [(query, item, name) for query, item in zip(("q1", "q2", "q3"), best, strict=True)]


def test_parameters_change_scores(assay, texts):
    plain, *others = (
        assay("lexical", "search", *texts, "--quiet", *options).out
        for options in ((), ("--k1", 1.5), ("--b", 0.9), ("--keep-stop-words",), ("--stemmer", "none"))
    )
    assert len({plain, *others}) == 5


def test_the_form_of_the_file_is_that_of_its_ending_or_as_said(assay, texts, tmp_path):
    assay("lexical", "search", *texts, "--depth", 1, "--name", "mine", "--out", "best.csv")
    assert (tmp_path / "best.csv").read_text().startswith("query,item,score\nq1,d3,")
    assay("lexical", "search", *texts, "--depth", 1, "--name", "mine", "--out", "best.run.gz")
    with gzip.open(tmp_path / "best.run.gz", "rt") as file:
        assert rows(file.read())[0] == ("q1", "d3", "mine")
    printed = assay("lexical", "search", *texts, "--depth", 1, "--to", "jsonl", "--quiet").out
    assert [json.loads(line)["item"] for line in printed.splitlines()] == ["d3", "d2", "d2"]


def test_the_document_of_the_query_is_left_out(assay, texts):
    found = rows(assay("lexical", "search", *texts, "--remove-query", "--quiet").out)
    assert [item for query, item, _ in found if query == "q3"] == ["d2"]


def test_feedback_finds_more(assay, texts):
    found = rows(assay("lexical", "search", *texts, "--expand", "rm3", "--quiet").out)
    assert {name for _, _, name in found} == {"bm25+rm3"}
    assert len(found) >= 7


def test_an_index_is_made_once_and_then_read(assay, texts, tmp_path):
    made = assay("lexical", "search", *texts, "--index", "kept", "--keep-case")
    assert (tmp_path / "kept").is_dir()
    checked = assay("lexical", "search", *texts, "--index", "kept", "--keep-case")
    (tmp_path / "corpus.jsonl").unlink()
    read = assay("lexical", "search", *texts[2:], "--index", "kept")
    assert made.out == checked.out == read.out != ""


def test_an_index_of_other_documents_or_terms_is_refused(assay, texts, tmp_path):
    assay("lexical", "search", *texts, "--index", "kept")
    other = assay("lexical", "search", *texts, "--index", "kept", "--stemmer", "none", expect=2)
    assert "kept: expected an index of terms as the options say, found one of other terms" in other.err
    (tmp_path / "corpus.jsonl").write_text('{"_id": "a", "text": "gold"}\n')
    other = assay("lexical", "search", *texts, "--index", "kept", expect=2)
    assert "kept: expected an index of these documents, found one of others" in other.err
    (tmp_path / "file").write_text("text")
    assert "file: expected the folder of an index, found a file" in (
        assay("lexical", "search", *texts, "--index", "file", expect=2).err
    )


def test_parts_and_fields_are_named(assay, tmp_path):
    pytest.importorskip("Stemmer")
    for name, title in (("a", "gold"), ("b", "silver")):
        line = {"_id": name, "title": title, "text": "a mine"}
        (tmp_path / f"{name}.jsonl").write_text(json.dumps(line) + "\n")
    (tmp_path / "topics").write_text(
        "<top><num> Number: 1 <title> silver <desc> Description: gold </top>\n", encoding="utf-8"
    )
    given = ("--documents", "a.jsonl", "b.jsonl", "--queries", "topics", "--quiet")
    assert rows(assay("lexical", "search", *given).out) == [("1", "b", "bm25")]
    assert rows(assay("lexical", "search", *given, "--query-field", "desc").out) == [("1", "a", "bm25")]
    assert assay("lexical", "search", *given, "--fields", "text").out == ""


def test_vectors_make_a_run(assay, tmp_path):
    np.save(tmp_path / "docs.npy", np.array([[1.0, 0.0], [0.0, 1.0]]))
    np.savez(tmp_path / "queries.npz", vectors=np.array([[0.6, 0.8]]), names=np.array(["q1"]))
    (tmp_path / "docs.txt").write_text("d1\nd2\n")
    files = ("--vectors", "docs.npy", "--names", "docs.txt", "--query-vectors", "queries.npz")
    done = assay("lexical", "search", "--model", "dense", *files)
    assert done.out == "q1 Q0 d2 1 0.8 dense\nq1 Q0 d1 2 0.6 dense\n"
    assert done.err.splitlines()[0] == "2 vectors of 2 dimensions for documents, 1 for queries."


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (("--documents", "no.jsonl"), "no.jsonl"),
        (("--queries", "no.tsv"), "no.tsv"),
        (("--model", "bm52"), "no model is called 'bm52'. Did you mean 'bm25'?"),
        (("--model", "ql", "--k1", "1"), "model ql: expected parameters of it (mu), found k1"),
        (("--k1", "high"), "--k1: expected a number, found 'high'"),
        (("--b", "7"), "b: expected a number from 0 to 1, found 7"),
        (("--depth", "0"), "--depth: expected a whole number of at least 1, found '0'"),
        (("--expand", "rm4"), "no expansion is called 'rm4'. Did you mean 'rm3'?"),
        (("--language", "klingon"), "klingon"),
        (("--out", "no/bm25.run"), "expected a folder to write into"),
        (("--to", "trek"), "no format is called 'trek'. Did you mean 'trec'?"),
        (("--vectors", "a.npy"), "--model bm25: expected no options of vectors"),
        (("--model", "dense"), "--model dense: expected vectors alone"),
    ],
)  # fmt: skip
def test_mistakes_are_named(assay, texts, change, said):
    done = assay("lexical", "search", *texts, *change, expect=2)
    assert said in done.err
    assert done.out == ""


def test_what_is_needed_is_named(assay, texts, tmp_path):
    assert "found no --documents" in assay("lexical", "search", *texts[2:], expect=2).err
    assert "found no --queries" in assay("lexical", "search", *texts[:2], expect=2).err
    assert "found no --vectors" in assay("lexical", "search", "--model", "dense", expect=2).err
    (tmp_path / "corpus.jsonl").write_text('{"_id": "a", "text": "... the"}\n')
    assert "expected documents with words, found none" in assay("lexical", "search", *texts, expect=2).err
