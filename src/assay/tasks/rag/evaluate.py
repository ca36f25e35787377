"""`evaluate_rag`: retrieval systems and what the answers need in, measures over facts, passages or entities out."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from assay.audit.notices import UNJUDGED
from assay.compare import slices_of
from assay.compare.derived import COUNTED
from assay.core.evaluation import Evaluation
from assay.core.policy import Policy
from assay.core.rag import RagEvaluation
from assay.core.slices import Slicing
from assay.errors import InputError
from assay.evaluate import Measures, evaluate_all
from assay.evaluate.estimating import with_intervals
from assay.report.amounts import counted
from assay.report.grid import number
from assay.tasks.rag.matching import Matching
from assay.tasks.rag.questions import Several, several
from assay.tasks.rag.tokens import with_tokens

DEFAULT = "Complete@10 Deducible@10 ProofR@10 R@10 P@10 F1@10 HR@10 RR AP nDCG@10 Noise@10"
"""The measures that are shown when none is asked for."""


def evaluate_rag(
    systems: Iterable[Any] | Mapping[str, Any],
    measures: Measures = DEFAULT,
    *,
    gold: Any = None,
    unit: str | None = None,
    match: str | Matching = "id",
    threshold: float | None = None,
    by: Any = None,
    policy: Policy | Mapping[str, str] | None = None,
    tokens: Sequence[int] | None = None,
    interval: float | None = None,
    seed: int = 0,
    **options: Any,
) -> RagEvaluation:
    """Judge retrieval systems by what the answers need.

    Parameters
    ----------
    systems, gold, unit, match, threshold
        As for `several`: files, or lists of objects; what the answers need; what counts as one item; when a retrieved
        item is a needed one.
    measures
        Names such as "Complete@8 Deducible@8 R@8 AP".
    by
        Breakdowns: a column of the files ("hops", "type"), "relevant" (the number of needed items), a file or frame
        with a column query; or a list of these.
    policy
        All conventions, or some as {"missing": "skip"}; the others are then empty=skip (questions that need nothing
        are left out of means) and, where a system scores its items, ties=expected.
    tokens
        Budgets: also how many tokens there are up to the first complete proof, and what fits into each budget, as
        `tokens.with_tokens` says.
    interval, seed, **options
        As for `evaluate`.

    Raises
    ------
    AssayError
        For everything that the input or the request does wrong; the message says where.

    >>> rows = [{"question": "who?", "retrieved": ["b", "a"], "needed": ["a", "c"]}]
    >>> evaluate_rag({"mine": rows}, "R@2 HR@1 Complete@2").mean
    {'mine': {'R@2': 0.5, 'HR@1': 0.0, 'Complete@2': 0.0}}
    """
    found = several(systems, gold=gold, unit=unit, match=match, threshold=threshold)
    terms = {"by": by, "policy": policy, "tokens": tokens, "interval": interval, "seed": seed}
    return evaluate_several(found, measures, **terms, **options)


def evaluate_several(
    found: Several,
    measures: Measures = DEFAULT,
    *,
    by: Any = None,
    policy: Policy | Mapping[str, str] | None = None,
    tokens: Sequence[int] | None = None,
    interval: float | None = None,
    seed: int = 0,
    **options: Any,
) -> RagEvaluation:
    """Judge systems that are read already; the parameters and errors are those of `evaluate_rag`."""
    terms = options if options.get("profile") else options | {"policy": found.policy(policy)}
    evaluations = [_without_unjudged(one) for one in evaluate_all(found.gold, found.runs, measures, **terms)]
    if tokens is not None:
        pairs = zip(evaluations, found.systems, strict=True)
        evaluations = [with_tokens(one, system, found.gold, budgets=tokens) for one, system in pairs]
    if interval is not None:
        evaluations = [with_intervals(one, interval, seed) for one in evaluations]
    return RagEvaluation(
        tuple(evaluations),
        found.unit,
        found.matching.to_dict(),
        tuple(one.facts for one in found.systems),
        slicings(found, evaluations, by),
        tuple(_notices(found, evaluations)),
    )


def _without_unjudged(evaluation: Evaluation) -> Evaluation:
    """Return the evaluation without the warning of unjudged items: all that an answer needs is known, by definition."""
    return replace(evaluation, notices=tuple(line for line in evaluation.notices if not line.endswith(UNJUDGED)))


def slicings(found: Several, evaluations: Sequence[Evaluation], by: Any) -> tuple[Slicing, ...]:
    """Return the breakdowns that were asked for."""
    return slices_of(evaluations, found.gold, grouped(found, by), contrasts=False) if by else ()


def grouped(found: Several, by: Any) -> list[Any] | None:
    """Return breakdowns as `compare` and `slices_of` take them: columns of the files as tables, all else as it is.

    Raises
    ------
    InputError
        A name that is no column, no word for what is counted and no file.
    """
    from pathlib import Path

    if by is None:
        return None
    wanted = by if isinstance(by, list | tuple) else [by]
    columns = [name for name in found.table.columns if name != "query"]
    for one in wanted:
        if isinstance(one, str) and one not in {*columns, *COUNTED} and not Path(one).exists() and one != "-":
            known = ", ".join([*columns, *COUNTED])
            raise InputError(f"by: expected a file, or one of {known}, found {one!r}")
    return [found.table.select("query", one) if isinstance(one, str) and one in columns else one for one in wanted]


def _notices(found: Several, evaluations: Sequence[Evaluation]) -> Iterator[str]:
    """Yield what a reader of the figures should know."""
    facts = [one.facts for one in found.systems]
    if not any(one.found for one in facts):
        rule = "ids" if found.matching.rule == "id" else "texts"
        other = "" if found.matching.rule == "fuzzy" else " --match fuzzy compares texts that are not quite the same."
        yield f"no retrieved item is a needed one by their {rule} (unit {found.unit}): are these alike at all?{other}"
    unknown = found.gold.unjudged
    if unknown:
        yield (
            f"of {counted(len(unknown), 'question')} nothing is known of what they need, such "
            f"as {unknown[0]!r}: left out."
        )
    twice = [f"{one.name} {one.duplicates:,}" for one in facts if one.duplicates]
    if twice:
        yield f"items that come twice count where they first stand; left out: {', '.join(twice)}."
    yield from _about_context_precision(evaluations)


def _about_context_precision(evaluations: Sequence[Evaluation]) -> Iterator[str]:
    """Explain why context precision is not average precision, and whom each of them puts first."""
    names = [figure.name for figure in evaluations[0].figures]
    context = next((name for name in names if name.startswith(("ContextP", "AP(norm='found'"))), None)
    if context is None:
        return
    yield (
        f"{context} (context precision of ragas and deepeval) divides by the needed items that were found, AP by all "
        "that are needed: it puts first whoever finds one item early."
    )
    whole = next((name for name in names if name.split("@")[0] == "AP"), None)
    if whole is not None and len(evaluations) > 1:
        first = [_first(evaluations, name) for name in (context, whole)]
        if None not in first and first[0] != first[1]:
            yield f"by {context} {first[0]} is first, by {whole} {first[1]}."


def _first(evaluations: Sequence[Evaluation], name: str) -> str | None:
    known = [(mean, one.name) for one in evaluations if (mean := one[name]) is not None]
    if not known:
        return None
    mean, system = max(known, key=lambda pair: pair[0])
    return f"{system} ({number(mean)})"
