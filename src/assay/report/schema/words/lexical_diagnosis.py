"""What the keys of a lexical diagnosis mean."""

from assay.report.schema.words import evaluation as shared

QUERY_ID = "The id of the query."

ANALYZER = {
    "stemmer": "What makes stems: lucene, or a name of PyStemmer such as english; null where words stay whole.",
    "stop": "Whether stop words are left out.",
    "lower": "Whether words are put in lower case.",
    "possessive": "Whether a final 's falls.",
}

COVERAGE = {
    "coverage": "The mean share of a query's words that a relevant document has; null where there is none to tell.",
    "weighted": "The same share with each word weighing its idf; null where there is none to tell.",
    "unknown": "The share of a query's words that no document has; null where there is none to tell.",
}

OVERLAP = COVERAGE | {
    "name": "The way to read texts: as described, no stems or as written.",
    "meaning": "What that way is, in words.",
    "disjoint": "How many of the pairs share no word.",
    "pairs": "How many pairs of a query and a relevant document that is among the documents there are.",
    "share_disjoint": "The share of the pairs that share no word, from 0 to 1; null without any pair.",
    "ceiling": "The highest mean recall that a search for these words can reach, however deep; null without queries.",
}

READING = {
    "name": "The way in which the run may have read texts.",
    "documents": "How documents become terms in it.",
    "queries": "How queries become terms in it.",
    "overlap": "The share of the run's first places that BM25 reading so finds too, from 0 to 1; null without queries.",
    "asked": "How many queries that is a mean over.",
}

ANALYSIS = {
    "described": "The name of the reading that was described.",
    "best": "The name of the reading that explains the run best; null where there is none.",
    "explained": "Whether the best reading shares at least half of the first places with the run.",
    "mismatch": "Whether another reading than the described one explains the run better, beyond chance.",
    "gain": "How much more of the first places the best reading shares than the described; null where it is the same.",
    "low": "The lower end of the interval of `gain`; null where there is none.",
    "high": "The upper end of the interval of `gain`; null where there is none.",
    "readings": "The ways in which the run may have read texts, the best first.",
}

BLAMED = {
    "name": "The cause; each missed document has the first that holds, in this order.",
    "meaning": "What the cause is, in words.",
    "documents": "How many missed documents have it.",
    "of": "How many documents are missed in all.",
    "queries": "How many queries miss a document by it.",
    "dense": "How many of them the dense run has among its first places; null without a dense run.",
    "share": "The share of all missed documents, from 0 to 1; null where none is missed.",
}

REMEDY = {
    "name": "A short name of what could be done.",
    "meaning": "What could be done, in words.",
    "documents": "How many missed documents it brings among the first places; at most, where it was not measured.",
    "costs": "How many found documents it loses in place of the run, or of the search it tops; null: not measured.",
    "measured": "Whether a search was made to see it.",
}

RELATED = {
    "figure": "The figure that is known of each query.",
    "meaning": "What the figure is, in words.",
    "measure": "The measure that it is held against.",
    "judged": "Whether the figure needs relevance judgments: it explains then, and predicts nothing.",
    "queries": "How many queries have both values.",
    "spearman": "Spearman's rank correlation of both, from -1 to 1; null where undefined.",
    "low": "The lower end of the interval of `spearman`; null where there is none.",
    "high": "The upper end of the interval of `spearman`; null where there is none.",
    "kendall": "Kendall's tau of both, from -1 to 1; null where undefined.",
    "p": "The p value of `spearman`; null where undefined.",
    "adjusted": "The p value after Holm's correction for all figures held against the measure; null where undefined.",
}

TERM = {
    "word": "The word as it is written in the query.",
    "term": "The term that it becomes by the analysis.",
    "documents": "How many documents have the term.",
    "idf": "The inverse document frequency of the term; the rarer, the higher.",
}

QUERY = COVERAGE | {
    "query": QUERY_ID,
    "text": "The text of the query.",
    "terms": "Its different terms.",
    "measures": "Its value by each measure; null where undefined.",
    "predictors": "Figures that tell how hard it looks, by name, the higher the easier; null where undefined.",
    "blames": "How many of its missed documents have each cause.",
    "relevant": "How many relevant documents it has.",
    "indexed": "How many of them are among the documents.",
    "found": "How many of them stand in the first places of the run.",
    "missed": "How many of them do not stand in the first places.",
    "disjoint": "How many of them are among the documents and share no word with it.",
    "plain": "Its coverage without stemming; null where there is none to tell.",
}

MISSED = {
    "query": QUERY_ID,
    "item": "The relevant document that is not in the first places of the run.",
    "grade": "Its grade in the gold.",
    "blame": "Why it is missed: the first of the causes that holds.",
    "by": "The reading with the least analysis by which it shares a word with the query; null where none does.",
    "shared": "The words of the query that it has.",
    "lacks": "The words of the query that it lacks and at least half of the first documents have, the rarest first.",
    "weight": "The share of the query's idf that `shared` carries, from 0 to 1; null where there is none to tell.",
    "rank": "Its rank in the run; null where it is not in the first `depth`.",
    "searched": "Its rank in the search by words; null where that does not find it.",
    "dense": "Its rank in the dense run; null where it is not in the first `depth`, or without such a run.",
    "length": "How many terms it has; null where it is not among the documents.",
}

SYSTEM = {name: shared.RUN[name] for name in ("name", "path", "measures")}

DIAGNOSE = shared.DOCUMENT | {
    "run": "The run that is diagnosed.",
    "words": "A search by words in the same documents; null where it finds nothing.",
    "dense": "The dense run; null without one.",
    "analyzer": "How texts become terms, as it was described.",
    "documents": "How many documents there are.",
    "average_length": "How many terms a document has on average.",
    "cutoff": "How many first places count: a relevant document below them is missed.",
    "depth": "Down to which rank runs are looked at.",
    "level": shared.INTERVAL["level"],
    "queries": "How many queries have a text and a relevant document.",
    "relevant": "How many pairs of a query and a relevant document there are.",
    "found": "How many of the pairs stand in the first places of the run.",
    "absent": "How many of the pairs have a document that is not among the documents.",
    "analysis": "How the run seems to have read texts.",
    "overlaps": "What queries and relevant documents share, by texts as described and with less and less analysis.",
    "findings": "What stands out, such as another analyser than the one described.",
    "blames": "How many missed documents each cause has.",
    "remedies": "What could bring missed documents into the first places, the most first.",
    "related": "How figures of a query go with each measure over queries.",
    "per_query": "What is known of each query.",
    "missed": "Each missed document, and why.",
    "notices": shared.RUN["notices"],
}
