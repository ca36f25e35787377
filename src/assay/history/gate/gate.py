"""`gate`: the verb. Gold, a run, settings and a baseline in; passed, blocked or cannot decide out."""

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from assay.core.gate import Gate, Place, Unlike
from assay.core.history import Recorded
from assay.errors import ParameterError
from assay.history.gate.baseline_file import query_lines, read_baseline, write_baseline
from assay.history.gate.chance import Material
from assay.history.gate.checks import checks_of, fallen_of, floors_of
from assay.history.gate.judged import Judged, judged
from assay.history.gate.likeness import differences, require_accepted
from assay.history.gate.nights import TAG, baseline_tag, looks_at, values_of
from assay.history.gate.scopes import queries_of
from assay.history.gate.settings import Settings, read_settings

if TYPE_CHECKING:
    from assay.store.evaluations import HistoryStore


@dataclass(frozen=True, slots=True)
class Places:
    """Where the baseline lies: a file, or the store; and the store of the looks of a nightly gate."""

    file: str | None
    store: str | None

    @classmethod
    def of(cls, settings: Settings, baseline: str | None, store: str | None) -> "Places":
        """Find them: what is given goes before what the settings say; without either it is a file beside them."""
        if baseline is None and store is not None and settings.baseline is None:
            return cls(None, store)
        file = baseline or settings.baseline
        store = store or settings.store
        return cls(file or (None if store else settings.default_baseline), store)

    @property
    def baseline(self) -> str:
        """Where the baseline is, as a reader may be told."""
        return self.file or _masked(self.store or "")


def gate(
    gold: Any,
    run: Any = None,
    config: str = "assay.toml",
    *,
    baseline: str | None = None,
    store: str | None = None,
    suite: str | None = None,
    accept: str | Iterable[str] = (),
    corpus: str | None = None,
    code: str | None = None,
    seed: int = 0,
    **options: Any,
) -> Gate:
    """Hold a run against a baseline, and say whether the change that made it may pass.

    A measure is blocked where it fell by more than `max_drop` *and* that is no chance: a paired, one-sided test of the
    differences, corrected by Holm over all measures and slices, has a p of at most alpha. It is also blocked where its
    figure lies below `min`, without any test. A query that fell to 0 is named, and blocks where the guard says so.
    Nothing is decided where gold, queries, corpus, conventions, excluded pairs or weights are not those of the
    baseline, where queries are too few, or lost the value that they had, or too few of the items that a measure looks
    at are judged. `min` and `max` need no baseline: beyond them it is blocked all the same.

    Parameters
    ----------
    gold, run, **options
        As for `evaluate`: files, mappings, frames, a callable; policy, profile, rel, weights, exclude. Or in the place
        of all of them one result: the JSON of any task, or an `Evaluation`, that has the measures of the settings.
    config
        The file of settings, with a table [gate].
    baseline, store, suite
        The file of the baseline, or the store and the suite whose baseline is pinned; each goes before the settings. By
        default it is a file beside the settings: assay.toml has assay.baseline.json.
    accept
        What may differ all the same: gold, queries, corpus, policy, exclude, weights, platform, code.
    corpus, code
        A file that stands for what was searched, and the revision of the system; by default that of the repository
        in this folder.
    seed
        Where chance starts.

    Where the settings say nightly, this look is kept in the store, and p is one that holds at every look.

    Raises
    ------
    AssayError
        Settings that mean nothing, inputs that cannot be read; the message says where.
    """
    accepted = frozenset([accept] if isinstance(accept, str) else accept)
    require_accepted(accepted)
    settings = read_settings(config)
    places = Places.of(settings, baseline, store)
    found = judged(gold, run, settings, options)
    slices = queries_of(settings, found.gold)
    now = found.recorded(suite or settings.suite, corpus, code, with_items=places.store is not None)
    with _opened(settings, places) as opened:
        before = _baseline(settings, places, opened, now.suite)
        unlike = tuple(_unlike(before, now, settings, found, (places, accepted)))
        place = _place(settings, places)
        begun = Gate(now.suite, now, before, settings.alpha, settings.test, 0, (), (), unlike, place)
        material = Material(before, now, settings, slices, found.names, seed=seed)
        if before is None or any(one.refused for one in unlike):
            return replace(begun, checks=floors_of(material))
        return _decided(begun, material, before, opened)


def _decided(begun: Gate, material: Material, before: Recorded, opened: "HistoryStore | None") -> Gate:
    """Return the gate with its checks; a nightly one keeps this look in the store."""
    settings, now = material.settings, material.now
    if not settings.nightly or opened is None:
        checks, family = checks_of(material)
        return replace(begun, checks=checks, family=family, fallen=fallen_of(material))
    if settings.is_fresh and (now.weights is not None or now.clusters is not None):
        raise ParameterError(f'{settings.path}: expected queries that count alike for nightly = "fresh", found weights')
    tag = baseline_tag(before)
    looks = looks_at(opened, now.suite, tag)
    queries = before.queries if settings.is_fresh else now.queries
    nights = values_of(opened, looks, material.names.values(), queries)
    checks, family = checks_of(replace(material, nights=nights))
    kept = opened.add(replace(now, made=replace(now.made, tags={TAG: tag})))
    return replace(
        begun, now=kept, checks=checks, family=family, fallen=fallen_of(material),
        nights=len(looks) % settings.horizon + 1, horizon=settings.horizon,
    )  # fmt: skip


def update_baseline(
    gold: Any,
    run: Any = None,
    config: str = "assay.toml",
    *,
    baseline: str | None = None,
    store: str | None = None,
    suite: str | None = None,
    corpus: str | None = None,
    code: str | None = None,
    **options: Any,
) -> tuple[Recorded, str]:
    """Make this run the baseline: write the file anew, or add it to the store and pin it; returns it and its place.

    Parameters and errors are those of `gate`.
    """
    settings = read_settings(config)
    places = Places.of(settings, baseline, store)
    found = judged(gold, run, settings, options)
    queries_of(settings, found.gold)
    now = found.recorded(suite or settings.suite, corpus, code, with_items=places.store is not None)
    return keep_baseline(now, places), places.baseline


def keep_baseline(now: Recorded, places: Places) -> Recorded:
    """Write the file of a baseline, or add it to the store and pin it."""
    if places.file is not None:
        write_baseline(now, places.file)
        return now
    from assay.store.evaluations import HistoryStore

    with HistoryStore.open(places.store or "") as opened:
        return opened.add(replace(now, baseline=True))


@contextmanager
def _opened(settings: Settings, places: Places) -> Iterator["HistoryStore | None"]:
    """Open the store where the baseline or the looks lie in it."""
    if settings.nightly and places.store is None:
        msg = f"{settings.path}: expected a store, in which a nightly gate keeps its looks, found none"
        raise ParameterError(msg, hint='store = "history.db" in [gate], or --store.')
    if places.store is None or (places.file is not None and not settings.nightly):
        yield None
        return
    from assay.store.evaluations import HistoryStore

    with HistoryStore.open(places.store, make=bool(settings.nightly)) as opened:
        yield opened


def _baseline(settings: Settings, places: Places, opened: "HistoryStore | None", suite: str) -> Recorded | None:
    if places.file is not None:
        return read_baseline(places.file)
    if opened is None or (settings.nightly and suite not in {one.name for one in opened.suites()}):
        return None  # the first night
    return opened.baseline(suite)


def _unlike(
    before: Recorded | None, now: Recorded, settings: Settings, found: Judged, where: tuple[Places, frozenset[str]]
) -> Iterator[Unlike]:
    """Yield what is not as it was when the baseline was made."""
    places, accepted = where
    if before is None:
        yield Unlike("baseline", None, places.baseline, refused=True)
    else:
        wanted = [found.names[str(measure)] for measure in settings.measures]
        yield from differences(before, now, wanted, set(settings.same) - accepted)


def _place(settings: Settings, places: Places) -> Place:
    lines = {scope.name: scope.line for scope in settings.scopes}
    known = query_lines(places.file) if places.file else {}
    return Place(settings.path, lines, places.baseline, known, stored=places.file is None)


def _masked(url: str) -> str:
    from assay.store.database import masked

    return masked(url)


def baseline_place(config: str, baseline: str | None = None, store: str | None = None, suite: str | None = None) -> str:
    """Return where the baseline lies that these settings name, as a reader may be told; of a store with the suite."""
    settings = read_settings(config)
    places = Places.of(settings, baseline, store)
    named = suite or settings.suite
    return places.baseline if places.file is not None or named is None else f"{places.baseline}, suite {named}"
