"""Any file at all gives rows or one error of Assay, from every reader."""

import os

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tests.unit.fuzz import ODD, damaged
from tests.unit.readers import READERS, outcome

from assay.errors import AssayError

EXAMPLES = int(os.environ.get("ASSAY_FUZZ", "10"))
CUTS = st.lists(st.tuples(st.floats(0, 1), st.integers(0, 12), st.sampled_from(ODD)), min_size=1, max_size=4)


@pytest.mark.parametrize("name", READERS)
def test_its_example_is_read(name):
    found = outcome(name, READERS[name].example)
    assert not isinstance(found, AssayError) or name in {"label file", "result", "results"}


@pytest.mark.parametrize("name", READERS)
@settings(max_examples=EXAMPLES, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(cuts=CUTS)
def test_a_damaged_file_is_read_or_refused(name, cuts):
    found = outcome(name, damaged(READERS[name].example, cuts))
    assert not isinstance(found, AssayError) or str(found).strip()


@pytest.mark.parametrize("name", READERS)
@settings(max_examples=EXAMPLES, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(content=st.binary(max_size=80) | st.lists(st.sampled_from(ODD), max_size=8).map(b"".join))
def test_any_bytes_are_read_or_refused(name, content):
    found = outcome(name, content)
    assert not isinstance(found, AssayError) or str(found).strip()


@pytest.mark.parametrize("rank", ["2e25", "1e19", "nan", "inf", "1e999", "1.5"])
@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("run msmarco", "q1\ta\t{}\n"),
        ("run csv", "query,item,rank\nq1,a,{}\n"),
        ("run csv", "query,item,score,rank\nq1,a,1,{}\n"),
        ("run csv", 'query,item,rank\n"q1",a,{}\n'),
        ("propensities", "rank,propensity\n{},1\n"),
    ],
    ids=["msmarco", "csv", "csv with scores", "quoted csv", "propensities"],
)
def test_a_rank_that_is_no_whole_number_is_refused(name, content, rank):
    found = outcome(name, content.format(rank).encode())
    assert isinstance(found, AssayError)
    assert "a whole number" in str(found)
