"""`assay history rejudge GOLD ID... --store URL`: recorded runs by another gold standard, as new evaluations."""

from dataclasses import replace
from typing import TYPE_CHECKING, Annotated

import typer

from assay.cli.history.added import deliver_added
from assay.cli.history.options import Store
from assay.cli.options import MeasuresOption, TableOrJson
from assay.cli.output import chosen
from assay.cli.terms import whole

if TYPE_CHECKING:
    from assay.core.gold import Gold
    from assay.core.history import Recorded
    from assay.store.evaluations import HistoryStore


def rejudge(
    gold: Annotated[
        str, typer.Argument(metavar="GOLD", help="The other gold standard: a file, or - for standard input.")
    ],
    numbers: Annotated[list[str], typer.Argument(metavar="ID...", help="Evaluations, by the numbers that show tells.")],
    *,
    store: Store,
    suite: Annotated[
        str | None, typer.Option("--suite", metavar="NAME", help="Where to add what is found [the suite of each].")
    ] = None,
    measures: MeasuresOption = None,
    output: TableOrJson = None,
) -> None:
    """Judge recorded runs by another gold standard, from the items that were kept of them, and add what is found.

    Example: assay history rejudge gold-2.qrels 12 13 --store history.db --suite web-2
    """
    form = chosen(output, None, ("table", "json"))
    ids = [whole("ID", one, lowest=1) for one in numbers]
    from assay.formats import read_gold
    from assay.store.evaluations import HistoryStore

    truth = read_gold(gold)
    with HistoryStore.open(store, make=False) as opened:
        found = [_again(opened, one, truth, suite, measures) for one in ids]
        deliver_added(store, opened.add_all(found), form)


def _again(
    store: "HistoryStore", number: int, gold: "Gold", suite: str | None, measures: list[str] | None
) -> "Recorded":
    from assay.history.rejudge import rejudge as judged_again

    old = store.get(number)
    return replace(
        judged_again(old, gold, measures), suite=suite or old.suite, note=f"evaluation {number} judged again"
    )
