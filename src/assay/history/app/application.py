"""The dashboard put together: which address does what, and what guards all of them."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from assay.core.gold import Gold
from assay.errors import AssayError, MissingExtraError
from assay.history.app import comparing, evaluation, overview, query, suite, writing
from assay.history.app.explaining import Known
from assay.history.app.visits import Desk, Pen, reads, said, writes
from assay.store.evaluations import HistoryStore
from assay.web.pages import Pages

if TYPE_CHECKING:
    from starlette.applications import Starlette

MOST_OF_FORM = 1 << 16
READ = {
    "/": overview.show, "/suite": suite.show, "/evaluation": evaluation.show, "/query": query.show,
    "/compare": comparing.show,
}  # fmt: skip
WRITTEN = {"/note": writing.annotate, "/baseline": writing.pin, "/leave": writing.leave}


def application(
    store: HistoryStore, pen: Pen | None = None, names: tuple[str, ...] = (), gold: Gold | None = None
) -> "Starlette":
    """Return the dashboard of a store; it answers under the host `names`, localhost and IP addresses.

    Everybody who reaches it reads; who has the link of `pen` writes notes and pins baselines. Without one nobody does.
    With the gold, grades and contributions of items are shown as well.

    Raises
    ------
    MissingExtraError
        Starlette is not installed.
    """
    try:
        from starlette.applications import Starlette
        from starlette.concurrency import run_in_threadpool
        from starlette.exceptions import HTTPException
        from starlette.middleware import Middleware
    except ImportError:
        raise MissingExtraError.of("the dashboard", "starlette", "history") from None
    from assay.web.security import Guard

    desk = Desk(store, Pages((Path(__file__).parent,)), pen, None if gold is None else Known.of(gold))

    def refused(_: Any, error: Exception) -> Any:
        return said(error, desk)

    @asynccontextmanager
    async def begun(_: Any) -> AsyncIterator[None]:
        await run_in_threadpool(overview.warm, desk)
        yield

    return Starlette(
        routes=_routes(desk), lifespan=begun, middleware=[Middleware(Guard, names=names)],
        exception_handlers={HTTPException: refused, AssayError: refused}, max_body_size=MOST_OF_FORM,
    )  # fmt: skip


def _routes(desk: Desk) -> list[Any]:
    from starlette.routing import Route

    join, welcome = writing.joining(desk)
    return [
        Route("/static/{name}", desk.pages.file),
        Route("/join/{code}", welcome),
        Route("/join", join, methods=["POST"]),
        *(Route(path, reads(desk, answer)) for path, answer in READ.items()),
        *(Route(path, writes(desk, answer), methods=["POST"]) for path, answer in WRITTEN.items()),
    ]
