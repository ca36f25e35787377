"""What an admin sees and does: how far the project and its judges are, how they agree; invitations, guideline."""

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import TYPE_CHECKING

from assay.errors import ParameterError
from assay.judging.app import disputes, files
from assay.judging.app.agreement import matrix
from assay.judging.app.visits import Visit, go

if TYPE_CHECKING:
    from starlette.responses import Response


def overview(visit: Visit) -> "Response":
    """Show how the project stands."""
    project = visit.desk.project
    labels = visit.store.labels()
    judges = [(judge, visit.store.standing(judge.name)) for judge in visit.store.judges()]
    disputed = visit.store.disputed(disputes.MOST)
    return visit.page(
        "admin.html", project=project, counts=visit.store.counts(), judges=judges, disputed=disputed,
        most=disputes.MOST, matrix=matrix(labels, project.scale), files=files.FILES,
        told=TOLD.get(visit.request.query_params.get("told", "")), new=visit.request.query_params.get("n", "")[:12],
    )  # fmt: skip


def invite(visit: Visit) -> "Response":
    """Make a link for a judge. It is shown this once: only its digest is kept."""
    name, role = visit.text("name", 200), visit.text("role") or "judge"
    if role not in {"judge", "admin"}:
        raise ParameterError(f"role: expected judge or admin, found {role[:40]!r}")
    known = {judge.name: judge for judge in visit.store.judges()}
    if name == visit.judge.name:
        raise ParameterError("invite: expected somebody else, found yourself: a new link would end this session")
    if name in known and not visit.text("again"):
        raise ParameterError(f"invite: expected a new name, found {name!r}, who is invited", hint="")
    token = visit.store.invite(name, "admin" if role == "admin" else "judge")
    return visit.page("invited.html", name=name, link=f"{visit.request.base_url}join/{token}")


def revise(visit: Visit) -> "Response":
    """Make a new version of the guideline."""
    visit.store.revise(visit.text("text", 100_000).replace("\r\n", "\n"))
    return go("/admin?told=revised")


TOLD = MappingProxyType({
    "revised": "Judgments from now on follow the guideline below.",
    "added": "The pool was read.",
    "taken": "The judgments were read.",
})  # fmt: skip
ASKED: Mapping[str, Callable[[Visit], "Response"]] = MappingProxyType({
    "/admin": overview, "/admin/disputes": disputes.one, "/admin/files/{name}": files.export,
})  # fmt: skip
SENT: Mapping[str, Callable[[Visit], "Response"]] = MappingProxyType({
    "/admin/invite": invite, "/admin/guideline": revise, "/admin/disputes": disputes.settle,
    "/admin/pool": files.add_pairs, "/admin/labels": files.add_labels,
})  # fmt: skip
