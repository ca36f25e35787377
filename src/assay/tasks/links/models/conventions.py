"""Whether a model scores as the program that trained it did, and which convention would."""

from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass, replace
from itertools import product
from typing import Any, get_args

import numpy as np
from numpy.typing import ArrayLike

from assay.core.judged import Floats
from assay.errors import ParameterError
from assay.tasks.links.models.base import EmbeddedModel, Model
from assay.tasks.links.models.decoder import Decoder
from assay.tasks.links.models.reciprocal import Order, Reciprocal

READINGS: dict[str, Callable[[Floats], Floats]] = {
    "": lambda score: score,
    "negated (a distance)": lambda score: -score,
    "squared distance": lambda score: -np.square(score),
    "through a sigmoid": lambda score: 1 / (1 + np.exp(-np.clip(score, -700, 700))),
}
"""What a program may do with a score before it shows it."""


@dataclass(frozen=True, slots=True)
class Fit:
    """One convention that gives the sample's scores.

    `options` are the fields of the model that differ from how it was given, `reading` what the program did with
    the score afterwards, `constant` what it added (its margin), and `difference` the largest one left.
    """

    options: dict[str, Any]
    reading: str
    constant: float
    difference: float

    @property
    def exact(self) -> bool:
        """Whether the model fits as it was given."""
        return not self.options and not self.reading and not self.constant

    def __str__(self) -> str:
        said = [f"{name}={value!r}" for name, value in self.options.items()]
        said += [self.reading] if self.reading else []
        said += [f"gamma {self.constant:+.6g}"] if self.constant else []
        return ", ".join(said) or "as given"


def fits(model: Model, triples: ArrayLike, scores: ArrayLike, tolerance: float = 1e-5) -> tuple[Fit, ...]:
    """Return the known conventions that give these scores, those nearest to the model as it is first.

    `triples` are numbers of shape (n, 3), head, relation, tail; `scores` what the training program gave for them,
    shape (n,). A score fits within `tolerance` times the largest score, at least 1. Three triples can tell a
    constant from a convention; a hundred tell all of them apart.

    Raises
    ------
    ParameterError
        Fewer than three triples, another number of scores, a score that is no finite number, an unknown number.
    """
    rows, given = _sample(model, triples, scores)
    allowed = tolerance * max(1.0, float(np.abs(given).max()))
    found = []
    for options, other in _variants(model):
        for reading, change in READINGS.items():
            apart = given - change(other.by_the_book(*rows.T))
            constant = 0.0 if np.abs(apart).max() <= allowed else float(np.median(apart))
            difference = float(np.abs(apart - constant).max())
            if difference <= allowed:
                found.append(Fit(options, reading, constant, difference))
    return tuple(sorted(found, key=lambda fit: len(fit.options) + bool(fit.reading) + bool(fit.constant)))


def verify(model: Model, triples: ArrayLike, scores: ArrayLike, tolerance: float = 1e-5) -> Fit:
    """Return how well the model gives these scores; raise ParameterError where it does not, naming what would.

    See `fits` for the sample and the tolerance.

    >>> from assay.tasks.links.models import TransE
    >>> model = TransE([[0.0, 0.0], [3.0, 4.0]], [[0.0, 0.0], [3.0, 0.0]], norm=1)
    >>> verify(model, [(0, 0, 1), (0, 1, 1), (1, 0, 0)], [-5.0, -4.0, -5.0])
    Traceback (most recent call last):
    ...
    assay.errors.ParameterError: model transe-l1: expected the scores of 3 triples within 1e-05, found a difference of 2
    Hint: they fit with norm=2.
    """
    known = fits(model, triples, scores, tolerance)
    exact = next((fit for fit in known if fit.exact), None)
    if exact is not None:
        return exact
    rows, given = _sample(model, triples, scores)
    apart = float(np.abs(given - model.by_the_book(*rows.T)).max())
    msg = (
        f"model {model.name}: expected the scores of {len(rows)} triples within {tolerance:g}, "
        f"found a difference of {apart:.6g}"
    )
    near = "; or ".join(str(fit) for fit in known[:3])
    hint = f"they fit with {near}." if near else "no known convention of this model fits: another model, or other rows?"
    raise ParameterError(msg, hint=hint)


def _variants(model: Model) -> Iterator[tuple[dict[str, Any], Model]]:
    """Yield the model as it is and under every convention in which programs differ."""
    yield {}, model
    if isinstance(model, Reciprocal):
        for order in get_args(Order):
            if order != model.order:
                yield {"order": order}, replace(model, order=order)
        return
    if not isinstance(model, EmbeddedModel):
        return
    for values in product(*model.choices.values()):
        said = zip(model.choices, values, strict=True)
        options = {name: value for name, value in said if value != getattr(model, name)}
        if not options:
            continue
        with suppress(ParameterError):
            other = replace(model, **options)
            if _tells(other, options):
                yield options, other


def _tells(model: EmbeddedModel, options: dict[str, Any]) -> bool:
    """Tell whether options change a score: a layout only of real numbers, a norm only of distances."""
    if "layout" in options and model.entity.dtype.kind == "c":
        return False
    return not (isinstance(model, Decoder) and "norm" in options and model.form != "transe")


def _sample(model: Model, triples: ArrayLike, scores: ArrayLike) -> tuple[Any, Floats]:
    rows, given = np.asarray(triples), np.asarray(scores, np.float64)
    if rows.ndim != 2 or rows.shape[1] != 3 or len(rows) < 3 or given.shape != (len(rows),):
        msg = f"sample of model {model.name}: expected at least 3 triples and a score for each"
        raise ParameterError(f"{msg}, found shapes {rows.shape} and {given.shape}")
    if not np.isfinite(given).all():
        msg = f"sample of model {model.name}: expected finite scores, found {int((~np.isfinite(given)).sum())} others"
        raise ParameterError(msg)
    model.check(rows[:, [0, 2]], rows[:, 1])
    return rows.astype(np.int64), given
