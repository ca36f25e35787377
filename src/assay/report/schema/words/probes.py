"""What the keys of the probes of a SPARQL engine mean."""

from assay.report.schema.words.evaluation import DOCUMENT

PROBE = {
    "name": "What the probe is called.",
    "what": "What a correct engine does.",
    "passed": "Whether this engine does it.",
    "expected": "The right answer, as text.",
    "found": "The answer that came, as text.",
    "query": "The SPARQL that was asked.",
    "source": "Where engines were seen to fail the probe; empty where that is nowhere written.",
    "data": "The Turtle that was asked; empty where the query brings its own data.",
}

PROBES = DOCUMENT | {
    "graph": "The name of the engine that was probed.",
    "probes": "How many probes were asked.",
    "failed": "How many of them gave something else than the right answer.",
    "results": "Each probe and what came of it, passed ones too.",
}
