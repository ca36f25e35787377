"""`Registry`: names and aliases of measures, formats and profiles, with a near guess for a wrong one."""

from collections.abc import Iterator, Mapping
from typing import Generic, TypeVar

from assay.errors import UnknownNameError

Entry = TypeVar("Entry")


class Registry(Mapping[str, Entry], Generic[Entry]):
    """Entries under their canonical name; `registry[name]` also takes aliases, in any case.

    >>> colours = Registry("colour", see="assay colours")
    >>> colours.add("Red", 1, aliases=["crimson"])
    >>> colours["crimson"], colours["red"], list(colours)
    (1, 1, ['Red'])
    >>> colours["rad"]
    Traceback (most recent call last):
    ...
    assay.errors.UnknownNameError: no colour is called 'rad'. Did you mean 'Red'?
    Hint: assay colours lists all.
    """

    def __init__(self, kind: str, *, see: str | None = None) -> None:
        self.kind = kind
        self.see = see
        self._entries: dict[str, Entry] = {}
        self._names: dict[str, str] = {}

    def add(self, name: str, entry: Entry, *, aliases: list[str] | tuple[str, ...] = ()) -> None:
        """Register an entry; a name that is taken is a programmer's error."""
        for key in (name, *aliases):
            if self._names.get(key, name) != name:
                msg = f"{self.kind} {name!r}: the name {key!r} belongs to {self._names[key]!r}"
                raise RuntimeError(msg)
            self._names[key] = name
        self._entries[name] = entry

    def canonical(self, name: str) -> str:
        """Return the canonical name for a name or alias; exact spelling wins over another case."""
        if name in self._names:
            return self._names[name]
        for key, canonical in self._names.items():
            if key.lower() == name.lower():
                return canonical
        raise UnknownNameError.of(self.kind, name, self._names, see=self.see)

    def names(self) -> tuple[str, ...]:
        """Return every name and alias."""
        return tuple(self._names)

    def aliases(self, name: str) -> tuple[str, ...]:
        """Return the other names of an entry, as registered."""
        return tuple(key for key, canonical in self._names.items() if canonical == name and key != name)

    def __getitem__(self, name: str) -> Entry:
        return self._entries[self.canonical(name)]

    def __contains__(self, name: object) -> bool:
        return name in self._names

    def __iter__(self) -> Iterator[str]:
        return iter(self._entries)

    def __len__(self) -> int:
        return len(self._entries)
