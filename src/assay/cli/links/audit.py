"""`assay links audit`: what the splits of a knowledge graph give away, before any score."""

from assay.cli.links.options import EntityNames, Labels, RelationNames, Test, Train, TripleFormat, Valid
from assay.cli.options import Out, TableOrJson
from assay.cli.output import PROSE, chosen, colour, deliver, width

FORMS = ("table", "json")


def audit(
    *,
    train: Train,
    valid: Valid = None,
    test: Test = None,
    format: TripleFormat = None,  # noqa: A002 - the name of the option
    entities: EntityNames = None,
    relations: RelationNames = None,
    labels: Labels = False,
    output: TableOrJson = None,
    out: Out = None,
) -> None:
    """Say what the splits of a graph give away, and what it does to published figures.

    Example: assay links audit --train train.tsv --valid valid.tsv --test test.tsv
    """
    form = chosen(output, out, FORMS)
    from assay.report.documents import strict_json
    from assay.report.links_audit import render
    from assay.tasks.links.audit import audit_links
    from assay.tasks.links.graph import KnowledgeGraph

    graph = KnowledgeGraph.read(
        train, valid, test, format=format, entities=entities, relations=relations,
        labels=labels,
    )  # fmt: skip
    found = audit_links(graph)
    text = strict_json(found.to_dict()) if form == "json" else render(found, width=width(PROSE), colour=colour(out))
    deliver(text, out)
