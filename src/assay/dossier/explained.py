"""Which queries a report explains: those that changed most against the baseline, or the worst of a single run."""

from collections.abc import Iterator, Sequence

from assay.core.explanation import ExplainedChange, Explanation
from assay.dossier.material import Material
from assay.explain import explain_many, most_changed, worst
from assay.explain.change import change
from assay.explain.study import Study, plan_of

MOST = 120
"""So many explanations make a page of a few megabytes at most."""
PLACES = 12

Key = tuple[str, str, str]


def explained_queries(material: Material, baseline: str | None) -> dict[Key, Explanation | ExplainedChange]:
    """Explain queries by the first measure that is a mean, by (run, query, measure)."""
    figures = material.evaluations[0].figures
    measure = next((figure.name for figure in figures if not figure.summed), None)
    if measure is None:
        return {}
    if baseline is None:
        return dict(_single(material, measure))
    return dict(_changes(material, material.labels.index(baseline), measure))


def _single(material: Material, measure: str) -> Iterator[tuple[Key, Explanation]]:
    queries = worst(material.evaluations[0], measure, MOST // 2)
    found = explain_many(
        material.gold, material.runs[0], queries, measure, places=PLACES, **material.of_one_query
    )  # fmt: skip
    return (((material.labels[0], one.query, measure), one) for one in found)


def _changes(material: Material, baseline: int, measure: str) -> Iterator[tuple[Key, ExplainedChange]]:
    others = [place for place in range(len(material.runs)) if place != baseline]
    before, many = material.evaluations[baseline], max(1, MOST // len(others))
    queries = {place: most_changed(before, material.evaluations[place], measure, many) for place in others}
    first = _study(material, baseline, measure, [query for some in queries.values() for query in some])
    for place, some in queries.items():
        second = _study(material, place, measure, some)
        yield from (((material.labels[place], query, measure), change(first, second, query, PLACES)) for query in some)


def _study(material: Material, place: int, measure: str, queries: Sequence[str]) -> Study:
    """Read what one run answers to some queries."""
    said = {"policy": None, "profile": None, "rel": None, "exclude": None} | material.of_one_query
    exclude = said.pop("exclude")
    return Study.of(material.gold, material.runs[place], plan_of(material.gold, measure, **said), queries, exclude)
