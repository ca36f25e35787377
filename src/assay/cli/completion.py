"""What the shell offers when TAB is pressed, found without loading what a verb needs: numpy and Polars cost a second.

`assay --install-completion` puts a few lines into the settings of bash, zsh, fish or PowerShell, which then ask Assay.
"""

import re
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

MEASURE = r'(?ms)^@measure\(\s*"([^"]+)".*?^class (\w+)\((\w+).*?"""(.+?)(?:\.\s|\n\n|""")(.*?)(?=^@|^    def |\Z)'
"""The name of a measure, its class, the class below it, the first sentence of its definition, and its fields."""
CUTOFF = "\n    k: int = cutoff_field()"


@dataclass(frozen=True, slots=True)
class Offer:
    """A word that may stand there, and what it means."""

    value: str
    help: str = ""
    type: str = "plain"


def offers(words: Mapping[str, str], begun: str) -> list[Offer]:
    """Return those that begin as what was typed, in any case, with what they mean."""
    return [Offer(word, meaning) for word, meaning in words.items() if word.lower().startswith(begun.lower())]


def complete(param: Any) -> None:
    """Give an argument or an option whose values are known a list of them, unless it has one."""
    known = VALUES.get(param.name)
    if known is not None and param._custom_shell_complete is None:  # noqa: SLF001 - typer takes it from a verb alone
        param._custom_shell_complete = lambda ctx, _, begun: offers(known(ctx), begun)  # noqa: SLF001


def measures(_: Any = None) -> dict[str, str]:
    """Return each measure as it is typed, with its cutoff if it needs one, and its definition; read from the source.

    >>> measures()["nDCG"]
    'DCG divided by that of the ideal ranking: all judged items of the query, best first'
    """
    import assay

    folder = Path(assay.__file__).parent / "measures"
    found = [one for file in sorted(folder.rglob("*.py")) for one in re.findall(MEASURE, file.read_text("utf-8"))]
    bases = {own: base for _, own, base, *_ in found}
    needing = {own for _, own, *_, rest in found if CUTOFF in rest}
    needing |= {own for own, base in bases.items() if base in needing}
    named = ((f"{name}{'@10' * (own in needing)}", " ".join(told.split())) for name, own, _, told, _ in found)
    return dict(sorted(named, key=lambda one: one[0].lower()))


def _profiles(_: Any) -> dict[str, str]:
    from assay.core.profiles import PROFILES

    return {name: profile.summary for name, profile in PROFILES.items()}


def _forms(ctx: Any) -> dict[str, str]:
    """Return the forms of output that the file of the verb names."""
    module = sys.modules.get(getattr(ctx.command.callback, "__module__", ""))
    return dict.fromkeys(getattr(module, "FORMS", ("table", "json")), "")


VALUES: dict[str, Callable[[Any], Mapping[str, str]]] = {
    "measures": measures,
    "profile": _profiles,
    "output": _forms,
    "pairs": lambda _: {"baseline": "each run against one", "all": "each run against each"},
    "test": lambda _: dict.fromkeys(("flips", "t", "wilcoxon", "wilcoxon-approx"), ""),
    "correction": lambda _: dict.fromkeys(("holm", "hommel", "bonferroni", "bh", "none"), ""),
}
"""What an option of this name may be, in any verb."""
