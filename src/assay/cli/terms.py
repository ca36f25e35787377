"""The terms on which runs are judged: the same options for every verb that judges."""

import inspect
import re
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field
from functools import partial
from typing import Annotated, Any

import typer

from assay.cli.options import Engine, EngineOptions, Format, GoldFormat, Memory, Rel
from assay.cli.reading import READING, shown
from assay.cli.verbs import convention, with_options
from assay.core.policy import CHOICES
from assay.errors import ParameterError


def _declared(
    *,
    rel: Rel = None,
    weights: Annotated[
        str | None,
        typer.Option(metavar="FILE", help="Columns query, and weight or cluster (queries that belong together)."),
    ] = None,
    exclude: Annotated[
        str | None, typer.Option(metavar="FILE", help="Pairs taken out of every ranking: columns query, item.")
    ] = None,
    profile: Annotated[
        str | None, typer.Option(metavar="NAME", help="Another tool's conventions, such as trec_eval-9.")
    ] = None,
    format: Format = None,  # noqa: A002 - the name of the option
    gold_format: GoldFormat = None,
    memory: Memory = None,
    engine: Engine = None,
    engine_option: EngineOptions = None,
) -> None:
    """Declare the options; never called."""


@dataclass(frozen=True, slots=True)
class Terms:
    """What was said about how to judge."""

    said: dict[str, str]
    rel: str | None = None
    weights: str | None = None
    exclude: str | None = None
    profile: str | None = None
    format: str | None = None
    gold_format: str | None = None
    memory: str | None = None
    engine: str | None = None
    engine_option: list[str] | None = None
    piped: dict[str, Any] = field(default_factory=dict, compare=False, repr=False)

    @property
    def tie_range(self) -> bool:
        """Whether the range that ties allow was asked for."""
        return self.said.get("ties") == "range"

    def conventions(self) -> dict[str, Any]:
        """Return the policy or, where one is named, the profile; what was said outright wins."""
        from assay.core.policy import Policy
        from assay.core.profiles import PROFILES

        said = {name: value for name, value in self.said.items() if (name, value) != ("ties", "range")}
        if self.profile is None:
            return {"policy": Policy().but(**said)}
        return {"profile": PROFILES[self.profile].but(**said)}

    def options(self) -> dict[str, Any]:
        """Return what a verb of the library is told: conventions, rel, weights, exclude."""
        return self.conventions() | {
            "rel": number("--rel", self.rel),
            "weights": self._table(self.weights),
            "exclude": self._table(self.exclude),
        }

    def _table(self, path: str | None) -> Any:
        """Return the path; standard input, which flows once and is used for each run, as the table that it holds."""
        if path != "-":
            return path
        from assay.formats.table import read_table

        if path not in self.piped:
            self.piped[path] = read_table(path)
        return self.piped[path]

    def require_one_order(self) -> None:
        """Refuse the range that ties allow, under which no query has a single value."""
        if self.tie_range:
            msg = "--ties range: expected one rule for tied items, found a range, of which no query has a single value"
            raise ParameterError(msg, hint="--ties pessimistic and --ties optimistic give either end.")

    def read(self, gold: str, runs: list[str], *more: str | None) -> tuple[Any, list[Any]]:
        """Return gold and runs, of which only one, `more` included, may be standard input."""
        from assay.formats import read_gold
        from assay.inputs import open_run

        piped = [gold, *runs, self.weights, self.exclude, *more].count("-")
        if piped > 1:
            msg = f"standard input (-): expected once, found {piped} times"
            raise ParameterError(msg)
        truth = read_gold(gold, self.gold_format)
        opened = partial(
            open_run,
            engine=self.engine,
            options=dict(map(_setting, self.engine_option or ())),
            memory=size("--memory", self.memory),
            format=self.format,
        )
        return truth, [opened(path, progress=READING.of(path)) for path in runs]


def on_terms(
    verb: Callable[..., Any], *, without: Collection[str] = (), defaults: Mapping[str, str] | None = None
) -> Callable[..., Any]:
    """Give a verb the options of `Terms`, which it receives as `terms`; those named in `without` are left out.

    `defaults` are the conventions that this verb has unless others are said; the help names them.
    """
    usual = defaults or {}
    declared = inspect.signature(_declared).parameters
    keyword = inspect.Parameter.KEYWORD_ONLY
    policy = {
        name: inspect.Parameter(name, keyword, default=None, annotation=Annotated[str | None, option])
        for name in CHOICES
        for option in [convention(name, usual.get(name))]
    }

    def made(**values: Any) -> Terms:
        said = {name: value for name in policy if (value := values.pop(name)) is not None}
        return Terms(said, **values)

    options = {name: option for name, option in declared.items() if name not in without} | policy
    return with_options(shown(verb), "terms", options, made)


def _setting(text: str) -> tuple[str, str]:
    """Read a setting of an engine."""
    name, equals, value = text.partition("=")
    if not (name and equals):
        msg = f"--engine-option: expected NAME=VALUE, found {text!r}"
        raise ParameterError(msg)
    return name.strip(), value.strip()


def number(option: str, text: str | None) -> float | None:
    """Read the number that an option was given."""
    try:
        return None if text is None else float(text)
    except ValueError:
        msg = f"{option}: expected a number, found {text!r}"
        raise ParameterError(msg) from None


def whole(option: str, text: str, *, lowest: int | None = None) -> int:
    """Read the whole number that an option was given, of at least `lowest`."""
    found = int(text) if text.strip().lstrip("+-").isdecimal() else None
    if found is None or (lowest is not None and found < lowest):
        least = "" if lowest is None else f" of at least {lowest}"
        msg = f"{option}: expected a whole number{least}, found {text!r}"
        raise ParameterError(msg)
    return found


def size(option: str, text: str | None) -> int | None:
    """Read the number of bytes that an option was given with its unit.

    >>> size("--memory", "4GB"), size("--memory", "1.5 GiB"), size("--memory", "500m")
    (4000000000, 1610612736, 500000000)
    """
    if text is None:
        return None
    found = re.fullmatch(r"(\d+(?:\.\d+)?)\s*([kmgt])(i?)b?", text.strip(), re.IGNORECASE)
    if found is None or not float(found[1]):
        msg = f"{option}: expected a size such as 500MB or 4GiB, found {text!r}"
        raise ParameterError(msg)
    return int(float(found[1]) * (1024 if found[3] else 1000) ** ("kmgt".index(found[2].lower()) + 1))
