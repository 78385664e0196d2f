"""Programs that some checks need: skipped by name where they are missing, and failed where INCROWD_REQUIRED is set."""

from __future__ import annotations

import os
import shutil

import pytest

REQUIRED = bool(os.environ.get("INCROWD_REQUIRED"))
NODE = shutil.which("node") or shutil.which("nodejs")
COQ = shutil.which("coqc")


def needs(program: str | None, why: str) -> pytest.MarkDecorator:
    """Skip a test without a program, or let it fail where all are required."""
    return pytest.mark.skipif(program is None and not REQUIRED, reason=why)


needs_node = needs(NODE, "needs Node, which this machine does not have")
needs_coq = needs(COQ, "coqc is missing: the theorems are not checked here")
