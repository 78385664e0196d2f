"""Stage 6: the release is written whole or not at all, and only after the check."""

from incrowd.tables.write.files import as_stream, check_output, same_rows, write_file
from incrowd.tables.write.frames import as_frame, ordered

__all__ = ["as_frame", "as_stream", "check_output", "ordered", "same_rows", "write_file"]
