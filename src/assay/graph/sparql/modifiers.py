"""The order, the limit and the offset of a query, found in its text and written anew."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

TOKEN = re.compile(
    r"""
      (?P<comment> \#[^\n\r]*)
    | (?P<iri>     <[^<>"{}|^`\\\x00-\x20]*>)
    | (?P<string>  \"{3}(?:[^"\\]|\\.|\"{1,2}(?!\"))*(?:\"{3}|\Z) | '{3}(?:[^'\\]|\\.|'{1,2}(?!'))*(?:'{3}|\Z)
                 | \"(?:[^"\\\n\r]|\\.)*+\"? | '(?:[^'\\\n\r]|\\.)*+'?)
    | (?P<variable>[?$]\w+)
    | (?P<prefixed>(?:\w(?:[\w.-]{0,255}[\w-])?)?:(?:(?:[\w:-]|%[0-9A-Fa-f]{2}|\\.)(?:(?:[\w:.-]|%[0-9A-Fa-f]{2}|\\.)*
                   (?:[\w:-]|%[0-9A-Fa-f]{2}|\\.))?)?)
    | (?P<language>@[A-Za-z]+(?:-[A-Za-z0-9]+)*)
    | (?P<number>  \d+)
    | (?P<word>    [^\W\d]\w*)
    | (?P<other>   \S)
    """,
    re.VERBOSE | re.DOTALL,
)
"""What SPARQL is made of, as far as it matters where words of the language stand.

A string without an end goes on to the end of its line, or of the text, so that no text is looked at again and again.
"""
FORMS = frozenset({"SELECT", "ASK", "CONSTRUCT", "DESCRIBE"})
OPENING, CLOSING = "{([", "})]"


@dataclass(frozen=True, slots=True)
class Token:
    """One piece of a query, where it begins, and how many brackets are open around it."""

    kind: str
    text: str
    start: int
    depth: int

    @property
    def word(self) -> str:
        """The word of the language outside all brackets, in capitals; else empty."""
        return self.text.upper() if self.kind == "word" and self.depth == 0 else ""


@dataclass(frozen=True, slots=True)
class Modifiers:
    """What a query says about the order and the number of its rows; what sub-selects say is no part of it.

    Parameters
    ----------
    form
        SELECT, ASK, CONSTRUCT or DESCRIBE; empty where the text has none of these words.
    before, order, after
        The text before these modifiers, the conditions of ORDER BY (empty without), and what follows (VALUES).
    limit, offset
        The numbers; None and 0 where the query does not say them.
    inner_limit
        Whether a sub-select has a limit of its own.

    >>> found = Modifiers.of("SELECT ?x { ?x :size ?n } ORDER BY DESC(?n) LIMIT 5 OFFSET 10")
    >>> found.order, found.limit, found.offset
    ('DESC(?n)', 5, 10)
    >>> print(found.written(further=["?x"]))
    SELECT ?x { ?x :size ?n }
    ORDER BY DESC(?n)
    ?x
    """

    form: str
    before: str
    order: str = ""
    limit: int | None = None
    offset: int = 0
    after: str = ""
    inner_limit: bool = False

    @classmethod
    def of(cls, query: str) -> "Modifiers":
        """Return the modifiers of a query. Text that is no SPARQL has none; the engine says what is wrong with it."""
        tokens = [token for token in tokenised(query) if token.kind != "comment"]
        form = next((token for token in tokens if token.word in FORMS), None)
        if form is None:
            return cls("", query)
        inner = any(one.kind == "word" and one.depth > 0 and one.text.upper() == "LIMIT" for one in tokens)
        body = next((one for one in tokens if one.text == "{" and one.depth == 0 and one.start > form.start), form)
        marks = {one.word: one for one in reversed(tokens) if one.start > body.start and one.word}
        ends = sorted(one.start for word, one in marks.items() if word in {"ORDER", "LIMIT", "OFFSET", "VALUES"})
        ends.append(len(query))
        after = query[marks["VALUES"].start :] if "VALUES" in marks else ""
        order = _order(query, tokens, marks["ORDER"].start, ends) if "ORDER" in marks else ""
        limit, offset = (_number(tokens, marks.get(word)) for word in ("LIMIT", "OFFSET"))
        return cls(form.word, query[: ends[0]].rstrip(), order, limit, offset or 0, after, inner)

    @property
    def cuts(self) -> bool:
        """Whether the query takes only some of its rows."""
        return self.form == "SELECT" and (self.limit is not None or self.offset > 0)

    def written(self, *, further: Sequence[str] = ()) -> str:
        """Return the query without limit and offset; `further` conditions decide where its own order does not."""
        conditions = [part for part in (self.order, *further) if part]
        order = [f"ORDER BY {conditions[0]}", *conditions[1:]] if conditions else []
        return "\n".join(part for part in (self.before, *order, self.after) if part)


def tokenised(query: str) -> Iterator[Token]:
    """Return the pieces of a query in their order; a bracket has the depth of what is around it."""
    depth = 0
    for found in TOKEN.finditer(query):
        kind, text = found.lastgroup or "other", found.group()
        if kind == "other" and text in CLOSING:
            depth = max(0, depth - 1)
        yield Token(kind, text, found.start(), depth)
        if kind == "other" and text in OPENING:
            depth += 1


def normalised(query: str) -> str:
    """Return a query without comments and with one blank between its pieces, to see which queries are the same.

    >>> normalised("SELECT  ?x # all of them")
    'SELECT ?x'
    """
    return " ".join(token.text for token in tokenised(query) if token.kind != "comment")


def _order(query: str, tokens: Sequence[Token], start: int, ends: Sequence[int]) -> str:
    by = next((one for one in tokens if one.start > start and one.word == "BY"), None)
    end = next(end for end in ends if end > start)
    return "" if by is None else query[by.start + 2 : end].strip()


def _number(tokens: Sequence[Token], mark: Token | None) -> int | None:
    following = None if mark is None else next((one for one in tokens if one.start > mark.start), None)
    return int(following.text) if following is not None and following.kind == "number" else None
