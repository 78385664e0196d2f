"""The command's first step: Ctrl-C while everything is still being imported is no traceback either."""

from __future__ import annotations

import sys
from typing import NoReturn

__all__ = ["main"]


def main() -> NoReturn:
    """Run the command line."""
    try:
        from incrowd.cli.main import main as run
    except KeyboardInterrupt:
        sys.stderr.write("incrowd: interrupted; nothing was written\n")
        sys.exit(130)
    run()
