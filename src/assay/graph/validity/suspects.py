"""Statements that look wrong, by how unlike they are to others of their kind; and how far such a list can be trusted.

Nothing here says that a statement is wrong: it says where to look first. How good the list is on a graph, labels tell:
the list is then a run, the wrong statements are its gold, and P@K comes from the same measures as everywhere.
"""

import os
from collections.abc import Mapping

import numpy as np
import polars as pl

from assay.core.evaluation import Evaluation
from assay.core.gold import Gold
from assay.core.judged import Floats
from assay.core.policy import Policy
from assay.core.run import Run
from assay.core.suspects import SIGNS, Suspect, Suspects
from assay.errors import FormatError, InputError
from assay.evaluate import Measures, evaluate_all
from assay.formats.cells import mark_of, read_cells
from assay.formats.source import Source
from assay.graph.accuracy.label_file import OPEN, RIGHT, WRONG
from assay.graph.accuracy.statements import Statements
from assay.graph.validity.nodes import Nodes
from assay.graph.validity.signs import all_signs, surprise

Statement = tuple[str, str, str]
MEASURES = "P@{10,20,50,100} R@100 AP"
QUERY = "wrong statements"
PARTS = ("subject", "predicate", "object")


def rank_suspects(
    statements: Statements,
    labels: Mapping[Statement, bool] | None = None,
    *,
    most: int = 100,
    measures: Measures = MEASURES,
    name: str = "graph",
) -> Suspects:
    """Rank statements by how suspect they are.

    The score is the sum, over the signs, of -log10 of the share of all statements that show the sign as strongly: a
    sign that one statement in a thousand shows adds 3. Equal scores stand in the order of the statements.

    Parameters
    ----------
    statements
        What a graph states; statements about its schema (types, domains, classes) are never suspect.
    labels
        Which statements people found right (True) and wrong (False).
    most
        How many of the list to give.
    measures
        What the list is measured by, where there are labels.
    name
        What the graph is called.

    Raises
    ------
    InputError
        Labels of which the graph holds no statement.

    >>> rows = [(f"m{n}", "cost", str(10 + n % 3)) for n in range(20)] + [("m20", "cost", "9000")]
    >>> found = rank_suspects(Statements.of(rows))
    >>> found.suspected, found.suspects[0].statement
    (1, ('m20', 'cost', '9000'))
    """
    strengths = all_signs(Nodes.of(statements.rows))
    surprises = {sign: surprise(strength) for sign, strength in strengths.items()}
    scores = np.sum(list(surprises.values()), axis=0)
    known = {row: not right for row, right in (labels or {}).items()}
    suspected = int((scores > 0).sum())
    first = np.lexsort((np.arange(len(scores)), -scores))[: min(most, suspected)]
    suspects = tuple(
        Suspect(row := statements.rows[place], float(scores[place]), _shown(strengths, place), known.get(row))
        for place in first.tolist()
    )
    judged = [place for place, row in enumerate(statements.rows) if row in known]
    if known and not judged:
        raise InputError(
            f"labels: expected statements of {name}, found none of {len(known):,} in it",
            hint="terms are compared as written, IRIs in < > where the graph is RDF.",
        )
    wrong = [known[statements.rows[place]] for place in judged]
    quality = _quality({"all": scores} | surprises, judged, wrong, measures) if any(wrong) else ()
    return Suspects(
        name, len(statements), suspects, suspected, len(judged), sum(wrong), quality, _notices(known, judged, wrong)
    )


def _shown(strengths: Mapping[str, Floats], place: int) -> dict[str, float]:
    found = {sign: round(float(strengths[sign][place]), 6) for sign in SIGNS}
    return {sign: value for sign, value in sorted(found.items(), key=lambda pair: -pair[1]) if value}


def _quality(
    scores: Mapping[str, Floats], judged: list[int], wrong: list[bool], measures: Measures
) -> tuple[Evaluation, ...]:
    """Evaluate the list, and each sign that any of the labelled statements shows, as runs of one query."""
    rows = pl.DataFrame({"item": map(str, judged)}).with_columns(query=pl.lit(QUERY))
    gold = Gold.from_frame(rows.with_columns(grade=pl.Series(wrong).cast(pl.Int64)))
    shown = {name: values[judged] for name, values in scores.items() if name == "all" or values[judged].any()}
    runs = [
        Run.from_frame(rows.with_columns(score=pl.Series(values[judged])), name=name) for name, values in shown.items()
    ]
    return tuple(evaluate_all(gold, runs, measures, policy=Policy(ties="expected")))


def read_labels(path: str | os.PathLike[str]) -> dict[Statement, bool]:
    """Read which statements are right: a table with the columns subject, predicate, object and label.

    A label is 1, true, yes, right or correct; 0, false, no, wrong or incorrect; or empty. A label file of `assay graph
    sample` is such a table. A statement may come again with the same label.

    Raises
    ------
    InputError, FormatError
        No such file, a column that is missing, another word as a label, labels that contradict each other.
    """
    source = Source.open(path)
    text = source.text()
    rows = read_cells(text, source.path, mark_of(text))
    _, columns = next(rows)
    missing = [name for name in (*PARTS, "label") if name not in columns]
    if missing:
        raise InputError(f"{source.path}: expected a table of labels, found no column {', '.join(missing)}")
    found: dict[Statement, bool] = {}
    for line, cells in rows:
        row = dict.fromkeys(columns, "") | dict(zip(columns, cells, strict=False))
        said = row["label"].strip().lower()
        if said in OPEN:
            continue
        if said not in RIGHT | WRONG:
            raise FormatError.at(
                source.path, line, "expected right, wrong or nothing as a label", f"found {row['label']!r}"
            )
        subject, predicate, value = (row[name].removeprefix("'") for name in PARTS)
        if found.setdefault((subject, predicate, value), said in RIGHT) != (said in RIGHT):
            told = "found another than in a row before"
            raise FormatError.at(source.path, line, "expected one label of a statement", told)
    return found


def _notices(known: Mapping[Statement, bool], judged: list[int], wrong: list[bool]) -> tuple[str, ...]:
    absent = len(known) - len(judged)
    said = [f"{absent:,} labelled statements are not in the graph, and are left out."] if absent else []
    if judged and not any(wrong):
        said.append("No labelled statement is wrong: there is nothing that the list could find.")
    return tuple(said)
