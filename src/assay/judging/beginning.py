"""Beginning a judging project, or going on with the one that is there."""

import os
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from assay.core.judging import Guideline, Project
from assay.errors import InputError, ParameterError
from assay.judging.pool_file import read_pairs
from assay.judging.scales import USUAL
from assay.store.judging import JudgingStore


def begin(
    store: JudgingStore,
    pool: str | os.PathLike[str] | None = None,
    *,
    queries: str | os.PathLike[str] | None = None,
    documents: str | os.PathLike[str] | None = None,
    guideline: str | None = None,
    **terms: Any,
) -> tuple[Project, int]:
    """Make a project of a pool in a store; returns it and how many pairs are new.

    `terms` are those of `Project` (material, scale, judgments, overlap, seed, name). A store that has a project keeps
    its terms; pairs that it does not have yet are added, and another guideline is a new version.

    Raises
    ------
    InputError
        A store without a project and no pool; a project that began with other terms.
    ParameterError
        Fewer than one judgment of a pair, an overlap that is no share.
    """
    there = store.project
    _check(terms)
    if pool is None:
        if there is None:
            raise InputError("judging: expected a project in the store or a pool to begin one, found neither")
        store.create(replace(there, **terms))
        return _revised(store, guideline), 0
    known = there.material if there else None
    material, pairs = read_pairs(pool, queries, documents, terms.pop("material", None) or known)
    new = _terms(Path(pool).name.partition(".")[0], terms | {"material": material})
    begun = (
        replace(there, **terms, material=material) if there else Project(**new, guideline=Guideline(1, guideline or ""))
    )
    added = store.create(begun, pairs)
    return _revised(store, guideline), added


def _terms(name: str, given: Mapping[str, Any]) -> dict[str, Any]:
    return {"name": name, "scale": USUAL[given["material"]], **given}


def _revised(store: JudgingStore, guideline: str | None) -> Project:
    if guideline is not None:
        store.revise(guideline)
    found = store.project
    if found is None:
        raise InputError("judging: expected a project in the store, found none")
    return found


def _check(terms: Mapping[str, Any]) -> None:
    if terms.get("judgments", 1) < 1:
        raise ParameterError(f"judgments: expected 1 or more, found {terms['judgments']}")
    if not 0 <= terms.get("overlap", 0) <= 1:
        raise ParameterError(f"overlap: expected a share from 0 to 1, found {terms['overlap']}")
