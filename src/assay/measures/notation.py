"""The grammar of measures: "nDCG(gain='exp')@10", "P@{1,5,10}" and trec_eval's "ndcg_cut_10" <-> `Measure`.

`Name(parameter=value,…)@cutoff` is read with Python's own parser and never evaluated: names come from the
registry, values are literals.
"""

import ast
import math
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, fields
from typing import Any

from assay.errors import AssayError, ParameterError
from assay.measures.base import MEASURES, Measure

LONGEST = 500
"""The most characters that one measure may have."""

_LEADING_DIGIT = re.compile(r"^(\d+pt)")
_DOTTED = re.compile(r"^([A-Za-z]\w*|11pt_avg)\.([-+\d.,=e]+)$")


@dataclass(frozen=True, slots=True)
class Requested:
    """A measure and what was typed for it."""

    measure: Measure
    text: str


def parse(text: str) -> Measure:
    """Read one measure.

    >>> parse("MAP"), parse("P(rel=2)@5"), parse("ndcg_cut_10"), parse("nDCG(dcg='exp-log2')@10")
    (AP, P(rel=2)@5, nDCG@10, nDCG(gain='exp')@10)
    >>> parse("P@0")
    Traceback (most recent call last):
    ...
    assay.errors.ParameterError: P(k=0): k must be an integer of at least 1.
    """
    found = parse_many(text)
    if len(found) != 1:
        msg = f"expected one measure, found {len(found)} in {text!r}"
        raise ParameterError(msg)
    return found[0].measure


def parse_many(request: str | Measure | type[Measure] | Iterable[str | Measure | type[Measure]]) -> list[Requested]:
    """Read measures from a text, from measures, or from several of both; equal ones are merged.

    >>> [str(r.measure) for r in parse_many("P@{1,5} recip_rank, ndcg_cut.5,10")]
    ['P@1', 'P@5', 'RR', 'nDCG@5', 'nDCG@10']
    """
    several = [request] if isinstance(request, str | Measure | type) else list(request)
    found: dict[Measure, Requested] = {}
    for one in several:
        for requested in _read(one):
            requested.measure.require_complete()
            found.setdefault(requested.measure, requested)
    if not found:
        msg = "measures: expected one or more, found none"
        raise ParameterError(msg, hint='such as "P@{1,5,10} nDCG@10 AP"; assay measures lists all.')
    return list(found.values())


def _read(one: str | Measure | type[Measure]) -> Iterator[Requested]:
    if isinstance(one, str):
        for token in _tokens(one):
            yield from _read_token(token)
        return
    made = one() if isinstance(one, type) else one
    yield Requested(made, str(made))


def _tokens(text: str) -> Iterator[str]:
    """Split at white space and commas outside brackets; trec_eval's dotted form keeps its commas."""
    for word in _split(text, str.isspace):
        if _DOTTED.match(word):
            yield word
        else:
            yield from _split(word, lambda char: char == ",")


def _split(text: str, is_border: Any) -> Iterator[str]:
    depth, word = 0, ""
    for char in text:
        depth += (char in "({[") - (char in ")}]")
        if depth <= 0 and is_border(char):
            if word:
                yield word
            word = ""
        else:
            word += char
    if word:
        yield word


def _read_token(token: str) -> Iterator[Requested]:
    trec = _trec_name(token)
    if trec is not None:
        yield Requested(trec, token)
        return
    dotted = _DOTTED.match(token)
    if dotted:
        yield from _read_dotted(token, dotted[1], dotted[2])
        return
    head, at = _read_expression(token)
    cls = MEASURES[head.name]
    made = cls(**_translate(cls, head.given))
    if not at:
        yield Requested(made, token)
    for value in at:
        name = token.rpartition("@")[0]
        yield Requested(made @ value, f"{name}@{value:g}" if len(at) > 1 else token)


@dataclass(frozen=True, slots=True)
class _Head:
    name: str
    given: dict[str, Any]


def _read_expression(token: str) -> tuple[_Head, list[float]]:
    """Take `Name(a=1)@5` apart."""
    if len(token) > LONGEST:
        msg = f"expected a measure of at most {LONGEST} characters, found {len(token)}: {token[:40]}…"
        raise ParameterError(msg)
    digit = _LEADING_DIGIT.match(token)
    try:
        tree = ast.parse(f"_{token}" if digit else token, mode="eval").body
        at: list[float] = []
        if isinstance(tree, ast.BinOp) and isinstance(tree.op, ast.MatMult):
            at = _cutoffs(token, tree.right)
            tree = tree.left
        return _head(token, tree, digit is not None), at
    except (SyntaxError, ValueError, TypeError, RecursionError, MemoryError) as problem:
        if isinstance(problem, AssayError):
            raise
        msg = f"expected a measure such as P@10, nDCG(gain='exp')@10 or AP, found {token!r}"
        raise ParameterError(msg, hint="assay measures lists all.") from None


def _head(token: str, tree: ast.expr, digit: bool) -> _Head:
    given: dict[str, Any] = {}
    if isinstance(tree, ast.Call):
        if tree.args or any(word.arg is None for word in tree.keywords):
            msg = f"{token}: parameters are given by name, for example P(rel=2)@5"
            raise ParameterError(msg)
        given = {str(word.arg): ast.literal_eval(word.value) for word in tree.keywords}
        tree = tree.func
    if not isinstance(tree, ast.Name):
        msg = "no name"
        raise SyntaxError(msg)  # noqa: TRY004 - worded by the caller, as all that is no measure
    return _Head(tree.id[1:] if digit else tree.id, given)


def _cutoffs(token: str, tree: ast.expr) -> list[float]:
    value = ast.literal_eval(tree)
    values = sorted(value) if isinstance(value, set) else [value]
    if not all(isinstance(one, int | float) for one in values):
        msg = f"{token}: expected a number or a set of numbers after @, found {value!r}"
        raise ParameterError(msg)
    return values


def _translate(cls: type[Measure], given: dict[str, Any]) -> dict[str, Any]:
    """Turn other tools' parameters into ours."""
    known = [part.name for part in fields(cls)]
    out: dict[str, Any] = {}
    for name, value in given.items():
        if name == "cutoff" and cls.at == "k":
            out["k"] = value
        elif name == "beta" and name not in known and "p" in known:  # NRBP: the persistence of ndeval
            out["p"] = value
        elif name not in known and name in cls.synonyms and "gain" in known and value in cls.synonyms[name]:
            out |= cls.synonyms[name][value]
        else:
            out[name] = value
    return out


def _trec_name(token: str) -> Measure | None:
    """Read `P_10`, `map`, `iprec_at_recall_0.10`; None where it is no name of trec_eval."""
    for cls in MEASURES.values():
        for template in cls.trec:
            base, _, parameter = template.partition("_{")
            if not parameter and token == base:
                return cls()
            if base == "set_F" and token.startswith("set_F_"):
                return _set_f(token, token.removeprefix("set_F_"))
            match = re.fullmatch(re.escape(base) + r"_(-?[\d.]+)", token) if parameter else None
            if match:
                return cls() @ _number(token, match[1])
    return None


def _read_dotted(token: str, base: str, given: str) -> Iterator[Requested]:
    """Read trec_eval's `P.5,10`, `set_F.2.0` (its parameter is beta squared) and `ndcg.1=3,2=9`."""
    for cls in MEASURES.values():
        for template in cls.trec:
            if template == "set_F" == base:
                yield Requested(_set_f(token, given), token)
                return
            if template == base and "=" in given:
                pairs = (pair.split("=", 1) for pair in given.split(","))
                gains = {_number(token, grade): _number(token, gain) for grade, gain in pairs}
                yield Requested(cls(gains=gains), token)
                return
            if template.partition("_{")[0] == base and "{" in template:
                for value in given.split(","):
                    yield Requested(cls() @ _number(token, value), f"{base}.{value}")
                return
    name = MEASURES.canonical(base)
    msg = f"expected {name} with its cutoff after @ and its parameters in brackets, found {token!r}"
    raise ParameterError(msg)


def _set_f(token: str, given: str) -> Measure:
    """Read the parameter of trec_eval's set_F, which is beta squared."""
    return MEASURES["SetF"](beta=math.sqrt(_number(token, given)))


def _number(token: str, text: str) -> float:
    try:
        value = float(text)
    except ValueError:
        msg = f"{token}: expected a number, found {text!r}"
        raise ParameterError(msg) from None
    return int(value) if value.is_integer() else value
