"""What shells are offered: every shell is asked through the script that Assay gives it, or as that script asks."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from assay.cli.completion import Offer, measures, offers
from assay.cli.groups import sectioned
from assay.cli.main import SECTIONS, VERBS
from assay.measures import MEASURES
from assay.report.measure_page import Definition

ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def places(tmp_path_factory):
    """A folder with a program `assay`, and the environment in which it is found."""
    folder = tmp_path_factory.mktemp("programs")
    program = folder / "assay"
    program.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m assay "$@"\n')
    program.chmod(0o755)
    path = f"{folder}{os.pathsep}{os.environ['PATH']}"
    return os.environ | {"PATH": path, "PYTHONPATH": str(ROOT / "src"), "HOME": str(folder), "COLUMNS": "80"}


def asked(places, *words, **more):
    done = subprocess.run([*words], env=places | more, capture_output=True, text=True, timeout=60, check=False)
    assert done.stderr == ""
    return done.stdout


CASES = [
    (("ev",), {"evaluate"}, {"report"}),
    (("links", "aud"), {"audit"}, {"evaluate"}),
    (("evaluate", "-m", "nDC"), {"nDCG", "nDCGrel"}, {"P@10"}),
    (("evaluate", "--measures", "p"), {"P@10", "PrefsPair"}, {"R@10"}),
    (("measures", "Rec"), set(), {"P@10"}),
    (("measures", "RR"), {"RR"}, {"AP"}),
    (("compare", "--ties", "re"), {"realistic"}, {"order"}),
    (("compare", "--test", ""), {"flips", "t", "wilcoxon"}, {"holm"}),
    (("evaluate", "--profile", "trec"), {"trec_eval-9"}, {"beir"}),
    (("gold", "pool", "-o", "j"), {"json"}, {"table"}),
    (("evaluate", "--per"), {"--per-query"}, {"--by"}),
]


@pytest.mark.parametrize(("words", "there", "away"), CASES, ids=[" ".join(words) for words, _, _ in CASES])
def test_bash(places, words, there, away):
    quoted = " ".join(f"'{word}'" for word in ("assay", *words))
    script = (
        "source <(_ASSAY_COMPLETE=source_bash assay)\n"
        f"COMP_WORDS=({quoted}); COMP_CWORD={len(words)}; _assay_completion assay\n"
        'printf "%s\\n" "${COMPREPLY[@]}"'
    )
    found = set(asked(places, "bash", "--norc", "-c", script).split("\n"))
    assert there <= found
    assert not away & found


@pytest.mark.parametrize("shell", ["zsh", "fish"])
@pytest.mark.parametrize(("words", "there", "away"), [CASES[0], CASES[2], CASES[6]], ids=["verb", "measure", "option"])
def test_as_other_shells_ask(places, shell, words, there, away):
    typed = {"_TYPER_COMPLETE_ARGS": " ".join(("assay", *words)), "_TYPER_COMPLETE_FISH_ACTION": "get-args"}
    lines = asked(places, "assay", _ASSAY_COMPLETE=f"complete_{shell}", **typed).splitlines()
    if shell == "zsh":
        assert lines[0].startswith("_arguments '*: :((")
        found = {line.removeprefix("_arguments '*: :((").split('"')[1] for line in lines}
    else:
        found = {line.partition("\t")[0] for line in lines}
    assert there <= found
    assert not away & found
    assert "compl" in asked(places, "assay", _ASSAY_COMPLETE=f"source_{shell}")


@pytest.mark.skipif(shutil.which("fish") is None, reason="fish is not installed")
def test_fish_itself(places):
    script = '_ASSAY_COMPLETE=source_fish assay | source; complete -C "assay evaluate -m nDC"'
    assert "nDCG\t" in asked(places, "fish", "--no-config", "-c", script)


def test_nothing_heavy_is_loaded(places):
    program = (
        "import os, sys\nfrom assay.cli.main import run\nrun([])\n"
        "print([name for name in ('numpy', 'polars', 'assay.cli.compare') if name in sys.modules], file=sys.stderr)"
    )
    for words in (["ev"], ["evaluate", "-m", "nD"], ["evaluate", "--profile", ""]):
        given = {"COMP_WORDS": "\n".join(["assay", *words]), "COMP_CWORD": str(len(words))}
        done = subprocess.run(
            [sys.executable, "-c", program],
            env=places | {"_ASSAY_COMPLETE": "complete_bash"} | given,
            capture_output=True,
            text=True,
            check=True,
        )
        assert done.stdout.strip()
        assert done.stderr.strip() == "[]"


def test_measures_read_from_the_source_are_those_of_the_registry():
    named = {name + ("@10" if one.needs_at and one.at == "k" else ""): one for name, one in MEASURES.items()}
    assert measures() == {name: Definition.of(one).summary.rstrip(".") for name, one in named.items()}


def test_words_begin_as_typed_in_any_case():
    assert offers({"AP": "one", "P": "two"}, "a") == [Offer("AP", "one")]


def test_each_verb_stands_below_a_heading():
    found = sectioned(VERBS, SECTIONS)
    assert [verb for _, verbs in found for verb in verbs] == list(VERBS)
    assert "Commands" not in dict(found)
    assert sectioned(["a"], {}) == [("Commands", ["a"])]
