"""The stages of a pipeline for the terminal and for tables: what each brings, where questions are lost, the answers."""

from collections.abc import Iterator

import polars as pl

from assay.core.estimates import Interval
from assay.core.rag_stages import Answers, Named, Stage, Stages
from assay.report.amounts import counted, percent
from assay.report.drawing import Table, listed, wrapped
from assay.report.grid import UNDEFINED, number
from assay.report.names import visible

WRONG = "a proof, answered wrong"
NAMED = 3
"""So many questions are named beside a count; JSON holds more."""


def render(found: Stages, *, width: int = 80, colour: bool = False) -> str:
    """Return the result as text, no line wider than `width` where it can be broken."""
    rule = found.matching["rule"]
    head = (
        f"{counted(found.questions, 'question')}; one item: a {found.unit}; retrieved and "
        f"needed ones are matched by {rule}"
    )
    parts = [wrapped(head, width)]
    for title, table in _tables(found):
        parts.append(f"{wrapped(title, width)}\n{table.fitted(width, ('Complete', 'such as')).draw(colour=colour)}")
    if found.answers:
        parts.append(listed(_faults(found.answers), width))
    parts.append("HOW TO READ THIS\n" + listed(_reading(found), width))
    return "\n\n".join(part.rstrip("\n") for part in parts) + "\n"


def to_frame(found: Stages) -> pl.DataFrame:
    """Return a row for each place at which questions are lost, and one for those that reach the end."""
    schema: dict[str, type[pl.DataType]] = {
        "place": pl.String, "k": pl.Int64, "questions": pl.Int64, "lost": pl.Int64, "share": pl.Float64,
        "right_anyway": pl.Int64, "deducible": pl.Float64, "recall": pl.Float64, "ceiling": pl.Float64,
    }  # fmt: skip
    known = {stage.name: stage for stage in found.stages}
    rows = [
        {
            "place": loss.place, "questions": found.questions, "lost": loss.lost.questions, "share": loss.lost.share,
            "right_anyway": loss.right, **(_of_stage(known[loss.place]) if loss.place in known else {}),
        }
        for loss in found.losses
    ]  # fmt: skip
    end = {"place": "reached", "questions": found.questions, "lost": found.reached.questions}
    return pl.DataFrame([*rows, end | {"share": found.reached.share}], schema=schema)


def _of_stage(stage: Stage) -> dict[str, float | int | None]:
    proof, _, recall = stage.figures
    return {"k": stage.k, "deducible": proof.mean, "recall": recall.mean, "ceiling": stage.ceiling}


def _tables(found: Stages) -> Iterator[tuple[str, Table]]:
    yield "WHAT EACH STAGE BRINGS, in the mean over questions", _stages(found)
    yield "WHERE QUESTIONS ARE LOST, each at one place", _losses(found)
    if found.answers:
        last = found.stages[-1]
        yield f"ANSWERS, by whether the first {last.k} of {visible(last.name)} hold a proof", _answers(found.answers)


def _stages(found: Stages) -> Table:
    level = percent(found.level, None)
    rows = []
    for stage in found.stages:
        proof, every, recall = stage.figures
        lost, gained = (("" if one is None else f"{one.questions:,}") for one in (stage.lost, stage.gained))
        ceiling = "" if stage.ceiling is None else number(stage.ceiling)
        rows.append((
            visible(stage.name), f"{stage.k:,}", number(proof.mean), _ends(proof.interval), number(every.mean),
            number(recall.mean), ceiling, lost, gained,
        ))  # fmt: skip
    heads = ("stage", "K", "Deducible", f"[{level}]", "Complete", "R", "at most", "lost", "gained")
    last = 6 if len(found.stages) == 1 else len(heads)
    return Table(heads[:last], tuple(row[:last] for row in rows))


def _losses(found: Stages) -> Table:
    judged = found.answers is not None
    depth = {stage.name: stage.k for stage in found.stages}
    rows = [
        (
            f"no proof in {visible(loss.place)}@{depth[loss.place]}" if loss.place in depth else WRONG,
            *_counted(loss.lost),
            "" if loss.right is None or loss.place not in depth else f"{loss.right:,}",
            _such_as(loss.lost),
        )
        for loss in found.losses
    ]  # fmt: skip
    end = "a proof, answered right" if judged else "a proof at the end"
    rows.append((end, *_counted(found.reached), "", _such_as(found.reached)))
    heads = ("place", "questions", "share", "right anyway", "such as")
    table = Table(heads, tuple(rows), frozenset({"such as"}))
    return table if judged else table.without("right anyway")


def _answers(found: Answers) -> Table:
    rows = tuple(
        (name, f"{one.questions:,}", f"{one.right:,}", number(one.mean), _ends(one.interval))
        for name, one in (("with a proof", found.proven), ("without a proof", found.unproven), ("all", found.all))
    )
    heads = ("answers", "questions", "right", "correctness", f"[{percent(found.all.interval.level, None)}]")
    return Table(heads, rows)


def _faults(found: Answers) -> Iterator[str]:
    """Yield the two ways in which proof and answer do not go together."""
    for name, one, of in (
        ("omissions, wrong although a proof was there", found.omissions, "with a proof"),
        ("unsupported, right without a proof", found.unsupported, "without a proof"),
    ):
        count, share = _counted(one)
        shown = f", such as {_such_as(one)}" if one.examples else ""
        yield f"{name}: {count} of {one.of:,} {of} ({share}){shown}"


def _ends(found: Interval | None) -> str:
    return UNDEFINED if found is None or found.low is None else f"[{number(found.low)}, {number(found.high)}]"


def _counted(one: Named) -> tuple[str, str]:
    return f"{one.questions:,}", percent(one.share)


def _such_as(one: Named) -> str:
    shown = ", ".join(visible(query) for query in one.examples[:NAMED])
    return shown if len(shown) <= 30 else f"{shown[:29]}…"


def _reading(found: Stages) -> Iterator[str]:
    yield "Deducible: the share of questions with a complete proof in the first K items. Complete: with all needed."
    if len(found.stages) > 1:
        yield "at most: R of the best order of what the stage before brings. lost, gained: proofs, against that stage."
        yield "A question is lost at the stage from which on it has no proof, or at the answer."
    if found.answers:
        yield "An omission is for the answering part to mend; an unsupported answer is known otherwise, or guessed."
        yield f"An answer is right from a correctness of {found.answers.threshold:g} on."
    if found.left_out:
        yield f"Left out: {counted(found.left_out, 'question')} that need nothing."
    yield from found.notices
