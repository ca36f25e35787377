"""`assay gold pool RUN...`: which pairs of query and item to judge."""

from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Annotated, Any

import typer

from assay.cli.options import MeasuresOption, Out, RunPaths, Seed, one_of
from assay.cli.output import chosen, colour, deliver, notice, width
from assay.cli.reading import READING
from assay.cli.terms import Terms, number, on_terms, whole
from assay.cli.verbs import SETTINGS
from assay.errors import InputError, ParameterError
from assay.report.amounts import counted

if TYPE_CHECKING:
    from assay.core.gold import Gold
    from assay.core.pool import Pool
    from assay.core.run import Run

FORMS = ("table", "json", "csv", "tsv", "parquet")
WITHOUT = ("weights", "profile", "memory", "engine", "engine_option")
"""Options of other verbs that have no meaning here."""


@partial(on_terms, without=WITHOUT)
def pool(
    runs: RunPaths,
    *,
    terms: Terms,
    strategy: Annotated[
        str, typer.Option("--strategy", metavar="HOW", help="depth, mtf (move to front), bandit, or stratified.")
    ] = "depth",
    depth: Annotated[
        str | None, typer.Option("--depth", metavar="N", help="How deep runs are looked at [100 with a budget].")
    ] = None,
    budget: Annotated[
        str | None, typer.Option("--budget", metavar="N", help="How many pairs to judge in all, judged ones included.")
    ] = None,
    batch: Annotated[
        str | None, typer.Option("--batch", metavar="N", help="How many to name now [all; mtf, bandit: 5 a query].")
    ] = None,
    judged: Annotated[
        str | None, typer.Option("--judged", metavar="FILE", help="Judgments so far: those pairs are not named again.")
    ] = None,
    share: Annotated[
        str,
        typer.Option("--share", metavar="HOW", help="equal: queries get the same; found: those with more get more."),
    ] = "equal",
    strata: Annotated[
        str | None,
        typer.Option("--strata", metavar="RANK:SHARE,...", help="For stratified, such as 10:1,30:0.5,100:0.1."),
    ] = None,
    random: Annotated[
        str, typer.Option("--random", metavar="N", help="Also N pairs of each query at random from below the depth.")
    ] = "0",
    per_run: Annotated[
        str, typer.Option("--per-run", metavar="N", help="Also the next N pairs of each run and query.")
    ] = "0",
    known: Annotated[
        str | None,
        typer.Option("--known", metavar="GOLD", help="By a known gold: what would be found, is the pool fair to all?"),
    ] = None,
    measures: MeasuresOption = None,
    groups: Annotated[
        str | None, typer.Option("--groups", metavar="FILE", help="Columns run and group: leave whole groups out, too.")
    ] = None,
    gold: Annotated[
        str | None,
        typer.Option("--gold", metavar="PATH", help="Write the judgments of a sample as gold for infAP and others."),
    ] = None,
    seed: Seed = "0",
    output: Annotated[str | None, one_of(FORMS)] = None,
    out: Out = None,
) -> None:
    """Say which pairs of query and item to judge, so that judgments serve all these runs.

    Example: assay gold pool bm25.run dense.run --depth 10 --out pool.csv

    Example: assay gold pool *.run --strategy bandit --budget 5000 --judged so-far.qrels --out next.csv

    Example: assay gold pool *.run --depth 10 --known gold.qrels -m "P@10 AP"
    """
    form = chosen(output, out, FORMS, gold)
    _check([*runs, terms.exclude, judged, known, groups], gold=gold, judged=judged)
    said = _said(
        terms, depth=_whole("--depth", depth), budget=_whole("--budget", budget), share=share,
        seed=whole("--seed", seed),
    )  # fmt: skip
    from assay.judging.pools import pool as choose

    read, truth = _read(runs, terms), None if judged is None else _gold(judged, terms)
    found = choose(
        read, strategy, judged=truth, batch=_whole("--batch", batch), strata=strata,  # type: ignore[arg-type]
        random=whole("--random", random, lowest=0), per_run=whole("--per-run", per_run, lowest=0), **said,
    )  # fmt: skip
    if known is not None:
        asked = {"measures": " ".join(measures or ["P@10 AP"]), "groups": _groups(groups)}
        found = _held(found, read, _gold(known, terms), asked, said)
    if gold is not None and truth is not None:
        _write_gold(found, truth, gold)
    deliver(_drawn(found, form, out), out)
    _say(found, form, out)


def _check(inputs: list[str | None], *, gold: str | None, judged: str | None) -> None:
    if inputs.count("-") > 1:
        raise ParameterError(f"standard input (-): expected once, found {inputs.count('-')} times")
    if gold is not None and judged is None:
        raise ParameterError("--gold: expected judgments to write as gold, found none", hint="--judged FILE")


def _whole(option: str, text: str | None) -> int | None:
    return None if text is None else whole(option, text, lowest=1)


def _said(terms: Terms, **said: Any) -> dict[str, Any]:
    """Return what both the pool and its study are told."""
    terms.require_one_order()
    rel = number("--rel", terms.rel)
    exclude = terms.options()["exclude"]
    return said | terms.conventions() | {"exclude": exclude, "rel": 1.0 if rel is None else rel}


def _read(runs: list[str], terms: Terms) -> "list[Run]":
    from assay.inputs import open_run

    return [open_run(path, format=terms.format, progress=READING.of(path)) for path in runs]


def _gold(path: str, terms: Terms) -> "Gold":
    from assay.formats import read_gold

    return read_gold(path, terms.gold_format)


def _held(found: "Pool", runs: "list[Run]", gold: "Gold", asked: dict[str, Any], said: dict[str, Any]) -> "Pool":
    """Return the pool with what a known gold says of it."""
    from assay.judging.found import found as simulate
    from assay.judging.pool_bias import pool_bias

    said = said | {"depth": found.depth}
    curve = simulate(runs, gold, **said)
    if found.strategy == "stratified" or len(runs) < 2:
        return replace(found, found=curve)
    return replace(found, found=curve, bias=pool_bias(runs, gold, found.strategy, **asked, **said))


def _groups(path: str | None) -> dict[str, str] | None:
    """Read which group each run belongs to."""
    if path is None:
        return None
    from assay.formats.table import read_table

    table = read_table(path)
    if not {"run", "group"} <= set(table.columns):
        raise InputError(f"{path}: expected columns run and group, found {', '.join(table.columns)}")
    return dict(table.select("run", "group").iter_rows())


def _write_gold(found: "Pool", judged: "Gold", path: str) -> None:
    from assay.judging.pools import sample_gold
    from assay.report.documents import to_table

    rows = sample_gold(found, judged)
    deliver(to_table(rows, "tsv" if path.endswith((".tsv", ".tab")) else "csv"), path)
    left = found.sample.filter("drawn").height - found.judged if found.sample is not None else 0
    more = f"; {left:,} drawn ones are not judged yet, which makes estimates unsure" if left else ""
    notice(f"{path}: {counted(found.judged, 'judgment')} with their chances{more}.")


def _drawn(found: "Pool", form: str, out: str | None) -> str | bytes:
    from assay.report import documents
    from assay.report import pool as report

    if form == "json":
        return documents.strict_json(found.to_dict(command=SETTINGS.argv))
    if form == "table":
        return report.render(found, width=80 if out else width(), colour=colour(out))
    return documents.to_table(report.to_frame(found), form)


def _say(found: "Pool", form: str, out: str | None) -> None:
    """Say what a table for programs does not."""
    if form in {"table", "json"}:
        return
    from assay.report.pool import summary, verdict_sentences

    notice(f"{out or 'pool'}: {summary(found)}.")
    for bias in found.bias:
        for sentence in verdict_sentences(bias):
            notice(sentence)
    if out is not None and len(found):
        notice(f"Next: assay gold judge {out} --store sqlite:///judgments.db")
