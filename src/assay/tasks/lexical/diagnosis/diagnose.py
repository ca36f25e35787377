"""`diagnose`: why a run misses relevant documents, by the words of queries and documents."""

from typing import Any

from assay.core.lexical_diagnosis import LexicalDiagnosis, System
from assay.core.policy import Policy
from assay.errors import ParameterError
from assay.evaluate import Measures
from assay.inputs import as_gold, as_pairs, as_run
from assay.tasks.lexical.analysis import Analyzer
from assay.tasks.lexical.diagnosis.analysers import settings
from assay.tasks.lexical.diagnosis.case import Case
from assay.tasks.lexical.diagnosis.coverage import overlap_of, steps
from assay.tasks.lexical.diagnosis.findings import findings_of, notices_of
from assay.tasks.lexical.diagnosis.relations import relations
from assay.tasks.lexical.diagnosis.remedies import blames, remedies
from assay.tasks.lexical.models import BM25, Model
from assay.tasks.lexical.texts import as_documents, as_queries

MEASURES = "P@{cutoff} nDCG@{cutoff}"
"""The measures when none is asked for."""


def diagnose(
    gold: Any,
    run: Any,
    documents: Any,
    queries: Any,
    *,
    dense: Any = None,
    measures: Measures | None = None,
    cutoff: int = 10,
    depth: int = 1000,
    analyzer: Analyzer | None = None,
    model: Model | None = None,
    policy: Policy | None = None,
    exclude: Any = None,
    rel: float = 1,
    level: float = 0.95,
    seed: int = 0,
) -> LexicalDiagnosis:
    """Say what queries and relevant documents have in common, why documents are missed, and what could bring them.

    Parameters
    ----------
    gold, run, dense
        As for `evaluate`; the run that is diagnosed, and one by vectors, where there is one.
    documents, queries
        `Documents` and `Queries`, `{id: text}`, or paths.
    measures
        What figures are held against, by default P and nDCG at the cutoff. The first orders the queries.
    cutoff, depth
        How many places a reader looks at: a relevant document below them is missed. How deep runs are looked at.
    analyzer, model
        How texts become terms, and what ranks documents in the search by words: Lucene's, unless others are given.
    policy, exclude, rel
        As for `evaluate`.
    level, seed
        Of the intervals.

    Raises
    ------
    AssayError
        For everything that the input or the request does wrong; the message says where.

    >>> found = diagnose(
    ...     {"1": {"a": 1, "b": 1}},
    ...     {"1": ["a"]},
    ...     {"a": "golden purse", "b": "a sack", "c": "silk"},
    ...     {"1": "gold purses"},
    ... )
    >>> [(one.item, one.blame) for one in found.missed], found.overlaps[0].ceiling
    ([('b', 'disjoint')], 0.5)
    """
    if cutoff < 1 or depth < cutoff:
        found = f"cutoff {cutoff} and depth {depth}"
        raise ParameterError(f"diagnose: expected a cutoff of at least 1 and a depth of at least that, found {found}")
    gold, analyzer, model = as_gold(gold), analyzer or Analyzer(), model or BM25()
    terms = {"policy": policy or Policy(), "exclude": as_pairs(exclude), "rel": rel, "interval": level, "seed": seed}
    run, dense = as_run(run, gold), None if dense is None else as_run(dense, gold)
    texts = as_documents(documents), as_queries(queries)
    wanted = measures or MEASURES.format(cutoff=cutoff)
    return diagnosed(Case(gold, run, dense, *texts, analyzer, model, wanted, cutoff, depth, terms))


def diagnosed(case: Case) -> LexicalDiagnosis:
    """Put together all that is known of a case."""
    missed, per_query, made = case.missed, case.per_query, case.evaluations
    index, vectors = case.searcher.index, case.dense is not None
    systems = {name: System(one.name, one.path, one.figures) for name, one in made.items()}
    return LexicalDiagnosis(
        systems["run"], systems.get("words"), systems.get("dense"),
        documents=len(index), average_length=index.average_length, analyzer=settings(case.analyzer),
        cutoff=case.cutoff, depth=case.depth, level=case.terms["interval"], queries=len(per_query),
        relevant=sum(one.relevant for one in per_query), found=sum(one.found for one in per_query),
        absent=sum(one.relevant - one.indexed for one in per_query),
        overlaps=tuple(
            overlap_of(name, meaning, list(case.shared[name].values()), [one.height for one in case.rows.values()])
            for name, (meaning, _) in steps(case.analyzer).items()
        ),
        analysis=case.analysis, findings=tuple(findings_of(case)),
        blames=blames(missed, case.cutoff, dense=vectors), remedies=remedies(missed, case.found, case.searches),
        related=relations(per_query, made["run"], level=case.terms["interval"]),
        per_query=per_query, missed=missed, notices=tuple(notices_of(case)),
    )  # fmt: skip
