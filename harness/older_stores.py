"""Stores as earlier versions wrote them."""

import sqlite3
from contextlib import closing
from pathlib import Path

from footnotary.index.sqlite.row_checksums import checksum_all_rows, register_checksum_function, store_schema_digest


def made_older(folder: Path, schema: int) -> None:
    """Downgrades a store to an earlier schema: no flags, then no checksums, no history, in the first no layouts."""
    with closing(sqlite3.connect(folder / "truth.db")) as truth, truth:
        register_checksum_function(truth)
        for table in ("chunks", "former_chunks"):
            truth.execute(f"ALTER TABLE {table} DROP COLUMN flags")
        if schema == 4:
            truth.execute("UPDATE meta SET value = '4' WHERE key = 'schema'")
            checksum_all_rows(truth)
            store_schema_digest(truth)
            return
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
