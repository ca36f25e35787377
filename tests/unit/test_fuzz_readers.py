"""Any file at all gives rows or one error of Assay, from every reader."""

import os

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tests.unit.readers import READERS, outcome

from assay.errors import AssayError

EXAMPLES = int(os.environ.get("ASSAY_FUZZ", "10"))
ODD = (
    b"",
    b"\0",
    b"\xff",
    b"\xef\xbb\xbf",
    b"\r",
    b"\r\n",
    b"\n",
    b"\n\n",
    b"\t",
    b",",
    b";",
    b" ",
    b'"',
    b"'",
    b"{",
    b"}",
    b"[",
    b"]",
    b":",
    b"<",
    b">",
    b"@",
    b"#",
    b"-",
    b"nan",
    b"NaN",
    b"inf",
    b"1e999",
    b"-1",
    b"0",
    b"9" * 25,
    b"9" * 5000,
    b"null",
    b"true",
    b'"\\ud800"',
    b"\\",
    b"\xe2\x80\xa8",
    b"\x85",
    b"[" * 2000,
    b'{"a":' * 2000,
    b"\x1f\x8b\x08",
    b"PK\x03\x04",
    b"\x28\xb5\x2f\xfd",
    b"PAR1",
    b"\x93NUMPY",
    b"[1, [2]]",
    b'{"a": 1}',
    b"&a [*a]",
    b"<!DOCTYPE",
    b"\xc2\xb2",
    "٣".encode(),
)
CUTS = st.lists(st.tuples(st.floats(0, 1), st.integers(0, 12), st.sampled_from(ODD)), min_size=1, max_size=4)


def damaged(content: bytes, cuts: list[tuple[float, int, bytes]]) -> bytes:
    """Replace some bytes at each of several places."""
    for share, length, put in cuts:
        at = int(share * len(content))
        content = content[:at] + put + content[at + length :]
    return content


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
