"""The terms of a judging project as the database holds them."""

import json
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from assay.core.judging import Guideline, Level, Project, Scale, Verdict
from assay.errors import ParameterError
from assay.store.judging_tables import tables
from assay.store.queue import STANDS

if TYPE_CHECKING:
    from sqlalchemy import Connection

MOST_JUDGMENTS = 64


def require_grade(connection: "Connection", verdict: Verdict) -> None:
    """Refuse a verdict that is none, or a grade that the scale of the project does not have.

    Raises
    ------
    ParameterError
        As said.
    """
    if verdict.kind not in {*STANDS, "later"}:
        raise ParameterError(f"verdict: expected a grade, cannot tell or later, found {verdict.kind!r}")
    found = project_of(connection)
    scale = found.scale if found else Scale(())
    if verdict.kind == "grade" and (verdict.grade is None or scale.level(verdict.grade) is None):
        levels = ", ".join(f"{one.grade:g}" for one in scale.levels)
        raise ParameterError(f"grade: expected one of {levels}, found {verdict.grade}")


def project_of(connection: "Connection") -> Project | None:
    """Return the project with the guideline of now; None where there is none."""
    from sqlalchemy import select

    found = connection.execute(select(tables().project)).first()
    return None if found is None else _project(found.name, json.loads(found.terms), guideline_of(connection))


def guideline_of(connection: "Connection") -> Guideline:
    """Return the last version of the guideline."""
    from sqlalchemy import select

    guidelines = tables().guidelines
    said = connection.execute(select(guidelines).order_by(guidelines.c.version.desc())).first()
    return Guideline(said.version, said.text) if said else Guideline(0, "")


def require_terms(project: Project) -> None:
    """Refuse terms that no project can have.

    Raises
    ------
    ParameterError
        Too few or too many judgments of a pair, an overlap that is no share.
    """
    if not 0 < project.judgments <= MOST_JUDGMENTS:
        raise ParameterError(f"judgments: expected 1 to {MOST_JUDGMENTS} of each pair, found {project.judgments}")
    if not 0 <= project.overlap <= 1:
        raise ParameterError(f"overlap: expected a share from 0 to 1, found {project.overlap}")


def terms_of(project: Project) -> dict[str, Any]:
    """Return the terms as JSON holds them; the name and the guideline are kept apart."""
    told = asdict(project)
    del told["name"], told["guideline"]
    return json.loads(json.dumps(told))  # type: ignore[no-any-return]


def _project(name: str, terms: dict[str, Any], guideline: Guideline) -> Project:
    levels = tuple(Level(**one) for one in terms.pop("scale")["levels"])
    return Project(name, scale=Scale(levels), guideline=guideline, **terms)
