"""Stage 6: the release is written whole or not at all, and only after the check."""

from incrowd.tables.write.files import check_output, kind_of, refuse_unsafe, same_rows, send, staged_stream, write_file
from incrowd.tables.write.frames import as_frame, ordered

__all__ = [
    "as_frame",
    "check_output",
    "kind_of",
    "ordered",
    "refuse_unsafe",
    "same_rows",
    "send",
    "staged_stream",
    "write_file",
]
