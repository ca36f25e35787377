"""Which tests a changed file of `measures` has to face, and only the cases of those tests that the change can reach.

As a plugin, `pytest -p tests.mutation.selection`, it reads the names of the measures to try from ASSAY_MUTATED.
"""

import os
import re
from collections.abc import Iterator
from functools import wraps
from pathlib import Path
from types import SimpleNamespace

import pytest
from hypothesis import Phase, settings

import assay.testing
import assay.testing.measures
from assay.measures import MEASURES, Measure

FOLDER = Path("src/assay/measures")
BY_HAND = tuple(f"tests/unit/test_{what}_by_hand.py" for what in ("measures", "ties", "groups"))
EVERY = ("tests/contract/test_measures.py", "tests/contract/test_ties.py", "tests/contract/test_possible.py")
NAMES = ("tests/unit/test_notation.py",)
CHANCE = ("tests/unit/test_adjusted.py",)
SAMPLES = ("tests/unit/test_sampled.py",)
PROOFS = ("tests/contract/test_proofs.py",)
ASPECTS = ("tests/contract/test_diversity.py",)
USERS = ("tests/contract/test_judgment_groups.py", "tests/unit/test_preferences.py")
GROUPS = ("tests/contract/test_preferences.py", *USERS)
OWN = {
    "adjusted": CHANCE, "rank_statistics": CHANCE, "notation": NAMES, "parameters": NAMES, "base": NAMES,
    "inferred": SAMPLES, "sampled": SAMPLES, "proofs": PROOFS, "judgment_groups": USERS, "grouped": PROOFS + GROUPS,
    "facets": ASPECTS + GROUPS + SAMPLES,
} | dict.fromkeys(("aspects", "diversity", "intent_aware"), ASPECTS) | dict.fromkeys(
    ("preferences", "preferences_by_group", "preferred_pairs"), GROUPS
)  # fmt: skip
"""The tests of some files, beside those of every file."""
TYPICAL = {
    "base": "P AP nDCG NumRel MR", "parameters": "P nDCG", "graded": "GP GR SDCG ERR RBP",
    "tie_groups": "P RR AP Complete Rprec DCG ERR", "possible": "AP nDCG F1 RCap Complete GR ERR Bpref",
    "possible_gain": "nDCG IDCG", "dcg": "DCG nDCG SDCG", "facets": "alpha_nDCG AP_AvgJG PrefsPair ProofR statAP",
    "grouped": "AP_AvgJG PrefsPair PrefsAvgJG ProofR", "aspects": "alpha_DCG alpha_nDCG AP_IA StRecall",
}  # fmt: skip
"""The measures that stand for all those that a file is part of."""
SPARED = (
    "not broken_measure and not without_an_exact_mean and not have_no_ceiling "
    "and not ignores_scale and not ignores_order and not ends_at and not realistic"
)
"""Left out: tests of tests, tests that want a setting of every measure, and dear ones that find what others do."""


def tests_of(module: str) -> list[str]:
    """Return the tests that a module has to pass, the quickest first."""
    doctests = str(FOLDER / f"{module}.py")
    if module == "notation":
        return [doctests, *NAMES, f"{EVERY[0]}::test_definition"]
    return [doctests, *BY_HAND, *OWN.get(module, ()), *EVERY]


def measures_of(module: str) -> list[str]:
    """Return the measures that a change of a module can reach: those it defines, and those built on their classes."""
    if module == "notation":
        return list(MEASURES)
    if module in TYPICAL:
        return TYPICAL[module].split()
    path = f"assay.measures.{module}"
    own = [one.name for one in MEASURES.values() if path in {base.__module__ for base in one.__mro__}]
    importers = {one.stem for one in FOLDER.glob("*.py") if f"from {path} import" in one.read_text("utf-8")}
    return own or [one.name for one in MEASURES.values() if one.__module__.rpartition(".")[2] in importers]


def modules() -> list[str]:
    """Return the files of measures by name."""
    return sorted(one.stem for one in FOLDER.glob("*.py") if one.stem != "__init__")


ONLY = set(os.environ.get("ASSAY_MUTATED", "").split())
NO_CASE = SimpleNamespace(params={})
variants = assay.testing.measures.variants


@wraps(variants)
def reachable_variants(measure: type[Measure]) -> Iterator[Measure]:
    """Yield the settings of a measure that the change can reach, none of the others."""
    return variants(measure) if measure.name in ONLY else iter(())


def is_out_of_reach(value: object) -> bool:
    """Tell whether the parameter of a test is a measure that the change cannot reach, or names one."""
    name = value.name if isinstance(value, Measure) else None
    if isinstance(value, str) and re.fullmatch(r"[A-Za-z]\w*(\(.*\))?(@.*)?", value):
        name = re.split(r"[(@]", value)[0]
    return name in MEASURES and MEASURES[name].name not in ONLY


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Leave out the cases of other measures."""
    if ONLY:
        items[:] = [
            one for one in items if not any(map(is_out_of_reach, getattr(one, "callspec", NO_CASE).params.values()))
        ]


if ONLY:
    assay.testing.variants = assay.testing.measures.variants = reachable_variants
# That an example fails is all that is asked: it is neither made smaller nor kept.
settings.register_profile(
    "mutation", max_examples=30, deadline=None, derandomize=True, database=None, phases=[Phase.explicit, Phase.generate]
)
