"""The columns of a table of judgments or answers, under the names that the field's tools give them."""

from collections.abc import Iterable, Mapping
from types import MappingProxyType

from assay.errors import InputError

QUERY = ("query", "query_id", "query-id", "queryid", "qid", "q_id", "topic", "topic_id", "question_id", "q")
ITEM = (
    "item", "item_id", "doc_id", "doc-id", "docid", "docno", "document_id", "corpus-id", "corpus_id",
    "pid", "passage_id", "doc", "document", "entity", "id", "_id",
)  # fmt: skip
GRADE = ("grade", "relevance", "rel", "judgment", "judgement", "rating", "label", "qrel", "score")
SCORE = ("score", "sim", "similarity", "retrieval_score", "relevance_score", "probability", "_score")
RANK = ("rank", "position")

GOLD_COLUMNS: Mapping[str, tuple[str, ...]] = {"query": QUERY, "item": ITEM, "grade": GRADE}
RUN_COLUMNS: Mapping[str, tuple[str, ...]] = {"query": QUERY, "item": ITEM, "score": SCORE, "rank": RANK}
DETAIL_COLUMNS: Mapping[str, tuple[str, ...]] = {
    "group": ("aspect", "subtopic", "intent", "stratum"),
    "probability": ("probability", "inclusion_probability", "prob"),
}
"""What a judgment may hold beside its grade; a gold standard that names one of them is one of details."""

DETAILED_COLUMNS: Mapping[str, tuple[str, ...]] = {**GOLD_COLUMNS, **DETAIL_COLUMNS}

OPTIONAL = frozenset({"grade", "score", "rank", *DETAIL_COLUMNS})
HEADS = "a file of text names its columns in its first line, such as query,group."
NOT_ASKED: Mapping[str, str] = MappingProxyType({})
"""Names of columns where nobody can give any, as for a file on the command line."""


def head_of(place: str) -> str:
    """Return where the names of columns stand.

    >>> head_of("hops.csv"), head_of("slices")
    ('hops.csv, line 1', 'slices')
    """
    return f"{place}, line 1" if place.lower().endswith((".csv", ".tsv", ".tab", ".txt")) else place


def recognise(
    found: Iterable[str],
    wanted: Mapping[str, tuple[str, ...]],
    place: str,
    given: Mapping[str, str] | None = NOT_ASKED,
    *,
    hint: str = "give a column one of these names.",
) -> dict[str, str]:
    """Return for each wanted column the name it has among those `found`.

    The first name of a list wins; case does not matter; `given` overrides, and is what a hint then speaks of.

    >>> recognise(["qid", "docno", "sim"], RUN_COLUMNS, "run.csv")
    {'query': 'qid', 'item': 'docno', 'score': 'sim'}
    """
    names = list(found)
    lowered = {name.lower(): name for name in reversed(names)}
    matched = dict(given or {})
    for column, synonyms in wanted.items():
        known = next((lowered[synonym] for synonym in synonyms if synonym in lowered), None)
        if column not in matched and known is not None:
            matched[column] = known
    missing = [column for column in wanted if column not in matched and column not in OPTIONAL]
    if missing or not set(matched.values()) <= set(names):
        absent = missing[0] if missing else next(c for c, name in matched.items() if name not in names)
        msg = f"{place}: expected a column for the {absent} ({', '.join(wanted[absent][:6])} …), found {names}"
        asked = given is not NOT_ASKED
        raise InputError(msg, hint="rename the column, or say which it is with columns={...}." if asked else hint)
    return matched


def is_number(value: object) -> bool:
    """Tell whether Python reads the value as a number."""
    try:
        float(value)  # type: ignore[arg-type]
    except (TypeError, ValueError):
        return False
    return True
