"""What a diagnosis has to say in sentences: case that parts queries and documents, another analyser, other ids."""

import re
from collections.abc import Iterable, Iterator

from assay.core.audit import Finding
from assay.core.evaluation import Evaluation
from assay.report.grid import number
from assay.statistics.interval import difference_interval
from assay.tasks.lexical.diagnosis.analysers import apart
from assay.tasks.lexical.diagnosis.case import Case
from assay.tasks.lexical.diagnosis.coverage import exchanged
from assay.tasks.lexical.variants import Variant

NAMED = 3
"""So many ids are named."""
TELLING = 10
"""So many queries are needed to tell whether they belong to the gold."""


def findings_of(case: Case) -> Iterator[Finding]:
    """Yield what should be known before any remedy is tried."""
    yield from _untold_findings(case)
    yield from _belonging_findings(case)
    yield from _case_findings(case)
    yield from _reading_findings(case)
    yield from _id_findings(case)


def notices_of(case: Case) -> Iterator[str]:
    """Yield what a reader of the numbers should know of the inputs."""
    if empty := [query for query in case.asked if not case.weighted[query]]:
        yield f"Queries with no word but stop words: {len(empty):,}, such as {empty[0]!r}."
    if "words" not in case.evaluations:
        yield "No query shares a word with any document, read as described: there is no search by words."
    if isinstance(case.model, Variant):
        yield f"No document is blamed for its length: how {case.model.name} would weigh another is not known."
    if silent := [query for query in case.asked if query not in case.tops]:
        yield f"Queries to which {case.run.name} has no answer: {len(silent):,}, such as {silent[0]!r}."


def _untold_findings(case: Case) -> Iterator[Finding]:
    if not case.untold:
        return
    detail = "no figure counts them: their texts are missing, or their ids are written otherwise"
    if near := _near(case.untold, case.queries.table["query"]):
        one, other = near[0]
        detail = f"under another id {len(near):,} of them seem to be there, such as {one!r}, which is {other!r} there"
    title = f"queries of the gold without a text, left out: {len(case.untold):,}"
    yield Finding("warning", "no-text", title, detail, tuple(case.untold)[:NAMED], case.queries.name)


def _belonging_findings(case: Case) -> Iterator[Finding]:
    own, other = exchanged(case.shared["as described"], case.searcher.index, case.pairs)
    if len(own) < TELLING or not other.any():
        return
    level, seed = case.terms["interval"], case.terms["seed"]
    more = difference_interval(other, own, level=level, seed=seed, bounds=(-1.0, 1.0))
    if more.low is None or more.low > 0:
        return
    yield Finding(
        "warning", "not-together", "queries and gold do not seem to belong together",
        f"relevant documents have {_percent(float(own.mean()))} of the words of their query, and as much, "
        f"{_percent(float(other.mean()))}, of those of the next one: see whether ids mean the same in both",
        place=case.queries.name,
    )  # fmt: skip


def _case_findings(case: Case) -> Iterator[Finding]:
    queries, documents = case.upper
    if queries is None or documents is None or not apart(queries, documents):
        return
    above, below = ("queries", "documents") if queries > documents else ("documents", "queries")
    title = (
        f"the {above} are in upper case ({_percent(max(queries, documents))} of their letters), the {below} in lower "
        f"case ({_percent(min(queries, documents))})"
    )
    general = "a tokenizer that keeps case will not match them: GOLD and gold are two words to it"
    runs = [name for name in ("run", "dense") if name in case.evaluations]
    suspects = [case.evaluations[name] for name in runs if _suspect(case, name)]
    for one in suspects:
        yield Finding(
            "warning", "case-apart", title,
            f"{general}. This is the likely reason why {one.name} has {_figures(one)}{_beside(case)}. Put the {above} "
            "into lower case before they are read, and look again",
            place=one.name,
        )  # fmt: skip
    if not suspects:
        yield Finding("note", "case-apart", title, f"{general}. {case.run.name} does not suffer from it")


def _beside(case: Case) -> str:
    """Return what a search by words has, where it finds anything."""
    words = case.evaluations.get("words")
    read = "in lower case" if case.analyzer.lower else "as they are written"
    return "" if words is None else f", where a search for the same words {read} has {_figures(words)}"


def _suspect(case: Case, name: str) -> bool:
    """Tell whether a run may suffer from case: no reading that forgets it explains the run, and it is the weaker."""
    words = case.evaluations.get("words")
    weaker = words is None or not case.analyzer.lower or _main(case.evaluations[name]) < _main(words)
    if name != "run":
        return weaker
    taken = case.analysis.taken
    return weaker and not (taken and taken.documents["lower"] and taken.queries["lower"])


def _main(one: Evaluation) -> float:
    """Return the last measure asked for, which minds order where the defaults are taken; higher is better."""
    figure = one.figures[-1]
    return (figure.mean or 0.0) * (1 if figure.higher_is_better else -1)


def _figures(one: Evaluation) -> str:
    return ", ".join(f"{figure.name} {number(figure.mean)}" for figure in one.figures)


def _reading_findings(case: Case) -> Iterator[Finding]:
    found, k = case.analysis, case.cutoff
    best = found.best
    if best is None or best.overlap is None or not found.mismatch:
        return
    described = next(one for one in found.readings if one.name == found.described)
    gain = f"[{number(found.low)}, {number(found.high)}]"
    yield Finding(
        "warning",
        "other-analyser",
        f"{case.run.name} looks as if it reads texts otherwise than described: {best.name}",
        f"a search that reads them so shares {_percent(best.overlap)} of the first {k} places with the run, as "
        f"described {_percent(described.overlap or 0)} (gain {number(found.gain)} {gain}). If that is not meant, "
        "queries and documents lose words that they have in common",
        place=case.run.name,
    )


def _id_findings(case: Case) -> Iterator[Finding]:
    absent = [one.item for one in case.missed if one.blame == "absent"]
    if not absent:
        return
    detail = "no search can find them: their texts are missing, or their ids are written otherwise"
    if near := _near(absent, case.documents.items):
        item, other = near[0]
        detail = (
            f"under another id {len(near):,} of them seem to be there, such as {item!r}, which the documents call "
            f"{other!r}: the run is judged as if it had not found them"
        )
    yield Finding(
        "warning", "not-indexed", f"relevant items that are not among the documents: {len(absent):,}", detail,
        tuple(dict.fromkeys(absent))[:NAMED], case.documents.name,
    )  # fmt: skip


def _near(missing: Iterable[str], there: Iterable[str]) -> list[tuple[str, str]]:
    """Return the missing ids that are there written otherwise, each with the first id that it may be."""
    known: dict[str, str] = {}
    for one in there:
        known.setdefault(_bare(one), one)
    return [(one, known[_bare(one)]) for one in missing if _bare(one) in known]


def _bare(item: str) -> str:
    """Return an id without case, signs and leading zeros of its numbers."""
    return re.sub(r"(?<!\d)0+(?=\d)", "", re.sub(r"[\W_]+", "", item.lower()))


def _percent(share: float) -> str:
    return f"{100 * share:.0f} %"
