"""The example that walks over Kinships, with one epoch: vectors, neighbours, links, comparison."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from assay.tasks.links.embeddings import read_embeddings

ROOT = Path(__file__).parents[2]
FOLDER = ROOT / "examples" / "links-kinships"


@pytest.fixture(scope="module")
def done(tmp_path_factory):
    path = tmp_path_factory.mktemp("node2vec") / "vectors.txt"
    command = [sys.executable, ROOT / "examples" / "node2vec_on_kinships.py", "1", path]
    told = os.environ | {"PYTHONPATH": str(ROOT / "src")}
    return path, subprocess.run(command, env=told, capture_output=True, text=True, check=True).stdout


def test_it_writes_a_vector_for_each_person(done):
    found = read_embeddings(done[0])
    assert found.matrix.shape == (104, 32)
    assert list(found.names) == (FOLDER / "entities.txt").read_text().split()


def test_near_persons_are_alike(done):
    found = re.findall(r"^(.+): P@10 of neighbours (\S+),", done[1], re.MULTILINE)
    alike = {name: float(value) for name, value in found}
    assert alike["node2vec"] > 3 * alike["random vectors"]
    assert 0.5 < float(re.search(r"ARI (\S+)", done[1])[1]) <= 1


def test_questions_predict_links_and_persons_alone_do_not(done):
    mrr = {name: float(value) for name, value in re.findall(r"^(.+): MRR (\S+),", done[1], re.MULTILINE)}
    assert mrr["ComplEx"] == 0.6669  # what PyKEEN says of this model
    assert mrr["node2vec, person by person"] < 0.1
    assert mrr["node2vec, question by person"] > 0.5


def test_models_are_compared(done):
    verdicts = re.findall(r"^(RR|HR@10) of (.+) against ComplEx: (.+?), [+-]", done[1], re.MULTILINE)
    assert [one[:2] for one in verdicts] == [
        (measure, f"node2vec, {what} by person") for measure in ("RR", "HR@10") for what in ("person", "question")
    ]
    assert ("RR", "node2vec, person by person", "worse") in verdicts
