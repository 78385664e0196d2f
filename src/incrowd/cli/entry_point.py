"""The command's first step and its last: a process of our own, which a signal ends at any moment.

Ctrl-C while everything is still being imported is no traceback either; so nothing is imported here that is not Python's
own from its start. What comes before, the start of Python itself, is Python's to end.
"""

from __future__ import annotations

import os
import sys
from typing import NoReturn

BY_SIGNAL = (129, 130, 143)


def main() -> NoReturn:
    """Run the command line.

    SystemExit is raised with its exit status. After a signal, or where an engine that did not end in time is still
    busy, the process ends here: what libraries do at its end may wait for long, or fail.
    """
    try:
        from incrowd.atomic_file import file_tally
        from incrowd.cli.signals.thread import SignalThread
        from incrowd.recovery import end_process
    except KeyboardInterrupt:
        os.write(2, b"incrowd: interrupted; nothing was written\n")
        os._exit(130)
    with file_tally():
        thread = SignalThread()
        thread.start()
        try:
            _run()
        except BaseException as left:
            if thread.heard and not isinstance(left, SystemExit):  # a library's own error, made of a signal
                end_process(128 + thread.heard, flush=True)
            if isinstance(left, SystemExit) and (left.code in BY_SIGNAL or _busy()):
                end_process(left.code if isinstance(left.code, int) else 1, flush=True)
            raise
        finally:
            thread.stop()


def _run() -> NoReturn:
    try:
        from incrowd.cli.main import main as run
    except KeyboardInterrupt:
        sys.stderr.write("incrowd: interrupted; nothing was written\n")
        sys.exit(130)
    run()


def _busy() -> bool:
    """Return whether an engine was left behind that is still at work."""
    engines = sys.modules.get("incrowd.milp.engine")
    return engines is not None and bool(engines.left_behind())
