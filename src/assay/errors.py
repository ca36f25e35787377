"""Every exception and warning of Assay, as one tree.

    AssayError (ValueError)          a user's mistake or an input that cannot be used
    ├── InputError                   a file, frame or mapping that cannot be read as what it should be
    │   ├── FormatError              the content breaks its format; names the place
    │   ├── GoldError                a gold standard that contradicts itself
    │   ├── RunError                 a run that contradicts itself (duplicates, NaN)
    │   └── OverlapError             gold and run have no query in common
    ├── UnknownNameError             a measure, format, profile or option that does not exist
    ├── ParameterError               a measure or policy with a value that is not allowed
    ├── UndefinedError               a number was asked for where the policy says `error`
    ├── UnsupportedError             a combination that has no exact answer (ties=expected for GMAP)
    ├── IncomparableError            results that were made with different gold or conventions
    └── MissingExtraError            an optional dependency is needed and absent

A message reads *place: what was expected, what was found*, and may end with a line `Hint: …`.
"""

import difflib
from collections.abc import Iterable


class AssayError(ValueError):
    """A mistake in the input or the request; the command line prints it and exits with 2."""

    def __init__(self, message: str, *, hint: str | None = None) -> None:
        self.message = message
        self.hint = hint
        super().__init__(message if hint is None else f"{message}\nHint: {hint}")


class InputError(AssayError):
    """A file, frame or mapping that cannot be read as what it should be."""


class FormatError(InputError):
    """Content that breaks its format.

    >>> print(FormatError.at("bm25.run", 2, "expected 6 columns", "found 5: '301 Q0 a 1 12.7'"))
    bm25.run, line 2: expected 6 columns, found 5: '301 Q0 a 1 12.7'
    """

    @classmethod
    def at(cls, place: str, line: int | None, expected: str, found: str, *, hint: str | None = None) -> "FormatError":
        """Make the error of one line of one file (`line` counts from 1)."""
        where = place if line is None else f"{place}, line {line}"
        return cls(f"{where}: {expected}, {found}", hint=hint)


class GoldError(InputError):
    """A gold standard that contradicts itself."""


class RunError(InputError):
    """A run that contradicts itself: an item twice for one query, a score that is no number."""


class OverlapError(InputError):
    """Gold and run share no query at all."""


class UnknownNameError(AssayError):
    """A name that does not exist.

    >>> print(UnknownNameError.of("measure", "ndgc", ["nDCG", "DCG", "P"], see="assay measures"))
    no measure is called 'ndgc'. Did you mean 'nDCG'?
    Hint: assay measures lists all.
    """

    @classmethod
    def of(cls, kind: str, name: str, known: Iterable[str], *, see: str | None = None) -> "UnknownNameError":
        """Make the error for `name`, with the nearest of the `known` names."""
        names = list(known)
        lowered = {known_name.lower(): known_name for known_name in reversed(names)}
        near = difflib.get_close_matches(name.lower(), lowered, n=1, cutoff=0.5)
        guess = f" Did you mean {lowered[near[0]]!r}?" if near else ""
        hint = f"{see} lists all." if see else f"one of {', '.join(names)}."
        return cls(f"no {kind} is called {name!r}.{guess}", hint=hint)


class ParameterError(AssayError):
    """A parameter with a value that is not allowed; the message says what is."""


class UndefinedError(AssayError):
    """A value is undefined for some query and the policy says that this is an error."""


class UnsupportedError(AssayError):
    """A combination that has no exact answer."""


class IncomparableError(AssayError):
    """Results that were made with different gold or conventions; the command line exits with 3."""


class MissingExtraError(AssayError):
    """An optional dependency is needed and not installed.

    >>> print(MissingExtraError.of("reading .zst files", "backports.zstd", "zstd"))
    reading .zst files needs backports.zstd, which is not installed.
    Hint: pip install 'assay[zstd]'
    """

    @classmethod
    def of(cls, what: str, package: str, extra: str) -> "MissingExtraError":
        """Make the error for `what`, which `package` from the extra `extra` would bring."""
        return cls(f"{what} needs {package}, which is not installed.", hint=f"pip install 'assay[{extra}]'")
