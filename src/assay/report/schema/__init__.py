"""JSON Schemas of the JSON that Assay writes, for those who read it with a program."""

from assay.report.schema.accuracy import GRAPH_ESTIMATE, GRAPH_PLAN, GRAPH_SAMPLE
from assay.report.schema.adjudication import GOLD_ADJUDICATE
from assay.report.schema.agreement import GOLD_AGREE
from assay.report.schema.answers import answers_evaluate
from assay.report.schema.audit import AUDIT
from assay.report.schema.beside import WORKLIST
from assay.report.schema.clicks import GOLD_CLICKS
from assay.report.schema.completeness import GRAPH_COMPLETENESS
from assay.report.schema.derived import GOLD_DERIVE
from assay.report.schema.difference import DIFFERENCE
from assay.report.schema.doctor import DOCTOR
from assay.report.schema.entities import CHURN, SAMPLED, entities_evaluate
from assay.report.schema.evaluation import COMPARE, EVALUATE, FIGURE, RUN
from assay.report.schema.explanation import EXPLAIN
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
from assay.report.schema.measures import MEASURES
from assay.report.schema.neighbours import NEIGHBOURS_DRIFT, NEIGHBOURS_EVALUATE
from assay.report.schema.parts import Schema
from assay.report.schema.pool import GOLD_POOL
from assay.report.schema.predicted import PREDICT
from assay.report.schema.probes import PROBES
from assay.report.schema.rag import rag_evaluate
from assay.report.schema.rag_stages import RAG_STAGES
from assay.report.schema.rag_tuning import RAG_TUNING
from assay.report.schema.suite_health import SUITE_HEALTH
from assay.report.schema.validity import GRAPH_VALIDITY, graph_suspects
from assay.report.schema.verification import VERIFY

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
