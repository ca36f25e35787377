"""`Case`: what was given to be diagnosed, and all that is made of it on the way, each thing once."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import polars as pl

from assay.core.evaluation import Evaluation
from assay.core.gold import Gold
from assay.core.judged import Ints
from assay.core.lexical_diagnosis import Missed, QueryDiagnosis, Term
from assay.core.lexical_readings import Analysis
from assay.core.run import Run
from assay.core.texts import Documents, Queries
from assay.engines import head
from assay.errors import InputError
from assay.evaluate import Measures, evaluate
from assay.tasks.lexical.analysis import Analyzer
from assay.tasks.lexical.diagnosis.analysers import apart, explain_run, upper_share
from assay.tasks.lexical.diagnosis.coverage import Covered, shared_of, steps
from assay.tasks.lexical.diagnosis.firsts import firsts
from assay.tasks.lexical.diagnosis.missed import Charges, Question, Scored, missed_of
from assay.tasks.lexical.diagnosis.predictors import predictors
from assay.tasks.lexical.diagnosis.readings import Shared, Texts
from assay.tasks.lexical.diagnosis.remedies import Pair
from assay.tasks.lexical.feedback import expander
from assay.tasks.lexical.models import Model
from assay.tasks.lexical.search import Searcher, Weighted


@dataclass(frozen=True, eq=False)
class Case:
    """A run with its gold, the texts, and how they are to be looked at; `terms` are those of `evaluate`."""

    gold: Gold
    run: Run
    dense: Run | None
    documents: Documents
    queries: Queries
    analyzer: Analyzer
    model: Model
    measures: Measures
    cutoff: int
    depth: int
    terms: Mapping[str, Any]

    @cached_property
    def texts(self) -> Texts:
        """The documents, and the queries that have anything relevant."""
        known = self.queries.texts
        return Texts(self.documents, {query: known[query] for query in self.asked}, self.analyzer)

    @cached_property
    def relevant(self) -> pl.DataFrame:
        """The relevant items of all queries of the gold: query, item, grade."""
        return self.gold.table.filter(pl.col("grade") >= self.terms["rel"])

    @cached_property
    def asked(self) -> list[str]:
        """The queries with something relevant and a text, in the order of the gold."""
        wanted = self.relevant["query"].unique(maintain_order=True)
        known = wanted.filter(wanted.is_in(self.queries.table["query"].implode()))
        if not len(known):
            found = f"queries such as {self.queries.table['query'][0]!r}" if len(self.queries) else "none"
            msg = f"{self.queries.name}: expected the texts of queries that have something relevant, found {found}"
            hint = f"the gold has queries such as {wanted[0]!r}." if len(wanted) else "no item of the gold is relevant."
            raise InputError(msg, hint=hint)
        return known.to_list()

    @cached_property
    def untold(self) -> list[str]:
        """The queries with something relevant whose text is not known."""
        wanted = self.relevant["query"].unique(maintain_order=True)
        return wanted.filter(~wanted.is_in(self.asked)).to_list()

    @cached_property
    def searcher(self) -> Searcher:
        """The search by words."""
        return Searcher(self.texts.index(self.analyzer), self.model)

    @cached_property
    def weighted(self) -> dict[str, dict[str, float]]:
        """The terms of each query."""
        return {query: dict(Counter(self.analyzer.terms(text))) for query, text in self.texts.queries.items()}

    @cached_property
    def evaluations(self) -> dict[str, Evaluation]:
        """The measures of the run, of the search by words if it finds anything, of the dense run if there is one."""
        words = self.searcher.run(self.weighted, self.depth)
        given = {"run": self.run, "words": words if words.frame().height else None, "dense": self.dense}
        made = {name: one for name, one in given.items() if one is not None}
        return {name: evaluate(self.gold, one, self.measures, **self.terms) for name, one in made.items()}

    @cached_property
    def rows(self) -> dict[str, pl.DataFrame]:
        """The relevant items of each query: item, grade, rank and dense (in the runs), place (in the index)."""
        table = self.relevant.filter(pl.col("query").is_in(self.asked))
        table = table.join(self._heads(self.run).rename({"place": "rank"}), on=["query", "item"], how="left")
        dense = self._heads(self.dense).rename({"place": "dense"})
        table = table.join(dense, on=["query", "item"], how="left").sort("query", "item")
        numbers = pl.DataFrame({"item": self.documents.items}).with_row_index("place")
        table = table.join(numbers, on="item", how="left", maintain_order="left")
        return {str(key[0]): rows for key, rows in table.partition_by("query", as_dict=True).items()}

    @cached_property
    def tops(self) -> dict[str, list[str]]:
        """The first items of the run for each query, best first."""
        found = self._heads(self.run).filter(pl.col("place") <= self.cutoff)
        grouped = found.group_by("query", maintain_order=True).agg("item")
        return dict(zip(grouped["query"], grouped["item"].to_list(), strict=True))

    @cached_property
    def pairs(self) -> dict[str, Ints]:
        """The places in the index of the relevant documents of each query, of those that are there."""
        return {query: rows["place"].drop_nulls().to_numpy().astype(np.int64) for query, rows in self.rows.items()}

    @cached_property
    def shared(self) -> dict[str, dict[str, Shared]]:
        """What each query shares with its relevant documents, by the names of `steps`."""
        return {name: shared_of(self.texts, way, self.pairs) for name, (_, way) in steps(self.analyzer).items()}

    @cached_property
    def upper(self) -> tuple[float | None, float | None]:
        """The share of letters in upper case, in the queries and in the documents."""
        return upper_share(pl.Series(list(self.texts.queries.values()))), upper_share(self.documents.whole)

    @cached_property
    def analysis(self) -> Analysis:
        """How the run seems to have read the texts."""
        terms = {"policy": self.terms["policy"], "level": self.terms["interval"], "seed": self.terms["seed"]}
        return explain_run(self.texts, self.tops, self.model, self.cutoff, **terms)

    @cached_property
    def charges(self) -> Charges:
        """What the run may be blamed for."""
        return Charges.of(self.analysis, apart=apart(*self.upper))

    @cached_property
    def missed(self) -> tuple[Missed, ...]:
        """The relevant documents that are not among the first places of the run, in the order of query and rank."""
        scored = Scored(self.searcher, self.cutoff, self.terms["policy"])
        place = self.searcher.index.place
        found: list[Missed] = []
        for query in self.asked:
            first = [place[item] for item in self.tops.get(query, ()) if item in place]
            winners = Shared.of(self.searcher.index, self.weighted[query], np.array(sorted(first), np.int64))
            shared = {name: of[query] for name, of in self.shared.items()}
            names = self.texts.named(query)
            words = tuple(names[term] for term in shared["as described"].terms)
            question = Question(query, self.rows[query], shared, winners, words)
            found += sorted(missed_of(question, scored, self.charges), key=lambda one: (one.rank or np.inf, one.item))
        return tuple(found)

    @cached_property
    def found(self) -> set[Pair]:
        """The relevant documents in the first places of the run."""
        return {
            (query, item)
            for query, rows in self.rows.items()
            for item in rows.filter(pl.col("rank") <= self.cutoff)["item"]
        }

    @cached_property
    def searches(self) -> dict[str, set[Pair]]:
        """The first places of other searches: by words as described, with feedback, by vectors where there are some."""
        found = {
            self.charges.remedy: self._first(self.weighted),
            self.charges.feedback: self._first(expander("rm3").expand(self.searcher, self.weighted)),
        }
        dense = self._heads(self.dense).filter(pl.col("place") <= self.cutoff)
        return found | ({} if self.dense is None else {"vectors": set(dense.select("query", "item").rows())})

    @cached_property
    def per_query(self) -> tuple[QueryDiagnosis, ...]:
        """All that is known of each query."""
        scores = self.evaluations["run"].scores.table
        values: dict[str, dict[str, float | None]] = {query: {} for query in self.asked}
        for measure, query, value in scores.select("measure", "query", "value").rows():
            if query in values:
                values[query][measure] = value
        looks = {
            row.pop("query"): row for row in predictors(self.searcher, self.weighted).rows(named=True)
        }  # fmt: skip
        causes: dict[str, Counter[str]] = {query: Counter() for query in self.asked}
        for one in self.missed:
            causes[one.query][one.blame] += 1
        return tuple(self._query(query, values[query], looks[query], causes[query]) for query in self.asked)

    def _query(
        self, query: str, values: Mapping[str, float | None], looks: Mapping[str, float | None], causes: Counter[str]
    ) -> QueryDiagnosis:  # fmt: skip
        rows, shared = self.rows[query], self.shared["as described"][query]
        covered = Covered.of(shared)
        bare = self.shared["no stems"] if "no stems" in self.shared else self.shared["as described"]
        names = self.texts.named(query)
        facts = zip(shared.terms, shared.frequency.tolist(), shared.idf.tolist(), strict=True)
        return QueryDiagnosis(
            query, self.texts.queries[query], tuple(Term(names[term], term, df, idf) for term, df, idf in facts),
            relevant=rows.height, indexed=rows["place"].count(), found=int((rows["rank"] <= self.cutoff).sum()),
            coverage=covered.coverage, weighted=covered.weighted, plain=Covered.of(bare[query]).coverage,
            unknown=covered.unknown, disjoint=covered.disjoint, values=values, predictors=looks, blames=causes,
        )  # fmt: skip

    def _first(self, weighted: Mapping[str, Weighted]) -> set[Pair]:
        """Return query and item of the first places of a search by words."""
        found = firsts(self.searcher, weighted, self.cutoff, self.terms["policy"])
        return set(found.select("query", "item").rows())

    def _heads(self, run: Run | None) -> pl.DataFrame:
        """Return the first items of a run for the queries asked: query, item, place."""
        if run is None:
            return pl.DataFrame(schema={"query": pl.String, "item": pl.String, "place": pl.Int64})
        found = head(run, self.depth, self.terms["policy"], self.asked, self.terms["exclude"])
        return found.select("query", "item", place="rank")
