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
from footnotary.index.sqlite.row_serialization import to_json

CHECKSUM_COLUMN = "seal"
_CHECKSUM_BYTES = 16

SqlValue = str | int | bytes | None


def register_checksum_function(connection: sqlite3.Connection) -> None:
    """Registers the SQL function `sealed`, which computes a row checksum, on this connection."""
    connection.create_function("sealed", -1, _checksum_of_columns, deterministic=True)


def insert_row(c: sqlite3.Connection, table: str, row: Mapping[str, SqlValue]) -> None:
    """Inserts a row with its checksum; `row` has every column except the checksum."""
    insert_rows(c, table, [row])


def insert_rows(
    c: sqlite3.Connection, table: str, rows: Sequence[Mapping[str, SqlValue]], *, ignore_existing: bool = False
) -> None:
    """Inserts rows that have the same columns, with their checksums."""
    if not rows:
        return
    names, seal = (*rows[0], CHECKSUM_COLUMN), _checksum_function(sorted(rows[0]))
    how = "INSERT OR IGNORE" if ignore_existing else "INSERT"
    c.executemany(
        f"{how} INTO {table} ({', '.join(names)}) VALUES ({', '.join('?' * len(names))})",
        ((*row.values(), seal(row)) for row in rows),
    )


def update_checksums(c: sqlite3.Connection, table: str, where: str, *values: SqlValue) -> None:
    """Updates the checksums of rows that were just changed."""
    found = checksum_sql(checksummed_columns(c, table))
    c.execute(f"UPDATE {table} SET {CHECKSUM_COLUMN} = {found} WHERE {where}", values)  # noqa: S608 (our names)


def checksum_sql(names: Sequence[str], of: str = "") -> str:
    """SQL for the expected checksum of a row with these columns; `of` is the alias of its table."""
    fields = [f"{of}.{name}" if of else name for name in sorted(names)]
    kinds = " || ' ' || ".join(f"typeof({field})" for field in fields)
    return f"sealed({kinds}, {', '.join(f'CAST({field} AS BLOB)' for field in fields)})"


def checksummed_columns(c: sqlite3.Connection, table: str) -> tuple[str, ...]:
    """The columns a table's checksum covers."""
    found = c.execute("SELECT name FROM pragma_table_info(?)", (table,))
    return tuple(name for (name,) in found if name != CHECKSUM_COLUMN)


def list_tables(c: sqlite3.Connection) -> tuple[str, ...]:
    """All tables of the database except SQLite's own."""
    sql = "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\' ORDER BY name"
    return tuple(name for (name,) in c.execute(sql))


def has_checksums(c: sqlite3.Connection) -> bool:
    """Whether the database has row checksums; an older one may be open for reading only."""
    return (
        c.execute("SELECT 1 FROM pragma_table_info('meta') WHERE name = ?", (CHECKSUM_COLUMN,)).fetchone() is not None
    )


def checksum_all_rows(c: sqlite3.Connection) -> None:
    """Adds checksums to the rows an earlier version wrote, in their current state."""
    for table in list_tables(c):
        update_checksums(c, table, "true")


def store_schema_digest(c: sqlite3.Connection) -> None:
    """Stores a digest of the table definitions, which `find_damaged_rows` compares."""
    _store_meta(c, "tables", _schema_digest(c))


def store_last_numbers(c: sqlite3.Connection) -> None:
    """Stores the last assigned numbers, which `find_damaged_rows` compares: the last step of every change."""
    _store_meta(c, "numbers", _last_numbers(c))


def next_number(c: sqlite3.Connection, table: str) -> int:
    """The number of the next row; no number is ever reused."""
    last = f"SELECT seq FROM sqlite_sequence WHERE name = ? UNION SELECT max(number) FROM {table}"  # noqa: S608 (our names)
    return max((number or 0 for (number,) in c.execute(last, (table,))), default=0) + 1


def find_damaged_rows(c: sqlite3.Connection) -> Iterator[str]:
    """Everything that differs from what was written, as text."""
    for table in list_tables(c):
        checksum = checksum_sql(checksummed_columns(c, table))
        sql = f"SELECT {_row_key_sql(c, table)} FROM {table} WHERE {CHECKSUM_COLUMN} IS NOT {checksum}"  # noqa: S608
        for key in c.execute(sql):
            shown = ", ".join(part.decode(errors="replace") for part in key)
            yield f"the record {shown!r} of {table} differs from what was stored"
    noted = dict(c.execute("SELECT key, value FROM meta"))
    if noted.get("tables") != _schema_digest(c):
        yield "the table definitions differ from those created"
    if noted.get("numbers") != _last_numbers(c):
        yield "the last assigned row numbers differ from those recorded"


def _row_key_sql(c: sqlite3.Connection, table: str) -> str:
    """SQL for the columns that identify a row, as bytes: a damaged one may no longer be valid text."""
    named = "SELECT name FROM pragma_table_info(?) WHERE pk OR name = 'id' ORDER BY pk"
    return ", ".join(f"coalesce(CAST({name} AS BLOB), x'')" for (name,) in c.execute(named, (table,)))


def _store_meta(c: sqlite3.Connection, key: str, value: str) -> None:
    c.execute("DELETE FROM meta WHERE key = ?", (key,))
    insert_row(c, "meta", {"key": key, "value": value})


def _schema_digest(c: sqlite3.Connection) -> str:
    sql = "SELECT type, name, tbl_name, coalesce(sql, '') FROM sqlite_schema ORDER BY type, name"
    return sha256_hex(to_json(c.execute(sql).fetchall()))


def _last_numbers(c: sqlite3.Connection) -> str:
    return to_json(c.execute("SELECT name, seq FROM sqlite_sequence ORDER BY name").fetchall())


def _checksum_function(names: Sequence[str]) -> Callable[[Mapping[str, SqlValue]], bytes]:
    def seal(row: Mapping[str, SqlValue]) -> bytes:
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
        return _checksum_of_columns(" ".join(kinds), *values)

    return seal


def _checksum_of_columns(kinds: str, *values: bytes | None) -> bytes:
    """The checksum from the types and the bytes of every column, in order of name."""
    there = [value or b"" for value in values]
    head = f"{kinds} {[len(value) for value in there]}".encode()
    return sha256(b"".join((head, *there))).digest()[:_CHECKSUM_BYTES]
