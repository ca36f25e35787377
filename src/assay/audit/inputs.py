"""`audit`: the inputs before any number. Reads what can be read, looks at each input alone and at all together."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from os import PathLike
from typing import Any

import polars as pl

from assay.audit.facts import audit_of, facts_of
from assay.audit.gold_findings import gold_findings
from assay.audit.pair_findings import pair_findings
from assay.audit.run_findings import run_findings
from assay.audit.several import fingerprint, several_findings
from assay.core.audit import Audit, AuditedRun, Finding, in_order
from assay.core.gold import Gold
from assay.core.policy import Policy
from assay.core.run import FrameRows, Run
from assay.engines import judge
from assay.errors import AssayError
from assay.formats import read_gold, read_run
from assay.inputs import as_gold, as_run

CUTOFFS = (1, 5, 10, 20, 100)
"""The cutoffs at which an audit looks at ties, judgments and lengths."""
LENIENT = Policy(duplicates="best", nan="worst")
"""What would stop an evaluation is counted instead."""


@dataclass(slots=True)
class _Look:
    """One run that was looked at."""

    run: Run | None
    facts: AuditedRun
    findings: list[Finding] = field(default_factory=list)
    mark: tuple[int, int] | None = None


def audit(
    gold: Any,
    runs: Any = (),
    *,
    cutoffs: Iterable[int] = CUTOFFS,
    gold_format: str | None = None,
    format: str | None = None,  # noqa: A002 - as --format
) -> Audit:
    """Find everything wrong or noteworthy with a gold standard and its runs, before any number.

    Parameters
    ----------
    gold
        A path, `{query: {item: grade}}`, a dataframe or `Gold`.
    runs
        One run or several: paths, `{query: {item: score}}`, dataframes or `Run`.
    cutoffs
        Where to look at ties, judgments and the length of lists.
    gold_format, format
        The formats of the files, where their content does not tell.

    What other verbs refuse (an item twice, a score that is no number, a file that cannot be read) is reported
    as a finding of the level "error"; the rest of the inputs is audited all the same.

    >>> found = audit({"1": {"a": 1}}, [{"01": {"a": 2.0}}])
    >>> [finding.title for finding in found.errors], found.errors[0].detail
    (['gold and run have no query in common'], 'The ids differ only by zero padding.')
    """
    places = sorted(set(cutoffs))
    known, findings = _read_gold(gold, gold_format, places)
    looks = [_look(given, format, known, places) for given in _several(runs)]
    for look in looks:
        findings += look.findings
    read = [(look.run, look.mark) for look in looks if look.run is not None]
    findings += several_findings([run for run, _ in read], [mark for _, mark in read])
    facts = None if known is None else facts_of(known)
    return Audit(facts, tuple(look.facts for look in looks), in_order(findings), tuple(places))


def _several(given: Any) -> list[Any]:
    if isinstance(given, str | PathLike | Mapping | Run) or callable(given) or not isinstance(given, Iterable):
        return [given]
    if hasattr(given, "columns"):
        return [given]
    return list(given)


def _read_gold(given: Any, form: str | None, cutoffs: Sequence[int]) -> tuple[Gold | None, list[Finding]]:
    try:
        gold = read_gold(given, form) if isinstance(given, str | PathLike) else as_gold(given)
    except AssayError as problem:
        return None, [_unreadable(problem, given, "gold")]
    return gold, list(gold_findings(gold, cutoffs))


def _no_gold() -> Gold:
    return Gold(pl.DataFrame({"query": ["none"], "item": ["none"], "grade": [0.0]}))


def _look(given: Any, form: str | None, gold: Gold | None, cutoffs: Sequence[int]) -> _Look:
    run: Run | None = None
    try:
        run = read_run(given, form) if isinstance(given, str | PathLike) else as_run(given, gold or _no_gold())
        rows = run.frame()
    except (AssayError, TypeError, ValueError) as problem:
        name = run.name if run else str(given) if isinstance(given, str | PathLike) else "run"
        facts = AuditedRun(name, run.origin.path if run and run.origin else None)
        return _Look(run, facts, [_unreadable(problem, given, name)])
    findings = list(run_findings(run, rows, cutoffs))
    held = Run(run.name, FrameRows(rows), run.origin)
    audit = None
    if gold is not None:
        judged = judge(held, gold, LENIENT)
        audit = audit_of(judged, [*cutoffs, None])
        findings += pair_findings(gold, held, rows, judged, audit)
    path = run.origin.path if run.origin else None
    facts = AuditedRun(run.name, path, rows["query"].n_unique(), rows.height, audit)
    return _Look(held, facts, findings, fingerprint(rows))


def _unreadable(problem: Exception, given: Any, name: str) -> Finding:
    place = str(given) if isinstance(given, str | PathLike) else name
    message = problem.message if isinstance(problem, AssayError) else f"{name}: {problem}"
    hint = problem.hint if isinstance(problem, AssayError) else None
    return Finding("error", "unreadable", message, hint or "", (), place)
