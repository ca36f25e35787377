"""The verb: find the inputs, check their digests, evaluate again, and say what differs."""

import os
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from types import MappingProxyType
from typing import Any

from assay._version import __version__
from assay.core.evaluation import Evaluation
from assay.core.profiles import Profile
from assay.core.verification import FigureCheck, InputCheck, Verification
from assay.errors import AssayError, InputError, ParameterError
from assay.evaluate import evaluate
from assay.formats import read_gold, read_run
from assay.formats.datasets import Dataset, digest_of
from assay.verify.commands import Again, verify_command
from assay.verify.document import Document, Recorded, RecordedRun, document_of, read_result

PathLike = str | os.PathLike[str]
NOTHING: Mapping[str, Again] = MappingProxyType({})
GROUPS = ("links", "neighbours")
"""The first words of verbs whose results are no evaluation of runs by a gold standard alone."""


def verify(
    result_path: PathLike,
    gold: PathLike | None = None,
    run: PathLike | Sequence[PathLike] | None = None,
    *,
    again: Mapping[str, Again] = NOTHING,
) -> Verification:
    """Compute a published result again and say what differs.

    Parameters
    ----------
    result_path
        JSON made by `assay evaluate -o json`.
    gold, run
        Where the inputs lie now; without, they are looked for where the result says, from the current folder
        or from that of the result. Several runs are given in the order of the result.

    Only the files that the result or you name are read. The conventions and measures are those of the result,
    as they were asked for.

    again
        How other verbs, such as "links evaluate", compute their results again: by their recorded command. Only
        `assay verify`, the command, knows any.

    Raises
    ------
    InputError
        A result that is no such JSON. Inputs that are missing or changed are part of the answer instead.
    """
    part = read_result(result_path)
    verb = " ".join([word for word in part.command() if word[:1] != "-"][:2])
    if verb in again:
        if gold is not None or run is not None:
            msg = f"{part.file}: expected no other files, since the command of the result names its own, found some"
            raise ParameterError(msg)
        return verify_command(part, verb, again[verb])
    if verb.split(" ")[0] in GROUPS:
        known = " or ".join(f"assay {one}" for one in ("evaluate", *again))
        hint = None if again else "the command assay verify computes some results of links and neighbours again."
        raise InputError(f"{part.file}: expected a result of {known}, found one of assay {verb}", hint=hint)
    document = document_of(part)
    inputs = _Inputs(document, gold, _given_runs(document, run))
    checks = list(inputs.checks())
    figures: list[FigureCheck] = []
    problems: list[str] = []
    for recorded, path in zip(document.runs, inputs.runs, strict=True):
        try:
            found = _again(document, recorded, inputs, path)
        except AssayError as problem:
            problems.append(f"{recorded.name} could not be computed: {problem.message}")
        else:
            figures += _compared(recorded, found)
    return Verification(document.path, (document.version, __version__), tuple(checks), tuple(figures), tuple(problems))


def _given_runs(document: Document, run: PathLike | Sequence[PathLike] | None) -> list[str] | None:
    if run is None:
        return None
    paths = [os.fspath(one) for one in ([run] if isinstance(run, str | os.PathLike) else run)]
    if len(paths) != len(document.runs):
        msg = f"{document.path}: expected {len(document.runs)} runs, in the order of the result, found {len(paths)}"
        raise ParameterError(msg)
    return paths


class _Inputs:
    """The files of a result: where they lie now, None where they were not found."""

    def __init__(self, document: Document, gold: PathLike | None, runs: list[str] | None) -> None:
        self.document = document
        self.folder = Path(document.path).parent
        self.gold = self._found(document.gold, gold)
        self.runs = [self._found(one.source, runs[i] if runs else None) for i, one in enumerate(document.runs)]
        self.weights = self._found(document.weights)
        self.exclude = self._found(document.exclude)

    def checks(self) -> Iterator[InputCheck]:
        """Yield the digest of each input beside the recorded one."""
        yield _checked("gold", self.document.gold, self.gold)
        for one, path in zip(self.document.runs, self.runs, strict=True):
            yield _checked(f"run {one.name}", one.source, path)
        for role, recorded, path in (
            ("weights", self.document.weights, self.weights),
            ("exclude", self.document.exclude, self.exclude),
        ):
            if recorded is not None:
                yield _checked(role, recorded, path)

    def _found(self, recorded: Recorded | None, given: PathLike | None = None) -> str | None:
        if given is not None:
            return os.fspath(given)
        if recorded is None or recorded.path is None:
            return None
        places = (Path(recorded.path), self.folder / recorded.path)
        return next((os.fspath(place) for place in places if _is_there(place)), None)


def _is_there(place: Path) -> bool:
    try:
        return place.is_file() or Dataset.find(place) is not None
    except (OSError, ValueError):  # a name that no file can have, or a folder without files
        return False


def _checked(role: str, recorded: Recorded, path: str | None) -> InputCheck:
    if path is None:
        return InputCheck(role, recorded.path, recorded.sha256, None, "missing")
    try:
        digest = digest_of(path)
    except InputError:
        return InputCheck(role, path, recorded.sha256, None, "missing")
    if recorded.sha256 is None:
        return InputCheck(role, path, None, digest, "unknown")
    return InputCheck(role, path, recorded.sha256, digest, "same" if digest == recorded.sha256 else "changed")


def _again(document: Document, recorded: RecordedRun, inputs: _Inputs, path: str | None) -> Evaluation:
    """Evaluate one run as the result says it was."""
    for role, known, found in (
        ("the gold standard", document.gold, inputs.gold),
        ("the run", recorded.source, path),
        ("the weights", document.weights, inputs.weights),
        ("the excluded pairs", document.exclude, inputs.exclude),
    ):
        if known is not None and found is None:
            msg = (
                f"{role} was not found at {known.path!r}" if known.path else f"{role} came from memory, not from a file"
            )
            raise InputError(msg)
    gold = read_gold(inputs.gold, document.gold.format)  # type: ignore[arg-type]
    run = read_run(path, recorded.source.format, recorded.name)  # type: ignore[arg-type]
    return evaluate(
        gold,
        run,
        [figure.requested for figure in recorded.figures],
        rel=document.rel,
        weights=inputs.weights,
        exclude=inputs.exclude,
        tie_range=document.tie_range,
        aggregate=document.aggregate,  # type: ignore[arg-type]  # evaluate checks it
        **_conventions(document),
    )


def _conventions(document: Document) -> dict[str, Any]:
    """Return the policy, or the profile with the fields that were said outright."""
    if document.profile is None:
        return {"policy": document.policy}
    profile: Profile = document.profile
    own = profile.policy.to_dict()
    said = {name: value for name, value in document.policy.to_dict().items() if value != own[name]}
    return {"profile": profile.but(**said)}


def _compared(recorded: RecordedRun, again: Evaluation) -> Iterator[FigureCheck]:
    values: dict[str, dict[str, float | None]] = {}
    for measure, query, value in again.per_query.select("measure", "query", "value").iter_rows():
        values.setdefault(measure, {})[query] = value
    by_request = {figure.requested: figure for figure in again.figures}
    means = again.mean
    for figure in recorded.figures:
        name, note = figure.name, ""
        if name not in means:
            name = by_request[figure.requested].name if figure.requested in by_request else name
            note = f"it is now called {name}"
        found = means.get(name)
        queries = _differing(recorded, figure.name, values.get(name, {}))
        same = not note and found == figure.mean and not queries
        yield FigureCheck(recorded.name, figure.name, figure.mean, found, same, queries, note)


def _differing(recorded: RecordedRun, measure: str, values: dict[str, float | None]) -> tuple[str, ...]:
    """Return the queries whose value is not the recorded one, where values were recorded."""
    if recorded.per_query is None:
        return ()
    theirs = {query: found[measure] for query, found in recorded.per_query.items() if measure in found}
    queries = {*theirs, *values}
    return tuple(sorted(q for q in queries if q not in theirs or q not in values or theirs[q] != values[q]))
