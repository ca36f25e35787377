"""The JSON Schema of `assay gold adjudicate -o json`."""

from assay.report.schema.parts import COUNT, FLAG, INPUT, NUMBER, TEXT, list_of, or_null, record

FIGURE = or_null(NUMBER)
METHOD = {"enum": ["majority", "dawid-skene"]}

PAIR = record(
    query=TEXT, item=TEXT, grade=FIGURE, by={"enum": ["majority", "dawid-skene", "known", "open"]}, certainty=FIGURE,
    judges=COUNT, votes=TEXT, majority=FIGURE, entropy=NUMBER, gap=NUMBER, effect=FIGURE, priority=NUMBER,
)  # fmt: skip

JUDGE = record(
    name=TEXT, kind={"enum": ["person", "machine"]}, judgments=COUNT, agreement=FIGURE,
    confusion=list_of(list_of(NUMBER)),
)  # fmt: skip

TOGETHER = record(
    group={"enum": ["people", "machines"]}, judges=COUNT, pairs=COUNT, against=TEXT, correlation=FIGURE,
    independent=NUMBER, effective=FIGURE,
    closest=or_null({"type": "array", "prefixItems": [TEXT, TEXT, NUMBER], "minItems": 3, "maxItems": 3}),
)  # fmt: skip

GOLD_ADJUDICATE = record(
    assay=TEXT,
    command=list_of(TEXT),
    inputs=list_of(INPUT),
    name=TEXT,
    method=METHOD,
    why=TEXT,
    grades=list_of(NUMBER),
    counts=record(pairs=COUNT, settled=COUNT, open=COUNT),
    fit=record(iterations=COUNT, converged=FLAG, smoothing=NUMBER, log_likelihood=NUMBER, prior=list_of(NUMBER)),
    judges=list_of(JUDGE),
    together=list_of(TOGETHER),
    checks=list_of(record(method=METHOD, pairs=COUNT, open=COUNT, right=FIGURE, kappa=FIGURE)),
    measure=or_null(TEXT),
    runs=list_of(TEXT),
    queue=list_of(PAIR),
    pairs=list_of(PAIR),
    notices=list_of(TEXT),
)
