"""Statements with a known share of right ones, and label files drawn from them."""

import csv
import io

from assay.graph.accuracy.draws import design_of, draw
from assay.graph.accuracy.label_file import LabelFile
from assay.graph.accuracy.statements import Statements

KINDS = ["simple", "cluster", "stratified"]
STATEMENTS = Statements.of(
    (f"s{subject}", f"p{number % 2}", f"=o{number}") for subject in range(50) for number in range(1 + subject % 5)
)


def is_right(statement):
    """A statement is wrong by its subject, mostly."""
    return not (statement[0].endswith("3") or statement == ("s4", "p0", "=o2"))


def drawing(folder):
    """Return what writes a label file, each row filled by `label(row)`, and returns its path."""

    def write(label=None, kind="simple", size=60, name="labels.csv", seed=0, **options):
        design = design_of(STATEMENTS, kind, seed=seed, **options)
        rows = list(csv.DictReader(io.StringIO(LabelFile.of(design, draw(STATEMENTS, design, size)).text())))
        return filled(folder / name, rows, label or (lambda row: "right" if is_right(said(row)) else "wrong"))

    return write


def said(row):
    return row["subject"], row["predicate"], row["object"].removeprefix("'")


def filled(path, rows, label=None):
    for row in rows:
        row["label"] = row["label"] if label is None else label(row)
    with path.open("w", newline="") as file:
        writer = csv.DictWriter(file, rows[0].keys())
        writer.writeheader()
        writer.writerows(rows)
    return path


def rows_of(path):
    with path.open(newline="") as file:
        return list(csv.DictReader(file))
