"""The smaller verbs, help, and the cost of starting."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]


def test_help_names_every_verb_and_each_explains_itself(assay):
    text = assay("--help").out
    verbs = ["evaluate", "compare", "explain", "report", "audit", "measures", "convert", "explain-difference", "verify"]
    verbs.append("schema")
    for verb in verbs:
        assert f"  {verb} " in text
    assert assay().out == text
    for verb in verbs:
        page = assay(verb, "--help").out
        assert page.startswith(f"Usage: assay {verb} [OPTIONS]")
        assert "--debug" in page
        assert max(map(len, page.splitlines())) <= 80


def test_every_convention_is_explained(assay):
    text = " ".join(assay("evaluate", "--help").out.split())
    for words in ("--ties", "id-desc", "the exact mean of the measure over all orders", "--self-match", "range"):
        assert words in text


def test_version(assay):
    assert assay("--version").out.startswith("assay 0.")


def alone(code, folder):
    """Run a few lines in a process of their own and return what went wrong, if anything."""
    env = os.environ | {"PYTHONPATH": str(ROOT / "src")}
    command = [sys.executable, "-c", code]
    return subprocess.run(command, cwd=folder, env=env, capture_output=True, text=True, check=False).stderr


@pytest.mark.parametrize("args", [["--help"], ["--version"], ["evaluate", "--help"], ["measures", "--help"]])
def test_help_loads_nothing_heavy(tmp_path, args):
    code = (
        "import sys\nfrom assay.cli.main import run\n"
        f"run({args!r})\n"
        "heavy = {'numpy', 'polars', 'pydantic', 'narwhals', 'rich.table'} & set(sys.modules)\n"
        "sys.exit(','.join(heavy) or 0)"
    )
    assert alone(code, tmp_path) == ""


def test_an_evaluation_loads_nothing_it_does_not_need(small):
    code = (
        "import sys\nfrom assay.cli.main import run\n"
        "assert run(['evaluate', 'gold.qrels', 'a.run', '--quiet']) == 0\n"
        "heavy = {'pydantic', 'pyarrow', 'pandas', 'scipy', 'hypothesis', 'typer.rich_utils'} & set(sys.modules)\n"
        "sys.exit(','.join(heavy) or 0)"
    )
    assert alone(code, small) == ""


def test_the_list_of_measures(assay):
    text = assay("measures").out
    assert "\n  nDCG " in text
    assert "\n  P@k " in text
    assert max(map(len, text.splitlines())) <= 80


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("nDCG", "Järvelin"),
        ("ndcg_cut_10", "ndcg_cut_10 is nDCG@10"),
        ("MAP", "AP, MAP"),
        ("P(rel=2)@5", "Share of the first k places"),
        ("hits", "HR"),
        ("IPrec", "--ties expected has no exact form"),
        ("MR", "lower is better"),
    ],
)
def test_a_measure_is_defined_whatever_it_is_called(assay, name, said):
    text = assay("measures", name).out
    assert said in text
    assert "Formula" in text
    assert ">>>" in text


def test_an_unknown_measure(assay):
    assert "Did you mean" in assay("measures", "ndgc", expect=2).err


def test_an_audit_groups_what_it_finds(assay, demo, small):
    done = assay("audit", demo / "gold.qrels", *sorted(demo.glob("*.run")))
    assert "ERRORS\n" in done.out
    assert "rows that repeat an item of their query: 7 [duplicates]" in done.out
    assert "--duplicates first or best keeps one" in " ".join(done.out.split())
    swapped = assay("audit", demo / "vdb.run", demo / "gold.qrels", expect=2)
    assert "swapped" in swapped.out


def test_an_audit_of_collections_that_never_meet(assay, small):
    (small / "b.run").write_text("01 Q0 x 1 1 s\n")
    assert "no query in common" in assay("audit", "gold.qrels", "b.run", expect=2).out
    assert "no query in common" in assay("audit", "gold.qrels", "a.run", "b.run").out


def test_convert(assay, small):
    done = assay("convert", "a.run", "a.csv")
    assert done.err == "4 rows written to a.csv.\n"
    assert (small / "a.csv").read_text().startswith("query,item,score")
    assert assay("convert", "a.run", "-", "--to", "tsv").out.startswith("query\titem\tscore")
    assert "expected gold or run" in assay("convert", "a.run", "b.csv", "--kind", "x", expect=2).err
    assert "no format is called" in assay("convert", "a.run", "b.csv", "--to", "xml", expect=2).err


def test_every_schema_is_printed(assay):
    assert '"evaluate"' in assay("schema").out
    assert "no schema is called 'evalute'. Did you mean 'evaluate'?" in assay("schema", "evalute", expect=2).err


def test_a_difference_is_explained_in_sentences(assay, small):
    done = assay("explain-difference", "gold.qrels", "a.run", "-m", "RR", "--their-number", "0.50")
    assert "ties=" in done.out
    assert max(map(len, done.out.splitlines())) <= 80
    wrong = assay("explain-difference", "gold.qrels", "a.run", "--profile", "assay", expect=2)
    assert "expected two --profile, or one measure (-m) and --their-number" in wrong.err


def test_a_result_is_verified(assay, small):
    assay("evaluate", "gold.qrels", "a.run", "-m", "RR", "--out", "result.json")
    assert "result.json comes out exactly the same." in assay("verify", "result.json").out
    (small / "moved.qrels").write_bytes((small / "gold.qrels").read_bytes())
    (small / "gold.qrels").unlink()
    assert "was not found" in assay("verify", "result.json", expect=2).out
    assay("verify", "result.json", "--gold", "moved.qrels")
    assert "Error: " in assay("verify", "a.run", expect=2).err
