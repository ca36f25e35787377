"""Results that are sentences: what lies between two numbers, and whether a result comes out again."""

import textwrap
from collections.abc import Iterable

from assay.core.difference import Difference
from assay.core.verification import Verification
from assay.report.names import visible


def of_difference(found: Difference, width: int = 80) -> str:
    """Return what lies between two numbers as text."""
    lines = [f"{visible(found.first)} and {visible(found.second)}", ""]
    lines += _listed((sentence for finding in found.findings for sentence in finding.sentences), width)
    if found.limits:
        lines += ["", "What no setting can reproduce", *_listed(found.limits, width)]
    return "\n".join(lines) + "\n"


def of_verification(found: Verification, width: int = 80) -> str:
    """Return what a verification found as text."""
    verdict = "comes out exactly the same" if found.same else "does not come out exactly as recorded"
    title = textwrap.wrap(f"{visible(found.path)} {verdict}.", width, break_on_hyphens=False)
    return "\n".join([*title, *_listed(found.sentences, width)]) + "\n"


def _listed(sentences: Iterable[str], width: int) -> list[str]:
    fill = textwrap.TextWrapper(width, initial_indent="- ", subsequent_indent="  ", break_on_hyphens=False).fill
    return [fill(visible(sentence)) for sentence in sentences]
