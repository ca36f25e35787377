"""JSON Schemas of the JSON that Assay writes, for those who read it with a program."""

from assay.report.schema.accuracy import GRAPH_ESTIMATE, GRAPH_PLAN, GRAPH_SAMPLE
from assay.report.schema.adjudication import GOLD_ADJUDICATE
from assay.report.schema.agreement import GOLD_AGREE
from assay.report.schema.answers import answers_evaluate
from assay.report.schema.beside import COST, HEALTH
from assay.report.schema.clicks import GOLD_CLICKS
from assay.report.schema.comparison import COMPARISON, SLICING
from assay.report.schema.completeness import GRAPH_COMPLETENESS
from assay.report.schema.derived import GOLD_DERIVE
from assay.report.schema.doctor import DOCTOR
from assay.report.schema.entities import CHURN, SAMPLED, entities_evaluate
from assay.report.schema.explanation import EXPLAIN, POLICY
from assay.report.schema.gaps import GRAPH_GAPS
from assay.report.schema.gate import HISTORY_GATE
from assay.report.schema.gold_export import GOLD_EXPORT
from assay.report.schema.gold_recall import GOLD_RECALL
from assay.report.schema.history import HISTORY_ADD, HISTORY_SHOW
from assay.report.schema.history_drift import HISTORY_DRIFT
from assay.report.schema.lexical_diagnosis import lexical_diagnose
from assay.report.schema.lexical_expansion import lexical_expand
from assay.report.schema.lexical_sides import lexical_compare
from assay.report.schema.links import links_evaluate
from assay.report.schema.links_audit import LINKS_AUDIT
from assay.report.schema.links_sample import LINKS_SAMPLE
from assay.report.schema.links_threshold import LINKS_THRESHOLD
from assay.report.schema.neighbours import NEIGHBOURS_DRIFT, NEIGHBOURS_EVALUATE
from assay.report.schema.parts import COUNT, DIGEST, FINDING, FLAG, INTERVAL, NUMBER, TEXT, Schema, told
from assay.report.schema.parts import list_of as _list
from assay.report.schema.parts import map_of as _map
from assay.report.schema.parts import or_null as _or_null
from assay.report.schema.parts import record as _record
from assay.report.schema.pool import GOLD_POOL
from assay.report.schema.probes import PROBES
from assay.report.schema.rag import rag_evaluate
from assay.report.schema.rag_stages import RAG_STAGES
from assay.report.schema.rag_tuning import RAG_TUNING
from assay.report.schema.suite_health import SUITE_HEALTH
from assay.report.schema.validity import GRAPH_VALIDITY, graph_suspects
from assay.report.schema.words import comparison as comparison_words
from assay.report.schema.words import evaluation as words

GOLD = told(
    _record(
        name=TEXT,
        path=_or_null(TEXT),
        sha256=DIGEST,
        format=_or_null(TEXT),
        queries=COUNT,
        judgments=COUNT,
        relevant=COUNT,
        grades=_map(COUNT),
        empty_queries=_list(TEXT),
        unjudged_queries=_list(TEXT),
    ),
    words.GOLD,
)

ATTACHED = _or_null(told(_record(path=_or_null(TEXT), sha256=DIGEST), words.ATTACHED))

RUN_AUDIT = told(
    _record(
        missing_queries=_list(TEXT),
        extra_queries=COUNT,
        extra_examples=_list(TEXT),
        duplicates=COUNT,
        nan=COUNT,
        excluded=COUNT,
        self_matches=COUNT,
        queries_with_ties=COUNT,
        ties_across_cutoff=_map(COUNT),
        judged_at_cutoff=_map(_or_null(NUMBER)),
    ),
    words.RUN_AUDIT,
)

FIGURE = told(
    _record(
        {"policy": POLICY},
        requested=TEXT,
        mean=_or_null(NUMBER),
        queries=COUNT,
        undefined=COUNT,
        low=_or_null(NUMBER),
        high=_or_null(NUMBER),
        interval=_or_null(INTERVAL),
        ties=_or_null(told(_record(pessimistic=_or_null(NUMBER), optimistic=_or_null(NUMBER)), words.TIES)),
    ),
    words.FIGURE,
)

RUN = told(
    _record(
        {"per_query": _map(_map(_or_null(NUMBER)))},
        name=TEXT,
        path=_or_null(TEXT),
        sha256=DIGEST,
        format=_or_null(TEXT),
        queries=COUNT,
        rows=COUNT,
        audit=RUN_AUDIT,
        notices=_list(TEXT),
        measures=_map(FIGURE),
    ),
    words.RUN,
)

EVALUATE = told(
    _record(
        {"slices": _list(SLICING), "health": HEALTH, "costs": _list(COST)},
        assay=TEXT,
        command=_list(TEXT),
        seed=_or_null({"type": "integer"}),
        profile=_or_null(TEXT),
        policy=POLICY,
        weighted=FLAG,
        options=told(
            _record(
                rel=_or_null(NUMBER),
                tie_range=FLAG,
                aggregate=TEXT,
                weights=ATTACHED,
                exclude=ATTACHED,
                interval=_or_null(NUMBER),
            ),
            words.OPTIONS,
        ),
        gold=GOLD,
        runs=_list(RUN),
    ),
    words.EVALUATE,
)

AUDIT = _record(
    assay=TEXT,
    cutoffs=_list(COUNT),
    gold=_or_null(GOLD),
    runs=_list(_record(name=TEXT, path=_or_null(TEXT), queries=COUNT, rows=COUNT, audit=_or_null(RUN_AUDIT))),
    counts=_record(error=COUNT, warning=COUNT, note=COUNT),
    findings=_list(FINDING),
)

MEASURES = _record(
    assay=TEXT,
    measures=_list(
        _record(
            name=TEXT,
            aliases=_list(TEXT),
            trec_eval=_list(TEXT),
            family=TEXT,
            definition=TEXT,
            formula=TEXT,
            remarks=TEXT,
            source=TEXT,
            example=TEXT,
            lowest=_or_null(NUMBER),
            highest=_or_null(NUMBER),
            higher_is_better=FLAG,
            needs_cutoff=FLAG,
            defined_without_relevant=FLAG,
            summed=FLAG,
            without_answer=_or_null(NUMBER),
            exact_ties=FLAG,
            parameters=_list(_record(name=TEXT, default={}, meaning=TEXT, allowed=TEXT)),
        )
    ),
)

CAUSE = _record(
    changes=_list(
        _record(kind={"enum": ["policy", "measure", "fault"]}, name=TEXT, before=TEXT, after=TEXT, meaning=TEXT)
    ),
    value=_or_null(NUMBER),
    explains=FLAG,
    queries=_list(_record(query=TEXT, before=_or_null(NUMBER), after=_or_null(NUMBER))),
)

DIFFERENCE = _record(
    assay=TEXT,
    first=TEXT,
    second=TEXT,
    explained=FLAG,
    findings=_list(
        _record(
            measure=TEXT,
            ours=_or_null(NUMBER),
            theirs=_or_null(NUMBER),
            same=FLAG,
            explained=FLAG,
            sentences=_list(TEXT),
            causes=_list(CAUSE),
        )
    ),
    limits=_list(TEXT),
)

INPUT = _record(
    role=TEXT,
    path=_or_null(TEXT),
    recorded=DIGEST,
    found=DIGEST,
    state={"enum": ["same", "changed", "unknown", "missing"]},
)

VERIFY = _record(
    assay=TEXT,
    result=TEXT,
    made_by=TEXT,
    same=FLAG,
    inputs=_list(INPUT),
    figures=_list(
        _record(
            run=TEXT,
            measure=TEXT,
            recorded=_or_null(NUMBER),
            found=_or_null(NUMBER),
            same=FLAG,
            close=FLAG,
            queries=_list(TEXT),
            note=TEXT,
        )
    ),
    problems=_list(TEXT),
    sentences=_list(TEXT),
)

COMPARE = told(
    EVALUATE
    | {
        "properties": EVALUATE["properties"] | {"comparison": COMPARISON},
        "required": [*EVALUATE["required"], "comparison"],
    },
    comparison_words.COMPARE,
)

PREDICTED = _record(
    run=TEXT,
    measure=TEXT,
    requested=TEXT,
    left_out=COUNT,
    higher_is_better=FLAG,
    estimate=NUMBER,
    interval=INTERVAL,
    human=NUMBER,
    human_interval=INTERVAL,
    machine=NUMBER,
    correlation=_or_null(NUMBER),
    effective=_or_null(NUMBER),
    saved=_or_null(NUMBER),
    queries_human=COUNT,
    queries_machine=COUNT,
    warnings=_list({"enum": ["few", "weak", "unlike"]}),
    **{"lambda": NUMBER},
)

PREDICT = _record(assay=TEXT, command=_list(TEXT), predicted=_list(PREDICTED))

WORK = ("work", "work_runs", "work_measure")
WORKLIST = _record(assay=TEXT, command=_list(TEXT), **{name: HEALTH["properties"][name] for name in WORK})

OF_VERB = {
    "evaluate": EVALUATE, "compare": COMPARE, "audit": AUDIT, "measures": MEASURES, "explain-difference": DIFFERENCE,
    "verify": VERIFY, "explain": EXPLAIN, "predict": PREDICT, "worklist": WORKLIST, "doctor": DOCTOR,
    "links audit": LINKS_AUDIT, "links evaluate": links_evaluate(EVALUATE), "links compare": COMPARE,
    "links sample": LINKS_SAMPLE, "links threshold": LINKS_THRESHOLD,
    "entities evaluate": entities_evaluate(EVALUATE), "entities compare": COMPARE, "entities churn": CHURN,
    "entities estimate": SAMPLED, "entities explain": EXPLAIN,
    "rag evaluate": rag_evaluate(EVALUATE), "rag compare": COMPARE, "rag explain": EXPLAIN,
    "rag stages": RAG_STAGES, "rag tune": RAG_TUNING,
    "graph sample": GRAPH_SAMPLE, "graph estimate": GRAPH_ESTIMATE, "graph plan": GRAPH_PLAN,
    "graph completeness": GRAPH_COMPLETENESS, "graph gaps": GRAPH_GAPS,
    "graph validity": GRAPH_VALIDITY, "graph suspects": graph_suspects(EVALUATE),
    "answers check": SUITE_HEALTH, "answers evaluate": answers_evaluate(RUN), "answers run": answers_evaluate(RUN),
    "answers probe": PROBES,
    "gold adjudicate": GOLD_ADJUDICATE, "gold agree": GOLD_AGREE, "gold derive": GOLD_DERIVE,
    "gold clicks": GOLD_CLICKS,
    "gold export": GOLD_EXPORT,
    "gold pool": GOLD_POOL,
    "gold recall": GOLD_RECALL,
    "history add": HISTORY_ADD, "history rejudge": HISTORY_ADD,
    "history show": HISTORY_SHOW, "history gate": HISTORY_GATE,
    "history drift": HISTORY_DRIFT,
    "lexical expand": lexical_expand(COMPARE),
    "lexical compare": lexical_compare(COMPARE),
    "lexical diagnose": lexical_diagnose(FIGURE),
    "neighbours evaluate": NEIGHBOURS_EVALUATE, "neighbours drift": NEIGHBOURS_DRIFT,
}  # fmt: skip

SCHEMAS: dict[str, Schema] = {
    name: {"$schema": "https://json-schema.org/draft/2020-12/schema", "title": f"assay {name} -o json"} | schema
    for name, schema in OF_VERB.items()
}
"""The schema of each verb's JSON; a line of `evaluate -o jsonl` follows that of evaluate."""
