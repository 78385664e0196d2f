"""File formats, one file each: how it is read, how it is written and read back for the last check.

``base`` says what a format is; the names stand in the registry, with one line each. ``csv``, ``json_lines``,
``parquet`` and ``arrow_file`` are read and written, ``database``, ``spreadsheet`` and ``statistics`` read only.
``import_columns`` takes columns of any kind into the engine.

Every writer streams: what is in memory is a batch. Columns are called by the user's names, which the engine would
take for one where they differ in case alone, so none of them reaches the engine as a name of its own.
"""

from incrowd.tables.formats.base import Format, every_format, format_named

__all__ = ["Format", "every_format", "format_named"]
