"""Settling what judges disagree about, one pair after the other."""

from typing import TYPE_CHECKING

import polars as pl

from assay.judging.app.forms import real, whole
from assay.judging.app.material import shown
from assay.judging.app.texts import ASKED, keys
from assay.judging.app.visits import Visit, go

if TYPE_CHECKING:
    from starlette.responses import Response

MOST = 200
"""So many disputed pairs are counted and gone through at a time."""


def one(visit: Visit) -> "Response":
    """Show a disputed pair with all that was said of it: the one asked for, else the first after those passed over."""
    project = visit.desk.project
    wanted = visit.request.query_params
    disputed = [dispute.number for dispute in visit.store.disputed(MOST)]
    after = whole(wanted["after"]) if "after" in wanted else None
    rest = disputed[disputed.index(after) + 1 :] if after in disputed else disputed
    number = whole(wanted["number"]) if "number" in wanted else next(iter(rest), None)
    if number is None:
        return visit.page("settled.html", project=project, left=len(disputed))
    task = visit.store.task(visit.judge.name, number)
    said = visit.store.labels().table.filter(pl.col("query") == task.pair.query, pl.col("item") == task.pair.item)
    return visit.page(
        "dispute.html", project=project, task=task, item=shown(task.pair), said=said.to_dicts(), left=len(disputed),
        asked=ASKED[project.material], levels=keys(project.scale), last=wanted.get("settled"),
    )  # fmt: skip


def settle(visit: Visit) -> "Response":
    """Record the grade that settles a pair, then show the next one."""
    number = whole(visit.text("number"))
    kind, _, grade = visit.text("decision").partition(" ")
    if kind == "later":
        return go(f"/admin/disputes?after={number}")
    visit.store.settle(visit.judge.name, number, real(grade), visit.text("note"), visit.text("key", 64) or None)
    return go(f"/admin/disputes?settled={number}")
