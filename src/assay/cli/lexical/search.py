"""`assay lexical search`: a run of documents that share words with queries, or whose vectors are near theirs."""

from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Annotated, Any

import typer

from assay.cli.lexical.options import Depth, Searching, on_search
from assay.cli.lexical.vectors import DENSE, VectorFiles, on_vectors
from assay.cli.options import Out
from assay.cli.output import chosen, notice
from assay.cli.progress import progress
from assay.cli.terms import whole
from assay.errors import ParameterError, UnknownNameError

if TYPE_CHECKING:
    from collections.abc import Mapping

    from assay.core.run import Run
    from assay.tasks.lexical.feedback import Expander
    from assay.tasks.lexical.search import Weighted

NAMED = 5
"""How many queries a notice names."""


@partial(on_search, first=True)
@on_vectors
def search(
    *,
    searching: Searching,
    vectors: VectorFiles,
    more: Annotated[
        list[str] | None, typer.Argument(metavar="FILE...", help="More parts of --documents, as a pattern names them.")
    ] = None,
    expand: Annotated[
        str | None, typer.Option("--expand", metavar="NAME", help="Search again with feedback: rm3, rocchio or prf.")
    ] = None,
    depth: Depth = "1000",
    remove_query: Annotated[
        bool, typer.Option("--remove-query", help="Never find the document that has the id of the query.")
    ] = False,
    name: Annotated[str | None, typer.Option("--name", metavar="NAME", help="The name of the run [the model].")] = None,
    to_format: Annotated[
        str | None, typer.Option("--to", metavar="NAME", help="The format of the run; else the ending tells, or trec.")
    ] = None,
    out: Out = None,
) -> None:
    """Search documents and write what is found as a run.

    bm25 and ql are Lucene's; lucene, robertson, atire, bm25l and bm25plus are the variants of BM25 that bm25s has;
    dense is the exact search by vectors that are given.

    Example: assay lexical search --documents corpus.jsonl --queries queries.tsv --expand rm3 --out rm3.run

    Example: assay lexical search --model dense --vectors docs.npy --query-vectors queries.npy --out dense.run
    """
    from assay.convert import write_run
    from assay.formats import FORMATS

    chosen(None, out, ("table",))
    if to_format is not None:
        FORMATS[to_format]
    searching = replace(searching, documents=[*(searching.documents or ()), *(more or ())])
    options: Any = {"depth": whole("--depth", depth, lowest=1), "remove_query": remove_query}
    _require_one_kind(searching, vectors, expand)
    called = name or "+".join(part for part in (searching.model, expand) if part)
    if searching.model == DENSE:
        run = vectors.run(called, **options)
    else:
        run = _by_words(searching, expand, called, **options)
    rows = write_run(run, out or "-", to_format=to_format)
    notice(f"{rows:,} rows written to {out or 'standard output'}.")


def _require_one_kind(searching: Searching, vectors: VectorFiles, expand: str | None) -> None:
    """Refuse an unknown model, options of words beside vectors, and options of vectors beside words."""
    from assay.tasks.lexical.models import PARAMETERS

    if searching.model not in {*PARAMETERS, DENSE}:
        raise UnknownNameError.of("model", searching.model, [*PARAMETERS, DENSE])
    is_dense = searching.model == DENSE
    if not is_dense and vectors:
        msg = f"--model {searching.model}: expected no options of vectors, found some"
        raise ParameterError(msg, hint=f"--model {DENSE} searches by vectors.")
    if is_dense and (expand or searching != Searching(documents=[], model=DENSE)):
        msg = f"--model {DENSE}: expected vectors alone, found options of words"
        raise ParameterError(msg, hint=f"assay lexical search --model {DENSE} --vectors FILE --query-vectors FILE")


def _by_words(searching: Searching, expand: str | None, name: str, **options: Any) -> "Run":
    """Return the run of terms, and say what was searched and which queries found nothing."""
    from assay.report.amounts import counted

    way = None if expand is None else _expander(expand)
    searching.named_model()
    asked = searching.read_queries()
    with progress("reading and indexing") as bar:
        searcher = searching.searcher(bar)
    said = searcher.weighted(asked)
    documents, terms = counted(len(searcher.index), "document"), counted(len(searcher.index.terms), "term")
    notice(f"{documents}, {terms}; {counted(len(said), 'query', 'queries')}.")
    weighted = said if way is None else way.expand(searcher, said)
    with progress("searching") as bar:
        run = searcher.run(weighted, name=name, progress=bar, **options)
    _say_what_found_nothing(said, run)
    return run


def _expander(said: str) -> "Expander":
    """Return the one way of feedback that was said, such as rm3 or rm3(docs=5)."""
    from assay.tasks.lexical.feedback import expanders

    found = expanders(said)
    if len(found) != 1:
        msg = f"--expand: expected one way, found {len(found)}"
        raise ParameterError(msg, hint="assay lexical expand holds several against each other.")
    return found[0]


def _say_what_found_nothing(said: "Mapping[str, Weighted]", run: "Run") -> None:
    found = set(run.frame()["query"])
    absent = {
        "no words that are searched for in": [query for query, terms in said.items() if not terms],
        "nothing found for": [query for query, terms in said.items() if terms and query not in found],
    }
    for what, queries in absent.items():
        if queries:
            shown = ", ".join(queries[:NAMED]) + (", ..." if len(queries) > NAMED else "")
            notice(f"Note: {what} {len(queries):,} {'query' if len(queries) == 1 else 'queries'}: {shown}.")
