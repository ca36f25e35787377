"""Groups of verbs: their names and what each does in one line. The file of a verb is loaded when it is asked for."""

from collections.abc import Iterable, Iterator, Mapping, MutableMapping
from dataclasses import dataclass, field
from importlib import import_module
from typing import Any

import typer

from assay.cli.completion import offers
from assay.cli.verbs import Verb, Verbs


@dataclass(slots=True)
class Commands(MutableMapping[str, Any]):
    """The verbs of a package by name, each loaded when it is looked up.

    The verb `a-b` is the function `a_b` in the file a_b.py; a package below is a group of verbs, its `app`.
    """

    package: str
    summaries: Mapping[str, str]
    loaded: dict[str, Any] = field(default_factory=dict)

    def __getitem__(self, name: str) -> Any:
        if name not in self.loaded:
            if name not in self.summaries:
                raise KeyError(name)
            self.loaded[name] = _command(self.package, name)
        return self.loaded[name]

    def __setitem__(self, name: str, command: Any) -> None:
        self.loaded[name] = command

    def __delitem__(self, name: str) -> None:
        del self.loaded[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self.summaries)

    def __len__(self) -> int:
        return len(self.summaries)


def _command(package: str, name: str) -> Any:
    module = import_module(f"{package}.{name.replace('-', '_')}")
    made = getattr(module, "app", None)
    if made is None:
        made = typer.Typer(rich_markup_mode=None, add_completion=False)
        made.command(name, cls=Verb)(getattr(module, name.replace("-", "_")))
    command = typer.main.get_command(made)
    command.name = name
    return command


def group(
    package: str, summaries: Mapping[str, str], *, sections: Mapping[str, str] | None = None, completion: bool = False
) -> typer.Typer:
    """Return an application with the verbs of a package, in the order in which they are summed up.

    `sections` names the verb with which a part of the help begins, and its heading; else all stand under one.
    """

    class Group(Verbs):
        """One group."""

        def __init__(self, **given: Any) -> None:
            super().__init__(**given)
            self.commands = Commands(package, summaries)

        def list_commands(self, ctx: Any) -> list[str]:
            """Return the names."""
            del ctx
            return list(summaries)

        def format_commands(self, ctx: Any, formatter: Any) -> None:
            """Write each verb and what it does."""
            del ctx
            for heading, verbs in sectioned(summaries, sections or {}):
                with formatter.section(heading):
                    formatter.write_dl([(verb.ljust(max(map(len, summaries))), summaries[verb]) for verb in verbs])

        def shell_complete(self, ctx: Any, incomplete: str) -> list[Any]:
            """Return the verbs that begin so, none of which is loaded for it, or options."""
            is_option = incomplete.startswith("-")
            return super().shell_complete(ctx, incomplete) if is_option else offers(summaries, incomplete)

    return typer.Typer(cls=Group, rich_markup_mode=None, add_completion=completion, pretty_exceptions_enable=False)


def sectioned(verbs: Iterable[str], sections: Mapping[str, str]) -> list[tuple[str, list[str]]]:
    """Return headings with the verbs below them, in the order of the verbs.

    >>> sectioned(["a", "b", "c"], {"a": "First", "c": "Second"})
    [('First', ['a', 'b']), ('Second', ['c'])]
    """
    found: list[tuple[str, list[str]]] = []
    for verb in verbs:
        if verb in sections or not found:
            found.append((sections.get(verb, "Commands"), []))
        found[-1][1].append(verb)
    return found
