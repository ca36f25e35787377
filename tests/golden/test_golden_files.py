"""What users build on changes only on purpose: `python -m tests.golden.renew` writes these files anew."""

import difflib

import jsonschema
import pytest
from tests.golden.renew import KINDS, help_pages, schema_keys, written

from assay.report.schema import SCHEMAS
from assay.report.schema.parts import NUMBER, TEXT, list_of, or_null, record

RENEW = "meant? python -m tests.golden.renew"


def changes(made, known):
    for name in sorted(made.keys() | known.keys()):
        old, new = known.get(name, "").splitlines(), made.get(name, "").splitlines()
        yield from difflib.unified_diff(old, new, f"golden {name}", f"now {name}", lineterm="", n=1)


@pytest.mark.parametrize("kind", KINDS)
def test_nothing_has_changed_unseen(kind):
    made = KINDS[kind]()
    folders = {name.partition("/")[0] for name in made}
    known = {name: text for name, text in written().items() if name.partition("/")[0] in folders}
    assert made.keys() == known.keys(), RENEW
    assert not list(changes(made, known)), RENEW


def test_help_fits_80_columns():
    wide = {name: line for name, text in help_pages().items() for line in text.splitlines() if len(line) > 80}
    wide.pop("help/assay-trec_eval.txt", None)
    assert wide == {}


@pytest.mark.parametrize("name", SCHEMAS)
def test_each_schema_is_one(name):
    jsonschema.Draft202012Validator.check_schema(SCHEMAS[name])


def test_keys_are_told_from_a_schema():
    assert list(schema_keys(record({"why": TEXT}, runs=list_of(record(p=or_null(NUMBER)))), "")) == [
        "document: object of these keys",
        "runs: array",
        "runs[]: object of these keys",
        "runs[].p: number or null",
        "why?: string",
    ]
