"""The HTML pages of link predictors, with the command and the files that they were made of."""

from collections.abc import Sequence
from dataclasses import fields, is_dataclass, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from assay.cli.links.asked import Asked
from assay.cli.verbs import SETTINGS

if TYPE_CHECKING:
    from assay.core.comparison import Comparison
    from assay.core.links import LinksEvaluation
    from assay.tasks.links.models.base import Model as LinkModel

FILES = ("train", "valid", "test", "entities", "relations", "names", "relation_names", "scores", "pykeen")


def page(found: "LinksEvaluation", inputs: list[tuple[str, str]], model: "LinkModel") -> str:
    """Return the page of one link predictor."""
    from assay.report.html.links import render

    return render(found, command=("assay", *SETTINGS.argv), inputs=inputs, convention=convention_of(model))


def convention_of(model: Any) -> str:
    """Say how a model scores a triple: in the words of its definition, with each convention that it was given.

    >>> from assay.tasks.links.models import DistMult, TransE
    >>> convention_of(TransE([[0.0], [1.0]], [[1.0]], norm=2))
    'Minus the distance between head plus relation and tail (norm 2, gamma 0.0)'
    >>> convention_of(DistMult([[0.0], [1.0]], [[1.0]]))
    'The product of head, relation and tail, summed over the dimensions'
    """
    says = (type(model).__doc__ or "").strip().split("\n")[0].rstrip(".")
    given = [(part.name, getattr(model, part.name)) for part in fields(model)] if is_dataclass(model) else []
    chosen = ", ".join(f"{name} {value}" for name, value in given if isinstance(value, str | int | float))
    return f"{says} ({chosen})" if chosen else says


def inputs_of(asked: Asked, *more: tuple[str, str]) -> list[tuple[str, str]]:
    """Return the files that were named, each by what it is; of one that holds several arrays, the file once."""
    from assay.cli.links.models import split_key
    from assay.tasks.links.embedding_shards import shard_files

    given = {part.name: getattr(asked, part.name) for part in fields(asked) if part.name in FILES}
    paths = [
        (name.replace("_", " "), file)
        for name in FILES
        for path in ([given[name]] if isinstance(given[name], str) else given[name] or ())
        for file in (name == "entities" and shard_files(split_key(path)[0])) or [split_key(path)[0]]
    ]
    return list(dict.fromkeys([*paths, *more]))


def page_of_comparison(found: "Comparison", protocol: str, paths: Sequence[str]) -> str:
    """Return a comparison as the page that `assay report` makes of runs, each mean with its interval."""
    from assay.core.dossier import Dossier
    from assay.formats.source import file_digest
    from assay.report.html import render
    from assay.tasks.links.intervals import with_link_intervals

    evaluations = tuple(
        replace(with_link_intervals(one, found.level, found.seed), path=path, digest=partial(file_digest, Path(path)))
        for one, path in zip(found.evaluations, paths, strict=True)
    )
    title = f"{', '.join(found.labels)} by {protocol} ranks"
    command = ("assay", *SETTINGS.argv)
    whole = Dossier(
        title, evaluations, found.labels, found, (), (), slices=found.slices, command=command, seed=found.seed
    )
    return render(whole)
