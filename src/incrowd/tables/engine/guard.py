"""Errors of a table engine as sentences without cells: engines quote the offending line or value in theirs."""

from __future__ import annotations

import re

from incrowd.errors import IncrowdError, InputError, raise_alone

UNLIKE = "save it again with one kind of line end throughout (LF, CRLF or CR)"


def lacks_memory(said: str) -> bool:
    """Return whether a sentence of a guard says that memory or disk do not suffice: another try would not help."""
    return "not enough memory" in said or "the disk is full" in said


class Guard:
    """See `Engine.guard`. `doing` is what is being done, for messages, for example ``"reading 'a.csv'"``.

    `otherwise` is the sentence for an error that has none of its own.
    """

    def __init__(self, doing: str, otherwise: str = "") -> None:
        self.doing, self.otherwise = doing, otherwise

    def __enter__(self) -> None:
        return None

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: object) -> None:
        if error is None or isinstance(error, IncrowdError) or not isinstance(error, Exception):
            return
        if self.interrupted(error):
            raise KeyboardInterrupt from None
        raise_alone(self.sentence(error))

    def interrupted(self, error: Exception) -> bool:
        """Return whether an error, as the engine raised it, is the engine's own word for Ctrl-C."""
        return "interrupt" in f"{type(error).__name__} {error}".lower()

    def sentence(self, error: Exception) -> IncrowdError:
        """Return an error that says what failed and where, never what the cell held.

        `error` is as the engine raised it.
        """
        doing, kind = self.doing, type(error).__name__
        text = str(error)
        line = re.search(r"CSV Error on Line: (\d+)", text)
        if line:
            at = f"line {line[1]}"
            widths = re.search(r"Expected Number of Columns: (\d+) Found: (\d+)", text)
            if widths:
                mend = "is the delimiter right?" if widths[1] == "1" else "mend that line"
                return InputError(f"{doing}: {at} has {widths[2]} fields where {widths[1]} are expected; {mend}")
            if "unicode" in text.lower():
                return InputError(f"{doing}: {at} is not valid UTF-8 text; name its encoding (for example latin-1)")
            if "Maximum line size" in text:
                return InputError(f"{doing}: {at} is too long; is there a quote before it that is never closed?")
            if "nterminated quote" in text or "quoted value" in text.lower():
                return InputError(f"{doing}: {at} has a quote that is never closed or not doubled; mend that line")
            return InputError(f"{doing}: {at} cannot be read as CSV; mend that line or say delimiter")
        if "state machine" in text:  # of its reader of CSV: a line that ends otherwise than the first one
            return InputError(f"{doing}: its lines do not all end alike; {UNLIKE}")
        if "utf-8" in text.lower() or "unicode" in text.lower():
            return InputError(f"{doing}: the text is not valid UTF-8; name its encoding (for example latin-1)")
        if "OutOfMemory" in kind or isinstance(error, MemoryError):
            return InputError(f"{doing}: not enough memory; give it more memory, or free space for spilling to disk")
        if "No space left" in text or "File too large" in text:
            return InputError(f"{doing}: the disk is full; free some space")
        return InputError(self.otherwise or f"{doing}: the table engine cannot do it ({kind})")
