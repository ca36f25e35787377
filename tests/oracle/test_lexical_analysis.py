"""Stems equal those of NLTK for each word of five collections; the number of terms is what Anserini publishes."""

import json

import pytest

from assay.formats.corpora import read_documents
from assay.tasks.lexical.index import Index
from assay.tasks.lexical.stemming import stems_by
from assay.tasks.lexical.tokens import words_of

pytestmark = pytest.mark.oracle
pytest.importorskip("Stemmer")
FILES = {
    "cacm": ["docs.jsonl.gz"],
    "cisi": ["CISI.ALL.gz"],
    "cranfield": ["cran.all.1400.gz"],
    "scifact": ["corpus.part1.jsonl.gz", "corpus.part2.jsonl.gz"],
    "vaswani": ["doc-text.trec.gz"],
}


@pytest.fixture(scope="module")
def documents(data):
    read = {}

    def call(name):
        if name not in read:
            read[name] = read_documents([data / "ir" / name / file for file in FILES[name]])
        return read[name]

    return call


@pytest.mark.slow
@pytest.mark.parametrize("name", list(FILES))
def test_stems_are_those_of_nltk(documents, name):
    porter = pytest.importorskip("nltk.stem.porter").PorterStemmer(mode="MARTIN_EXTENSIONS")
    _, words = words_of(documents(name).whole.str.to_lowercase())
    kinds = words.unique().sort().to_list()
    assert len(kinds) > 5000
    ours = stems_by("lucene")(kinds)
    assert [(word, stem) for word, stem in zip(kinds, ours, strict=True) if stem != porter.stem(word)] == []


@pytest.mark.parametrize(
    ("name", "published", "unique"), [("cacm", "cacm", 14363), ("scifact", "beir-v1.0.0-scifact.flat", None)]
)
def test_as_many_terms_as_published(documents, data, name, published, unique):
    said = json.loads((data / "ir" / "published_anserini.json").read_text("utf-8"))[published]["index_stats"]
    index = Index.build(documents(name))
    assert (len(index), index.total) == (said["documents"], said["total terms"])
    if unique is not None:
        assert len(index.terms) == unique
