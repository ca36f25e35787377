"""The plugin of pytest: a regression test of retrieval is one line in a suite of yours.

    def test_retrieval(assay_gate):
        assay_gate("gold.qrels", "bm25.run", config="assay.toml")

`pytest --assay-update-baseline` makes what the tests see the baseline. Nothing but pytest is loaded before a test asks.
"""

import hashlib
import shutil
import tempfile
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn

import pytest

if TYPE_CHECKING:
    from assay.core.gate import Gate
    from assay.core.history import Recorded

UPDATE = "--assay-update-baseline"
TOLD = "assay gate"
"""The property of a test that holds what is said of it in the summary, and the heading there."""
WRITTEN = pytest.StashKey[str]()
"""The folder in which a test says which baseline it wrote; all processes of one run share it."""
SHARED = "assay_written"
"""Its name among what a process of pytest-xdist is told."""
TERMS = frozenset({"policy", "profile", "rel", "weights", "exclude", "corpus", "code", "seed"})
"""What may be said beside gold and run: the conventions of `evaluate`, the corpus and the revision of the code."""


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add the option that renews baselines."""
    parser.getgroup("assay").addoption(
        UPDATE, action="store_true", help="Make the runs that assay_gate is given the baselines, and decide nothing."
    )


def pytest_configure(config: pytest.Config) -> None:
    """Begin with no baseline written."""
    if config.getoption(UPDATE):
        told = getattr(config, "workerinput", {})
        config.stash[WRITTEN] = told[SHARED] if SHARED in told else tempfile.mkdtemp(prefix="assay-gate-")


@pytest.hookimpl(optionalhook=True)
def pytest_configure_node(node: Any) -> None:
    """Tell a process of pytest-xdist where tests say which baseline they wrote."""
    if WRITTEN in node.config.stash:
        node.workerinput[SHARED] = node.config.stash[WRITTEN]


def pytest_unconfigure(config: pytest.Config) -> None:
    """Remove what only this run needs."""
    if WRITTEN in config.stash and not hasattr(config, "workerinput"):
        shutil.rmtree(config.stash[WRITTEN], ignore_errors=True)


@pytest.fixture
def assay_gate(request: pytest.FixtureRequest) -> "AssayGate":
    """Hold a run against its baseline: assay_gate(GOLD, RUN, config="assay.toml")."""
    return AssayGate(request)


def pytest_terminal_summary(terminalreporter: Any) -> None:
    """Say what a passed test would hide: drops that are reported and not blocked, and baselines that are new."""
    lines = [
        f"{report.nodeid}: {said}"
        for reports in terminalreporter.stats.values()
        for report in reports
        if getattr(report, "when", "") == "call"
        for name, said in report.user_properties
        if name == TOLD
    ]
    if lines:
        terminalreporter.section(TOLD)
        for line in lines:
            terminalreporter.line(line)


class AssayGate:
    """What the fixture gives: called with gold and run, it fails the test unless the run may pass."""

    def __init__(self, request: pytest.FixtureRequest) -> None:
        self._node = request.node
        self._config = request.config
        self._calls = 0

    def __call__(
        self,
        gold: Any,
        run: Any = None,
        *,
        config: str = "assay.toml",
        queries: Mapping[str, str] | None = None,
        baseline: str | None = None,
        store: str | None = None,
        suite: str | None = None,
        accept: str | Iterable[str] = (),
        **options: Any,
    ) -> "Gate | None":
        """Hold a run against its baseline; fail the test where that blocks, or where nothing can be decided.

        Parameters
        ----------
        gold, run, **options
            As for `assay.evaluate`: files, mappings, frames; or for `run` a retriever, a callable `text -> ranked
            ids`. The result of any task, its JSON or an `Evaluation`, may stand for both. Relative paths begin at the
            root folder of pytest. Options are policy, profile, rel, weights, exclude; corpus, code, seed.
        queries
            `{query: text}` for a retriever; without them it is given the ids of the queries.
        config, baseline, store, suite, accept
            As for `assay history gate`.

        Returns the gate, with all its numbers; None where the run was made the baseline.
        """
        from assay.errors import AssayError

        self._calls += 1
        asked = {"baseline": self._path(baseline), "store": self._store(store), "suite": suite, **options}
        try:
            self._require_known(options)
            answers, settings = self._run(gold, run, queries), str(self._path(config))
            if not self._config.getoption(UPDATE):
                return self._held(self._path(gold), answers, settings, asked, accept)
            self._renew(self._path(gold), answers, settings, asked)
        except (AssayError, OSError) as error:
            said = f"assay gate: {error}"
        else:
            return None
        return self._fail(said)

    def _require_known(self, options: Iterable[str]) -> None:
        from assay.errors import UnknownNameError

        known = {*TERMS, "config", "queries", "baseline", "store", "suite", "accept"}
        for one in options:
            if one not in TERMS:
                raise UnknownNameError.of("option of assay_gate", one, sorted(known))

    def _held(self, gold: Any, run: Any, config: str, asked: dict[str, Any], accept: str | Iterable[str]) -> "Gate":
        from assay.core.gate import PASSED
        from assay.history.gate import gate
        from assay.report.gate import reasons
        from assay.report.gate_terminal import render

        found = gate(gold, run, config, accept=accept, **asked)
        if found.before is None:
            self._fail(
                f"assay gate: there is no baseline in {found.place.baseline} yet.\n"
                f"Run pytest {UPDATE} once, look at what it writes, and commit it."
            )
        if found.decision != PASSED:
            self._fail(render(found).replace("--update-baseline", UPDATE))
        if any((one.drop or 0) > 0 for one in found.checks) or found.fallen:
            self._tell(" ".join(reasons(found)))
        return found

    def _renew(self, gold: Any, run: Any, config: str, asked: dict[str, Any]) -> "Recorded":
        """Make the run the baseline; two tests that write the same file would hide one of them."""
        from assay.history.gate import baseline_place, update_baseline

        place = baseline_place(config, asked["baseline"], asked["store"], asked["suite"])
        other = self._written_by(place)
        if other is not None:
            self._fail(f"assay gate: {place} is the baseline of {other} already.\nGive one of them baseline=FILE.")
        made, _ = update_baseline(gold, run, config, **asked)
        self._tell(f"{place} holds {made.name} as the baseline now ({len(made.queries):,} queries).")
        return made

    def _written_by(self, place: str) -> str | None:
        """Return which other call wrote a baseline before, in whatever process; None where this one is the first."""
        name = hashlib.sha256(place.encode("utf-8", "surrogatepass")).hexdigest()
        own = self._node.nodeid if self._calls == 1 else f"call {self._calls} of {self._node.nodeid}"
        marker = Path(self._config.stash[WRITTEN], name)
        try:
            with marker.open("x", encoding="utf-8") as file:
                file.write(own)
        except FileExistsError:
            other = marker.read_text(encoding="utf-8") or "another test"
            return None if other == own else other
        return None

    def _run(self, gold: Any, run: Any, queries: Mapping[str, str] | None) -> Any:
        """Return the run; a retriever is asked here, with the texts of the queries."""
        if not isinstance(run, Callable):  # type: ignore[arg-type]
            return self._path(run)
        from assay.core.run import Run
        from assay.inputs import as_gold

        name = getattr(run, "__name__", type(run).__name__)
        known = as_gold(self._path(gold)).queries.to_list()
        return Run.from_callable(run, {one: (queries or {}).get(one, one) for one in known}, name=name)

    def _path(self, given: Any) -> Any:
        """Return a path as one below the root folder of pytest; anything else as it is."""
        return str(Path(self._config.rootpath, given)) if isinstance(given, str | Path) and str(given) != "-" else given

    def _store(self, store: str | None) -> str | None:
        return store if store is None or "://" in store else str(self._path(store))

    def _tell(self, said: str) -> None:
        self._node.user_properties.append((TOLD, said))

    def _fail(self, said: str) -> NoReturn:
        pytest.fail(said.rstrip(), pytrace=False)
