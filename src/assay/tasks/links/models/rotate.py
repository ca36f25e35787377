"""RotatE: a relation turns the head into the tail."""

import math
from dataclasses import dataclass
from functools import cached_property
from typing import Any, ClassVar, Literal

import numpy as np

from assay.core.judged import Floats, Ints
from assay.engines.blocks import Kind, Matrix
from assay.tasks.links.models.base import VectorModel, float64, model
from assay.tasks.links.models.layouts import (
    Complex,
    Layout,
    complex_array,
    complex_copy,
    real_view,
    to_complex,
    to_real,
    width,
)
from assay.tasks.links.models.shapes import numbers, one_of, refused
from assay.tasks.links.protocol import Side

UNIT = 1e-3
"""How far the modulus of a stored rotation may be from 1."""


@model("rotate")
@dataclass(frozen=True, eq=False)
class RotatE(VectorModel):
    r"""Minus the distance between the turned head and the tail, over complex numbers.

    $$ f(h, r, t) = \gamma - \sum_i | h_i r_i - t_i | \quad (\text{modulus}), \qquad
       f(h, r, t) = \gamma - \sqrt{\sum_i | h_i r_i - t_i |^2} \quad (\text{l2}), \qquad |r_i| = 1 $$

    `norm` is "modulus" (the paper, its program, DGL-KE) or "l2" (PyKEEN, PyTorch Geometric); their ranks differ.
    Entities as in ComplEx, with `layout` where they are real. Relations are complex numbers of modulus 1
    (brought to it exactly), in the same layout where they are real and twice as wide, or angles of the shape
    (relations, d), of which one unit is `radians`: see `paper_radians`. `gamma` moves all scores alike.
    Source: Sun et al. 2019, RotatE: Knowledge Graph Embedding by Relational Rotation in Complex Space.

    >>> RotatE([[1 + 0j, 2], [1j, 2]], [[1j, 1]], norm="l2").by_the_book([0, 1], [0, 0], [1, 0]).tolist()
    [0.0, -2.0]
    """

    doubled: ClassVar[tuple[str, ...]] = ("entity", "relation")
    choices: ClassVar[dict[str, tuple[Any, ...]]] = {
        "norm": ("modulus", "l2"),
        "layout": ("halves", "interleaved"),
    }

    layout: Layout | None = None
    norm: Literal["modulus", "l2"] = "modulus"
    gamma: float = 0.0
    radians: float = 1.0

    def __post_init__(self) -> None:
        one_of(self.name, "norm", self.norm, ("modulus", "l2"))
        entity = complex_array(self.name, "entity vectors", self.entity, self.layout)
        relation = numbers(self.name, "relation vectors", self.relation, complex_too=True)
        self._take(entity=entity, relation=relation)
        size = np.abs(self._given)
        if not np.all(np.abs(size - 1) <= UNIT):
            worst = size.flat[np.argmax(np.nan_to_num(np.abs(size - 1), nan=np.inf))]
            hint = "a rotation has modulus 1; angles are one real number for each complex number of an entity."
            raise refused(self.name, "relations of modulus 1", f"modulus {worst:.6g}", hint=hint)

    @cached_property
    def _given(self) -> Complex:
        """The relations as complex numbers, shape (relations, d)."""
        if self.relation.dtype.kind != "c" and self.relation.shape[1] == width(self.entity):
            angles: Complex = np.exp(1j * self.radians * float64(self.relation))
            return angles
        turns = to_complex(complex_array(self.name, "relation vectors", self.relation, self.layout), self.layout)
        if turns.shape[1] != width(self.entity):
            wanted = f"relation vectors of {width(self.entity)} complex numbers or angles, as the entity vectors"
            raise refused(self.name, wanted, f"shape {self.relation.shape} of {self.relation.dtype}")
        return turns

    @cached_property
    def _turns(self) -> Complex:
        """The relations with modulus 1."""
        return self._given / np.abs(self._given)

    @cached_property
    def _complex(self) -> Matrix:
        """The entity vectors as complex numbers; a copy where they are stored as real ones."""
        return complex_copy(self.entity, self.layout)

    @property
    def name(self) -> str:
        """The name with the norm, as the command line has it."""
        return self.registered if self.norm == "modulus" else f"{self.registered}-{self.norm}"

    @property
    def offset(self) -> float:
        """The margin."""
        return self.gamma

    @property
    def kind(self) -> Kind:
        """The sum of moduli, or the distance of real and imaginary parts."""
        return self.norm

    def candidates(self, side: Side) -> Matrix:
        """Return the entity vectors as complex numbers for sums of moduli, else as real ones."""
        del side
        return self._complex if self.norm == "modulus" else real_view(self.entity)

    def query(self, side: Side, entity: Ints, relation: Ints) -> Matrix:
        """Return h r for the tail, t / r for the head: turning back keeps every distance."""
        turn = self._turns[relation]
        vectors = to_complex(self.entity[entity], self.layout) * (turn if side == "tail" else turn.conj())
        if self.norm == "modulus":
            return vectors
        return to_real(vectors, None if self.entity.dtype.kind == "c" else self.layout)

    def by_the_book(self, head: Ints, relation: Ints, tail: Ints) -> Floats:
        """Return γ - Σ|h r - t|, or γ - √Σ|h r - t|²."""
        h, t = to_complex(self.entity[head], self.layout), to_complex(self.entity[tail], self.layout)
        gaps = np.abs(h * self._turns[relation] - t)
        if self.norm == "modulus":
            return float64(self.gamma - gaps.sum(axis=1))
        return float64(self.gamma - np.sqrt(np.sum(gaps * gaps, axis=1)))


def paper_radians(width: int, gamma: float) -> float:
    """Return `radians` for angles as the paper's program and DGL-KE store them: π d / (γ + 2), d the `width`.

    >>> round(paper_radians(1000, 24.0), 6)
    120.830487
    """
    return math.pi * width / (gamma + 2.0)
