"""The contenders: how each is started on two files, and how the value of each query is read from it."""

import os
import sys
import tempfile
from dataclasses import dataclass
from functools import partial
from importlib.util import find_spec
from io import BytesIO
from pathlib import Path
from typing import ClassVar, Protocol

import polars as pl

from benchmarks.measuring import execute

MEASURES = ("P@10", "R@100", "RR", "AP", "nDCG@10")
MS_MARCO = ("RR@10", "R@1000", "nDCG@10")
"""What MS MARCO and those who use it report; ir_measures computes RR@10 in Python."""
VALUES = {"query": pl.String, "measure": pl.String, "value": pl.Float64}
read_values = partial(
    pl.read_csv, separator="\t", has_header=False, quote_char=None, schema_overrides=[pl.String] * 2 + [pl.Float64]
)


class Tool(Protocol):
    """A program that evaluates a file.

    `tolerance` is what its output may differ by from an exact value, `missing` what to do where it is not there.
    """

    name: str
    tolerance: float
    missing: ClassVar[str]

    def installed(self) -> bool:
        """Tell whether it can be started here."""
        ...

    def command(self, gold: Path, run: Path) -> list[str]:
        """Return the command that prints the means."""
        ...

    def values(self, gold: Path, run: Path) -> pl.DataFrame:
        """Return query, measure and value for each query."""
        ...


@dataclass(frozen=True)
class Assay:
    """Assay itself, from file to table."""

    name: str = "Assay"
    tolerance: float = 0.0
    measures: tuple[str, ...] = MEASURES
    missing: ClassVar[str] = ""

    def installed(self) -> bool:
        """Always."""
        return True

    def command(self, gold: Path, run: Path) -> list[str]:
        """`assay evaluate`, run as a module."""
        return [sys.executable, "-m", "assay", "evaluate", str(gold), str(run), "-m", " ".join(self.measures)]

    def values(self, gold: Path, run: Path) -> pl.DataFrame:
        """Read them from the output for each query."""
        _, output = execute([*self.command(gold, run), "--per-query", "--output", "csv"])
        return pl.read_csv(BytesIO(output), schema_overrides=VALUES).select(*VALUES)


@dataclass(frozen=True)
class AssayOn(Assay):
    """Assay on another file with the same rows: the plain form of them."""

    other: Path = Path()
    name: str = "Assay on A"

    def command(self, gold: Path, run: Path) -> list[str]:
        """The same command with the other file."""
        del run
        return super().command(gold, self.other)


@dataclass(frozen=True)
class IrMeasures:
    """ir_measures, by its command line."""

    name: str = "ir_measures"
    tolerance: float = 1e-9
    measures: tuple[str, ...] = MEASURES
    missing: ClassVar[str] = "pip install ir_measures"

    def installed(self) -> bool:
        """Where the package is."""
        return find_spec("ir_measures") is not None and find_spec("pytrec_eval") is not None

    def command(self, gold: Path, run: Path) -> list[str]:
        """`ir_measures GOLD RUN MEASURES`."""
        return [sys.executable, "-m", "ir_measures", str(gold), str(run), *self.measures]

    def values(self, gold: Path, run: Path) -> pl.DataFrame:
        """Read them with twelve decimals."""
        _, output = execute([*self.command(gold, run), "--by_query", "--no_summary", "--places", "12"])
        return _table(read_values(BytesIO(output)))


@dataclass(frozen=True)
class Ranx:
    """ranx, by a script of three lines; the first call on a machine compiles, so it is called once before."""

    name: str = "ranx"
    tolerance: float = 1e-9
    missing: ClassVar[str] = "pip install ranx"

    def installed(self) -> bool:
        """Where the package is."""
        return find_spec("ranx") is not None

    def command(self, gold: Path, run: Path) -> list[str]:
        """The script beside this file."""
        return [sys.executable, str(Path(__file__).with_name("ranx_values.py")), str(gold), str(run)]

    def values(self, gold: Path, run: Path) -> pl.DataFrame:
        """Let the script write them to a file."""
        with tempfile.TemporaryDirectory() as folder:
            file = Path(folder) / "values"
            execute([*self.command(gold, run), str(file)])
            return _table(read_values(file))


@dataclass(frozen=True)
class TrecEval:
    """The C program that the environment variable TREC_EVAL names."""

    name: str = "trec_eval"
    tolerance: float = 0.00005 + 1e-9
    missing: ClassVar[str] = "the environment variable TREC_EVAL names the program, if you have it"
    names: ClassVar[dict[str, str]] = {
        "P_10": "P@10", "recall_100": "R@100", "recip_rank": "RR", "map": "AP", "ndcg_cut_10": "nDCG@10"
    }  # fmt: skip

    def installed(self) -> bool:
        """Where the variable is set."""
        return bool(os.environ.get("TREC_EVAL"))

    def command(self, gold: Path, run: Path) -> list[str]:
        """The same five measures."""
        wanted = ["P.10", "recall.100", "recip_rank", "map", "ndcg_cut.10"]
        return [os.environ["TREC_EVAL"], *(word for name in wanted for word in ("-m", name)), str(gold), str(run)]

    def values(self, gold: Path, run: Path) -> pl.DataFrame:
        """Read the four decimals that it prints."""
        program, *rest = self.command(gold, run)
        _, output = execute([program, "-q", *rest])
        table = read_values(BytesIO(output), new_columns=["measure", "query", "value"])
        measure = pl.col("measure").str.strip_chars().replace_strict(self.names)
        return _table(table.filter(pl.col("query") != "all").select("query", measure, "value"))


def _table(values: pl.DataFrame) -> pl.DataFrame:
    return values.rename(dict(zip(values.columns, VALUES, strict=True)))


def largest_difference(ours: pl.DataFrame, theirs: pl.DataFrame) -> float:
    """Return how far two tables of values lie apart at most; infinity if one has a value that the other lacks."""
    both = ours.join(theirs, on=["query", "measure"], how="full", suffix="_theirs")
    apart = (pl.col("value") - pl.col("value_theirs")).abs().fill_null(float("inf")).fill_nan(float("inf"))
    return float(both.select(apart.max()).item())
