"""`JudgingStore`: a judging project in a database: its pairs, its judges, and all that they decided."""

import hashlib
import json
import secrets
import time
from collections.abc import Iterable
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from assay.core.judging import Guideline, Judge, Pair, Project, Role, Standing, Task, Verdict
from assay.core.labels import Labels
from assay.errors import InputError
from assay.store import decisions, overview, queue
from assay.store.database import connected, reading, require_tables, writing
from assay.store.judges import admitted
from assay.store.judging_tables import VERSION, tables
from assay.store.projects import guideline_of, project_of, require_grade, require_terms, terms_of
from assay.store.snapshot import Snapshot, look
from assay.store.taking import Taken, require_scale, take

if TYPE_CHECKING:
    from sqlalchemy import Engine

MOST_OF_ONE_QUERY = 50
AT_ONCE = 200
"""So many judgments from elsewhere are recorded before others have their turn."""
PAUSE_S = 0.1
"""So long others have their turn while much is added: SQLite asks ten times a second whether it may write."""


class JudgingStore:
    """A judging project; what a call records is on the disk when it returns.

    >>> store = JudgingStore.open("sqlite://")
    >>> store.create(Project("first", overlap=0), [Pair("q1", "a"), Pair("q1", "b")])
    2
    >>> token = store.invite("ann")
    >>> task = store.next("ann")
    >>> store.record("ann", task.number, Verdict("grade", "1", 2.0))
    >>> store.standing("ann")
    Standing(judged=1, later=0, left=1, shared=0, agreed=0)
    """

    def __init__(self, engine: "Engine") -> None:
        self._engine = engine

    @classmethod
    def open(cls, url: str, *, make: bool = True) -> "JudgingStore":
        """Open the database at a URL, or make one: sqlite:///FILE, a path, or postgresql://USER@HOST/NAME.

        Unless it is to be made, it has to be there, with a project.

        Raises
        ------
        ParameterError, InputError
            Another kind of database; one that does not open, or whose tables another release made.
        MissingExtraError
            SQLAlchemy or the driver is not installed.
        """
        store = cls(connected(url, make=make))
        try:
            require_tables(store._engine, tables().metadata, VERSION, tables().versions, make=make)
            if not make:
                store._required()
        except Exception:
            store.close()
            raise
        return store

    @property
    def project(self) -> Project | None:
        """The project with the guideline of now; None in a database that has none yet."""
        with reading(self._engine) as connection:
            return project_of(connection)

    def create(self, project: Project, pairs: Iterable[Pair] = ()) -> int:
        """Begin a project with all its pairs, or go on with the same; returns how many pairs are new.

        Raises
        ------
        InputError
            The database holds a project with other terms; an id that no database holds.
        ParameterError
            Terms that no project can have.
        """
        from sqlalchemy import insert

        require_terms(project)
        made = tables()
        with writing(self._engine) as connection:
            there = project_of(connection)
            if there is None:
                told = {"name": project.name, "terms": json.dumps(terms_of(project)), "created": _now()}
                connection.execute(insert(made.project).values(told))
                guideline = {"version": project.guideline.version, "text": project.guideline.text, "created": _now()}
                connection.execute(insert(made.guidelines).values(guideline))
                return sum(queue.add(connection, project, some) for some in queue.batches(pairs))
        if terms_of(there) != terms_of(project) or there.name != project.name:
            msg = f"project {there.name!r}: expected the terms with which it began, found others"
            raise InputError(msg, hint="another --store begins another project.")
        return self.add(pairs)

    def add(self, pairs: Iterable[Pair]) -> int:
        """Add pairs to the project, but those that it has; returns how many are new.

        They are added some thousands at a time, so that judges need not wait; what was added stays.

        Raises
        ------
        InputError
            An id that no database holds; no project to add to.
        """
        project, new = self._required(), 0
        for some in queue.batches(pairs):
            with writing(self._engine) as connection:
                new += queue.add(connection, project, some)
            time.sleep(PAUSE_S)
        return new

    def revise(self, text: str) -> Guideline:
        """Make a new version of the guideline; judgments from now on name it. The same text makes none."""
        from sqlalchemy import insert

        self._required()
        with writing(self._engine) as connection:
            last = guideline_of(connection)
            if last.text == queue.storable(text):
                return last
            revised = Guideline(last.version + 1, queue.storable(text))
            told = {"version": revised.version, "text": revised.text, "created": _now()}
            connection.execute(insert(tables().guidelines).values(told))
        return revised

    def invite(self, name: str, role: Role = "judge") -> str:
        """Return a new token for a judge; only its hash is kept. An earlier token of the same judge ends.

        Raises
        ------
        ParameterError
            No name, a very long one, or one with characters that no database holds.
        """
        token = secrets.token_urlsafe(24)
        with writing(self._engine) as connection:
            admitted(connection, name, role, _hashed(token))
        return token

    def judge(self, token: str) -> Judge | None:
        """Return the judge whose token this is."""
        from sqlalchemy import select

        judges = tables().judges
        with reading(self._engine) as connection:
            found = connection.execute(select(judges).where(judges.c.secret == _hashed(token))).first()
        return Judge(found.name, found.role) if found else None

    def judges(self) -> list[Judge]:
        """Return all judges in the order of their names."""
        from sqlalchemy import select

        with reading(self._engine) as connection:
            return sorted(
                (Judge(one.name, one.role) for one in connection.execute(select(tables().judges))),
                key=lambda judge: judge.name,
            )

    def next(self, judge: str) -> Task | None:
        """Return the pair that a judge sees next, the same until it is decided; None where nothing is left."""
        with writing(self._engine) as connection:
            number = queue.following(connection, judge)
            return None if number is None else queue.task(connection, number, judge)

    def task(self, judge: str, number: int) -> Task:
        """Return one pair by its number."""
        with reading(self._engine) as connection:
            return queue.task(connection, number, judge)

    def bulk(self, judge: str, query: str | None = None, most: int = MOST_OF_ONE_QUERY) -> list[Task]:
        """Return open pairs of one query that the judge has not judged, and keep them for this judge.

        Without a query, of the next one.
        """
        with writing(self._engine) as connection:
            if query is None:
                first = queue.following(connection, judge)
                query = None if first is None else queue.task(connection, first, judge).pair.query
            numbers = [] if query is None else queue.together(connection, judge, query, most)
            return [queue.task(connection, number, judge) for number in numbers]

    def record(self, judge: str, number: int, verdict: Verdict) -> None:
        """Record what a judge says of a pair; it is kept when this returns, and once for each key.

        Raises
        ------
        ParameterError
            No such pair, no such judge, no key, or a grade that the scale does not have.
        """
        with writing(self._engine) as connection:
            require_grade(connection, verdict)
            decisions.record(connection, judge, number, verdict)

    def undo(self, judge: str, key: str | None = None) -> Task | None:
        """Withdraw the judge's last decision; its pair comes back. None where there is none.

        What the judge said of the pair before stands again. The same key again withdraws nothing more.
        """
        with writing(self._engine) as connection:
            number = decisions.undo(connection, judge, key or secrets.token_hex(8))
            return None if number is None else queue.task(connection, number, judge)

    def settle(self, judge: str, number: int, grade: float, note: str = "", key: str | None = None) -> None:
        """Record the grade that settles a disputed pair; the last one counts."""
        verdict = Verdict("grade", key or secrets.token_hex(8), grade, note=note)
        with writing(self._engine) as connection:
            require_grade(connection, verdict)
            decisions.settle(connection, judge, number, verdict)

    def standing(self, judge: str) -> Standing:
        """Return how far a judge is, and how often others said the same of pairs that this judge graded."""
        with reading(self._engine) as connection:
            return overview.standing(connection, judge)

    def labels(self) -> Labels:
        """Return what judges say now of each pair; what settles a dispute is in `settled`."""
        project = self._required()
        with reading(self._engine) as connection:
            return Labels(overview.labels(connection), project.name)

    def snapshot(self) -> Snapshot:
        """Return all that is known at this moment."""
        project = self._required()
        with reading(self._engine) as connection:
            return look(connection, project.name)

    def take(self, labels: Labels) -> Taken:
        """Record judgments that were made elsewhere; those that stand already are not recorded again.

        Judges who are not there yet are let in without a token. Pairs that the project does not have are counted and
        left alone. A judgment older than the one that its judge made here is not taken.

        Raises
        ------
        InputError
            A grade that the scale does not have; nothing is recorded then.
        """
        require_scale(labels, self._required().scale)
        taken = Taken()
        for rows in queue.batches(labels.table.iter_rows(named=True), AT_ONCE):
            with writing(self._engine) as connection:
                taken += take(connection, rows)
            time.sleep(PAUSE_S)
        return taken

    def settled(self) -> dict[tuple[str, str], float]:
        """Return the grades that settle a dispute, the last of each pair."""
        with reading(self._engine) as connection:
            return overview.settled(connection)

    def disputed(self, most: int = 20) -> list[overview.Dispute]:
        """Return the pairs whose judges disagree, the widest apart first; settled ones are left out."""
        with reading(self._engine) as connection:
            return overview.disputed(connection, most)

    def counts(self) -> dict[str, int]:
        """Return how many pairs there are, how many someone graded, were settled, and how many judgments are left."""
        with reading(self._engine) as connection:
            return overview.counts(connection)

    def close(self) -> None:
        """Close all connections."""
        self._engine.dispose()

    def _required(self) -> Project:
        found = self.project
        if found is None:
            raise InputError("--store: expected a judging project, found none", hint="assay gold judge begins one.")
        return found


def _hashed(token: str) -> str:
    return hashlib.sha256(token.encode(errors="surrogatepass")).hexdigest()


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="seconds")
