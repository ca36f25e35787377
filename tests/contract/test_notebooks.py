"""Every result shows itself in a notebook: small, escaped, in the colours of the page; and goes out as a frame."""

import dataclasses
import importlib
import inspect
import pkgutil
import typing
from html.parser import HTMLParser

import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

import assay
import assay.core
from assay.core.shown import ROWS, page, title
from assay.report.schema import SCHEMAS

EVIL = "<img src=x onerror=alert(1)>&"
INPUTS = {"Gold", "Run", "Labels", "Suite", "Answer", "Documents", "Queries"}
"""What is read; a notebook shows it as Python does."""
GOLD = {f"q{i}": {"a": 2, "b": 0, EVIL: 1} for i in range(20)}
RUNS = {name: {q: dict(zip(order, (3, 2, 1), strict=True)) for q in GOLD} for name, order in
        (("good", ["a", EVIL, "b"]), (EVIL, ["b", EVIL, "a"]))}  # fmt: skip


def results():
    """The classes of the core that a public function returns, or that write a JSON document."""
    found = {}
    for name in assay.__all__:
        function = getattr(assay, name)
        if inspect.isfunction(function):
            kind = inspect.signature(function).return_annotation
            found |= {one.__name__: one for one in (kind, *typing.get_args(kind)) if dataclasses.is_dataclass(one)}
    for module in pkgutil.iter_modules(assay.core.__path__, "assay.core."):
        for name, one in vars(importlib.import_module(module.name)).items():
            if dataclasses.is_dataclass(one) and "command" in inspect.signature(getattr(one, "to_dict", id)).parameters:
                found[name] = one
    return {name: one for name, one in found.items() if one.__module__.startswith("assay.core.") and name not in INPUTS}


class Reader(HTMLParser):
    """Tells the tags of a page, and that each is closed."""

    def __init__(self, text):
        super().__init__()
        self.open, self.tags = [], []
        self.feed(text)
        self.close()
        assert self.open == []

    def handle_starttag(self, tag, _):
        self.open.append(tag)
        self.tags.append(tag)

    def handle_endtag(self, tag):
        assert self.open.pop() == tag


def sample(schema):
    """A document that a schema allows: texts are hostile, lists long."""
    if "anyOf" in schema:
        return sample(schema["anyOf"][0])
    if "enum" in schema:
        return schema["enum"][0]
    kind = schema.get("type")
    kind = kind[0] if isinstance(kind, list) else kind
    if kind == "object":
        made = {name: sample(one) for name, one in schema.get("properties", {}).items()}
        other = schema.get("additionalProperties")
        return made | ({f"{EVIL}{i}": sample(other) for i in range(20)} if isinstance(other, dict) else {})
    if kind == "array":
        return [sample(schema.get("items", {}))] * 20
    return {"string": EVIL, "boolean": True, "integer": 12_345, "number": 0.123456}.get(kind)


@pytest.mark.parametrize("name", sorted(results()))
def test_each_result_shows_itself(name):
    assert callable(getattr(results()[name], "_repr_html_", None))


@pytest.mark.parametrize("name", sorted(set(SCHEMAS) - {"measures"}))
def test_each_document_is_drawn_small_and_escaped(name):
    html = page(title("AnyResult"), sample(SCHEMAS[name]))
    tags = Reader(html).tags
    assert "img" not in tags
    assert tags.count("tr") <= 6 * (ROWS + 1)
    assert len(html) < 150_000


NAMED = [assay.Run.from_mapping(rows, name=name) for name, rows in RUNS.items()]
MADE = {
    "Evaluation": lambda: assay.evaluate(GOLD, NAMED[1], ["P@2", "nDCG@10"]),
    "Scores": lambda: assay.evaluate(GOLD, NAMED[1], "P@2").scores,
    "Policy": assay.Policy,
    "Interval": lambda: assay.evaluate(GOLD, NAMED[1], "P@2").interval("P@2"),
    "Comparison": lambda: assay.compare(GOLD, RUNS, ["P@2", "nDCG@10"]),
    "Audit": lambda: assay.audit(GOLD, NAMED[1]),
    "Health": lambda: assay.health(GOLD, NAMED),
    "Pool": lambda: assay.pool(NAMED, depth=2),
    "Explanation": lambda: assay.explain(GOLD, NAMED[1], "q1"),
    "ExplainedChange": lambda: assay.explain_change(GOLD, *NAMED, "q1"),
    "Difference": lambda: assay.explain_difference(GOLD, NAMED[0], profiles=["assay", "trec_eval-9"]),
    "Dossier of two": lambda: assay.dossier(GOLD, NAMED),
    "Dossier of one": lambda: assay.dossier(GOLD, NAMED[:1]),
}


@pytest.mark.parametrize("name", MADE)
def test_real_results(name):
    result = MADE[name]()
    assert type(result).__name__ == name.split()[0]
    html = result._repr_html_()
    assert "img" not in Reader(html).tags
    assert "<td>nan</td>" not in html.lower()
    assert len(html) < 30_000


def test_the_page_decides_the_colours():
    html = assay.compare(GOLD, RUNS, "P@2")._repr_html_()
    assert "color:inherit" in html
    assert "#" not in html.partition("</style>")[0]


def test_numbers_and_long_lists_are_short():
    rows = [
        {"k": float(i), "value": i / 7, "many": list(range(30)), "part": {"low": 0.1, "high": None}} for i in range(40)
    ]
    html = page("Any", {"assay": "1", "rows": rows, "left": None, "sure": False, "notices": [EVIL]})
    assert "<b>Any</b></p><p>sure no</p><p>rows (40)</p>" in html
    assert "<td>3</td><td>0.4286</td><td>0, 1, 2, 3, 4, 5, … (30)</td><td>[0.1000, -]</td>" in html
    assert "… and 28 more" in html
    assert "<li>&lt;img" in html


def test_frames_go_to_pandas_and_arrow_without_copies_by_hand():
    found = assay.evaluate(GOLD, RUNS["good"], ["P@2", "RR"])
    arrow = pa.table(found.per_query)
    assert arrow.column_names == ["run", "measure", "query", "value"]
    assert pl.DataFrame(arrow).equals(found.per_query)
    frame = found.wide().to_pandas()
    assert isinstance(frame, pd.DataFrame)
    assert list(frame.columns) == ["query", "P@2", "RR"]
    assert frame["RR"].tolist() == found.wide()["RR"].to_list()
