"""Builds the site: `python -m docs.generate`, from the root of the repository."""

import os
import re
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

from docs.generate.links import faults
from docs.generate.stage import ROOT, lay_out

PLACE = ROOT / "build" / "docs"


SHIM = "https://unpkg.com/iframe-worker/shim"
"""What the builder would have pages load that are opened from a folder."""

WORD = re.compile(r"\\(?:text|mathrm)\{[^}]*\}|\\[A-Za-z]+|([A-Za-z]{3,}|[A-Z]{2})(?![A-Za-z])")


def formula(latex: str) -> str:
    """Write a formula as MathML, which browsers show without a script; names of measures stand upright, as words."""
    from latex2mathml.converter import convert

    named = WORD.sub(lambda found: rf"\text{{{found[1]}}}" if found[1] else found[0], " ".join(latex.split()))
    return f'\n<div class="formula">{convert(named, display="block")}</div>\n'


def build(place: Path = PLACE) -> list[str]:
    """Build the site below a folder and return what is wrong with it."""
    lay_out(place, formula)
    made = subprocess.run(
        [sys.executable, "-m", "zensical", "build", "--strict", "--config-file", place / "zensical.toml"],
        capture_output=True,
        encoding="utf-8",
        errors="replace",
        check=False,
    )
    if made.returncode:
        return [made.stdout + made.stderr]
    _without_network(place / "site")
    return faults(place / "site")


def _without_network(site: Path) -> None:
    """Let pages that are opened from a folder search by a script of this site, not by one from the network."""
    for path in site.rglob("*.html"):
        own = os.path.relpath(site / "assets" / "worker.js", path.parent)
        path.write_text(path.read_text("utf-8").replace(SHIM, own), "utf-8")


def main() -> int:
    """Build, and say what is wrong or where the site is."""
    if find_spec("zensical") is None or find_spec("latex2mathml") is None:
        print("the site needs the group docs: uv sync --group docs, or make docs", file=sys.stderr)
        return 2
    found = build()
    print("\n".join(found) or f"The site: {(PLACE / 'site' / 'index.html').relative_to(ROOT)}")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
