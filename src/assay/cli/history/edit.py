"""`assay history edit ID --store URL`: a remark to an evaluation, or a new baseline."""

from typing import Annotated

import typer

from assay.cli.history.options import Store
from assay.cli.output import notice
from assay.cli.terms import whole
from assay.errors import ParameterError


def edit(
    number: Annotated[str, typer.Argument(metavar="ID", help="The evaluation, by the number that show tells.")],
    *,
    store: Store,
    baseline: Annotated[bool, typer.Option("--baseline", help="Pin it as the baseline of its suite.")] = False,
    note: Annotated[
        str | None, typer.Option("--note", metavar="TEXT", help="A remark, in the place of the one it has.")
    ] = None,
) -> None:
    """Pin an evaluation that is in a store as the baseline of its suite, or put a remark to it.

    Example: assay history edit 12 --store history.db --baseline --note "new index"
    """
    wanted = whole("ID", number, lowest=1)
    if note is None and not baseline:
        raise ParameterError("edit: expected --baseline or --note, found neither")
    from assay.store.evaluations import HistoryStore

    with HistoryStore.open(store, make=False) as opened:
        one = opened.get(wanted)
        if note is not None:
            opened.annotate(wanted, note)
            notice(f"{one.name}: noted.")
        if baseline:
            opened.set_baseline(wanted)
            notice(f"{one.name}: now the baseline of {one.suite}.")
