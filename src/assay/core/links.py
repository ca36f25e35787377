"""`LinksEvaluation`: a link predictor judged, under each way of ranking that there is, never mixed."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from assay.core.estimates import Interval
from assay.core.evaluation import Evaluation, evaluations_to_dict
from assay.core.links_worst import RankedTriple
from assay.core.shown import framed, number, paragraph, table
from assay.core.slices import Slicing
from assay.errors import UnknownNameError

TIES = ("optimistic", "realistic", "pessimistic", "expected")
"""The four ways to rank a true entity that ties with others."""


@dataclass(frozen=True, slots=True)
class LinkFigure:
    """One measure of one model under one way of ranking.

    `mean` is the figure under the tie rule `rule`: that of the protocol, or "expected" for lists with many right
    answers, where a mean rank of several says nothing. `ties` is the same under each of the four rules (None where
    a measure has no exact expectation). `by_query` and `by_relation` are macro averages: the mean over queries
    (relations) of the figure of each, where `mean` counts every triple alike. `queries` is how many ranks the figure
    is made of, `undefined` how many have no value.
    """

    name: str
    requested: str
    mean: float | None
    queries: int
    undefined: int
    ties: Mapping[str, float | None]
    by_query: float | None = None
    by_relation: float | None = None
    higher_is_better: bool = True
    interval: Interval | None = None
    rule: str = "realistic"

    def to_dict(self) -> dict[str, Any]:
        """Return one entry of the block `measures` of the JSON."""
        return {
            "requested": self.requested,
            "mean": self.mean,
            "rule": self.rule,
            "queries": self.queries,
            "undefined": self.undefined,
            "low": self.interval.low if self.interval else None,
            "high": self.interval.high if self.interval else None,
            "interval": self.interval.to_dict() if self.interval else None,
            "ties": dict(self.ties),
            "macro": {"queries": self.by_query, "relations": self.by_relation},
        }


@dataclass(frozen=True, eq=False)
class LinkResult:
    """A model under one way of ranking, named by `protocol`: what it means, its figures, how it was counted.

    `figures` are over all sides, `sides` the same for each side that was asked. `queries` is the number of different
    questions, `ranks` that of ranked answers, `tied` how many of those tie with another candidate, `outside` how many
    are not among their candidates and so have no rank. `candidates` holds the lowest, the median and the highest
    number of candidates of a question.
    """

    protocol: str
    meaning: str
    figures: tuple[LinkFigure, ...]
    sides: Mapping[str, tuple[LinkFigure, ...]]
    queries: int
    ranks: int
    tied: int
    candidates: tuple[int, int, int]
    outside: int = 0
    evaluation: Evaluation | None = None

    @property
    def tied_share(self) -> float:
        """The share of ranked answers that tie with another candidate."""
        return self.tied / self.ranks if self.ranks else 0.0

    def __getitem__(self, measure: object) -> float | None:
        """Return the figure of a measure, by its name or by itself."""
        return self.figure(measure).mean

    def figure(self, measure: object, side: str | None = None) -> LinkFigure:
        """Return the figure of a measure, of one side or of all.

        Raises
        ------
        KeyError
            A measure that was not asked for.
        """
        for figure in self.figures if side is None else self.sides[side]:
            if str(measure) in {figure.name, figure.requested}:
                return figure
        raise KeyError(str(measure))

    def to_dict(self) -> dict[str, Any]:
        """Return the result as plain data."""
        return {"meaning": self.meaning, "measures": _measures(self.figures)} | self.counts()

    def counts(self) -> dict[str, Any]:
        """Return what stands beside the measures: the sides, and how it was counted."""
        low, middle, high = self.candidates
        return {
            "sides": {side: {"measures": _measures(figures)} for side, figures in self.sides.items()},
            "distinct_queries": self.queries,
            "ranks": self.ranks,
            "tied": self.tied,
            "tied_share": self.tied_share,
            "outside": self.outside,
            "candidates": {"lowest": low, "median": middle, "highest": high},
        }


@dataclass(frozen=True, eq=False)
class LinksEvaluation:
    """A link predictor judged by a graph.

    `results` are the ways of ranking, the filtered one first; names of protocols are never mixed. `protocol` holds
    every convention, `graph` the counts of what was asked, `dropped` how many triples were left out because train
    does not know an entity or relation of theirs. `breakdowns` are groups of the filtered ranks, `worst` the triples
    whose true entity stands lowest, each with the answers that the model puts `above` it.
    """

    model: str
    results: tuple[LinkResult, ...]
    protocol: Mapping[str, Any]
    graph: Mapping[str, Any]
    dropped: int = 0
    breakdowns: tuple[Slicing, ...] = ()
    worst: tuple[RankedTriple, ...] = ()
    notices: tuple[str, ...] = ()

    @property
    def filtered(self) -> LinkResult:
        """The standard protocol: filtered, per triple."""
        return self.results[0]

    @property
    def evaluation(self) -> Evaluation:
        """The filtered ranks as an ordinary evaluation, for `compare_evaluations` and reports."""
        if self.filtered.evaluation is None:
            raise KeyError("evaluation")
        return self.filtered.evaluation

    @property
    def mean(self) -> dict[str, float | None]:
        """The filtered figure of each measure, by its canonical name."""
        return {figure.name: figure.mean for figure in self.filtered.figures}

    def __getitem__(self, measure: object) -> float | None:
        """Return the filtered figure of a measure."""
        return self.filtered[measure]

    def under(self, protocol: str) -> LinkResult:
        """Return the result under one way of ranking, by its name.

        Raises
        ------
        UnknownNameError
            A way of ranking that this evaluation does not hold.
        """
        for result in self.results:
            if result.protocol == protocol:
                return result
        raise UnknownNameError.of("protocol", protocol, [result.protocol for result in self.results])

    def to_dict(
        self, *, command: list[str] | None = None, per_query: bool = False, inputs: Iterable[Mapping[str, Any]] = ()
    ) -> dict[str, Any]:
        """Return the evaluation as plain data: as any evaluation, and beside it the other ways of ranking.

        `inputs` are the files it was made of, each as role, path and sha256.
        """
        out = evaluations_to_dict([self.evaluation], command=command, per_query=per_query)
        out["runs"][0] |= {
            "measures": _measures(self.filtered.figures),
            "protocol": self.filtered.protocol,
            "meaning": self.filtered.meaning,
            **self.filtered.counts(),
            "dropped": self.dropped,
            "notices": list(self.notices),
        }
        return out | {
            "inputs": list(inputs),
            "graph": dict(self.graph),
            "protocol": dict(self.protocol),
            "protocols": {result.protocol: result.to_dict() for result in self.results[1:]},
            "breakdowns": [one.to_dict() for one in self.breakdowns],
            "worst": [one.to_dict() for one in self.worst],
        }

    def __repr__(self) -> str:
        shown = ", ".join(
            f"{name}={'undefined' if mean is None else f'{mean:.4f}'}" for name, mean in self.mean.items()
        )
        return f"LinksEvaluation({self.model}, filtered: {shown})"

    def _repr_html_(self) -> str:
        """Return a table for a notebook; names from files are escaped."""
        card = ", ".join(f"{name} {value}" for name, value in self.protocol.items())
        heads = ("protocol", "measure", "mean", *TIES)
        return framed(table(heads, self._cells(), self.model), paragraph(card))

    def _cells(self) -> Iterator[list[str]]:
        for result in self.results:
            for figure in result.figures:
                numbers = [figure.mean, *(figure.ties.get(kind) for kind in TIES)]
                yield [result.protocol, figure.name, *map(number, numbers)]


def _measures(figures: tuple[LinkFigure, ...]) -> dict[str, Any]:
    return {figure.name: figure.to_dict() for figure in figures}


@dataclass(frozen=True, slots=True)
class SharedNegatives:
    """OGB's Hits@K: the share of true triples that score above the K-th best of one shared list of negatives.

    `hits` maps K to the share; where there are fewer than K negatives it is 1 by OGB's rule, and `notices` say so.
    """

    hits: Mapping[int, float]
    positives: int
    negatives: int
    notices: tuple[str, ...] = field(default=())
    protocol: str = "ogb-shared-negatives"

    def to_dict(self) -> dict[str, Any]:
        """Return the result as plain data."""
        return {
            "protocol": self.protocol,
            "hits": {f"OGB-Hits@{k}": share for k, share in self.hits.items()},
            "positives": self.positives,
            "negatives": self.negatives,
            "notices": list(self.notices),
        }
