"""Alerts of a verb of history to a webhook: what was told is said, and what was not changes no exit code."""

from collections.abc import Callable
from contextlib import nullcontext
from typing import TYPE_CHECKING

from assay.cli.output import notice
from assay.errors import AssayError

if TYPE_CHECKING:
    from assay.history.alerts import Alerts


def require_webhook(webhook: str | None) -> None:
    """Refuse what is no address of http or https before anything is computed."""
    if webhook is not None:
        from assay.history.webhook import Webhook

        Webhook.of(webhook)


def tell(webhook: str | None, store: str | None, alerts: "Callable[[], Alerts]") -> None:
    """Tell a webhook, if there is one; alerts that it was told before are known by the store.

    A store that cannot be written leaves them untold, which is said.
    """
    if webhook is None:
        return
    from assay.history.alerts import notify
    from assay.store.evaluations import HistoryStore

    try:
        with nullcontext() if store is None else HistoryStore.open(store) as opened:
            told = notify(opened, webhook, alerts())
    except AssayError as error:
        notice(f"Note: alerts not told: {error.message}")
        return
    parts = [f"{many:,} {what}" for many, what in ((told.sent, "told"), (told.known, "told before")) if many]
    if parts:
        notice(f"Note: alerts to the webhook: {', '.join(parts)}.")
    if told.failed:
        notice(f"Note: {told.failed:,} alert{'s' if told.failed > 1 else ''} not told: {told.why}")
