"""Whatever a file holds: statements and labels, or an error that names the file."""

import json

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from assay.errors import AssayError
from assay.graph.accuracy.draws import design_of, draw
from assay.graph.accuracy.label_file import LabelFile, read_labels
from assay.graph.accuracy.statements import Statements, read_statements

STATEMENTS = Statements.of((f"s{n % 7}", "p", f"'=o;\n\"{n}") for n in range(20))
DESIGN = design_of(STATEMENTS, "cluster", per_subject=2)
WRITTEN = LabelFile.of(DESIGN, draw(STATEMENTS, DESIGN, 12)).text()
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text() | st.sampled_from("spo"), inner, max_size=4),
    max_leaves=12,
)
slowly = settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=150)


def tried(read, path):
    try:
        return read(path)
    except AssayError as error:
        return error


@slowly
@given(at=st.integers(0, len(WRITTEN)), length=st.integers(0, 30), put=st.text(max_size=8) | st.sampled_from(',;"\n\0'))
def test_a_label_file_that_was_damaged_is_read_or_refused(tmp_path, at, length, put):
    path = tmp_path / "labels.csv"
    path.write_bytes((WRITTEN[:at] + put + WRITTEN[at + length :]).encode("utf-8", "surrogatepass"))
    found = tried(read_labels, path)
    if isinstance(found, AssayError):
        assert "labels.csv" in found.message
    else:
        assert {row.statement for row in found.rows.values()} <= set(STATEMENTS.rows)


@slowly
@given(document=JSON)
def test_json_is_statements_or_refused(tmp_path, document):
    path = tmp_path / "graph.json"
    path.write_text(json.dumps(document))
    found = tried(read_statements, [path])
    if isinstance(found, AssayError):
        assert "graph.json" in found.message
    else:
        assert len(found) >= 1


@pytest.mark.parametrize("kind", ["simple", "cluster", "stratified"])
@given(parts=st.lists(st.tuples(st.text(), st.text(), st.text()), min_size=1, max_size=12))
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=60)
def test_any_statement_comes_back_from_a_label_file(tmp_path, kind, parts):
    statements = Statements.of(parts)
    design = design_of(statements, kind)
    drawn = draw(statements, design, 6)
    path = tmp_path / "labels.csv"
    path.write_bytes(LabelFile.of(design, drawn).text().encode("utf-8", "surrogatepass"))
    assert tuple(read_labels(path).rows.values()) == drawn
