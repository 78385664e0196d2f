"""File formats, one file each: how it is read, how it is written and read back for the last check.

``base`` says what a format is; the names stand in the registry, with one line each. ``csv``, ``json_lines``,
``parquet`` and ``arrow_file`` are read and written, ``database``, ``spreadsheet`` and ``statistics`` read only.
``import_columns`` takes columns of any kind into the engine.

Every writer streams: what is in memory is a batch. The engine treats two column names that differ in case alone as the
same name; a writer that hands it the user's names does so only where no two of them differ in case alone.
"""

from incrowd.tables.formats.base import Format, every_format, format_named

__all__ = ["Format", "every_format", "format_named"]
