"""What a SPARQL engine answers to probes, for the terminal, for tables and for Markdown."""

from collections.abc import Iterator

import polars as pl

from assay.core.probes import Conformance, ProbeResult
from assay.report.documents import markdown
from assay.report.drawing import listed, wrapped
from assay.report.names import visible

MEANING = (
    "Each query has an answer that no data changes. An engine that answers one otherwise may answer such queries of a "
    "suite otherwise, too: look at those before its figures are compared with another engine's."
)


def render(found: Conformance, *, width: int = 80) -> str:
    """Return the failed probes with what came, no line wider than `width` where it can be broken."""
    parts = [wrapped(_title(found), width)]
    if found.failed:
        parts.append("NOT AS IT SHOULD\n" + listed((_line(one) for one in found.failed), width))
    parts.append(wrapped(MEANING, width))
    return "\n\n".join(parts) + "\n"


def to_frame(found: Conformance) -> pl.DataFrame:
    """Return a row for each probe."""
    return pl.DataFrame([one.to_dict() for one in found.results])


def to_markdown(found: Conformance) -> str:
    """Return all probes as a table in Markdown."""
    lines = [
        markdown(_title(found)),
        "",
        "| probe | a correct engine | passed | expected | found |",
        "|---|---|---|---|---|",
    ]
    lines += ["| " + " | ".join(markdown(visible(cell)) for cell in _cells(one)) + " |" for one in found.results]
    return "\n".join([*lines, "", MEANING]) + "\n"


def _title(found: Conformance) -> str:
    right = len(found.results) - len(found.failed)
    return f"{visible(found.name)}: {right:,} of {len(found.results):,} probes are answered as they should be."


def _line(one: ProbeResult) -> str:
    source = f" (seen: {one.source})" if one.source else ""
    return f"{one.name}: a correct engine {one.what}; expected {one.expected}, found {one.found}{source}"


def _cells(one: ProbeResult) -> Iterator[str]:
    yield from (one.name, one.what, "yes" if one.passed else "no", one.expected, one.found)
