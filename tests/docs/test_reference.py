"""The reference holds everything that is registered. What there is, is found here by other ways than the pages use."""

import dataclasses
import inspect
import re
from html import unescape

import pytest
import typer
from docs.generate import reference
from docs.generate.json_keys import keys

import assay
from assay import errors
from assay.cli.main import app
from assay.core.policy import CHOICES, Policy
from assay.core.profiles import PROFILES
from assay.formats import FORMATS
from assay.formats.base import Format
from assay.measures import MEASURES
from assay.measures.base import Measure
from assay.report.measure_page import Definition
from assay.report.schema import SCHEMAS


@pytest.fixture(scope="module")
def pages():
    """The generated pages as a reader sees them: without the marks that keep Markdown from meaning something."""
    return {path: plain(page.text) for path, page in reference.pages().items()}


def plain(text):
    return unescape(re.sub(r"\\([\\*_<>\[\]|])", r"\1", text))


def below(kind):
    for one in kind.__subclasses__():
        yield one
        yield from below(one)


def commands(command=None, words=()):
    command = command or typer.main.get_command(app)
    context = typer.Context(command)
    for name in command.list_commands(context):
        one = command.get_command(context, name)
        yield (*words, name), one
        if hasattr(one, "list_commands"):
            yield from commands(one, (*words, name))


def test_every_measure_has_a_page_with_all_its_parts(pages):
    registered = [one for one in below(Measure) if one.name and one.__module__.startswith("assay.")]
    assert {one.name for one in registered} == set(MEASURES)
    for measure in registered:
        page = pages[f"reference/measures/{measure.name}.md"]
        definition = Definition.of(measure)
        wanted = [definition.summary, definition.formula, definition.remarks, definition.source, definition.example]
        wanted += ["| Range |", "| Direction |", "| Ties |", "| Chance |", "| Without a relevant item |"]
        wanted += MEASURES.aliases(measure.name)
        wanted += [name.partition("_{")[0] for name in measure.trec]
        wanted += [f"| `{field.name}` |" for field in dataclasses.fields(measure)]
        assert [part for part in wanted if plain(part) not in page] == [], measure.name
        assert measure.name in pages["reference/measures/index.md"]


def test_every_command_has_a_page_with_all_its_options(pages):
    found = dict(commands())
    assert ("evaluate",) in found
    assert ("links", "audit") in found
    for words, command in found.items():
        page = pages[f"reference/commands/{'-'.join(words)}.md"]
        typed = [text for param in command.params for text in param.opts if text.startswith("-")]
        typed += [param.metavar for param in command.params if param.param_type_name == "argument"]
        assert [text for text in typed if text not in page] == [], words
        assert command.help.partition("\n")[0] in page
    assert all(f"assay {words[0]}" in pages["reference/commands/index.md"] for words in found)


def test_every_field_of_the_policy_is_told_with_all_its_values(pages):
    page = pages["reference/policy.md"]
    assert [field.name for field in dataclasses.fields(Policy) if f"## `{field.name}`" not in page] == []
    for choices in CHOICES.values():
        assert [f"| `{value}` | {text}" for value, text in choices.items() if f"| `{value}` | {text}" not in page] == []


def test_every_profile_is_told_with_its_rules_and_limits(pages):
    page = pages["reference/profiles.md"]
    for name, profile in PROFILES.items():
        wanted = [f"## {name} ", profile.summary, *profile.limits, *(rule.why for rule in profile.rules)]
        assert [part for part in wanted if part not in page] == [], name


def test_every_format_is_told(pages):
    page = pages["reference/formats.md"]
    made = {one.name for one in below(Format) if not inspect.isabstract(one)}
    assert made == set(FORMATS)
    for one in FORMATS.values():
        wanted = [f"## `{one.name}`", one.description, *one.suffixes, *one.aliases]
        assert [part for part in wanted if part not in page] == [], one.name


def named(schema):
    """Yield the names of all keys at any depth."""
    if isinstance(schema, list):
        for part in schema:
            yield from named(part)
    elif isinstance(schema, dict):
        for word, part in schema.items():
            if word == "properties":
                yield from part
                yield from named(list(part.values()))
            else:
                yield from named(part)


def test_every_key_of_every_json_document_is_told(pages):
    for name, schema in SCHEMAS.items():
        page = pages[f"reference/json/{name.replace(' ', '-')}.md"]
        told = {place.rpartition(".")[2].rstrip("[]") for place in re.findall(r"^\| `([^`]+)` \|", page, re.MULTILINE)}
        assert sorted(set(named(schema)) - told) == [], name


def test_every_key_of_every_json_document_has_a_meaning():
    for name, schema in SCHEMAS.items():
        meanings = [(place, one.get("description", "")) for place, one, _ in keys(schema)]
        assert [place for place, text in meanings if len(text.split()) < 3 or not text.endswith(".")] == [], name


def test_every_exception_is_told(pages):
    page = pages["reference/python/exceptions.md"]
    found = [one for _, one in inspect.getmembers(errors, inspect.isclass) if issubclass(one, BaseException)]
    assert len(found) > 10
    assert [one.__name__ for one in found if f"## `{one.__name__}`" not in page] == []


def test_every_public_name_is_told(pages):
    told = pages["reference/python/functions.md"] + pages["reference/python/classes.md"]
    assert [name for name in assay.__all__ if f"## `{name}`" not in told] == []


def test_pages_are_the_same_each_time():
    assert reference.pages() == reference.pages()


def test_no_two_pages_differ_only_in_the_case_of_their_names(pages):
    assert len({path.lower() for path in pages}) == len(pages)
