"""`Evaluation`: the result of judging one run by one gold standard, with everything needed to trust it."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

import polars as pl

from assay.core.beside import Beside
from assay.core.estimates import Interval
from assay.core.facts import GoldFacts, Options, RunAudit
from assay.core.judged import Judged
from assay.core.policy import Policy
from assay.core.sample import Sample
from assay.core.scores import Scores
from assay.core.shown import framed, listed, number, paragraph, table
from assay.errors import UnsupportedError


@dataclass(frozen=True, slots=True)
class Figure:
    """One measure of one run: its mean, over how many queries, and for how many it is undefined.

    `pessimistic` and `optimistic` are the figure under the worst and the best order of tied items, where
    the range was asked for; `interval` says how sure the figure is, where that was.
    """

    name: str
    requested: str
    mean: float | None
    queries: int
    undefined: int
    higher_is_better: bool = True
    summed: bool = False
    interval: Interval | None = None
    pessimistic: float | None = None
    optimistic: float | None = None
    policy: Policy | None = None

    def to_dict(self) -> dict[str, Any]:
        """Return one entry of the block `measures` of the JSON."""
        ties = None
        if self.optimistic is not None or self.pessimistic is not None:
            ties = {"pessimistic": self.pessimistic, "optimistic": self.optimistic}
        out: dict[str, Any] = {
            "requested": self.requested,
            "mean": self.mean,
            "queries": self.queries,
            "undefined": self.undefined,
            "low": self.interval.low if self.interval else None,
            "high": self.interval.high if self.interval else None,
            "interval": self.interval.to_dict() if self.interval else None,
            "ties": ties,
        }
        return out | ({"policy": self.policy.to_dict()} if self.policy else {})


class Means(dict[str, float | None]):
    """The figures by name; a name that is not among them is told together with the nearest that is.

    >>> Means({"P@10 (pooled)": 0.5})["P@10"]
    Traceback (most recent call last):
    ...
    KeyError: "no measure is called 'P@10'; did you mean 'P@10 (pooled)'?"
    """

    def __missing__(self, name: object) -> float | None:
        """Raise the error."""
        raise self.unknown(name)

    def unknown(self, name: object) -> KeyError:
        """Return the error of a name that is not there."""
        import difflib

        labelled = [one for one in self if one.startswith(f"{name} (")]
        near = labelled or difflib.get_close_matches(str(name), self, n=1, cutoff=0.5)
        return KeyError(f"no measure is called {str(name)!r}" + (f"; did you mean {near[0]!r}?" if near else ""))


@dataclass(frozen=True, eq=False)
class Evaluation:
    """The measures of one run, with its policy, its audit and the value of each query.

    `figures` keep the order in which measures were asked for; `scores` hold one value for each query and
    measure, `samples` the values that each figure is made of, `judged` the ranks behind them; `notices` are
    sentences that a reader of the numbers should know.
    """

    name: str
    gold: GoldFacts
    policy: Policy
    profile: str | None
    figures: tuple[Figure, ...]
    scores: Scores
    audit: RunAudit
    notices: tuple[str, ...] = ()
    path: str | None = None
    digest: Callable[[], str | None] = lambda: None
    queries: int = 0
    rows: int = 0
    seconds: Mapping[str, float] = field(default_factory=dict)
    weighted: bool = False
    format: str | None = None
    options: Options = field(default_factory=Options)
    samples: Mapping[str, Sample] = field(default_factory=dict)
    judged: Judged | None = None
    estimator: Callable[..., Interval] | None = None

    @property
    def mean(self) -> dict[str, float | None]:
        """The figure of each measure, by its canonical name; None where no query has a value.

        A figure that is no mean over queries says so in its name: "P@10 (pooled)", "P@10 (micro)".
        """
        return Means((figure.name, figure.mean) for figure in self.figures)

    @property
    def per_query(self) -> pl.DataFrame:
        """One row for each measure and query: run, measure, query, value (null where undefined)."""
        return self.scores.table

    def __getitem__(self, measure: object) -> float | None:
        """Return the figure of a measure, by its name or by itself."""
        return self.figure(measure).mean

    def figure(self, measure: object) -> Figure:
        """Return the figure of a measure, by its name or by itself.

        Raises
        ------
        KeyError
            A measure that was not asked for.
        """
        wanted = str(measure)
        for figure in self.figures:
            if wanted in {figure.name, figure.requested}:
                return figure
        raise Means(self.mean).unknown(wanted)

    def interval(self, measure: object, **options: Any) -> Interval:
        """Return where the true figure of a measure may lie; the options are those of `statistics.interval`.

        Raises
        ------
        UnsupportedError
            A figure that is no mean over queries: a sum, or a pooled list.
        """
        name = self.figure(measure).name
        if name not in self.samples or self.estimator is None:
            msg = f"{name}: expected a figure made of one value for each query, found a sum or a pooled list"
            raise UnsupportedError(msg)
        return self.estimator(self.samples[name], bounds=self.samples[name].bounds, **options)

    def wide(self) -> pl.DataFrame:
        """Return one row for each query, one column for each measure."""
        return self.scores.wide().drop("run")

    def to_dict(self, *, command: list[str] | None = None, per_query: bool = True) -> dict[str, Any]:
        """Return the evaluation as plain data, in the shape of the JSON output."""
        return evaluations_to_dict([self], command=command, per_query=per_query)

    def run_dict(self, *, per_query: bool = True) -> dict[str, Any]:
        """Return one entry of the block `runs` of the JSON."""
        out: dict[str, Any] = {
            "name": self.name,
            "path": self.path,
            "sha256": self.digest(),
            "format": self.format,
            "queries": self.queries,
            "rows": self.rows,
            "audit": self.audit.to_dict(),
            "notices": list(self.notices),
            "measures": {figure.name: figure.to_dict() for figure in self.figures},
        }
        if per_query:
            out["per_query"] = self._values()
        return out

    def _values(self) -> dict[str, dict[str, float | None]]:
        values: dict[str, dict[str, float | None]] = {}
        for _, measure, query, value in self.scores.table.iter_rows():
            values.setdefault(query, {})[measure] = value
        return dict(sorted(values.items(), key=lambda entry: entry[0].encode()))

    def _repr_html_(self) -> str:
        """Return a table for a notebook; names from files are escaped."""
        rows = [(one.name, number(one.mean), f"{one.queries:,}", f"{one.undefined:,}") for one in self.figures]
        heads = ("measure", "mean", "queries", "undefined")
        policy = ", ".join(f"{name} {value}" for name, value in self.policy.to_dict().items())
        drawn = table(heads, rows, f"{self.name} by {self.gold.name}")
        return framed(drawn, paragraph(policy), listed(self.notices))

    def __repr__(self) -> str:
        shown = ", ".join(f"{f.name}={'undefined' if f.mean is None else f'{f.mean:.4f}'}" for f in self.figures)
        return f"Evaluation({self.name}: {shown})"


def evaluations_to_dict(
    evaluations: list[Evaluation],
    *,
    command: list[str] | None = None,
    per_query: bool = True,
    beside: Beside | None = None,
) -> dict[str, Any]:
    """Return several runs judged by the same gold, in the shape of the JSON output, and what stands beside them."""
    from assay._version import __version__

    first = evaluations[0]
    return {
        "assay": __version__,
        "command": command or [],
        "seed": first.options.seed,
        "profile": first.profile,
        "policy": first.policy.to_dict(),
        "weighted": first.weighted,
        "options": first.options.to_dict(),
        "gold": first.gold.to_dict(),
        "runs": [evaluation.run_dict(per_query=per_query) for evaluation in evaluations],
        **(beside.to_dict() if beside else {}),
    }
