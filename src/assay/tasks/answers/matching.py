"""`Matching`: when a term of an answer is a term of the gold standard."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from decimal import Decimal, InvalidOperation
from urllib.parse import unquote

from assay.core.answers import Answer, Row
from assay.core.terms import XSD, Term
from assay.errors import UnknownNameError

Key = tuple[str, ...]
"""What two terms that are alike have in common."""
Cells = tuple[Key | None, ...]
"""One row by the keys of its terms; None where a column is unbound."""

LANGUAGES = {
    "ignore": "a text is the same in any language",
    "basic": "de and de-CH are one language, and a text without a language matches those without one",
    "exact": "a text is the same only with the same language tag",
}
"""How the languages of texts are compared."""
LABEL = "label"
BLANK = "blank"

NUMBERS = frozenset(
    XSD + name
    for name in (
        "integer", "int", "long", "short", "byte", "nonNegativeInteger", "positiveInteger", "nonPositiveInteger",
        "negativeInteger", "unsignedInt", "unsignedLong", "unsignedShort", "unsignedByte", "decimal", "double", "float",
    )
)  # fmt: skip
LOCAL = re.compile(r"[^/#:]*$")
ZONE = re.compile(r"(Z|[+-]00:00)$")


@dataclass(frozen=True, slots=True)
class Matching:
    """When two terms are alike: IRIs by their characters, literals by their value.

    Numbers are alike across whole numbers, decimals and floating point ("4", "4.0", "4e0"), booleans as 1 and true,
    points in time across zones. Blank nodes have no names outside their answer: they are numbered as they come. A
    term of kind text matches a literal of that value, an IRI equal to it, or one whose local name (what follows the
    last `/`, `#` or `:`, percent signs decoded) equals it.

    Parameters
    ----------
    language
        ignore, basic or exact, as in `LANGUAGES`.
    labels
        "leave-out": a column whose name ends in Label, as the label service of Wikidata makes them, names a thing
        and is not counted as a value, unless the gold has such a column too. "keep": it is counted.

    >>> Matching().same(Term("literal", "4", XSD + "integer"), Term("literal", "4.0", XSD + "decimal"))
    True
    >>> Matching().same(Term("text", "Karen Brant"), Term("iri", "http://x/Karen%20Brant"))
    True
    """

    language: str = "ignore"
    labels: str = "leave-out"

    def __post_init__(self) -> None:
        if self.language not in LANGUAGES:
            raise UnknownNameError.of("language", self.language, tuple(LANGUAGES))
        if self.labels not in {"leave-out", "keep"}:
            raise UnknownNameError.of("labels", self.labels, ("leave-out", "keep"))

    def key(self, term: Term) -> Key:
        """Return what all terms that are alike have in common; of a text, the text."""
        if term.kind != "literal":
            return (term.kind, term.value)
        return _literal(term, self.language)

    def same(self, one: Term, other: Term) -> bool:
        """Tell whether two terms are alike."""
        rows = self.keys([(one,)], [(other,)])
        return rows[0] == rows[1]

    def keys(self, gold: Iterable[Row], found: Iterable[Row]) -> tuple[list[Cells], list[Cells]]:
        """Return the rows of both sides by keys; a text of either side takes the key of what it means on the other."""
        gold, found = list(gold), list(found)
        left, right = _Known.of(gold, self), _Known.of(found, self)
        meant = left.meant(right)
        return [_cells(row, left, {}) for row in gold], [_cells(row, right, meant) for row in found]


@dataclass(frozen=True, slots=True)
class _Known:
    """The distinct terms of one side with their keys."""

    keys: dict[Term, Key]

    @classmethod
    def of(cls, rows: Iterable[Row], matching: Matching) -> "_Known":
        terms = dict.fromkeys(term for row in rows for term in row if term is not None)
        blanks = [term for term in terms if term.kind == "blank"]
        numbered = {term: (BLANK, str(place)) for place, term in enumerate(blanks)}
        return cls({term: numbered.get(term) or matching.key(term) for term in terms})

    def meant(self, other: "_Known") -> dict[Term, Key]:
        """Return the terms of the other side that are the same as one here only by what a text means."""
        here = set(self.keys.values())
        texts = {name: key for term, key in self.keys.items() if term.kind == "text" for name in _names(term)}
        named = {name: key for term, key in self.keys.items() for name in _names(term)} if other.has_text else {}
        found: dict[Term, Key] = {}
        for term, key in other.keys.items():
            if key not in here and (texts or named):
                known = named if term.kind == "text" else texts
                means = next((known[name] for name in _names(term) if name in known), None)
                if means is not None:
                    found[term] = means
        return found

    @property
    def has_text(self) -> bool:
        return any(term.kind == "text" for term in self.keys)


def _cells(row: Row, known: _Known, meant: dict[Term, Key]) -> Cells:
    return tuple(None if term is None else meant.get(term, known.keys[term]) for term in row)


def values(rows: Iterable[Cells], left_out: Iterable[int] = ()) -> list[Key]:
    """Return the distinct values of all columns, in the order in which they come.

    >>> values([(("iri", "a"),), (("iri", "b"),), (("iri", "a"),)])
    [('iri', 'a'), ('iri', 'b')]
    """
    skipped = frozenset(left_out)
    cells = (key for row in rows for place, key in enumerate(row) if place not in skipped and key is not None)
    return list(dict.fromkeys(cells))


def label_columns(matching: Matching, gold: Answer, found: Answer) -> list[int]:
    """Return the places of columns of an answer that only name things; none where the gold has such columns.

    >>> label_columns(Matching(), Answer("answered", ("result",)), Answer("answered", ("film", "filmLabel")))
    [1]
    """
    told = all(term is None or term.kind != "text" for row in gold.rows for term in row)
    if matching.labels == "keep" or not told or any(_is_label(name) for name in gold.columns):
        return []
    return [place for place, name in enumerate(found.columns) if _is_label(name)]


def _is_label(name: str) -> bool:
    return name.lower().endswith(LABEL)


def _literal(term: Term, language: str) -> Key:
    if term.datatype in NUMBERS:
        return _number(term.value) or ("literal", term.value, term.datatype)
    if term.datatype == XSD + "boolean":
        return ("boolean", {"1": "true", "0": "false"}.get(term.value, term.value))
    if term.datatype in {XSD + "dateTime", XSD + "dateTimeStamp"}:
        return ("dateTime", _moment(term.value))
    if term.datatype:
        return ("literal", ZONE.sub("Z", term.value), term.datatype)
    if language == "ignore" or not term.language:
        return ("literal", term.value)
    said = term.language if language == "exact" else term.language.partition("-")[0]
    return ("literal", term.value, "@" + said)


def _number(text: str) -> Key | None:
    """Return a number so that equal ones are equal; None for what is no number, or no finite one."""
    try:
        sign, digits, exponent = Decimal(text.strip()).as_tuple()
    except InvalidOperation:
        return None
    if isinstance(exponent, str):
        return None
    shown = "".join(map(str, digits)).lstrip("0")
    short = shown.rstrip("0")
    if not short:
        return ("number", "0", "0")
    return ("number", "-" * sign + short, str(exponent + len(shown) - len(short)))


def _moment(text: str) -> str:
    """Return a point in time in UTC where it has a zone, and always without needless zeros."""
    shown = re.sub(r"(\.\d*?)0+(?=$|[Z+-])", r"\1", text.strip()).replace(".Z", "Z").removesuffix(".")
    try:
        found = datetime.fromisoformat(shown)
    except ValueError:
        return ZONE.sub("Z", shown)
    return found.isoformat() if found.tzinfo is None else found.astimezone(UTC).isoformat()


def _names(term: Term) -> Iterator[str]:
    """Yield what people may write who mean this term; nobody means a blank node by its name."""
    if term.kind == "blank":
        return
    yield term.value
    if term.kind == "iri":
        local = LOCAL.search(term.value)
        if local is not None and local[0]:
            yield unquote(local[0])
    elif term.kind == "text" or term.datatype in NUMBERS:
        number = _number(term.value)
        if number is not None:
            yield " ".join(number)
