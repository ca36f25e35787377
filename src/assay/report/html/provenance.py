"""What a reader must know beside the numbers, and everything that is needed to get them again."""

import shlex
from collections.abc import Iterable, Sequence
from pathlib import Path

from assay._version import __version__
from assay.core.dossier import Dossier
from assay.core.evaluation import Evaluation
from assay.core.facts import Attached
from assay.formats.source import file_digest
from assay.report.amounts import counted
from assay.report.grid import conventions, merged_notices
from assay.report.html.views import Block, Cell, Column, Facts, Listing, Section, Table
from assay.report.names import visible


def notices(dossier: Dossier) -> Section:
    """Return the section "Notices": ties, audit, and what the comparison noticed; without any it is empty."""
    found = list(map(visible, dossier.comparison.notices)) if dossier.comparison is not None else []
    found += [line.removeprefix("Note: ") for line in merged_notices(dossier.evaluations)]
    blocks: list[Block] = [Listing(tuple(dict.fromkeys(found)), "notice")] if found else []
    if len(dossier.evaluations) > 1 or found:
        blocks.append(_audit(dossier))
    return Section("notices", "Notices", tuple(blocks))


def _audit(dossier: Dossier) -> Table:
    heads = (
        "run",
        "answers",
        "queries answered",
        "queries missing",
        "without gold",
        "with ties",
        "duplicates",
        "not a number",
    )
    columns = tuple(Column(head, words=head == "run") for head in heads)
    rows = tuple(_noticed(visible(label), one) for label, one in zip(dossier.labels, dossier.evaluations, strict=True))
    return Table("What was noticed while the runs were judged", columns, rows, folded=True)


def _noticed(label: str, one: Evaluation) -> tuple[Cell, ...]:
    audit = one.audit
    counts = (one.rows, one.queries, len(audit.missing_queries), len(audit.extra_queries), audit.queries_with_ties,
              audit.duplicates, audit.nan)  # fmt: skip
    return (Cell(label), *(Cell(f"{count:,}") for count in counts))


def reproduce(dossier: Dossier) -> Section:
    """Return the section "Reproduce": command, seed, version, policy, files with their digests."""
    first = dossier.evaluations[0]
    seed = dossier.seed if dossier.seed is not None else getattr(dossier.comparison, "seed", None)
    profile = [("profile", first.profile)] if first.profile else []
    policy = tuple(first.policy.to_dict().items())
    blocks = (how(dossier.command, seed, *profile), _files(dossier),
              Facts(conventions(first), (*policy, *_options(first)), code=True))  # fmt: skip
    return Section("reproduce", "Reproduce", blocks)


def how(command: Sequence[str], seed: int | None, *more: tuple[str, str]) -> Facts:
    """Return how a page was made: command, version and seed."""
    said = [("command", visible(shlex.join(command)))] if command else []
    facts = (*said, ("assay", __version__), ("seed", "none used" if seed is None else str(seed)), *more)
    return Facts("How this page was made", facts, code=True)


def files(inputs: Iterable[tuple[str, str]]) -> Table:
    """Return files by what they are, each with the SHA-256 of its bytes; a folder has none."""
    rows = tuple(tuple(map(Cell, (role, visible(path), file_digest(Path(path)) or "-"))) for role, path in inputs)
    return Table("Inputs", tuple(Column(head, words=True) for head in ("input", "file", "SHA-256")), rows)


def _options(one: Evaluation) -> list[tuple[str, str]]:
    return [
        (name, visible(f"{value['path'] or 'in memory'}") if isinstance(value, dict) else str(value))
        for name, value in one.options.to_dict().items()
        if value
    ]


def _files(dossier: Dossier) -> Table:
    first = dossier.evaluations[0]
    gold = first.gold
    holds = (
        counted(gold.queries, "query", "queries"),
        counted(gold.judgments, "judgment"),
        f"{gold.relevant:,} relevant",
    )
    rows = [_file("gold", gold.name, gold.path, gold.digest(), ", ".join(holds))]
    for label, one in zip(dossier.labels, dossier.evaluations, strict=True):
        about = f"{counted(one.queries, 'query', 'queries')}, {counted(one.rows, 'answer')}"
        rows.append(_file("run", label, one.path, one.digest(), about))
    for role, attached in (("weights", first.options.weights), ("exclude", first.options.exclude)):
        if isinstance(attached, Attached):
            rows.append(_file(role, "", attached.path, attached.digest(), ""))
    columns = tuple(Column(head, words=True) for head in ("input", "name", "file", "SHA-256", "holds"))
    return Table("Inputs", columns, tuple(rows))


def _file(role: str, name: str, path: str | None, digest: str | None, about: str) -> tuple[Cell, ...]:
    return tuple(map(Cell, (role, visible(name), visible(path or "in memory"), digest or "-", about)))
