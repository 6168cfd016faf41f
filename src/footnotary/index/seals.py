"""Row checksums: every row of the catalog has a digest over all of its columns, so that damage to any is detected.

A checksum (the column `seal`) covers each column's type and its bytes as SQLite stores them, undecoded: a flipped bit
that turns text into bytes, or into invalid text, is detected like any other. The columns are read from the database, so
that none can be forgotten. Checksums protect against accidents, not attacks: anyone who can write the file can also
recompute them (answers are protected by the signed audit log).
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
    """Registers the SQL function `sealed`, which computes a row checksum, on this connection."""
    connection.create_function("sealed", -1, _of_columns, deterministic=True)


def seal_of(row: Mapping[str, Value]) -> bytes:
    """The checksum of a row; `row` has every column except the checksum."""
    return _seals(sorted(row))(row)


def insert(c: sqlite3.Connection, table: str, row: Mapping[str, Value], *, unless_there: bool = False) -> None:
    """Inserts a row with its checksum; `row` has every column except the checksum."""
    insert_all(c, table, [row], unless_there=unless_there)


def insert_all(
    c: sqlite3.Connection, table: str, rows: Sequence[Mapping[str, Value]], *, unless_there: bool = False
) -> None:
    """Inserts rows that have the same columns, with their checksums."""
    if not rows:
        return
    names, seal = (*rows[0], COLUMN), _seals(sorted(rows[0]))
    how = "INSERT OR IGNORE" if unless_there else "INSERT"
    c.executemany(
        f"{how} INTO {table} ({', '.join(names)}) VALUES ({', '.join('?' * len(names))})",
        ((*row.values(), seal(row)) for row in rows),
    )


def reseal(c: sqlite3.Connection, table: str, where: str, *values: Value) -> None:
    """Updates the checksums of rows that were just changed."""
    found = expression(columns(c, table))
    c.execute(f"UPDATE {table} SET {COLUMN} = {found} WHERE {where}", values)  # noqa: S608 (our names)


def expression(names: Sequence[str], of: str = "") -> str:
    """SQL for the expected checksum of a row with these columns; `of` is the alias of its table."""
    fields = [f"{of}.{name}" if of else name for name in sorted(names)]
    kinds = " || ' ' || ".join(f"typeof({field})" for field in fields)
    return f"sealed({kinds}, {', '.join(f'CAST({field} AS BLOB)' for field in fields)})"


def columns(c: sqlite3.Connection, table: str) -> tuple[str, ...]:
    """The columns a table's checksum covers."""
    found = c.execute("SELECT name FROM pragma_table_info(?)", (table,))
    return tuple(name for (name,) in found if name != COLUMN)


def tables(c: sqlite3.Connection) -> tuple[str, ...]:
    """All tables of the database except SQLite's own."""
    sql = "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\' ORDER BY name"
    return tuple(name for (name,) in c.execute(sql))


def is_sealed(c: sqlite3.Connection) -> bool:
    """Whether the database has row checksums; an older one may be open for reading only."""
    return c.execute("SELECT 1 FROM pragma_table_info('meta') WHERE name = ?", (COLUMN,)).fetchone() is not None


def seal_everything(c: sqlite3.Connection) -> None:
    """Adds checksums to the rows an earlier version wrote, in their current state."""
    for table in tables(c):
        reseal(c, table, "true")


def note_layout(c: sqlite3.Connection) -> None:
    """Stores a digest of the table definitions, which `broken` compares."""
    _note(c, "tables", _layout(c))


def note_numbers(c: sqlite3.Connection) -> None:
    """Stores the last assigned numbers, which `broken` compares: the last step of every change."""
    _note(c, "numbers", _numbers(c))


def next_number(c: sqlite3.Connection, table: str) -> int:
    """The number of the next row; no number is ever reused."""
    last = f"SELECT seq FROM sqlite_sequence WHERE name = ? UNION SELECT max(number) FROM {table}"  # noqa: S608 (our names)
    return max((number or 0 for (number,) in c.execute(last, (table,))), default=0) + 1


def broken(c: sqlite3.Connection) -> Iterator[str]:
    """Everything that differs from what was written, as text."""
    for table in tables(c):
        sql = f"SELECT {_key(c, table)} FROM {table} WHERE {COLUMN} IS NOT {expression(columns(c, table))}"  # noqa: S608
        for key in c.execute(sql):
            shown = ", ".join(part.decode(errors="replace") for part in key)
            yield f"the record {shown!r} of {table} differs from what was stored"
    noted = dict(c.execute("SELECT key, value FROM meta"))
    if noted.get("tables") != _layout(c):
        yield "the table definitions differ from those created"
    if noted.get("numbers") != _numbers(c):
        yield "the last assigned row numbers differ from those recorded"


def _key(c: sqlite3.Connection, table: str) -> str:
    """SQL for the columns that identify a row, as bytes: a damaged one may no longer be valid text."""
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
        # Types and bytes as `typeof` and `CAST(… AS BLOB)` give them. Unrolled: it is half of the cost of an insert.
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
    """The checksum from the types and the bytes of every column, in order of name."""
    there = [value or b"" for value in values]
    head = f"{kinds} {[len(value) for value in there]}".encode()
    return sha256(b"".join((head, *there))).digest()[:_BYTES]
