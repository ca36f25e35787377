"""Options that the verbs of `assay history` share."""

from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Annotated

import typer

from assay.errors import ParameterError

NOWHERE = frozenset({"", ":memory:", "sqlite://", "sqlite:///", "sqlite:///:memory:"})
"""What SQLite takes for a database that is gone when the command ends."""


def kept(url: str | None) -> str | None:
    """Return the address of a store.

    Raises
    ------
    ParameterError
        One that keeps nothing.

    >>> kept("history.db")
    'history.db'
    """
    if url is not None and url.strip() in NOWHERE:
        msg = f"--store: expected a file or postgresql://, which keep what is added, found {url!r}"
        raise ParameterError(msg, hint="--store history.db")
    return url


Store = Annotated[
    str,
    typer.Option(
        "--store", metavar="URL", help="Where evaluations are: a file, sqlite:///FILE or postgresql://…", callback=kept
    ),
]
Measure = Annotated[
    str | None, typer.Option("--measure", metavar="NAME", help="One measure, as it is called in the store.")
]
Webhook = Annotated[
    str | None,
    typer.Option(
        "--webhook", metavar="URL", envvar="ASSAY_WEBHOOK", show_envvar=False,
        help="Tell this address of alarms, each once; ASSAY_WEBHOOK keeps it out of sight.",
    ),
]  # fmt: skip

Dashboard = Annotated[
    str | None,
    typer.Option("--dashboard", metavar="URL", help="Where assay history serve is reached: alerts link to it."),
]


def moment(option: str, text: str | None) -> datetime | None:
    """Read a time such as 2026-03-01 or 2026-03-01T04:00:00+01:00; without a zone it is UTC.

    >>> moment("--time", "2026-03-01").isoformat()
    '2026-03-01T00:00:00+00:00'
    """
    if text is None:
        return None
    try:
        found = datetime.fromisoformat(text)
    except ValueError:
        msg = f"{option}: expected a time such as 2026-03-01T04:00:00Z, found {text!r}"
        raise ParameterError(msg) from None
    return found.replace(tzinfo=UTC) if found.tzinfo is None else found


def tags(given: Sequence[str] | None) -> dict[str, str]:
    """Read tags, each NAME=VALUE.

    >>> tags(["branch=main"])
    {'branch': 'main'}
    """
    found = {}
    for text in given or ():
        name, equals, value = text.partition("=")
        if not (name.strip() and equals):
            raise ParameterError(f"--tag: expected NAME=VALUE, found {text!r}")
        found[name.strip()] = value.strip()
    return found
