"""What the engine keeps, in a database file of its private folder in place of its memory.

DuckDB puts tables that lie in memory on disk when it lacks room, block by block, but not all of what they hold
(measured with version 2.0: 200 MB of 50 million rows of 11 columns stayed, and a GROUP BY of 14 million lines failed
under 300 MB; from a file 60 MB are enough for one of 20 million). From a file it reads what it needs and forgets it.
Writing costs some 20 ns a cell, for what is written is packed: a third of the disk.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from incrowd.tables.engine.base import Engine


NAME = "incrowd_kept"
UNLOGGED = "(RECOVERY_MODE no_wal_writes)"  # nobody opens the file again: it needs no log


def keep_in_file(engine: Engine) -> None:
    """Move what a DuckDB engine keeps to a file, and have it keep there whatever it keeps from now on.

    An engine that keeps in a file already stays as it is. Every kept table is read and written once, one after the
    other.
    """
    if engine.kept_as == "TABLE":
        return
    run = engine.con.con.execute
    path = str(Path(engine.folder.name) / "kept.duckdb").replace("'", "''")
    with engine.guard("making room in the table engine"):
        run(f"ATTACH '{path}' AS {NAME} {UNLOGGED if _knows_unlogged(engine) else ''}")
        listed = run("SELECT table_name FROM duckdb_tables() WHERE temporary AND starts_with(table_name, 'incrowd_')")
        for (name,) in listed.fetchall():
            run(f'CREATE TABLE {NAME}.main."{name}" AS FROM temp."{name}"')
            run(f'DROP TABLE temp."{name}"')
        run(f"USE {NAME}")
    engine.kept_as = "TABLE"


def _knows_unlogged(engine: Engine) -> bool:
    """Return whether this DuckDB can write a database without a log."""
    run = engine.con.con.execute
    try:
        run(f"ATTACH ':memory:' AS {NAME}_asked {UNLOGGED}")
    except Exception:  # noqa: BLE001 - whatever it says, it does not know the words
        return False
    run(f"DETACH {NAME}_asked")
    return True
