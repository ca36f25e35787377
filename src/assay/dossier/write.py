"""`write_report`: one HTML page of runs judged by a gold standard."""

import os
from collections.abc import Sequence
from typing import Any

from assay.convert import written_whole
from assay.core.dossier import Dossier
from assay.dossier.dossier import dossier
from assay.report.html import render


def write_report(gold: Any, runs: Sequence[Any], path: str | os.PathLike[str], *given: Any, **options: Any) -> Dossier:
    """Write the report of runs judged by a gold standard, and return what it was drawn from.

    The page needs no network. The file is whole or not there. Everything else is as for `dossier`.
    """
    found = dossier(gold, runs, *given, **options)
    with written_whole(os.fspath(path)) as file:
        file.write(render(found).encode("utf-8", "backslashreplace"))
    return found
