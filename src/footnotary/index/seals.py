"""Seals: beside every record of the truth a digest over all of its fields, so that damage to any of them is noticed.

A seal covers each column's kind of value and its bytes as SQLite keeps them, undecoded: a flipped bit that turns text
into bytes, or into something that is no text, is seen like any other. Which columns there are is asked of
the database, so that none can be forgotten. Seals are against accidents: whoever can write the file can seal it anew
(what is answered has the signed audit log).
"""

import sqlite3
from collections.abc import Callable, Iterator, Mapping, Sequence
from hashlib import sha256

from footnotary.domain.identity import sha256_hex
from footnotary.index.records import to_json

COLUMN = "seal"
_BYTES = 16

Value = str | int | bytes | None


def register(connection: sqlite3.Connection) -> None:
    """Makes `sealed` a function of this connection's SQL."""
    connection.create_function("sealed", -1, _of_columns, deterministic=True)


def seal_of(row: Mapping[str, Value]) -> bytes:
    """The seal of a record whose columns, all but that of the seal, these are."""
    return _seals(sorted(row))(row)


def insert(c: sqlite3.Connection, table: str, row: Mapping[str, Value], *, unless_there: bool = False) -> None:
    """Writes a record with its seal; `row` names every column but that."""
    insert_all(c, table, [row], unless_there=unless_there)


def insert_all(
    c: sqlite3.Connection, table: str, rows: Sequence[Mapping[str, Value]], *, unless_there: bool = False
) -> None:
    """Writes records that name the same columns."""
    if not rows:
        return
    names, seal = (*rows[0], COLUMN), _seals(sorted(rows[0]))
    how = "INSERT OR IGNORE" if unless_there else "INSERT"
    c.executemany(
        f"{how} INTO {table} ({', '.join(names)}) VALUES ({', '.join('?' * len(names))})",
        ((*row.values(), seal(row)) for row in rows),
    )


def reseal(c: sqlite3.Connection, table: str, where: str, *values: Value) -> None:
    """Seals records that were just changed."""
    found = expression(columns(c, table))
    c.execute(f"UPDATE {table} SET {COLUMN} = {found} WHERE {where}", values)  # noqa: S608 (our names)


def expression(names: Sequence[str], of: str = "") -> str:
    """SQL for the seal that a record with these columns has to have; `of` is the name its table goes by."""
    fields = [f"{of}.{name}" if of else name for name in sorted(names)]
    kinds = " || ' ' || ".join(f"typeof({field})" for field in fields)
    return f"sealed({kinds}, {', '.join(f'CAST({field} AS BLOB)' for field in fields)})"


def columns(c: sqlite3.Connection, table: str) -> tuple[str, ...]:
    """What a table's seal covers."""
    found = c.execute("SELECT name FROM pragma_table_info(?)", (table,))
    return tuple(name for (name,) in found if name != COLUMN)


def tables(c: sqlite3.Connection) -> tuple[str, ...]:
    """Every table of ours that is there."""
    sql = "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\' ORDER BY name"
    return tuple(name for (name,) in c.execute(sql))


def is_sealed(c: sqlite3.Connection) -> bool:
    """Whether the database is of a version that has seals; an older one may be open for reading only."""
    return c.execute("SELECT 1 FROM pragma_table_info('meta') WHERE name = ?", (COLUMN,)).fetchone() is not None


def seal_everything(c: sqlite3.Connection) -> None:
    """Seals what an earlier version wrote, as it is now."""
    for table in tables(c):
        reseal(c, table, "true")


def note_layout(c: sqlite3.Connection) -> None:
    """Writes down how the tables are laid out, to be compared by `broken`."""
    _note(c, "tables", _layout(c))


def note_numbers(c: sqlite3.Connection) -> None:
    """Writes down which numbers were given last, to be compared by `broken`: the last step of every change."""
    _note(c, "numbers", _numbers(c))


def next_number(c: sqlite3.Connection, table: str) -> int:
    """The number of the next record; none is ever given twice."""
    last = f"SELECT seq FROM sqlite_sequence WHERE name = ? UNION SELECT max(number) FROM {table}"  # noqa: S608 (our names)
    return max((number or 0 for (number,) in c.execute(last, (table,))), default=0) + 1


def broken(c: sqlite3.Connection) -> Iterator[str]:
    """What is not as it was written, in words."""
    for table in tables(c):
        sql = f"SELECT {_key(c, table)} FROM {table} WHERE {COLUMN} IS NOT {expression(columns(c, table))}"  # noqa: S608
        for key in c.execute(sql):
            shown = ", ".join(part.decode(errors="replace") for part in key)
            yield f"the record {shown!r} of {table} is not what was stored"
    noted = dict(c.execute("SELECT key, value FROM meta"))
    if noted.get("tables") != _layout(c):
        yield "the tables are not laid out as they were made"
    if noted.get("numbers") != _numbers(c):
        yield "the numbers given last are not those that were noted"


def _key(c: sqlite3.Connection, table: str) -> str:
    """SQL for what names a record, as bytes: they may be no text any more."""
    named = "SELECT name FROM pragma_table_info(?) WHERE pk OR name = 'id' ORDER BY pk"
    return ", ".join(f"coalesce(CAST({name} AS BLOB), x'')" for (name,) in c.execute(named, (table,)))


def _note(c: sqlite3.Connection, key: str, value: str) -> None:
    c.execute("DELETE FROM meta WHERE key = ?", (key,))
    insert(c, "meta", {"key": key, "value": value})


def _layout(c: sqlite3.Connection) -> str:
    sql = "SELECT type, name, tbl_name, coalesce(sql, '') FROM sqlite_schema ORDER BY type, name"
    return sha256_hex(to_json(c.execute(sql).fetchall()))


def _numbers(c: sqlite3.Connection) -> str:
    return to_json(c.execute("SELECT name, seq FROM sqlite_sequence ORDER BY name").fetchall())


def _seals(names: Sequence[str]) -> Callable[[Mapping[str, Value]], bytes]:
    def seal(row: Mapping[str, Value]) -> bytes:
        # Kinds and bytes as `typeof` and `CAST(… AS BLOB)` give them. Written out: it is half of what a record costs.
        kinds: list[str] = []
        values: list[bytes] = []
        for name in names:
            value = row[name]
            if isinstance(value, str):
                kinds.append("text")
                values.append(value.encode())
            elif value is None:
                kinds.append("null")
                values.append(b"")
            elif isinstance(value, bytes):
                kinds.append("blob")
                values.append(value)
            else:
                kinds.append("integer")
                values.append(b"%d" % value)
        return _of_columns(" ".join(kinds), *values)

    return seal


def _of_columns(kinds: str, *values: bytes | None) -> bytes:
    """The seal from the kinds of value and the bytes of every column, in order of name."""
    there = [value or b"" for value in values]
    head = f"{kinds} {[len(value) for value in there]}".encode()
    return sha256(b"".join((head, *there))).digest()[:_BYTES]
