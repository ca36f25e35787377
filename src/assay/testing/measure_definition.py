"""What a measure says about itself: its names, its notation and its docstring."""

import doctest
import re
from collections.abc import Callable, Mapping
from types import MappingProxyType

import numpy as np

from assay.errors import ParameterError
from assay.measures import MEASURES, Measure, parse

Definition = Callable[[Measure], None]


def require(true: object, message: str) -> None:
    """Raise AssertionError with the message unless it is true."""
    if not true:
        raise AssertionError(message)


def has_a_name(measure: Measure) -> None:
    """It is registered under its name and aliases."""
    for name in (measure.name, *MEASURES.aliases(measure.name)):
        require(MEASURES[name] is type(measure), f"{name} is not the name of {type(measure)!r}")


def reads_back(measure: Measure) -> None:
    """Written and read again it is the same measure."""
    again = parse(str(measure))
    require(again == measure, f"{measure} is read as {again}")
    require(hash(again) == hash(measure), f"{measure}: equal measures have unequal hashes")
    require(repr(again) == str(measure), f"{measure} is written as {again!r}")


def explains_itself(measure: Measure) -> None:
    """Its docstring has a definition, a formula, an edge case, a source and an example."""
    text = measure.__doc__ or ""
    require(re.match(r"[A-Z0-9].*\.\n", text), f"{measure.name}: the first line of the docstring defines it")
    require(text.count("$$") == 2, f"{measure.name}: the docstring has one formula between $$ and $$")
    sentence, _, source = text.rpartition("$$")[2].partition("Source: ")
    require(sentence.strip(), f"{measure.name}: a sentence after the formula says what people dispute")
    require(re.search(r"\d{4}|trec_eval", source), f"{measure.name}: `Source: …` names a paper with its year")
    require("trec_eval" in source or not measure.trec, f"{measure.name}: `Source: …` names it in trec_eval")
    require(">>> " in source, f"{measure.name}: the docstring ends with an example")


def examples_run(measure: Measure) -> None:
    """The examples of its docstring print what they show."""
    names = {name: MEASURES[name] for known in MEASURES for name in (known, *MEASURES.aliases(known))}
    words = names | {"parse": parse, "np": np}
    test = doctest.DocTestParser().get_doctest(measure.__doc__ or "", words, measure.name, None, None)
    printed: list[str] = []
    doctest.DocTestRunner().run(test, out=printed.append)
    require(not printed, "".join(printed))


def has_trec_names(measure: Measure) -> None:
    """The names it has in trec_eval are read as this measure."""
    for template in measure.trec:
        values = {"k": 5, "recall": 0.1, "multiple": 0.2}
        name = template.format(**values)
        plain = type(measure)()
        wanted = plain @ values[str(measure.at)] if "{" in template else plain
        require(parse(name) == wanted, f"{name} is read as {parse(name)}, not as {wanted}")


def asks_for_its_cutoff(measure: Measure) -> None:
    """A bare name is an error where a cutoff is needed, and that error shows one."""
    if not measure.needs_at:
        return
    try:
        parse(measure.name)
    except ParameterError as problem:
        require(f"{measure.name}@" in str(problem), f"{measure.name}: the error shows no cutoff: {problem}")
    else:
        require(False, f"{measure.name} is accepted without a cutoff")


DEFINITIONS: Mapping[str, Definition] = MappingProxyType({
    check.__name__: check
    for check in (has_a_name, reads_back, explains_itself, examples_run, has_trec_names, asks_for_its_cutoff)
})  # fmt: skip
"""All of them by name."""
