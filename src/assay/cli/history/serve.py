"""`assay history serve --store URL`: a dashboard of evaluations in a browser."""

from contextlib import contextmanager
from typing import TYPE_CHECKING, Annotated

import typer

from assay.cli.history.options import Store, Webhook
from assay.cli.output import notice
from assay.cli.terms import whole
from assay.errors import ParameterError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from assay.core.gold import Gold
    from assay.history.app.visits import Pen
    from assay.store.evaluations import HistoryStore
    from assay.web.server import Address

LAST_S = 5.0
"""So long is waited for an alert that is on its way when the server stops."""


def serve(
    *,
    store: Store,
    write: Annotated[
        bool, typer.Option("--write", help="Let who opens the printed link write notes and pin baselines.")
    ] = False,
    gold: Annotated[
        str | None, typer.Option("--gold", metavar="FILE", help="The gold: shows grades, and what each item gives.")
    ] = None,
    webhook: Webhook = None,
    host: Annotated[str, typer.Option("--host", metavar="ADDRESS", help="Where to listen.")] = "127.0.0.1",
    port: Annotated[str, typer.Option("--port", metavar="N", help="The port; 0 takes one that is free.")] = "8322",
    site: Annotated[
        list[str] | None, typer.Option("--site", metavar="NAME", help="A host name by which others reach it ...")
    ] = None,
    certificate: Annotated[
        str | None, typer.Option("--certificate", metavar="FILE", help="Speak https, with this certificate,")
    ] = None,
    certificate_key: Annotated[
        str | None, typer.Option("--certificate-key", metavar="FILE", help="and its key.")
    ] = None,
    browser: Annotated[bool, typer.Option("--open", help="Open the page in the browser of this machine.")] = False,
) -> None:
    """Serve a dashboard, until Ctrl-C: suites, figures over time, evaluations, queries, any two compared.

    Everybody who reaches the address may read; nobody may write without --write and the link that it prints.

    Example: assay history serve --store history.db --open

    Example: assay history serve --store postgresql://ci@db/quality --write --webhook https://chat.example.org/hook
    """
    from assay.history.app.application import application
    from assay.history.app.visits import Pen
    from assay.history.webhook import Webhook as Hook
    from assay.store.evaluations import HistoryStore
    from assay.web.server import Address
    from assay.web.server import serve as served

    if certificate_key and not certificate:
        raise ParameterError("--certificate-key: expected --certificate beside it, found none")
    if webhook is not None:
        Hook.of(webhook)
    address = Address(host, whole("--port", port, lowest=0), certificate, certificate_key, tuple(site or ()))
    pen = Pen() if write else None
    with (
        HistoryStore.open(store, make=False, write=write or webhook is not None) as opened,
        _watched(opened, webhook) as begin,
    ):

        def ready(url: str) -> None:
            _say(address, url, pen, browser)
            begin(url)

        served(application(opened, pen, address.names, _gold(gold)), address, ready)


def _gold(path: str | None) -> "Gold | None":
    from assay.inputs import as_gold

    return None if path is None else as_gold(path)


@contextmanager
def _watched(store: "HistoryStore", webhook: str | None) -> "Iterator[Callable[[str], None]]":
    """Give what begins to watch the store once the address of the pages is known; it ends with the block."""
    from threading import Event, Thread

    from assay.history.watching import Watch

    stop, threads = Event(), list[Thread]()

    def begin(url: str) -> None:
        if webhook is not None:
            watch = Watch(store, webhook, url, lambda said: notice(f"Note: {said}"))
            threads.append(Thread(target=watch.until, args=(stop,), daemon=True))
            threads[0].start()

    try:
        yield begin
    finally:
        stop.set()
        for one in threads:
            one.join(LAST_S)


def _say(address: "Address", url: str, pen: "Pen | None", browser: bool) -> None:
    """Say where the pages are, and who sees them."""
    from assay.web.security import is_local

    if not is_local(address.host):
        notice("Note: everybody who reaches this address sees all suites.")
    if pen is not None and not address.is_private:
        notice("Note: others may read what is sent: use --certificate, or a proxy that speaks https.")
    notice("Ctrl-C stops." if pen is None else "Who opens this link may write; Ctrl-C stops.")
    link = url if pen is None else f"{url}/join/{pen.code}"
    print(link, flush=True)
    if browser:
        import webbrowser

        webbrowser.open(link)
