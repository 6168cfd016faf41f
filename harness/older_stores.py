"""Stores as earlier versions wrote them."""

import sqlite3
from contextlib import closing
from pathlib import Path


def made_older(folder: Path, schema: int) -> None:
    """Downgrades a store to an earlier schema: no row checksums, then no history, in the first also no layouts."""
    with closing(sqlite3.connect(folder / "truth.db")) as truth, truth:
        for table in ("former_chunks", "texts", "versions", "standings") if schema < 3 else ():
            truth.execute(f"DROP TABLE {table}")
        truth.execute("DELETE FROM meta WHERE key IN ('tables', 'numbers')")
        for (table,) in truth.execute("SELECT tbl_name FROM sqlite_schema WHERE sql LIKE '%seal BLOB%'").fetchall():
            truth.execute(f"ALTER TABLE {table} DROP COLUMN seal")
        if schema < 2:
            truth.execute("ALTER TABLE documents DROP COLUMN layout")
        truth.execute("UPDATE meta SET value = ? WHERE key = 'schema'", (str(schema),))


def tables(folder: Path) -> set[str]:
    with closing(sqlite3.connect(folder / "truth.db")) as truth:
        return {sql for (sql,) in truth.execute("SELECT sql FROM sqlite_schema WHERE sql IS NOT NULL")}
