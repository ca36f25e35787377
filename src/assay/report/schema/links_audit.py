"""The JSON Schema of `assay links audit -o json`."""

from assay.report.schema.parts import COUNT, FINDING, NUMBER, TEXT, list_of, or_null, record, told
from assay.report.schema.words import links_audit as words

SPLIT = told(
    record(
        name=TEXT,
        **dict.fromkeys(("triples", "repeats", "self_loops"), COUNT),
        **dict.fromkeys(("in_train", "at_other_time", "reversed", "symmetric", "inverse", "same_pair"), or_null(COUNT)),
        **dict.fromkeys(("unseen_triples", "unseen_entities", "unseen_relations", "rare_triples"), COUNT),
    ),
    words.SPLIT,
)

TRIPLE = {"type": "array", "items": TEXT, "minItems": 3, "maxItems": 3}
OVERLAP = told(record(first=TEXT, second=TEXT, triples=COUNT, examples=list_of(TRIPLE)), words.OVERLAP)
PAIR = told(record(first=TEXT, second=TEXT, shared=COUNT, of_first=NUMBER, of_second=NUMBER, test=COUNT), words.PAIR)
RELATION = told(
    record(
        name=TEXT,
        **dict.fromkeys(("train", "valid", "test", "heads", "tails"), COUNT),
        symmetric=or_null(NUMBER),
        filled=or_null(NUMBER),
    ),
    words.RELATION,
)

LINKS_AUDIT = told(
    record(
        assay=TEXT,
        graph=TEXT,
        **dict.fromkeys(("entities", "relations", "seen_entities", "seen_relations"), COUNT),
        **dict.fromkeys(("unseen_entities", "unused_entities", "single_entities"), COUNT),
        threshold=NUMBER,
        cartesian_threshold=NUMBER,
        missing=list_of(TEXT),
        counts=told(record(error=COUNT, warning=COUNT, note=COUNT), words.COUNTS),
        splits=list_of(SPLIT),
        overlaps=list_of(OVERLAP),
        **dict.fromkeys(("inverse", "duplicate"), list_of(PAIR)),
        **dict.fromkeys(("symmetric", "cartesian", "per_relation"), list_of(RELATION)),
        findings=list_of(FINDING),
    ),
    words.AUDIT,
)
