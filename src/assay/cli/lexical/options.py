"""Options that the verbs of `assay lexical` share, and the search that they describe."""

from collections.abc import Callable, Collection
from dataclasses import dataclass, replace
from inspect import signature
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from assay.cli.terms import number
from assay.cli.verbs import with_options
from assay.errors import ParameterError

if TYPE_CHECKING:
    from assay.core.progress import Progress
    from assay.core.texts import Documents as Texts
    from assay.core.texts import Queries
    from assay.tasks.lexical.analysis import Analyzer
    from assay.tasks.lexical.index import Index
    from assay.tasks.lexical.models import Model
    from assay.tasks.lexical.search import Searcher

Documents = Annotated[
    list[str] | None,
    typer.Option(
        "--documents",
        metavar="FILE",
        help="What is searched: JSON Lines, TREC, SMART, Parquet or CSV, plain or packed; repeat for several parts.",
    ),
]
QueriesFile = Annotated[
    str | None, typer.Option("--queries", metavar="FILE", help="What is asked: id and text, or topics of TREC.")
]
Fields = Annotated[
    str | None,
    typer.Option("--fields", metavar="A,B", help="Which fields of documents are searched [title and text]."),
]
QueryField = Annotated[
    str | None, typer.Option("--query-field", metavar="NAME", help="What of a topic is asked: title, desc or another.")
]
ModelName = Annotated[
    str, typer.Option("--model", metavar="NAME", help="bm25, ql, lucene, robertson, atire, bm25l or bm25plus.")
]
K1 = Annotated[
    str | None, typer.Option("--k1", metavar="X", help="How slowly repetition stops to count [0.9; variants: 1.5].")
]
B = Annotated[str | None, typer.Option("--b", metavar="X", help="How much length counts [0.4; variants: 0.75].")]
Mu = Annotated[str | None, typer.Option("--mu", metavar="X", help="Query likelihood: weight of the collection [1000].")]
ExactLengths = Annotated[
    bool, typer.Option("--exact-lengths", help="Lengths as they are, not as Lucene keeps them in one byte.")
]
Language = Annotated[
    str | None,
    typer.Option("--language", metavar="NAME", help="Whose stems and stop words: english, german ...; none [english]."),
]
Stemmer = Annotated[
    str | None,
    typer.Option("--stemmer", metavar="NAME", help="lucene, porter, english, german ...; or none [the language's]."),
]
KeepStop = Annotated[bool, typer.Option("--keep-stop-words", help="Also words such as the and of.")]
StopWords = Annotated[
    str | None,
    typer.Option("--stop-words", metavar="FILE", help="Words that are left out, one a line [English: Lucene's 33]."),
]
KeepCase = Annotated[bool, typer.Option("--keep-case", help="Gold and gold are two words.")]
IndexFolder = Annotated[
    str | None, typer.Option("--index", metavar="FOLDER", help="The index: read if it is there, else written there.")
]
Depth = Annotated[str, typer.Option("--depth", metavar="N", help="How many documents a query finds at most.")]


def _declared(
    *,
    documents: Documents = None,
    queries: QueriesFile = None,
    fields: Fields = None,
    query_field: QueryField = None,
    model: ModelName = "bm25",
    k1: K1 = None,
    b: B = None,
    mu: Mu = None,
    exact_lengths: ExactLengths = False,
    language: Language = None,
    stemmer: Stemmer = None,
    stop_words: StopWords = None,
    keep_stop_words: KeepStop = False,
    keep_case: KeepCase = False,
    index: IndexFolder = None,
) -> None:
    """Declare the options; never called."""


@dataclass(frozen=True, slots=True)
class Searching:
    """What was said about texts, terms and model."""

    documents: list[str] | None = None
    queries: str | None = None
    fields: str | None = None
    query_field: str | None = None
    model: str = "bm25"
    k1: str | None = None
    b: str | None = None
    mu: str | None = None
    exact_lengths: bool = False
    language: str | None = None
    stemmer: str | None = None
    stop_words: str | None = None
    keep_stop_words: bool = False
    keep_case: bool = False
    index: str | None = None

    def inputs(self) -> list[tuple[str, str]]:
        """Return the files that were named, each by what it is."""
        files = [*(("documents", path) for path in self.documents or ()), ("queries", self.queries)]
        return [(role, path) for role, path in files if path is not None]

    def read_documents(self, progress: "Progress | None" = None) -> "Texts":
        """Read what is searched."""
        from assay.formats.corpora import read_documents

        if not self.documents:
            raise ParameterError("expected what is searched, found no --documents", hint="--documents FILE names it.")
        fields = None if self.fields is None else [name.strip() for name in self.fields.split(",")]
        return read_documents(self.documents, fields=fields, progress=progress)

    def read_queries(self) -> "Queries":
        """Read what is asked."""
        from assay.formats.topics import read_queries

        if self.queries is None:
            raise ParameterError("expected what is asked, found no --queries", hint="--queries FILE names it.")
        if [*(self.documents or ()), self.queries].count("-") > 1:
            raise ParameterError("standard input (-): expected once, found several times")
        return read_queries(self.queries, field=self.query_field)

    def analyzer(self) -> "Analyzer":
        """Return how texts become terms."""
        from assay.formats.source import Source
        from assay.tasks.lexical.analysis import Analyzer

        if self.stop_words is not None and self.keep_stop_words:
            raise ParameterError("expected --stop-words or --keep-stop-words, found both")
        words = None if self.stop_words is None else Source.open(self.stop_words).text().split()
        usual = Analyzer.of(self.language or "english", words)
        stemmer = usual.stemmer if self.stemmer is None else {"none": None}.get(self.stemmer, self.stemmer)
        return replace(usual, stemmer=stemmer, stop=not self.keep_stop_words, lower=not self.keep_case)

    def named_model(self) -> "Model":
        """Return the model with its parameters.

        Raises
        ------
        UnknownNameError, ParameterError
            No such model; a parameter that it does not have, or that is not allowed.
        """
        from assay.tasks.lexical.models import model

        said = {"k1": number("--k1", self.k1), "b": number("--b", self.b), "mu": number("--mu", self.mu)}
        return model(self.model, coarse=not self.exact_lengths, **said)

    def searcher(self, progress: "Progress | None" = None) -> "Searcher":
        """Return the index of the documents and the model that ranks them.

        Raises
        ------
        ParameterError
            An index that is there is one of other documents or other terms than those that were said.
        """
        from assay.tasks.lexical.index import Index
        from assay.tasks.lexical.search import Searcher

        model = self.named_model()
        if self.fields is not None and not self.documents:
            raise ParameterError("--fields: expected --documents to take them from, found none")
        if self.index is not None and _is_taken(Path(self.index)):
            return Searcher(self._checked(Index.open(self.index), progress), model)
        index = Index.build(self.read_documents(progress), self.analyzer(), progress=progress)
        if self.index is not None:
            index.save(self.index)
        return Searcher(index, model)

    def _checked(self, index: "Index", progress: "Progress | None") -> "Index":
        says_how = self.language or self.stemmer or self.stop_words or self.keep_stop_words or self.keep_case
        if says_how and index.analyzer != self.analyzer():
            msg = f"{self.index}: expected an index of terms as the options say, found one of other terms"
            raise ParameterError(msg, hint="leave these options out, or name another folder.")
        if self.documents and index.digest != self.read_documents(progress).digest():
            msg = f"{self.index}: expected an index of these documents, found one of others"
            raise ParameterError(msg, hint="leave --documents out, or name another folder.")
        return index


def _is_taken(folder: Path) -> bool:
    return folder.is_file() or (folder.is_dir() and any(folder.iterdir()))


def on_search(verb: Callable[..., Any], *, without: Collection[str] = (), first: bool = False) -> Callable[..., Any]:
    """Give a verb the options of `Searching`, which it receives as `searching`; those named in `without` are left out.

    `first` puts them before the options of the verb.
    """
    options = {name: option for name, option in signature(_declared).parameters.items() if name not in without}
    return with_options(verb, "searching", options, Searching, first=first)
