"""`EntitiesEvaluation`: proposals held against true entities, each by all that its kind allows."""

from dataclasses import dataclass, field
from typing import Any

from assay.core.beside import Beside
from assay.core.entities import ClusterFigures
from assay.core.entities_candidates import BlockingFigures, LinkingFigures, RecordFigures, ScorerFigures
from assay.core.entities_pairs import PairFigures
from assay.core.evaluation import Evaluation, evaluations_to_dict
from assay.core.shown import Shown

BLOCKS = ("records", "blocking", "scorer", "pairs", "clusters", "linking")
"""What stands beside the measures of a proposal."""


@dataclass(frozen=True, slots=True)
class TruthFacts:
    """What the truth holds: records with a label and without, entities, true pairs, sources of known records."""

    kind: str
    records: int
    labelled: int
    entities: int
    true_pairs: int | None
    sources: int

    def to_dict(self) -> dict[str, Any]:
        """Return the facts as plain data."""
        return {
            "kind": self.kind, "records": self.records, "labelled": self.labelled, "entities": self.entities,
            "true_pairs": self.true_pairs, "sources": self.sources,
        }  # fmt: skip


@dataclass(frozen=True, slots=True, eq=False)
class ProposalResult:
    """One proposal: its per-record measures as an evaluation like any other, and what else its kind allows.

    `kind` is "lists", "scored pairs", "pairs", "clusters" or "mentions"; a block that it does not allow is None.
    """

    kind: str
    evaluation: Evaluation
    records: RecordFigures | None = None
    blocking: BlockingFigures | None = None
    scorer: ScorerFigures | None = None
    pairs: PairFigures | None = None
    clusters: ClusterFigures | None = None
    linking: LinkingFigures | None = None

    def blocks(self) -> dict[str, Any]:
        """Return kind and blocks as plain data."""
        made = {name: getattr(self, name) for name in BLOCKS}
        return {"kind": self.kind} | {name: None if block is None else block.to_dict() for name, block in made.items()}


@dataclass(frozen=True, slots=True, eq=False)
class EntitiesEvaluation(Shown):
    """Proposals held against the same truth.

    `mode` says which pairs of records are asked for: "dedupe", "link", "both", or "mentions" where mentions are linked
    to entities. `beside` holds slices and bounds.
    """

    results: tuple[ProposalResult, ...]
    mode: str
    truth: TruthFacts
    beside: Beside = field(default_factory=Beside)
    notices: tuple[str, ...] = ()

    def __getitem__(self, name: str) -> ProposalResult:
        """Return the result of a proposal, by its name.

        Raises
        ------
        KeyError
            A proposal that there is not.
        """
        for one in self.results:
            if one.evaluation.name == name:
                return one
        raise KeyError(name)

    @property
    def evaluations(self) -> list[Evaluation]:
        """The per-record measures of each proposal."""
        return [one.evaluation for one in self.results]

    def to_dict(self, *, command: list[str] | None = None, per_query: bool = True) -> dict[str, Any]:
        """Return the evaluation as plain data: the document of `evaluate`, with blocks beside the measures of a run."""
        document = evaluations_to_dict(self.evaluations, command=command, per_query=per_query, beside=self.beside)
        runs = [run | one.blocks() for run, one in zip(document["runs"], self.results, strict=True)]
        return document | {
            "mode": self.mode, "truth": self.truth.to_dict(), "runs": runs, "notices": list(self.notices)
        }  # fmt: skip

    def __repr__(self) -> str:
        return f"EntitiesEvaluation({self.mode}: {', '.join(repr(one.evaluation) for one in self.results)})"
