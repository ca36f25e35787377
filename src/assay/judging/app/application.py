"""The judging app put together: which address does what, and what guards all of them."""

from pathlib import Path
from typing import TYPE_CHECKING, Any

from assay.errors import AssayError, MissingExtraError
from assay.judging.app import admin, pages
from assay.judging.app.joining import Start, joining, leave
from assay.judging.app.visits import Desk, endpoint, said
from assay.store.judging import JudgingStore
from assay.web.pages import Pages

if TYPE_CHECKING:
    from starlette.applications import Starlette

MOST_OF_FORM = 1 << 20
MOST_OF_UPLOAD = 1 << 26
"""64 MiB: a million rows of a pool."""


def application(store: JudgingStore, start: Start | None = None, names: tuple[str, ...] = ()) -> "Starlette":
    """Return the app over a store that has a project; it answers under the host `names`, localhost and IP addresses.

    Raises
    ------
    MissingExtraError
        Starlette is not installed.
    """
    try:
        from starlette.applications import Starlette
        from starlette.exceptions import HTTPException
        from starlette.middleware import Middleware
    except ImportError:
        raise MissingExtraError.of("the judging app", "starlette", "web") from None
    from assay.web.security import Guard

    desk = Desk(store, Pages((Path(__file__).parent,)))

    def refused(request: Any, error: Exception) -> Any:
        return said(error, request, desk)

    return Starlette(
        routes=_routes(desk, start),
        middleware=[Middleware(Guard, names=names)],
        exception_handlers={HTTPException: refused, AssayError: refused},
        max_body_size=MOST_OF_FORM,
    )


def _routes(desk: Desk, start: Start | None) -> list[Any]:
    from starlette.routing import Route

    join, welcome = joining(desk, start)
    asked = {
        "/": pages.one, "/bulk": pages.several,
    }  # fmt: skip
    sent = {
        "/judge": pages.decide, "/undo": pages.undo, "/bulk": pages.decide_several, "/leave": leave,
    }  # fmt: skip
    return [
        Route("/static/{name}", desk.pages.file),
        Route("/join/{token}", welcome),
        Route("/join", join, methods=["POST"]),
        *(Route(path, endpoint(desk, answer)) for path, answer in asked.items()),
        *(Route(path, endpoint(desk, answer), methods=["POST"]) for path, answer in sent.items()),
        *(Route(path, endpoint(desk, answer, "admin")) for path, answer in admin.ASKED.items()),
        *(
            Route(path, endpoint(desk, answer, "admin"), methods=["POST"], max_body_size=MOST_OF_UPLOAD)
            for path, answer in admin.SENT.items()
        ),
    ]
