"""What Assay needs at run time may be passed on with it: no GPL, no AGPL, and LGPL only where it is known."""

import re
import tomllib
from importlib.metadata import Distribution, PackageNotFoundError, distribution
from pathlib import Path

import pytest

PROJECT = tomllib.loads((Path(__file__).parents[2] / "pyproject.toml").read_text("utf-8"))["project"]
LGPL = {"psycopg", "psycopg-binary", "psycopg-pool"}
"""Under the LGPL, used as they are: an extra brings them, and a user may put another version in their place."""
NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]*")


def named(requirement: str) -> str:
    """Return which distribution a requirement is for."""
    return re.sub(r"[._-]+", "-", NAME.match(requirement)[0]).lower()


def needed() -> list[str]:
    """Return what an installation with all extras requires."""
    groups = PROJECT["optional-dependencies"]
    return [*PROJECT["dependencies"], *(one for name, group in groups.items() if name != "all" for one in group)]


def installed() -> dict[str, Distribution]:
    """Return what is installed of it, with all that this needs in turn."""
    found: dict[str, Distribution] = {}
    waiting = [named(one) for one in needed()]
    while waiting:
        name = waiting.pop()
        if name in found or name == "assay":
            continue
        try:
            found[name] = distribution(name)
        except PackageNotFoundError:
            continue
        wanted = [one for one in found[name].requires or () if "extra ==" not in one]
        waiting += map(named, wanted)
    return found


def licence(given: Distribution) -> str:
    """Return what a distribution says of its licence: the expression, else classifiers, else the text."""
    about = given.metadata
    expression = about.get("License-Expression", "")
    classified = [one for one in about.get_all("Classifier") or () if one.startswith("License ::")]
    return expression or " ".join(classified) or about.get("License", "").partition("\n")[0]


INSTALLED = installed()


@pytest.mark.parametrize("name", sorted(INSTALLED))
def test_no_licence_binds_who_uses_assay(name):
    said = licence(INSTALLED[name])
    alternatives = [one for one in re.split(r"\bOR\b", said) if not re.search(r"GPL|General Public", one)]
    if name in LGPL:
        assert re.search(r"LGPL|Lesser General", said)
    else:
        assert alternatives or not said, f"{name} is under {said}"


def test_most_say_what_their_licence_is():
    silent = sorted(name for name, given in INSTALLED.items() if not licence(given))
    assert len(INSTALLED) > 10
    assert len(silent) <= len(INSTALLED) // 10, silent
