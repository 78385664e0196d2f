"""What went wrong, in one sentence on standard error, and the exit status it has.

0 done, 1 the release fails what was asked, 2 wrong use or bad input, 3 no release, 70 our own bug, 129, 130 or 143
ended by SIGHUP, Ctrl-C or SIGTERM.
"""

from __future__ import annotations

import contextlib
import os
import sys
import threading
from typing import NoReturn

import click

from incrowd.atomic_file import disk_is_full, placed
from incrowd.errors import IncrowdError, place_of
from incrowd.recovery import end_process
from incrowd.report.words import visible

INTERRUPTED = 130
OUR_BUG = 70


def failed(error: Exception) -> int:
    """Write what went wrong to standard error in one sentence, and return the exit status.

    That is the error's own status for an `IncrowdError`; 2 for wrong use, lack of memory or a full disk; 1 where nobody
    reads the output any more; 70 for any other error. An error of the last kind is raised itself if ``INCROWD_DEBUG``
    is set.
    """
    if isinstance(error, IncrowdError):
        return say(str(error), error.exit_status)
    if isinstance(error, click.UsageError):
        where = error.ctx.command_path if error.ctx else "incrowd"
        return say(f"{' '.join(error.format_message().split())}{_hint(error)} (see `{where} --help`)", 2)
    if isinstance(error, click.ClickException):
        return say(error.format_message(), 2)
    if isinstance(error, BrokenPipeError):
        _no_more_output()
        return 1
    if _of_memory(error):
        return say(f"not enough memory for this; give it more, or ask for less of it at once; {placed()}", 2)
    if isinstance(error, OSError):
        return _of_the_system(error)
    return _our_bug(error)


def _hint(error: click.UsageError) -> str:
    """Return what was meant where one dash was typed for two."""
    if not isinstance(error, click.NoSuchOption) or error.ctx is None or error.option_name.startswith("--"):
        return ""
    there = {name for parameter in error.ctx.command.params for name in parameter.opts}
    return f" Did you mean -{error.option_name}?" if f"-{error.option_name}" in there else ""


def end_now(sentence: str) -> NoReturn:
    """Say why and end the process with status 2, from any thread, where nothing else is heard.

    `sentence` is one as for `say`; what is in place is said after it.
    """
    end_process(2, lambda: in_one_line(f"{sentence}; {placed()}"))


def _of_memory(error: BaseException | None) -> bool:
    """Return whether an error, or one that it was made from, says that memory did not suffice."""
    while error is not None:
        if isinstance(error, MemoryError) or "OutOfMemory" in type(error).__name__:  # the table engine's own
            return True
        error = error.__cause__ or error.__context__
    return False


def say(sentence: str, status: int) -> int:
    """Write a sentence to standard error and return `status`, also where standard error cannot be written.

    The sentence has no line end at its end, and ``incrowd: `` goes before it. Control characters in it become pictures.
    `status` is an exit status from 0 to 255.
    """
    with contextlib.suppress(OSError):  # there may be nowhere to say it
        show(f"incrowd: {in_one_line(sentence)}", err=True)
    return status


def _no_more_output() -> None:
    """Let what is still to go to standard output go nowhere, so that the end of the program does not stumble on it."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _of_the_system(error: OSError) -> int:
    """Write what the system refused, where it is no bug of ours: an output that nobody reads, or a full disk."""
    why = "the disk is full" if disk_is_full(error) else str(error.strerror)
    module = ""
    trace = error.__traceback__
    while trace:
        module = trace.tb_frame.f_globals.get("__name__", "")
        trace = trace.tb_next
    if module.startswith("click."):  # which writes answers
        _no_more_output()
        return say(f"standard output cannot be written: {why}; {placed()}", 2)
    if disk_is_full(error):
        return say(f"{why}; free some space, also for temporary files; {placed()}", 2)
    return _our_bug(error)


def _our_bug(error: Exception) -> int:
    """Say where it happened; the error's own text stays unsaid, for it may quote the table."""
    if os.environ.get("INCROWD_DEBUG"):
        raise error
    return say(
        f"this is our bug: {place_of(error)}; {placed()}. Please report it; "
        "INCROWD_DEBUG=1 shows more (it may quote your table)",
        OUR_BUG,
    )


# What people read, without the characters that move a terminal's cursor, change its colours or fake its lines.
#
# A file from outside may have an escape sequence in a column's name, and a word of a command line may hold one.
LINE_ENDS = {0x09: "\u2409", 0x0A: "\u240a", 0x0D: "\u240d", 0x2028: "\u240a", 0x2029: "\u240a"}

CLEAR = "\r\x1b[K"  # to the line's beginning, and nothing on it

_bar: list[str] = []  # what stands in the terminal's last line, to be written over
_turn = threading.RLock()


def show(text: str, *, nl: bool = True, err: bool = False) -> None:
    """Write a text for people to standard output or standard error, with pictures for its control characters.

    The text's line ends stay. `nl` says whether a line end follows, and `err` that it goes to standard error.
    """
    with _turn:
        line_in_place("")
        click.echo(visible(text.replace("\r", LINE_ENDS[0x0D])), nl=nl, err=err)


def line_in_place(text: str) -> None:
    """Write a line to the terminal at standard error over the one that was written so before.

    `text` has no line ends; an empty one takes the line away. The cursor stays at its beginning, so that whatever else
    is written replaces it.
    """
    with _turn:
        if not text and not _bar:
            return
        _bar[:] = [text] if text else []
        shown = visible(in_one_line(text))
        try:
            os.write(2, f"{CLEAR}{shown}\r".encode() if text else CLEAR.encode())
        except OSError:  # nobody looks any more
            _bar.clear()


def in_one_line(text: str) -> str:
    """Return a sentence with pictures for its line ends and tabs too; it may repeat a name that was given."""
    return text.translate(LINE_ENDS)
