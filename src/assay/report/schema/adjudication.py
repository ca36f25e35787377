"""The JSON Schema of `assay gold adjudicate -o json`."""

from assay.report.schema.parts import COUNT, FLAG, INPUT, NUMBER, TEXT, list_of, or_null, record, told
from assay.report.schema.words import adjudication as words

FIGURE = or_null(NUMBER)
METHOD = {"enum": ["majority", "dawid-skene"]}

PAIR = told(record(
    query=TEXT, item=TEXT, grade=FIGURE, by={"enum": ["majority", "dawid-skene", "known", "open"]}, certainty=FIGURE,
    judges=COUNT, votes=TEXT, majority=FIGURE, entropy=NUMBER, gap=NUMBER, effect=FIGURE, priority=NUMBER,
), words.PAIR)  # fmt: skip

JUDGE = told(record(
    name=TEXT, kind={"enum": ["person", "machine"]}, judgments=COUNT, agreement=FIGURE,
    confusion=list_of(list_of(NUMBER)),
), words.JUDGE)  # fmt: skip

TOGETHER = told(record(
    group={"enum": ["people", "machines"]}, judges=COUNT, pairs=COUNT, against=TEXT, correlation=FIGURE,
    independent=NUMBER, effective=FIGURE,
    closest=or_null({"type": "array", "prefixItems": [TEXT, TEXT, NUMBER], "minItems": 3, "maxItems": 3}),
), words.TOGETHER)  # fmt: skip

GOLD_ADJUDICATE = told(
    record(
        assay=TEXT,
        command=list_of(TEXT),
        inputs=list_of(INPUT),
        name=TEXT,
        method=METHOD,
        why=TEXT,
        grades=list_of(NUMBER),
        counts=told(record(pairs=COUNT, settled=COUNT, open=COUNT), words.COUNTS),
        fit=told(
            record(iterations=COUNT, converged=FLAG, smoothing=NUMBER, log_likelihood=NUMBER, prior=list_of(NUMBER)),
            words.FIT,
        ),
        judges=list_of(JUDGE),
        together=list_of(TOGETHER),
        checks=list_of(told(record(method=METHOD, pairs=COUNT, open=COUNT, right=FIGURE, kappa=FIGURE), words.CHECK)),
        measure=or_null(TEXT),
        runs=list_of(TEXT),
        queue=list_of(PAIR),
        pairs=list_of(PAIR),
        notices=list_of(TEXT),
    ),
    words.ADJUDICATE,
)
