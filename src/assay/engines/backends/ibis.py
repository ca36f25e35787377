"""Ibis: runs that lie in a database, such as PostgreSQL.

A database may order text by the rules of a language, and may even take different ids for one. PostgreSQL is asked
to compare the bytes of ids as UTF-8; any other database has to prove that it orders text so.
"""

from collections.abc import Mapping, Sequence
from functools import cache
from itertools import combinations
from typing import Any, ClassVar

import narwhals as nw
import polars as pl

from assay.engines.backends.base import BACKENDS, Backend
from assay.errors import MissingExtraError, ParameterError, UnsupportedError

ORDERED = ("A", "B", "Z", "a", "a ", "a-b", "ab", "b", "é", "\ufffd", "\U0001f600")
"""Texts in the order of their UTF-8 bytes, each pair of which some way to order text turns around or takes for one."""


class Ibis(Backend):
    """Tables of Ibis, in whatever database."""

    name: ClassVar[str] = "ibis"
    extra: ClassVar[str] = "ibis"
    reads_files: ClassVar[bool] = False

    def owns(self, native: object) -> bool:
        """Tell whether a frame is a table of Ibis."""
        return type(native).__module__.startswith("ibis.expr.types")

    def table(self, native: Any, small: pl.DataFrame) -> Any:
        """Hand a small table to the database of a table, for as long as it is used.

        Raises
        ------
        UnsupportedError
            The database orders text in another way than by its bytes, or takes different ids for one.
        """
        import ibis

        place = native.get_backend()
        if place.name == "postgres":
            return _copied(place, small)
        if not _orders_bytes(place):
            msg = f"{place.name}: expected text to be ordered by its bytes, found the order of a language"
            raise UnsupportedError(msg, hint="set a binary collation for the connection or its database.")
        return ibis.memtable(small.to_arrow())

    def open(self, paths: Sequence[str], options: Mapping[str, str]) -> Any:
        """Return tables of a database (`table` or `schema.table`) as one.

        The option `url` says which database: `postgresql://user@host/name` or another address that Ibis knows.
        """
        try:
            import ibis
        except ImportError:
            raise MissingExtraError.of("the engine ibis", "ibis-framework", self.extra) from None
        unknown = sorted(options.keys() - {"url"})
        if unknown or "url" not in options:
            found = repr(unknown[0]) if unknown else "no option"
            msg = f"engine ibis: expected the option url, found {found}"
            raise ParameterError(msg, hint="url=postgresql://user@host/name says which database.")
        place = ibis.connect(options["url"])
        parts = [path.rpartition(".") for path in paths]
        return ibis.union(*[place.table(table, database=schema or None) for schema, _, table in parts])

    def bytewise(self, frame: nw.LazyFrame[Any], column: str, name: str) -> nw.LazyFrame[Any]:
        """Add a text column under a new name as something that the database orders by UTF-8 bytes."""
        native = frame.to_native()
        if native.get_backend().name != "postgres":
            return super().bytewise(frame, column, name)
        keyed: nw.LazyFrame[Any] = nw.from_native(native.mutate(**{name: _convert()(native[column], "UTF8")}))
        return keyed


@cache
def _convert() -> Any:
    """Return the function `convert_to` of PostgreSQL, which gives the bytes of a text in an encoding."""
    import ibis

    def convert_to(text: str, encoding: str) -> bytes:
        raise NotImplementedError

    return ibis.udf.scalar.builtin(convert_to)


def _orders_bytes(place: Any) -> bool:
    """Ask a database whether it puts all texts in the order of their UTF-8 bytes."""
    import ibis

    pairs = list(combinations(ORDERED, 2))
    asked = ibis.memtable(pl.DataFrame(pairs, schema=["low", "high"], orient="row").to_arrow())
    return int(place.execute(asked.filter(asked.low < asked.high).count())) == len(pairs)


def _copied(place: Any, small: pl.DataFrame) -> Any:
    """Copy a small table into a temporary one of PostgreSQL, which goes when nothing refers to it any more."""
    import weakref

    import ibis

    name = ibis.util.gen_name("assay")
    table = place.create_table(name, schema=ibis.memtable(small.to_arrow()).schema(), temp=True)
    rows = _storable(small, place.con.info.parameter_status("server_encoding"))
    with place.con.cursor() as cursor:
        with cursor.copy(f"COPY \"{name}\" FROM STDIN (FORMAT csv, ENCODING 'UTF8')") as copy:
            copy.write(rows.write_csv(include_header=False, quote_style="non_numeric").encode())
        cursor.execute(f'ANALYZE "{name}"')
    weakref.finalize(table.op(), _drop, weakref.ref(place), name).atexit = False  # a connection takes its tables along
    return table


def _storable(small: pl.DataFrame, encoding: str) -> pl.DataFrame:
    """Leave out rows whose text the database cannot hold: none of its own rows can be like them."""
    for column in small.select(pl.col(pl.String)).columns:
        fits = [_fits(text, encoding.replace("WIN", "cp")) for text in small[column]]
        small = small.filter(pl.Series(fits, dtype=pl.Boolean))
    return small


def _fits(text: str, encoding: str) -> bool:
    """Tell whether a text can be written in an encoding of PostgreSQL; what Python does not know may hold any."""
    try:
        text.encode(encoding)
    except UnicodeEncodeError:
        return False
    except LookupError:
        pass
    return "\0" not in text


def _drop(place: Any, name: str) -> None:
    """Drop a temporary table, where its connection is still open."""
    still = place()
    if still is not None and not still.con.closed:
        still.con.execute(f'DROP TABLE IF EXISTS "{name}"')


BACKENDS.add(Ibis.name, Ibis(), aliases=("postgresql", "postgres"))
