"""Who judges in a project: each by a name, and by a token of which only the hash is kept."""

from datetime import UTC, datetime
from typing import TYPE_CHECKING

from assay.core.judging import Role
from assay.errors import ParameterError
from assay.store.judging_tables import tables
from assay.store.queue import storable

if TYPE_CHECKING:
    from sqlalchemy import Connection

LONGEST_NAME = 80


def admitted(connection: "Connection", name: str, role: Role, secret: str, *, anew: bool = True) -> None:
    """Let someone judge, with the hash of a token; one who is there gets it `anew`, or is left alone.

    Raises
    ------
    ParameterError
        No name, a very long one, or one with characters that no database holds; no such role.
    """
    from sqlalchemy import insert, select, update

    if not name.strip() or len(name) > LONGEST_NAME or storable(name) != name:
        raise ParameterError(f"judge: expected a name of 1 to {LONGEST_NAME} characters, found {name[:90]!r}")
    if role not in {"judge", "admin"}:
        raise ParameterError(f"role: expected judge or admin, found {role!r}")
    judges = tables().judges
    told = {"role": role, "secret": secret}
    if connection.scalar(select(judges.c.name).where(judges.c.name == name)) is None:
        now = datetime.now(UTC).isoformat(timespec="seconds")
        connection.execute(insert(judges).values(name=name, created=now, **told))
    elif anew:
        connection.execute(update(judges).where(judges.c.name == name).values(told))
