"""What was added to a store, told."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from assay.cli.output import deliver, width
from assay.cli.verbs import SETTINGS

if TYPE_CHECKING:
    from assay.core.history import Recorded


def deliver_added(store: str, added: "Sequence[Recorded]", form: str) -> None:
    """Print what was added, as a table or as JSON."""
    from assay.report import documents, history
    from assay.store.database import masked

    if form == "json":
        deliver(documents.strict_json(history.added_to_dict(masked(store), added, command=SETTINGS.argv)))
    else:
        deliver(history.render_added(masked(store), added, width=width()))
