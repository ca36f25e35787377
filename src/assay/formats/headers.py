"""What the names of a table's columns tell: whether it holds pairs, and whether it is gold or a run."""

from collections.abc import Iterable, Sequence

from assay.core.columns import GOLD_COLUMNS, ITEM, QUERY, RUN_COLUMNS, recognise
from assay.errors import InputError
from assay.formats.base import Kind


def names_both(names: Iterable[str]) -> bool:
    """Say whether a query and an item are among the names."""
    lowered = {name.lower() for name in names}
    return not lowered.isdisjoint(QUERY) and not lowered.isdisjoint(ITEM)


def guess_kind(names: Sequence[str]) -> Kind | None:
    """Tell gold from a run by the names of columns: a score or rank is a run, all else is gold."""
    if [name.lower() for name in names] == ["query-id", "corpus-id", "score"]:
        return "gold"
    try:
        gold = recognise(names, GOLD_COLUMNS, "")
        run = recognise(names, RUN_COLUMNS, "")
    except InputError:
        return None
    graded = "grade" in gold and gold["grade"].lower() != "score"
    return "run" if not graded and ("score" in run or "rank" in run) else "gold"
