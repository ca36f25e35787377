"""`assay lexical expand GOLD`: what more words bring, for which query, and why."""

from functools import partial
from typing import TYPE_CHECKING, Annotated, Any

import typer

from assay.cli.lexical.options import Depth, Searching, on_search
from assay.cli.options import Alpha, Correction, GoldPath, Level, MeasuresOption, Out, Seed, Significance, one_of
from assay.cli.output import chosen, colour, deliver, notice, width
from assay.cli.progress import progress
from assay.cli.terms import Terms, number, on_terms, whole
from assay.cli.verbs import SETTINGS
from assay.errors import ParameterError

if TYPE_CHECKING:
    from assay.core.gold import Gold
    from assay.core.lexical_expansion import Expansion
    from assay.core.run import Run
    from assay.core.texts import Queries
    from assay.tasks.lexical.feedback import Expander
    from assay.tasks.lexical.search import Searcher

FORMS = ("table", "json", "csv", "tsv", "markdown", "parquet", "html")
WITHOUT = {"weights", "memory", "engine", "engine_option"}
"""Terms of judging that nothing here needs."""
FEEDBACK = "rm3"
"""How queries are expanded when nothing is asked for."""
SYNONYMS = "synonyms"

Expand = Annotated[
    str | None,
    typer.Option(
        "--expand",
        metavar="NAME,NAME",
        help="rm3, rocchio, prf or synonyms, with settings as in 'rm3(docs=5,terms=20)' [rm3].",
    ),
]


@partial(on_terms, without=WITHOUT)
@on_search
def expand(
    gold: GoldPath,
    *,
    searching: Searching,
    terms: Terms,
    expansions: Expand = None,
    synonyms: Annotated[
        str | None, typer.Option("--synonyms", metavar="FILE", help="Lines 'a, b' or 'a => b', or JSON {a: [b]}.")
    ] = None,
    run: Annotated[
        str | None, typer.Option("--run", metavar="RUN", help="Another run, to be fused with the plain one (RRF).")
    ] = None,
    measures: MeasuresOption = None,
    selective: Annotated[
        bool, typer.Option("--selective", help="Say what it brings to expand only where that is predicted to help.")
    ] = False,
    depth: Depth = "1000",
    remove_query: Annotated[
        bool, typer.Option("--remove-query", help="Never find the document that has the id of the query.")
    ] = False,
    movers: Annotated[
        str, typer.Option("--movers", metavar="N", help="How many queries helped and hurt most to show.")
    ] = "3",
    test: Significance = "flips",
    correction: Correction = "holm",
    alpha: Alpha = "0.05",
    level: Level = "0.95",
    seed: Seed = "0",
    save_run: Annotated[
        str | None,
        typer.Option("--save-run", metavar="RUN", help="Write the expanded run; with --selective, the selected one."),
    ] = None,
    output: Annotated[str | None, one_of(FORMS)] = None,
    out: Out = None,
) -> None:
    """Expand queries: what that brings, which queries it helps and hurts, and why.

    Queries are searched as they are and expanded, both are judged by GOLD, and each query that changed is explained by
    the first measure.

    Example: assay lexical expand qrels.txt --documents corpus.jsonl --queries queries.tsv --expand rm3,rocchio

    Example: assay lexical expand qrels.txt --documents corpus.jsonl --queries queries.tsv --expand rm3 --selective
    """
    form = chosen(output, out, FORMS, save_run)
    _require_one_pipe(gold, run, synonyms, *(path for _, path in searching.inputs()))
    from assay.tasks.lexical.expanding import EXPANDED
    from assay.tasks.lexical.expanding import expand as expand_queries

    shown = whole("--movers", movers)
    ways = _ways(expansions, synonyms, run)
    truth, other = _read(terms, gold, run)
    queries, searcher = _searched(searching)
    statistics: dict[str, Any] = {
        "test": test, "correction": correction, "alpha": number("--alpha", alpha), "level": number("--level", level),
        "seed": whole("--seed", seed),
    }  # fmt: skip
    with progress("explaining") as bar:
        found, runs = expand_queries(
            truth, searcher, queries, ways, measures or EXPANDED, run=other, progress=bar, selective=selective,
            depth=whole("--depth", depth, lowest=1), remove_query=remove_query,
            **statistics, **_judging(terms),
        )  # fmt: skip
    if save_run is not None:
        _save(runs, save_run, len(found.ways))
    given = [("gold", gold), *searching.inputs(), ("synonyms", synonyms), ("run", run)]
    deliver(_drawn(found, form, shown, out, given), out)
    for line in found.notices:
        notice(f"Note: {line}")


def _searched(searching: Searching) -> "tuple[Queries, Searcher]":
    queries = searching.read_queries()
    with progress("reading documents") as bar:
        return queries, searching.searcher(bar)


def _require_one_pipe(*paths: str | None) -> None:
    if paths.count("-") > 1:
        msg = f"standard input (-): expected once, found {paths.count('-')} times"
        raise ParameterError(msg)


def _judging(terms: Terms) -> dict[str, Any]:
    terms.require_one_order()
    return {name: value for name, value in terms.options().items() if name != "weights"}


def _read(terms: Terms, gold: str, run: str | None) -> "tuple[Gold, Run | None]":
    truth, runs = terms.read(gold, [] if run is None else [run])
    return truth, next(iter(runs), None)


def _ways(expansions: str | None, synonyms: str | None, run: str | None) -> "list[Expander]":
    """Return the ways that were asked for; a file of synonyms is one of them, and feedback where nothing was."""
    from assay.tasks.lexical.feedback import expanders

    wanted = expansions if expansions or synonyms or run else FEEDBACK
    made = expanders(wanted, partial(_synonyms, synonyms)) if wanted else []
    if synonyms is not None and not any(way.name.startswith(SYNONYMS) for way in made):
        made += expanders(SYNONYMS, partial(_synonyms, synonyms))
    return made


def _synonyms(path: str | None, name: str, settings: dict[str, float]) -> "Expander | None":
    """Return synonyms as a way to expand; None where the name is another's."""
    if name != SYNONYMS:
        return None
    from assay.tasks.lexical.synonyms import synonyms

    if path is None:
        msg = "synonyms: expected a file of them, found no --synonyms"
        raise ParameterError(msg, hint="--synonyms FILE, with lines such as 'car, automobile'.")
    return synonyms(path, **settings)


def _save(runs: "dict[str, Run]", path: str, ways: int) -> None:
    """Write the last run, where there is one way only."""
    from assay.convert import write_run

    if ways != 1:
        msg = f"--save-run: expected one way to expand, of which the run is written, found {ways}"
        raise ParameterError(msg)
    write_run(list(runs.values())[-1], path)


def _drawn(
    found: "Expansion", form: str, top: int, out: str | None, given: list[tuple[str, str | None]]
) -> str | bytes:  # fmt: skip
    from assay.report import documents, lexical_expansion

    if form == "html":
        from assay.report.html.lexical_expansion import render

        inputs = [(role, path) for role, path in given if path is not None]
        return render(found, command=("assay", *SETTINGS.argv), inputs=inputs)
    if form == "json":
        return documents.strict_json(found.to_dict(command=SETTINGS.argv))
    if form == "table":
        return lexical_expansion.render(found, top=top, width=80 if out else width(), colour=colour(out))
    if form == "markdown":
        return lexical_expansion.to_markdown(found, top=top)
    return documents.to_table(lexical_expansion.to_frame(found), form)
