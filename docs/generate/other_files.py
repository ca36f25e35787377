"""The page of the files that commands take beside gold standards and runs, with the examples that the tests read."""

from dataclasses import dataclass

from docs.generate.markdown import Page, block, code, prose, sections


@dataclass(frozen=True, slots=True)
class Kind:
    """A kind of file: where it is handed over, what it holds, and its examples by their names among the readers.

    `unshown` are further readers of this kind: of files that people cannot read, or whose example would tell nothing.
    """

    title: str
    taken: tuple[str, ...]
    says: str
    examples: tuple[str, ...]
    unshown: tuple[str, ...] = ()


TABLES = (
    Kind(
        "Groups and weights of queries",
        ("evaluate --by", "compare --by", "evaluate --weights", "compare --weights"),
        "A table with a column `query` and others: a group in each (`--by`), or `weight` and `cluster` (`--weights`: "
        "queries of one cluster belong together). CSV, TSV, Parquet or Arrow.",
        (),
        ("table",),
    ),
    Kind(
        "Costs",
        ("evaluate --costs", "compare --costs", "report --costs"),
        "A table with `query`, perhaps `run`, and any of `latency` (seconds), `tokens` and `price`. CSV, TSV, "
        "Parquet or Arrow. A run may hold these columns itself, as this one in JSON Lines.",
        ("costs",),
    ),
    Kind(
        "Results of Assay",
        ("compare GOLD", "verify RESULT", "history gate GOLD"),
        "What `-o json` wrote: results to compare, to compute again, or to hold against a baseline. Not packed.",
        (),
        ("result", "results"),
    ),
    Kind(
        "Clusters, pairs and candidates of records",
        (
            "entities evaluate GOLD",
            "entities evaluate PROPOSED...",
            "entities churn BEFORE",
            "entities estimate SAMPLE",
        ),
        "Columns tell: `record`, `entity` are clusters; `record`, `candidate`, `score` lists; `left`, `right` and "
        "perhaps `score` pairs. The names of splink, dedupe, recordlinkage and pyJedAI are known. `--sources` takes "
        "`record`, `source`; `entities estimate --weights` takes `entity`, `weight`.",
        ("sources", "weights"),
    ),
    Kind(
        "Retrieved and needed items of a RAG system",
        ("rag evaluate FILE...", "rag stages FILE...", "rag evaluate --gold"),
        "JSON Lines or JSON, an object for each question: `question` (or `id`), `retrieved`, `needed`, and perhaps "
        "`proofs`, `answer`, `correct`, `hops`, `type`. Exports of ragas, LangSmith and TruLens are read as they are.",
        ("rag",),
        ("rag gold",),
    ),
    Kind(
        "Judgments of several judges",
        ("gold agree GOLD...", "gold adjudicate JUDGMENTS..."),
        "A gold standard for each judge, or one table with `query`, `item` and a column for each judge, or one for the "
        "judge's name.",
        ("labels",),
    ),
    Kind(
        "Logs of clicks",
        ("gold clicks LOG...",),
        "Columns `query`, `item`, `click`, and perhaps `rank` and `session`: CSV, TSV, JSON Lines, Parquet or Arrow. "
        "`--propensities` takes `rank`, `propensity`.",
        ("clicks", "clicks jsonl", "propensities"),
    ),
    Kind(
        "What is to be judged",
        ("gold judge POOL", "gold judge --queries", "gold judge --documents"),
        "CSV or TSV with `query` and `item` (other columns are shown), what `gold pool` or `graph sample` wrote, pairs "
        "`left`, `right`, or retrieved facts in JSON Lines, as for `rag`. Queries and documents are tables or JSON "
        "Lines with `id` and any fields.",
        ("pool", "pool jsonl"),
    ),
)

GRAPHS = (
    Kind(
        "Triples",
        ("links evaluate --train", "links evaluate --test", "links audit --train"),
        "Head, relation and tail in each row: TSV, CSV, blanks, Parquet, Arrow, N-Triples, Turtle, or OpenKE's files "
        "of numbers, which begin with a count and have the relation last.",
        ("triples", "triples openke", "triples nt"),
        ("triples parquet", "links ttl"),
    ),
    Kind(
        "Names and types of entities",
        ("links evaluate --names", "links evaluate --by", "links audit --entities"),
        "A name in each line, in the order of the vectors; or name and number, as in OpenKE's `entity2id.txt`, or JSON "
        "`{name: number}`. Types are name and type, or JSON `{name: [types]}`.",
        ("names", "names json", "types", "types text"),
    ),
    Kind(
        "Scored triples, and what is asked",
        ("links evaluate --scores", "links threshold --scores", "links threshold --ask"),
        "Head, relation, tail and score in each row; what is asked is head and relation.",
        ("predictions", "questions"),
    ),
    Kind(
        "Candidates of relations",
        ("links evaluate --candidates",),
        "Columns `relation`, `side` (head or tail) and `entity`, or OpenKE's `type_constrain.txt`.",
        ("candidates", "candidates openke"),
    ),
    Kind(
        "Vectors",
        ("links evaluate --entities", "neighbours evaluate VECTORS", "lexical search --vectors"),
        "npy, npz, safetensors, Parquet (a column of lists, or a column for each dimension), HDF5 or word2vec text. "
        "One array of several is named by `file.npz:NAME` for `links`, by `--key NAME` for `neighbours`. No pickles; "
        "only text may be packed. safetensors and HDF5 need the extra `links`.",
        ("embeddings text",),
        ("embeddings npy", "embeddings npz", "embeddings safetensors", "embeddings parquet"),
    ),
    Kind(
        "Labels of vectors, and what an index found",
        ("neighbours evaluate --labels", "neighbours evaluate --index"),
        "Text: name and label in each row (tabs or commas), or a label for each row. An index gives row numbers as npy "
        "or npz (not packed), or a run of names.",
        ("labels of vectors",),
        ("found", "found npz"),
    ),
    Kind(
        "Graphs",
        ("answers run --graph", "graph completeness GRAPH...", "graph sample GRAPH..."),
        "RDF in Turtle, N-Triples, N-Quads, TriG, N3, RDF/XML or JSON-LD, plain or packed; `answers run` takes a "
        "folder of Oxigraph as well, `graph sample` tables or JSON of subject, predicate and object. Needs the "
        "extra `graph`.",
        ("graph ttl", "graph jsonld", "statements jsonl"),
        ("graph rdf", "terms xml", "statements json"),
    ),
    Kind(
        "Question suites",
        ("answers run SUITE", "answers check SUITE", "graph gaps --suite"),
        "YAML, JSON or JSON Lines, a question each: `id`, `question`, the `query` to run (or `sparql`), and what is "
        "right: `answers`, or a `gold_sparql` that finds them. Also QALD JSON, CK25 and SPINACH. YAML needs the extra "
        "`graph`.",
        ("suite yaml", "suite jsonl"),
    ),
    Kind(
        "Answers to a suite",
        ("answers evaluate ANSWERS...", "answers run --answers"),
        "JSON Lines, an object for each question: `id`, and `answers` or what SPARQL's JSON of results holds (`head` "
        "with `results` or `boolean`). `answers run` writes such a file and goes on from it.",
        ("answers",),
    ),
    Kind(
        "Logs of queries",
        ("answers scaffold --log", "graph completeness --log"),
        "A query in each line, lines of a server's log, or CSV or JSON Lines with `query` and perhaps `count`.",
        ("query log", "query log text"),
    ),
    Kind(
        "Labelled statements",
        ("graph estimate LABELS...", "graph suspects --labels", "graph report --labels"),
        "What `graph sample` wrote, with the column `label` filled (right or wrong); first its line of names, without "
        "rows. Suspects also take other CSV or TSV with `subject`, `predicate`, `object` and `label`.",
        ("label file", "suspects"),
    ),
    Kind(
        "What a graph should hold, and what it holds none of",
        ("graph completeness --reference", "graph completeness --no-value", "gold derive SOURCE..."),
        "A reference is RDF, or facts or entities in CSV or JSON Lines. Marks are pairs of entity and property. Links "
        "of equal things are `left`, `right`.",
        ("reference", "reference jsonl", "marks", "same as"),
    ),
    Kind(
        "Means and deviations of trec_eval -Z",
        ("trec_eval",),
        "Query, measure, mean and standard deviation in each line.",
        ("z scores",),
    ),
)
ELSEWHERE = {"any gold", "any run", "sparql results"}
"""Readers of gold and runs, which have a page of their own, and of what endpoints answer, which is no file."""


def page() -> Page:
    """Return the page of all other files."""
    text = (
        "What commands take beside [gold standards and runs](formats.md). Most are recognised by their ending or "
        "content, and may be packed as `.gz` or `.zst` where nothing else is said. The examples "
        "are those that the tests read."
    )
    parts = ((kind.title, _section(kind)) for kind in (*TABLES, *GRAPHS))
    return Page("reference/other-files.md", "Other files", f"{text}\n\n{sections(*parts)}")


def _section(kind: Kind) -> str:
    from tests.unit.readers import READERS

    taken = ", ".join(code(f"assay {one}") for one in kind.taken)
    shown = [block(READERS[name].example.decode(), READERS[name].ending) for name in kind.examples]
    return "\n\n".join([f"For {taken}.", prose(kind.says), *shown])
