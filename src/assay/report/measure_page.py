"""What a measure says about itself, as data and as a page: definition, formula, parameters, edge cases."""

import inspect
import math
import re
import sys
import textwrap
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, fields
from typing import Any

from assay.measures.base import MEASURES, Measure
from assay.measures.parameters import PARAMETERS

FORMULA = re.compile(r"\$\$(.*?)\$\$", re.DOTALL)


@dataclass(frozen=True, slots=True)
class Definition:
    """A docstring taken apart: every measure has these five parts."""

    summary: str
    formula: str
    remarks: str
    source: str
    example: str

    @classmethod
    def of(cls, measure: type[Measure]) -> "Definition":
        """Take the docstring of a measure apart."""
        text = inspect.cleandoc(measure.__doc__ or "")
        prose, _, example = text.partition("\n>>> ")
        formula = FORMULA.search(prose)
        before, after = (prose[: formula.start()], prose[formula.end() :]) if formula else (prose, "")
        remarks, _, source = after.partition("Source:")
        return cls(
            summary=_joined(before),
            formula=_joined(formula[1]) if formula else "",
            remarks=_joined(remarks),
            source=_joined(source),
            example=f">>> {example.rstrip()}" if example else "",
        )


def families() -> dict[str, list[type[Measure]]]:
    """Return all measures under the title of their file."""
    groups: dict[str, list[type[Measure]]] = {}
    for measure in MEASURES.values():
        groups.setdefault(family(measure), []).append(measure)
    return groups


def family(measure: type[Measure]) -> str:
    """Return the title of the file that holds a measure."""
    return (sys.modules[measure.__module__].__doc__ or "").strip().partition("\n")[0]


def facts(measure: type[Measure]) -> dict[str, Any]:
    """Return what is known about a measure as plain data."""
    definition = Definition.of(measure)
    low, high = measure.bounds
    return {
        "name": measure.name,
        "aliases": list(MEASURES.aliases(measure.name)),
        "trec_eval": list(measure.trec),
        "family": family(measure),
        "definition": definition.summary,
        "formula": definition.formula,
        "remarks": definition.remarks,
        "source": definition.source,
        "example": definition.example,
        "lowest": _finite(low),
        "highest": _finite(high),
        "higher_is_better": measure.higher_is_better,
        "needs_cutoff": measure.needs_at,
        "defined_without_relevant": measure.counts_empty,
        "summed": measure.summed,
        "without_answer": measure.worst,
        "exact_ties": exact_ties(measure),
        "parameters": _parameters(measure),
    }


def exact_ties(measure: type[Measure]) -> bool:
    """Tell whether the measure has an exact mean over all orders of tied items."""
    return measure.expected is not Measure.expected


def listing(width: int = 80) -> str:
    """Return all measures, a line or two for each, under the titles of their files."""
    lines = []
    for title, measures in families().items():
        lines += [*textwrap.wrap(title, width), *(_entry(measure, width) for measure in measures), ""]
    lines.append("assay measures NAME tells all about one: formula, edge cases, parameters.")
    return "\n".join(lines) + "\n"


def page(measure: type[Measure], width: int = 80, asked: str = "") -> str:
    """Return all about one measure as text; `asked` tells what was typed, where that is not its name."""
    definition = Definition.of(measure)
    title = ", ".join([measure.name, *MEASURES.aliases(measure.name)]) + (f"  ({asked})" if asked else "")
    parts = [
        ("", [definition.summary]),
        ("Formula (LaTeX)", [definition.formula]),
        ("Remarks", [definition.remarks]),
        ("Values", list(_values(measure))),
        ("Parameters", [_parameter_line(measure, one) for one in facts(measure)["parameters"]]),
        ("Written", [_written(measure)]),
        ("Source", [definition.source]),
    ]
    text = title + "\n" + "".join(_section(name, lines, width) for name, lines in parts if any(lines))
    example = textwrap.indent(definition.example, "  ")
    known = f"from assay import {measure.name}; " if measure.name.isidentifier() else ""
    given = "its items" if measure.needs_facets else "the grades"
    return f"{text}\nExample ({known}{given} in the order of the ranking)\n{example}\n"


def _section(name: str, lines: Sequence[str], width: int) -> str:
    indent = "    " if len(lines) > 1 else "  "
    fill = textwrap.TextWrapper(width, initial_indent="  ", subsequent_indent=indent, break_on_hyphens=False).fill
    filled = map(fill, lines)
    return "\n" + (f"{name}\n" if name else "") + "\n".join(filled) + "\n"


def _values(measure: type[Measure]) -> Iterator[str]:
    low, high = measure.bounds
    better = "higher" if measure.higher_is_better else "lower"
    yield f"From {low:g} to {'any size' if math.isinf(high) else f'{high:g}'}; {better} is better."
    if measure.counts_empty:
        yield "A query without a relevant item has a value as well."
    else:
        yield "A query without a relevant item is undefined (null); --empty says what the mean does with it."
    if measure.summed:
        yield "A run is described by the sum over its queries, not by their mean."
    elif measure.worst is None:
        yield "A query without any answer is undefined, because no value is the worst."
    else:
        yield f"A query without any answer counts {measure.worst:g}, or is left out with --missing skip."
    if measure.needs_facets:
        rules = "id-desc, id-asc, order and expected" if exact_ties(measure) else "id-desc, id-asc and order"
        yield f"It reads judgments by aspect, group or sample; --ties {rules} are the rules it has."
        return
    exact = "is exact" if exact_ties(measure) else "has no exact form; --ties range gives both ends"
    yield f"--ties expected {exact}."


def _parameter_line(measure: type[Measure], one: dict[str, Any]) -> str:
    default = f"default {one['default']}."
    if one["default"] is None:
        default = "not set unless given."
        if one["name"] == measure.at:
            default = "has to be given." if measure.needs_at else "without it the whole ranking."
    return f"{one['name']}: {one['meaning']}; {one['allowed']}; {default}"


def _written(measure: type[Measure]) -> str:
    at = {"k": "@10", "recall": "@0.5"}.get(measure.at or "", "")
    own = f"{measure.name}{at}" + ("" if measure.needs_at or not at else f" or {measure.name}")
    trec = ", ".join(name.replace("{k}", "10").replace("{recall}", "0.50") for name in measure.trec)
    return own + (f"; in trec_eval {trec}." if trec else "; trec_eval has no name for it.")


def _entry(measure: type[Measure], width: int) -> str:
    name = measure.name + ("@k" if measure.at == "k" and measure.needs_at else "")
    line = f"  {name:<18} {Definition.of(measure).summary}"
    return textwrap.fill(line, width, subsequent_indent=" " * 21, break_on_hyphens=False)


def _parameters(measure: type[Measure]) -> list[dict[str, Any]]:
    """Return the parameters, its own before those of all."""
    found = []
    for part in sorted(fields(measure), key=lambda part: part.name == "judged_only"):
        meaning, _, allowed = PARAMETERS[part.name]
        found.append({"name": part.name, "default": _plain(part.default), "meaning": meaning, "allowed": allowed})
    return found


def _plain(default: Any) -> str | float | bool | None:
    return int(default) if isinstance(default, int) and not isinstance(default, bool) else default


def _finite(value: float) -> float | None:
    return value if math.isfinite(value) else None


def _joined(text: str) -> str:
    return " ".join(text.split())
