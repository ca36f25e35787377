"""What a judge sees and does: one pair, or the pairs of one query."""

from typing import TYPE_CHECKING, Any
from urllib.parse import quote

from assay.judging.app.forms import grades_of, verdict_of
from assay.judging.app.material import shown
from assay.judging.app.texts import ASKED, EVERY, REASONS, keys
from assay.judging.app.visits import Visit, go
from assay.report.amounts import percent

if TYPE_CHECKING:
    from starlette.responses import Response

    from assay.core.judging import Standing


def one(visit: Visit) -> "Response":
    """Show the pair that the judge sees next."""
    project = visit.desk.project
    task = visit.store.next(visit.judge.name)
    standing = visit.store.standing(visit.judge.name)
    if task is None:
        return visit.page("done.html", project=project, standing=standing)
    undone = "undone" in visit.request.query_params
    return visit.page(
        "judge.html", project=project, task=task, item=shown(task.pair), asked=ASKED[project.material],
        levels=keys(project.scale), reasons=REASONS, standing=standing, undone=undone,
        pause=None if undone else _pause(standing),
    )  # fmt: skip


def decide(visit: Visit) -> "Response":
    """Record a decision, then show the next pair."""
    number, verdict = verdict_of(visit)
    visit.store.record(visit.judge.name, number, verdict)
    return go("/")


def undo(visit: Visit) -> "Response":
    """Take the last decision back, then show its pair."""
    task = visit.store.undo(visit.judge.name, visit.text("key", 64) or None)
    return go("/?undone" if task else "/")


def several(visit: Visit) -> "Response":
    """Show open pairs of one query, to be judged in one list."""
    project = visit.desk.project
    query = visit.request.query_params.get("query") or None
    tasks = visit.store.bulk(visit.judge.name, query)
    items: list[Any] = [(task, shown(task.pair)) for task in tasks]
    return visit.page(
        "bulk.html", project=project, items=items, query=query, first=tasks[0].pair if tasks else None,
        asked=ASKED[project.material], levels=keys(project.scale), standing=visit.store.standing(visit.judge.name),
    )  # fmt: skip


def decide_several(visit: Visit) -> "Response":
    """Record the grades of a list; those that were left open stay open."""
    for number, verdict in grades_of(visit):
        visit.store.record(visit.judge.name, number, verdict)
    query = visit.text("query")
    return go(f"/bulk?query={quote(query, safe='')}" if query and not visit.text("rest") else "/bulk")


def _pause(standing: "Standing") -> str | None:
    """Return what a judge is told after every twenty judgments: agreement not with each pair, which would sway."""
    if not standing.judged or standing.judged % EVERY:
        return None
    if not standing.shared:
        return f"{standing.judged} judged. Nobody else has judged the same pairs yet."
    share = standing.agreed / standing.shared
    return (
        f"{standing.judged} judged. On {standing.shared} that others judged as well, you agree in {percent(share, 0)}."
    )
