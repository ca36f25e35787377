"""One page for each command, with its arguments and options, and one for each group."""

import re
from collections.abc import Iterator
from typing import Any

import typer
from docs.generate.markdown import Page, block, code, link, prose, sections, table

from assay.cli.groups import sectioned
from assay.cli.main import SECTIONS, VERBS, app
from assay.cli.trec_eval.help import help_text
from assay.cli.verbs import CONVENTIONS, values_of
from assay.report.schema import SCHEMAS

TO_TYPE = re.compile(r"Example: |Begin with: ")

EXITS = (
    ("0", "fine"),
    ("1", "a gate failed, or results differ"),
    ("2", "a mistake in the usage or the input; the message says where and what was expected"),
    ("3", "cannot decide: the inputs differ, or there are too few queries"),
)


def pages() -> list[Page]:
    """Return the list of all commands and the page of each."""
    found = [_page(path, command) for path, command in walk()]
    return [_index(), *found]


def walk(command: Any = None, path: tuple[str, ...] = ()) -> Iterator[tuple[tuple[str, ...], Any]]:
    """Yield each group and command with the words that call it, groups before what they hold."""
    command = typer.main.get_command(app) if command is None else command
    if path:
        yield path, command
    for name, below in getattr(command, "commands", {}).items():
        yield from walk(below, (*path, name))


def slug(path: tuple[str, ...]) -> str:
    """Return the name of the file of a command."""
    return "-".join(path)


def _index() -> Page:
    parts = [
        (heading, table(("Command", "What it does"), map(_row, names))) for heading, names in sectioned(VERBS, SECTIONS)
    ]
    return Page(
        "reference/commands/index.md", "Commands", sections(*parts, ("Exit codes", table(("Code", "Means"), EXITS)))
    )


def _row(name: str) -> tuple[str, str]:
    return link(code(f"assay {name}"), f"{name}.md"), prose(VERBS[name])


def _page(path: tuple[str, ...], command: Any) -> Page:
    words = " ".join(("assay", *path))
    context = typer.Context(command, info_name=words)
    parts = [_said(command.help or ""), block(f"{words} {' '.join(command.collect_usage_pieces(context))}", "sh")]
    below = getattr(command, "commands", {})
    if below:
        rows = (
            (link(code(f"{words} {name}"), f"{slug((*path, name))}.md"), _first(one)) for name, one in below.items()
        )
        parts.append(table(("Command", "What it does"), rows))
    elif path == ("trec_eval",):
        parts[1:] = [block(help_text(()))]
    else:
        parts.append(_options(command, context))
    if " ".join(path) in SCHEMAS:
        parts.append(f"The keys of its JSON: [`{words} -o json`](../json/{slug(path)}.md).")
    return Page(f"reference/commands/{slug(path)}.md", words, "\n\n".join(parts))


def _first(command: Any) -> str:
    return prose((command.help or "").partition("\n\n")[0])


def _said(text: str) -> str:
    """Write a help text: its examples as lines to type."""
    parts = []
    for paragraph in text.split("\n\n"):
        said, *typed = TO_TYPE.split(paragraph)
        parts += [prose(said)] if said.strip() else []
        parts += [block(" ".join(one.split()), "sh") for one in typed]
    return "\n\n".join(parts)


def _options(command: Any, context: Any) -> str:
    arguments, options, conventions = [], [], []
    for param in command.get_params(context):
        record = param.get_help_record(context)
        if record is None:
            continue
        if param.param_type_name == "argument":
            arguments.append((code(param.metavar), prose(param.help or "")))
        elif param.rich_help_panel == CONVENTIONS:
            conventions.append((code(record[0]), prose(record[1]), _choices(param.name)))
        else:
            options.append((code(record[0]), prose(record[1])))
    told = "Each of them can change a number, and is printed with the result: [the policy](../policy.md)."
    return sections(
        ("Arguments", table(("Argument", "Meaning"), arguments)),
        ("Options", table(("Option", "Meaning"), options)),
        ("Conventions", f"{told}\n\n{table(('Option', 'Default', 'Values'), conventions)}" if conventions else ""),
    )


def _choices(name: str) -> str:
    return ", ".join(code(value) for value in values_of(name))
