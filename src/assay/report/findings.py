"""The findings of an audit as text: errors first, then warnings, then notes."""

import textwrap
from collections.abc import Iterator

from assay.core.audit import LEVELS, Audit, Finding
from assay.report.names import visible

EXAMPLES = 5


def render(audit: Audit, width: int = 80) -> str:
    """Return an audit as text, no line wider than `width` where it can be broken."""
    lines = [_subject(audit)]
    for level in LEVELS:
        places: dict[str, list[Finding]] = {}
        for finding in audit.findings:
            if finding.level == level:
                places.setdefault(finding.place, []).append(finding)
        lines += ["", f"{level.upper()}S"] if places else []
        for place, found in places.items():
            lines += [visible(place)] if place else []
            lines += [line for finding in found for line in _lines(finding, width)]
    if not audit.findings:
        lines += ["", "Nothing to report: these inputs can be evaluated as they are."]
    return "\n".join(lines) + "\n"


def _subject(audit: Audit) -> str:
    counts = ", ".join(_counted(count, level) for level, count in audit.count().items())
    runs = _counted(len(audit.runs), "run")
    if audit.gold is None:
        return f"{runs}: {counts}"
    return f"{visible(audit.gold.path or audit.gold.name)}, {runs}: {counts}"


def _counted(count: int, word: str) -> str:
    return f"{count} {word}{'' if count == 1 else 's'}"


def _lines(finding: Finding, width: int) -> Iterator[str]:
    yield _filled(f"- {visible(finding.title)} [{finding.code}]", width)
    if finding.detail:
        yield _filled(f"  {visible(finding.detail)}", width)
    if finding.examples:
        shown = "; ".join(visible(example) for example in finding.examples[:EXAMPLES])
        more = len(finding.examples) - EXAMPLES
        yield _filled(f"  e.g. {shown}" + (f"; and {more} more" if more > 0 else ""), width)


def _filled(line: str, width: int) -> str:
    fill = textwrap.TextWrapper(width, initial_indent="  ", subsequent_indent="    ", break_on_hyphens=False).fill
    return fill(line)
