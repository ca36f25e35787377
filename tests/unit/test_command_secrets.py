"""A command line is kept in results, and nothing secret with it."""

import pytest

from assay.cli.main import VERBS, _without_secrets
from assay.cli.secrets import masked_command


@pytest.mark.parametrize(
    ("words", "kept"),
    [
        (["--endpoint=http://u:p@x/q", "a.yml"], ["--endpoint=http://x/q", "a.yml"]),
        (["--header", "X-Key: 1", "--header=Cookie: a=b"], ["--header", "X-Key: ***", "--header=Cookie: ***"]),
        (["--header", "odd"], ["--header", "***"]),
        (["--store", "postgresql://ann:hunter2@/db"], ["--store", "postgresql://ann:***@/db"]),
        (["--store=postgres://ann:h/2@h/db"], ["--store=postgres://ann:***@h/db"]),
        (["POSTGRESQL://ann:hunter2@h/db?sslpassword=x"], ["POSTGRESQL://ann:***@h/db?sslpassword=***"]),
        (["db=postgres://ann:hunter2@h/db"], ["db=postgres://ann:***@h/db"]),
        (["--webhook", "https://hooks.example.org/T0/B0/s3cret"], ["--webhook", "***"]),
        (["--webhook=https://hooks.example.org/s3cret"], ["--webhook=***"]),
        (["sqlite:///a.db", "a:b@c", "s3://bucket/a.run", "SELECT <http://x/a:b@c>"],) * 2,
    ],
    ids=["service", "header", "odd", "store", "slash", "capitals", "named", "webhook", "webhook-word", "plain"],
)
def test_a_command_line_is_kept_without_secrets(words, kept):
    assert masked_command(words) == kept


@pytest.mark.parametrize("verb", VERBS)
def test_no_verb_keeps_the_password_of_a_database(verb):
    words = [verb, "x", "--store", "postgresql://ann:hunter2@db/quality", "--webhook", "s3cret"]
    assert _without_secrets(words) == [verb, "x", "--store", "postgresql://ann:***@db/quality", "--webhook", "***"]
