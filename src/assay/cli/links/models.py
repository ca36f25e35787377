"""How a model is said on the command line: its name and files of vectors, a folder of PyKEEN, or scored triples."""

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from assay.errors import InputError, ParameterError

if TYPE_CHECKING:
    from polars import Series

    from assay.tasks.links.embeddings import Embeddings
    from assay.tasks.links.graph import KnowledgeGraph
    from assay.tasks.links.models import Model

WORDS: Mapping[str, Any] = MappingProxyType({"none": None, "true": True, "false": False})

KEYED = (".npz", ".safetensors", ".h5", ".hdf5")
"""The files that hold arrays by name."""


@dataclass(frozen=True, slots=True)
class Said:
    """What was said about the model: its name, files by option, conventions as typed.

    `of` is what the options begin with: "" for the model that is judged, "hard-" for another one.
    """

    model: str | None
    entities: tuple[str, ...]
    relations: tuple[str, ...]
    scores: str | None = None
    pykeen: str | None = None
    settings: tuple[str, ...] = ()
    layout: str | None = None
    of: str = ""

    def __post_init__(self) -> None:
        vectors = bool(self.model or self.entities or self.relations)
        many = vectors + (self.scores is not None) + (self.pykeen is not None)
        of = f"--{self.of}"
        if many != 1:
            ways = f"{of}model NAME with its vectors, {of}scores FILE{'' if self.of else ' and --pykeen DIR'}"
            msg = f"links: expected one of {ways}"
            raise ParameterError(f"{msg}, found {'several' if many else 'none'}")
        if vectors and not (self.model and self.entities and self.relations):
            msg = f"{of}model: expected NAME with {of}entities FILE and {of}relations FILE, found only some of them"
            raise ParameterError(msg, hint="assay links evaluate --help shows an example.")

    def graph(
        self, files: Mapping[str, str | None], names: tuple[str | None, str | None], **reading: Any
    ) -> "tuple[KnowledgeGraph, Model]":
        """Return the graph, numbered as the rows of the model are, and the model.

        `names` are the files that name entities and relations. Without them the names that come with the vectors
        count, and where there are none, triples hold row numbers.
        """
        from assay.tasks.links.graph import KnowledgeGraph

        made, known = self._made()
        entities, relations = (given or own for given, own in zip(names, known, strict=True))
        graph = KnowledgeGraph.read(
            files["train"], files["valid"], files["test"], entities=entities, relations=relations, **reading
        )
        if made is None:
            from assay.tasks.links.models.predictions import Predictions

            made = Predictions.of(str(self.scores), graph.entities, graph.relations)
        return graph, made

    def beside(self, graph: "KnowledgeGraph") -> "Model":
        """Return the model for a graph that is numbered already, as the rows of another model are.

        Raises
        ------
        ParameterError
            Rows that are not those of the graph: too few, too many, or with names in another order.
        """
        made, known = self._made()
        if made is None:
            from assay.tasks.links.models.predictions import Predictions

            return Predictions.of(str(self.scores), graph.entities, graph.relations)
        parts = ("entities", made.entities, graph.entities), ("relations", made.relations, graph.relations)
        for (what, rows, names), own in zip(parts, known, strict=True):
            if rows != len(names):
                msg = f"--{self.of}{what}: expected a row for each of the {len(names):,} {what}, found {rows:,}"
                raise ParameterError(msg)
            if _is_other(own, names):
                msg = f"--{self.of}{what}: expected rows in the order of the judged model, found names in another order"
                raise ParameterError(msg)
        return made

    def _made(self) -> "tuple[Model | None, tuple[Any, Any]]":
        """Return the model and what names or counts its rows; no model for scored triples, which need a graph."""
        if self.scores is not None:
            return None, (None, None)
        if self.pykeen is not None:
            from assay.tasks.links.models.pykeen import from_pykeen, pykeen_names

            return from_pykeen(self.pykeen), pykeen_names(self.pykeen)
        from assay.tasks.links.models.named import model_of

        entities, relations = self._entities(), [_read(text) for text in self.relations]
        arrays = [[one.matrix for one in found] for found in (entities, relations)]
        options = settings_of(self.settings) | ({} if self.layout is None else {"layout": self.layout})
        made = model_of(str(self.model), *(few[0] if len(few) == 1 else few for few in arrays), **options)
        own = [found[0].names for found in (entities, relations)]
        return made, (own[0] if own[0] is not None else made.entities, own[1] if own[1] is not None else made.relations)

    def _entities(self) -> "list[Embeddings]":
        """Return the arrays of entities: several files are one array, unless two are the halves that a model has."""
        from assay.tasks.links.models.named import has_halves

        if len(self.entities) < 2 or (len(self.entities) == 2 and has_halves(str(self.model))):
            return [_read(text) for text in self.entities]
        split = [split_key(text) for text in self.entities]
        if len({key for _, key in split}) > 1:
            msg = f"--{self.of}entities: expected shards of one array, found {' and '.join(self.entities[:2])}"
            raise ParameterError(msg)
        return [_keyed([path for path, _ in split], split[0][1])]


def _is_other(own: Any, names: "Series") -> bool:
    """Tell whether names that came with vectors are in another order than those of a graph, if both have names."""
    from assay.tasks.links.numbering import as_names

    if isinstance(own, int) or names[-1] == str(len(names) - 1):
        return False
    given = as_names(own, "names")
    return given is not None and given.to_list() != names.to_list()


def _read(text: str) -> "Embeddings":
    """Read vectors from FILE or, where a file holds several arrays by name, from FILE:NAME."""
    return _keyed(*split_key(text))


def _keyed(path: str | list[str], key: str | None) -> "Embeddings":
    from assay.tasks.links.embeddings import read_embeddings

    try:
        return read_embeddings(path, key=key)
    except InputError as error:
        if error.hint is None or not error.hint.startswith("key="):
            raise
        place = path if isinstance(path, str) else path[0]
        raise InputError(error.message, hint=f"say which as {place}:NAME.") from None


def split_key(text: str) -> tuple[str, str | None]:
    """Return the file and the name of the array in it, which only some kinds of files have.

    >>> split_key("model.npz:entity"), split_key("c:/vectors.npy")
    (('model.npz', 'entity'), ('c:/vectors.npy', None))
    """
    path, _, key = text.rpartition(":")
    return (path, key) if key and path.lower().endswith(KEYED) else (text, None)


def settings_of(texts: tuple[str, ...]) -> dict[str, Any]:
    """Return conventions by name, as numbers or words.

    >>> settings_of(("norm=2", "gamma=0.5", "clamp=none"))
    {'norm': 2, 'gamma': 0.5, 'clamp': None}
    """
    for text in texts:
        if "=" not in text:
            raise ParameterError(f"--set: expected NAME=VALUE, found {text!r}")
    return {name: _value(text) for name, text in (text.split("=", 1) for text in texts)}


def _value(text: str) -> Any:
    """Read a value as it is typed."""
    if text.lower() in WORDS:
        return WORDS[text.lower()]
    for kind in (int, float):
        try:
            return kind(text)
        except ValueError:
            continue
    return text
