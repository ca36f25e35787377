"""The JSON Schema of `assay lexical diagnose -o json`."""

from assay.core.lexical_diagnosis import BLAMES
from assay.report.schema.parts import COUNT, FINDING, FLAG, NUMBER, TEXT, Schema, list_of, map_of, or_null, record, told
from assay.report.schema.words import lexical_diagnosis as words

BLAME = {"enum": list(BLAMES)}
MAYBE = or_null(NUMBER)
ANALYZER = told(record(stemmer=or_null(TEXT), stop=FLAG, lower=FLAG, possessive=FLAG), words.ANALYZER)
OVERLAP = told(
    record(
        name=TEXT, meaning=TEXT, coverage=MAYBE, weighted=MAYBE, unknown=MAYBE, disjoint=COUNT, pairs=COUNT,
        share_disjoint=MAYBE, ceiling=MAYBE,
    ),
    words.OVERLAP,
)  # fmt: skip
READING = told(record(name=TEXT, documents=ANALYZER, queries=ANALYZER, overlap=MAYBE, asked=COUNT), words.READING)
ANALYSIS = told(
    record(
        described=TEXT, best=or_null(TEXT), explained=FLAG, mismatch=FLAG, gain=MAYBE, low=MAYBE, high=MAYBE,
        readings=list_of(READING),
    ),
    words.ANALYSIS,
)  # fmt: skip
COUNTED = told(
    record(name=BLAME, meaning=TEXT, documents=COUNT, of=COUNT, queries=COUNT, dense=or_null(COUNT), share=MAYBE),
    words.BLAMED,
)
REMEDY = told(record(name=TEXT, meaning=TEXT, documents=COUNT, costs=or_null(COUNT), measured=FLAG), words.REMEDY)
RELATED = told(
    record(
        figure=TEXT, meaning=TEXT, measure=TEXT, judged=FLAG, queries=COUNT,
        **dict.fromkeys(("spearman", "low", "high", "kendall", "p", "adjusted"), MAYBE),
    ),
    words.RELATED,
)  # fmt: skip
TERM = told(record(word=TEXT, term=TEXT, documents=COUNT, idf=NUMBER), words.TERM)
QUERY = told(
    record(
        query=TEXT, text=TEXT, terms=list_of(TERM), measures=map_of(MAYBE), predictors=map_of(MAYBE),
        blames=map_of(COUNT), **dict.fromkeys(("relevant", "indexed", "found", "missed", "disjoint"), COUNT),
        **dict.fromkeys(("coverage", "weighted", "plain", "unknown"), MAYBE),
    ),
    words.QUERY,
)  # fmt: skip
MISSED = told(
    record(
        query=TEXT, item=TEXT, grade=NUMBER, blame=BLAME, by=or_null(TEXT), shared=list_of(TEXT), lacks=list_of(TEXT),
        weight=MAYBE, **dict.fromkeys(("rank", "searched", "dense", "length"), or_null(COUNT)),
    ),
    words.MISSED,
)  # fmt: skip


def lexical_diagnose(figure: Schema) -> Schema:
    """Return the schema; `figure` is that of one measure of one run."""
    system = told(record(name=TEXT, path=or_null(TEXT), measures=map_of(figure)), words.SYSTEM)
    found = record(
        assay=TEXT, command=list_of(TEXT), run=system, words=or_null(system), dense=or_null(system), analyzer=ANALYZER,
        documents=COUNT, average_length=NUMBER, cutoff=COUNT, depth=COUNT, level=NUMBER,
        **dict.fromkeys(("queries", "relevant", "found", "absent"), COUNT),
        analysis=ANALYSIS, overlaps=list_of(OVERLAP), findings=list_of(FINDING), blames=list_of(COUNTED),
        remedies=list_of(REMEDY), related=list_of(RELATED), per_query=list_of(QUERY), missed=list_of(MISSED),
        notices=list_of(TEXT),
    )  # fmt: skip
    return told(found, words.DIAGNOSE)
