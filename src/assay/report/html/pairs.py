"""Contrasts as a page shows them: each run held against the baseline, whichever way round they were tested."""

from dataclasses import replace

from assay.core.comparison import BETTER, WORSE, Comparison, Contrast, Mover

TURNED = {BETTER: WORSE, WORSE: BETTER}


def against_baseline(comparison: Comparison, measure: str) -> list[Contrast]:
    """Return the contrasts of one measure that involve the baseline, each as run held against it."""
    found = []
    for contrast in comparison.of(measure):
        if contrast.baseline == comparison.baseline:
            found.append(contrast)
        elif contrast.run == comparison.baseline:
            found.append(turned(contrast))
    return found


def turned(contrast: Contrast) -> Contrast:
    """Return the same contrast seen from the other run."""
    between = contrast.interval
    return replace(
        contrast,
        run=contrast.baseline,
        baseline=contrast.run,
        mean=contrast.baseline_mean,
        baseline_mean=contrast.mean,
        difference=_negative(contrast.difference),
        interval=replace(between, low=_negative(between.high), high=_negative(between.low)),
        effect=_negative(contrast.effect),
        wins=contrast.losses,
        losses=contrast.wins,
        verdict=TURNED.get(contrast.verdict, contrast.verdict),
        margin=None,
        helped=tuple(map(_back, contrast.hurt)),
        hurt=tuple(map(_back, contrast.helped)),
    )


def _back(mover: Mover) -> Mover:
    ranks, grades = (mover.ranks_after, mover.ranks_before), (mover.grades_after, mover.grades_before)
    return Mover(mover.query, mover.after, mover.before, *ranks, *grades)


def _negative(value: float | None) -> float | None:
    return None if value is None else -value
