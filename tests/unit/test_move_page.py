"""The page for people who come from other tools: two names in a row of its table are the same measure."""

import re
from pathlib import Path

import pytest

import assay
from assay.cli.trec_eval.table import TABLE

PAGE = Path(__file__).parents[2] / "docs" / "how-to" / "move-from-trec_eval.md"
SECTION = PAGE.read_text(encoding="utf-8").partition("measure by measure\n")[2].partition("\n## ")[0]
PAIRS = re.findall(r"^\| `([\w.=,]+)` \| `([^`]+)` \|", SECTION, re.MULTILINE)
NO_MEASURE = {"runid", "relstring"}


@pytest.mark.parametrize(("theirs", "ours"), PAIRS)
def test_two_names_in_a_row_are_one_measure(theirs, ours):
    assert assay.parse(theirs) == assay.parse(ours)


def test_every_family_of_trec_eval_has_a_row():
    known = {known for theirs, _ in PAIRS for known in TABLE if theirs == known or re.match(rf"{known}[_.]\d", theirs)}
    missing = set(TABLE) - known - NO_MEASURE
    assert {name for name in missing if not name.startswith(("prefs_", "Rprec_mult_avgjg"))} == set()
