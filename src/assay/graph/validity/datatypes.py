"""Rules about literals: which datatype they should have, and whether they are written as it wants."""

from assay.core.terms import LANG_STRING, STRING, XSD
from assay.core.validity import Source
from assay.graph.validity.rules import RDFS, Rule, listed, named

WHOLE = (
    "integer", "int", "long", "short", "byte", "nonNegativeInteger", "positiveInteger", "nonPositiveInteger",
    "negativeInteger", "unsignedInt", "unsignedLong", "unsignedShort", "unsignedByte",
)  # fmt: skip
DERIVED = {
    "integer": WHOLE,
    "decimal": ("decimal", *WHOLE),
    "long": ("long", "int", "short", "byte"),
    "int": ("int", "short", "byte"),
    "nonNegativeInteger": ("nonNegativeInteger", "positiveInteger", *(one for one in WHOLE if "unsigned" in one)),
    "string": ("string", "normalizedString", "token", "language", "Name", "NCName"),
    "dateTime": ("dateTime", "dateTimeStamp"),
    "duration": ("duration", "dayTimeDuration", "yearMonthDuration"),
}
"""A datatype of XML Schema, and those whose values are among its own."""

_SIGN, _ZONE, _TIME = "[+-]?", r"(Z|[+-]\\d\\d:\\d\\d)?", r"([01]\\d|2[0-4]):[0-5]\\d:[0-5]\\d(\\.\\d+)?"
_DAY = r"-?\\d{4,}-(0[1-9]|1[0-2])-(0[1-9]|[12]\\d|3[01])"
_REAL = rf"{_SIGN}(\\d+(\\.\\d*)?|\\.\\d+)"
FORMS = {
    **dict.fromkeys(WHOLE, rf"{_SIGN}\\d+"),
    "decimal": _REAL,
    **dict.fromkeys(("double", "float"), rf"({_REAL}([eE]{_SIGN}\\d+)?|{_SIGN}INF|NaN)"),
    "boolean": "(true|false|0|1)",
    "date": rf"{_DAY}{_ZONE}",
    **dict.fromkeys(("dateTime", "dateTimeStamp"), rf"{_DAY}T{_TIME}{_ZONE}"),
    "time": rf"{_TIME}{_ZONE}",
    "gYear": rf"-?\\d{{4,}}{_ZONE}",
    "gYearMonth": rf"-?\\d{{4,}}-(0[1-9]|1[0-2]){_ZONE}",
}
"""How values of a datatype are written, as a regular expression that SPARQL can hold."""


def written(datatype: str) -> str | None:
    """Return the expression that is true for text written as the datatype wants; None where anything goes."""
    form = FORMS.get(datatype.removeprefix(XSD)) if datatype.startswith(XSD) else None
    return form and f'REGEX(STR(?o), "^{form}$")'


STORED = {**dict.fromkeys(WHOLE, "integer"), "dateTimeStamp": "dateTime"}
"""As what the embedded store gives back literals of derived datatypes: it keeps the value, not the narrower type."""


def stored(datatype: str) -> str:
    """Return the datatype by which the embedded store knows literals of this one.

    >>> stored("http://www.w3.org/2001/XMLSchema#int")
    'http://www.w3.org/2001/XMLSchema#integer'
    """
    name = datatype.removeprefix(XSD) if datatype.startswith(XSD) else ""
    return XSD + STORED[name] if name in STORED else datatype


def accepted(datatype: str) -> tuple[str, ...]:
    """Return the datatypes whose literals are values of this one.

    >>> accepted("http://www.w3.org/2001/XMLSchema#int")[-1]
    'http://www.w3.org/2001/XMLSchema#integer'
    """
    if not datatype.startswith(XSD):
        return (datatype,)
    name = datatype.removeprefix(XSD)
    found = [XSD + one for one in DERIVED.get(name, (name,))]
    return tuple(dict.fromkeys([*found, stored(datatype)]))


def of_datatype(about: str, datatype: str, source: Source = "axiom", *, within: str = "") -> Rule:
    """Return the rule that values are literals of a datatype.

    A string with a language counts as a string: rdfs:range xsd:string is what people write for any text.
    """
    allowed = accepted(datatype) + ((LANG_STRING,) if datatype == STRING else ())
    wrong = f"!isLiteral(?o) || DATATYPE(?o) NOT IN ({listed(allowed)})"
    if datatype == RDFS + "Literal":
        wrong = "!isLiteral(?o)"
    found = 'BIND(IF(isLiteral(?o), DATATYPE(?o), IF(isIRI(?o), "IRI", "blank node")) AS ?found)'
    return Rule("datatype", about, f"?s {named(about)} ?o . {within}", wrong, "", found, (datatype,), source)


def lexical(about: str, datatype: str) -> Rule | None:
    """Return the rule that the literals of a property that have this datatype are written as it wants."""
    form = written(datatype)
    if form is None:
        return None
    scope = f"?s {named(about)} ?o . FILTER(isLiteral(?o) && DATATYPE(?o) = {named(datatype)})"
    return Rule("lexical", about, scope, f"!{form}", "", "BIND(STR(?o) AS ?found)", (datatype,), "default")
