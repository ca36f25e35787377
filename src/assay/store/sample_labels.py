"""The label file of a sample of statements (`assay graph sample`), filled from what was judged.

A statement is known by the id of its row, which is its item in the project.
"""

from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import replace

from assay.core.labels import Labels
from assay.errors import InputError
from assay.graph.accuracy.label_file import LabelFile

WORDS = {0.0: "wrong", 1.0: "right", None: "?"}
"""What a grade is called in a label file; a judge who could not tell leaves the statement open."""


def filled(file: LabelFile, labels: Labels) -> LabelFile:
    """Return a label file with what judges said, a line for each judge; what people wrote into it before stays.

    Raises
    ------
    InputError
        A grade other than 0 (wrong) and 1 (right); none of the statements was judged.
    """
    said: dict[str, dict[str, tuple[str, str]]] = defaultdict(dict)
    for row in labels.table.filter(labels.table["item"].is_in(list(file.rows))).iter_rows(named=True):
        if row["grade"] not in WORDS:
            raise InputError(
                f"statement {row['item']}: expected grades 0 (wrong) and 1 (right), found {row['grade']:g}",
                hint="judge a sample with --material triple.",
            )
        said[row["item"]][row["judge"]] = (WORDS[row["grade"]], row.get("note") or row.get("reason") or "")
    if not said:
        raise InputError(f"{file.path}: expected statements that were judged in {labels.name!r}, found none")
    columns = tuple(dict.fromkeys((*file.columns, "judge", "note")))
    return replace(file, columns=columns, cells=tuple(_lines(file, said)))


def _lines(file: LabelFile, said: Mapping[str, Mapping[str, tuple[str, str]]]) -> Iterator[Mapping[str, str]]:
    """Yield the lines of a file, each statement once for each judge, those that people filled first."""
    kept: dict[str, list[Mapping[str, str]]] = defaultdict(list)
    for cells in file.cells:
        kept[cells["id"]].append(cells)
    for name, lines in kept.items():
        new = said.get(name, {})
        own = [cells for cells in lines if cells["label"].strip() and cells.get("judge", "") not in new]
        yield from own or ([] if new else lines[:1])
        for judge, (word, note) in sorted(new.items()):
            yield {**lines[0], "judge": judge, "label": word, "note": note}
