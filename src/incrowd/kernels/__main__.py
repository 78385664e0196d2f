"""Compile all kernels once, so that no user waits for it: ``python -m incrowd.kernels``."""

from __future__ import annotations

import sys

from incrowd.kernels import warm

if __name__ == "__main__":
    sys.stdout.write(f"compiled: {', '.join(warm())}\n")
