"""A command line as results may keep it: without the passwords, keys and tokens that it was given."""

import re
from collections.abc import Iterable

ADDRESS = re.compile(r"(?P<before>[\w.-]+=)?(?P<scheme>[a-z][a-z0-9+.-]*)://", re.IGNORECASE)
"""How a word begins that is an address, or NAME=ADDRESS."""


def masked_command(words: Iterable[str]) -> list[str]:
    """Return a command line as it may be kept: addresses masked, `--header` without its value, `--webhook` as stars.

    >>> masked_command(["run", "--endpoint", "http://me:pw@x/q", "--header", "Authorization: Bearer 1"])
    ['run', '--endpoint', 'http://x/q', '--header', 'Authorization: ***']
    >>> masked_command(["--store=postgresql://ann:pw@db/quality"])
    ['--store=postgresql://ann:***@db/quality']
    """
    kept: list[str] = []
    for word in words:
        option, equals, value = word.partition("=") if word.startswith("--") else ("", "", word)
        kept.append(option + equals + _masked_value(option or (kept[-1] if kept else ""), value))
    return kept


def _masked_value(option: str, word: str) -> str:
    if option == "--header" and word:
        return _masked_header(word)
    if option == "--webhook" and word:  # its path is the secret
        return "***"
    return _masked_word(word)


def _masked_header(text: str) -> str:
    name, colon, _ = text.partition(":")
    return f"{name}: ***" if colon else "***"


def _masked_word(word: str) -> str:
    found = ADDRESS.match(word)
    if found is None:
        return word
    before = found["before"] or ""
    if found["scheme"].lower() in {"http", "https"}:
        from assay.graph.sparql.addresses import masked as masked_service

        return before + masked_service(word[len(before) :])
    from assay.store.database import masked as masked_database

    return before + masked_database(word[len(before) :])
