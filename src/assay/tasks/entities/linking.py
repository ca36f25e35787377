"""Mentions linked to entities: each asks for its entity, or for the answer that there is none (NIL)."""

from collections.abc import Mapping, Sequence
from typing import Any

import polars as pl

from assay.core.entities_candidates import LinkingFigures
from assay.core.evaluation import Evaluation
from assay.core.gold import Gold
from assay.core.run import Run
from assay.errors import GoldError
from assay.evaluate import evaluate
from assay.tasks.entities.candidates import Questions
from assay.tasks.entities.records import Listing
from assay.tasks.entities.truth import Truth

NIL = "NIL"
"""What stands for no entity, in gold and in answers."""


def names_entities(truth: Listing, listings: Sequence[Listing], nil: str = NIL) -> bool:
    """Tell whether candidates are entities of the gold: lists that name some of these, and no record.

    >>> from assay.tasks.entities.records import as_listing
    >>> names_entities(as_listing({"m1": "Q42", "m2": "NIL"}), [as_listing({"m1": ["Q5", "Q42"]})])
    True
    """
    if truth.kind != "clusters" or not listings or any(one.kind != "lists" for one in listings):
        return False
    offered = pl.concat([one.table["candidate"] for one in listings]).unique()
    entities = truth.table["entity"].drop_nulls().implode()
    if offered.is_in(truth.table["record"].implode()).any():
        return False
    return bool((offered.is_in(entities) | (offered == nil)).any())


def mentions_of(truth: Listing, nil: str = NIL) -> Questions:
    """Ask each labelled mention for its entity; every other answer is wrong.

    Raises
    ------
    GoldError
        No mention with a label.
    """
    labelled = truth.table.drop_nulls("entity").select("record", "entity").sort("record")
    if not labelled.height:
        msg = f"{truth.name}: expected an entity, or {nil}, for some mention, found none"
        raise GoldError(msg)
    matches = labelled.select(query="record", item="entity")
    units = Truth(truth.table.select("record", "entity"), None, truth.name, truth.origin)
    return Questions(labelled["record"], matches, None, units)


def answers_of(listing: Listing, asking: Questions, nil: str = NIL) -> tuple[pl.DataFrame, int]:
    """Return ranked entities, query, item and score, and how many mentions had none: their answer is NIL."""
    lists = listing.table.select(query="record", item="candidate", score="score")
    silent = asking.asked.filter(~asking.asked.is_in(lists["query"].implode()))
    said = pl.DataFrame({"query": silent}).with_columns(item=pl.lit(nil), score=pl.lit(0.0))
    return pl.concat([lists, said]), len(silent)


def linking_figures(
    asking: Questions, run: Run, silent: int, conventions: Mapping[str, Any], nil: str = NIL
) -> LinkingFigures:
    """Return how often the first answer is right, of all mentions, of those with an entity and of those without."""
    right = _first(evaluate(asking.gold([run.frame()]), run, "HR@1", **conventions))
    says_nil = pl.DataFrame({"query": asking.asked, "item": nil, "grade": 1.0})
    answered = _first(evaluate(Gold(says_nil), run, "HR@1", **conventions))
    lone = asking.matches.filter(pl.col("item") == nil)["query"].implode()
    is_nil = asking.asked.is_in(lone)
    hits = asking.asked.is_in(right.implode())
    nils = asking.asked.is_in(answered.implode())
    return LinkingFigures(
        mentions=len(asking.asked),
        known=int((~is_nil).sum()),
        nil=int(is_nil.sum()),
        silent=silent,
        answered_nil=int(nils.sum()),
        accuracy=_share(hits),
        accuracy_known=_share(hits.filter(~is_nil)),
        accuracy_nil=_share(hits.filter(is_nil)),
        nil_precision=_share(hits.filter(nils)),
    )


def _first(found: Evaluation) -> pl.Series:
    """Return the queries with a hit in first place."""
    return found.per_query.filter(pl.col("value") > 0)["query"]


def _share(flags: pl.Series) -> float | None:
    return int(flags.sum()) / len(flags) if len(flags) else None
