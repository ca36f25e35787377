"""What every verb has: `--quiet`, `--no-color`, `--debug`, and a help page in plain text under headings."""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import wraps
from inspect import Parameter, signature
from typing import Annotated, Any

import typer
from typer.core import TyperCommand, TyperGroup

from assay.cli.completion import complete
from assay.core.policy import CHOICES

RANGE = {"range": "the figure under the default rule, and its lowest and highest over all orders of tied items"}
"""The value of `--ties` that is no policy but asks for three figures."""


@dataclass
class Settings:
    """What was asked of the whole command line."""

    quiet: bool = False
    no_color: bool = False
    debug: bool = False
    argv: list[str] = field(default_factory=list)


SETTINGS = Settings()


def _set(param: typer.CallbackParam, value: bool) -> bool:
    if value:
        setattr(SETTINGS, str(param.name), True)
    return value


def _everywhere(
    quiet: Annotated[bool, typer.Option("--quiet", help="No notices.", callback=_set, expose_value=False)] = False,
    no_color: Annotated[
        bool, typer.Option("--no-color", help="No colours (also NO_COLOR=1).", callback=_set, expose_value=False)
    ] = False,
    debug: Annotated[
        bool, typer.Option("--debug", help="Errors with their traceback.", callback=_set, expose_value=False)
    ] = False,
) -> None:
    """Declare the options that every verb has; never called."""
    del quiet, no_color, debug


def _options_of(function: Any) -> list[Any]:
    app = typer.Typer(add_completion=False, rich_markup_mode=None)
    app.command()(function)
    return typer.main.get_command(app).params


EVERYWHERE = _options_of(_everywhere)


class AsTyped:
    """Hands over what was typed as text; the verbs read it. Typer's own way loads pydantic, 150 ms before any work."""

    @staticmethod
    def coerce(value: Any, param: Any, ctx: Any) -> Any:
        """Return the text, or a list of texts for an option that may be repeated."""
        del ctx
        several = param.multiple or param.nargs == -1
        return list(value or ()) if several else value


class _Plain:
    """Help as plain text: options under headings, the values of a convention below it."""

    def get_params(self, ctx: Any) -> list[Any]:
        """Return the own options, those of every verb, and --help."""
        own: list[Any] = super().get_params(ctx)  # type: ignore[misc]
        for param in own:
            param._runtime_param = AsTyped  # noqa: SLF001 - where typer knows no such thing, nothing changes
            complete(param)
        return [*own[:-1], *EVERYWHERE, *own[-1:]]

    def format_options(self, ctx: Any, formatter: Any) -> None:
        """Write all arguments and options."""
        headings: dict[str, list[tuple[str, str]]] = {}
        for param in self.get_params(ctx):
            record = param.get_help_record(ctx)
            if record is None:
                continue
            is_argument = param.param_type_name == "argument"
            rows = headings.setdefault(param.rich_help_panel or ("Arguments" if is_argument else "Options"), [])
            rows.append((param.metavar, param.help) if is_argument else record)
            if param.rich_help_panel == CONVENTIONS:
                rows.extend((f"  {value}", meaning) for value, meaning in values_of(param.name).items())
        for heading in sorted(headings, key=["Arguments", "Options", CONVENTIONS].index):
            with formatter.section(heading):
                formatter.write_dl(headings[heading])


class Verb(_Plain, TyperCommand):
    """One verb."""

    def collect_usage_pieces(self, ctx: Any) -> list[str]:
        """Write optional arguments in brackets, others as they are."""
        arguments = [param for param in self.get_params(ctx) if param.param_type_name == "argument"]
        return ["[OPTIONS]", *(one.metavar if one.required else f"[{one.metavar}]" for one in arguments)]


class Verbs(_Plain, TyperGroup):
    """`assay` itself."""

    def format_options(self, ctx: Any, formatter: Any) -> None:
        """Write the verbs first."""
        self.format_commands(ctx, formatter)
        super().format_options(ctx, formatter)


CONVENTIONS = "Conventions (printed with each result)"


def with_options(
    verb: Callable[..., Any],
    name: str,
    options: Mapping[str, Parameter],
    made: Callable[..., Any],
    *,
    first: bool = False,
) -> Callable[..., Any]:
    """Give a verb further options, which it receives as `made(**values)` under `name`; `first`: before its own."""

    @wraps(verb)
    def told(*given: Any, **named: Any) -> Any:
        asked = made(**{option: named.pop(option) for option in options})
        return verb(*given, **{name: asked}, **named)

    found = signature(verb)
    own = [parameter for parameter in found.parameters.values() if parameter.name != name]
    parameters = [*options.values(), *own] if first else [*own, *options.values()]
    told.__signature__ = found.replace(parameters=parameters)  # type: ignore[attr-defined]
    told.__annotations__ = {parameter.name: parameter.annotation for parameter in parameters}
    return told


def as_typed(text: str) -> str:
    """Write conventions in a message of the library as options: missing=skip becomes --missing skip.

    >>> as_typed("duplicates='first' or 'best' keeps one.")
    '--duplicates first or best keeps one.'
    >>> as_typed('say layout="halves".')
    'say --layout halves.'
    """
    said = re.compile(
        rf"(?<![\w,-])(?<!but\()({'|'.join([*CHOICES, 'layout', 'key'])})=(['\"]?)([\w-]+)\2(?: or (['\"])([\w-]+)\4)?"
    )
    return said.sub(lambda m: f"--{m[1].replace('_', '-')} {m[3]}" + (f" or {m[5]}" if m[5] else ""), text)


def values_of(name: str) -> dict[str, str]:
    """Return what a convention may be, with meanings."""
    return CHOICES[name] | (RANGE if name == "ties" else {})


def convention(name: str, default: str | None = None) -> Any:
    """Make the option of one field of the policy; `default` is that of the verb, where it has one of its own."""
    default = default or next(iter(CHOICES[name]))
    return typer.Option(
        f"--{name.replace('_', '-')}",
        metavar="VALUE",
        help=f"Default: {default}.",
        autocompletion=lambda: list(values_of(name)),
        rich_help_panel=CONVENTIONS,
        show_default=False,
    )
