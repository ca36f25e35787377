"""JSON Schema of the block `comparison`: contrasts, the family of their tests, slices."""

from assay.report.schema.beside import COST, HEALTH
from assay.report.schema.parts import COUNT, FLAG, INTERVAL, NUMBER, TEXT, Schema, list_of, or_null, record, told
from assay.report.schema.words import comparison as words

VERDICT: Schema = {"enum": ["better", "worse", "cannot be resolved", "no difference that matters"]}

SIGNIFICANCE = told(
    record(
        p=or_null(NUMBER),
        method=TEXT,
        units=COUNT,
        floor=NUMBER,
        statistic=or_null(NUMBER),
        adjusted=or_null(NUMBER),
        why=TEXT,
    ),
    words.SIGNIFICANCE,
)

MOVER = told(
    record(
        query=TEXT,
        before=NUMBER,
        after=NUMBER,
        change=NUMBER,
        ranks_before=list_of(NUMBER),
        ranks_after=list_of(NUMBER),
    ),
    words.MOVER,
)

CONTRAST = told(
    record(
        run=TEXT,
        baseline=TEXT,
        measure=TEXT,
        mean=or_null(NUMBER),
        baseline_mean=or_null(NUMBER),
        difference=or_null(NUMBER),
        interval=INTERVAL,
        significance=SIGNIFICANCE,
        effect=or_null(NUMBER),
        wins=COUNT,
        ties=COUNT,
        losses=COUNT,
        queries=COUNT,
        left_out=COUNT,
        power=told(record(power=NUMBER, detectable=or_null(NUMBER), needed=or_null(COUNT)), words.POWER),
        verdict=VERDICT,
        margin=or_null(told(record(margin=NUMBER, not_worse=or_null(NUMBER), equal=or_null(NUMBER)), words.MARGIN)),
        helped=list_of(MOVER),
        hurt=list_of(MOVER),
        higher_is_better=FLAG,
    ),
    words.CONTRAST,
)

FAMILY = told(
    record(
        tests=COUNT,
        correction={"enum": ["holm", "hommel", "bonferroni", "bh", "none"]},
        alpha=NUMBER,
        pairs={"enum": ["baseline", "all"]},
        undefined=list_of(told(record(run=TEXT, baseline=TEXT, measure=TEXT, why=TEXT), words.UNDEFINED)),
    ),
    words.FAMILY,
)

SLICE_FIGURE = told(
    record(group=TEXT, run=TEXT, measure=TEXT, mean=or_null(NUMBER), queries=COUNT, interval=INTERVAL),
    words.SLICE_FIGURE,
)

SLICE_CONTRAST = told(
    record(
        group=TEXT, run=TEXT, baseline=TEXT, measure=TEXT, difference=or_null(NUMBER), interval=INTERVAL,
        significance=SIGNIFICANCE, verdict=VERDICT,
    ),
    words.SLICE_CONTRAST,
)  # fmt: skip

SLICING = told(
    record(
        column=TEXT,
        groups={"type": "object", "additionalProperties": COUNT},
        unassigned=COUNT,
        figures=list_of(SLICE_FIGURE),
        contrasts=list_of(SLICE_CONTRAST),
        worst=list_of(told(record(run=TEXT, measure=TEXT, group=TEXT), words.SLICE_WORST)),
        reversals=list_of(TEXT),
    ),
    words.SLICING,
)

COMPARISON = told(
    record(
        baseline=TEXT,
        labels=list_of(TEXT),
        test={"enum": ["flips", "t", "wilcoxon", "wilcoxon-approx"]},
        level=NUMBER,
        family=FAMILY,
        contrasts=list_of(CONTRAST),
        slices=list_of(SLICING),
        health=or_null(HEALTH),
        costs=list_of(COST),
        agreement=list_of(told(record(measures=list_of(TEXT), tau=or_null(NUMBER)), words.AGREEMENT)),
        notices=list_of(TEXT),
    ),
    words.COMPARISON,
)
