"""Charts drawn in a process of their own, all charts of a page in one: if it dies, a release does not."""

from __future__ import annotations

import contextlib
import functools
import json
import signal
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

from incrowd.errors import InputError, OurBug
from incrowd.report.charts.libraries import check_installed, drawing_folder
from incrowd.report.text.words import visible_in

if TYPE_CHECKING:
    from collections.abc import Sequence


PROGRAM = Path(__file__).with_name("draw.py")
SMALLEST = {"data": {"values": [{"a": "x"}]}, "mark": "point", "encoding": {"y": {"field": "a"}}}


def svgs_of(charts: Sequence[dict[str, Any]]) -> list[str]:
    """Return Vega-Lite charts as SVG, in the same order; empty without charts, and then nothing is started.

    The process costs about 0.05 s beside the second that the drawing library takes to start wherever it runs. Nothing
    but the charts reaches it, and its error output is not kept: that may quote a label. InputError is raised if the
    extra ``report`` is not installed, or there is not memory enough to draw; OurBug is raised if the drawing library
    refuses a chart.
    """
    if not charts:
        return []
    command = [sys.executable, "-I", "-S", str(PROGRAM), str(drawing_folder())]
    asked = json.dumps(visible_in(list(charts))).encode()
    # of a session of its own, so that Ctrl-C is heard here alone
    done = subprocess.run(  # noqa: S603 - our own program
        command, input=asked, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, check=False, start_new_session=True
    )
    if done.returncode > 0:
        raise OurBug("the charts of the report cannot be drawn. Please report this")
    if done.returncode < 0:
        raise InputError(f"the report's charts cannot be drawn: {_cause(-done.returncode)}; or leave the report out")
    drawn: list[str] = json.loads(done.stdout)
    return drawn


def check_drawing() -> None:
    """Refuse to draw, before hours of work, where a library is missing or a limit on memory leaves no room for it.

    InputError is raised as by `svgs_of`.
    """
    check_installed()
    if _limited():
        _try_once()


@functools.cache
def _try_once() -> None:
    svgs_of([SMALLEST])


def _limited() -> bool:
    with contextlib.suppress(ImportError):
        import resource

        return resource.getrlimit(resource.RLIMIT_AS)[0] != resource.RLIM_INFINITY
    return False


def _cause(number: int) -> str:
    if _limited():
        return "the limit on address space (ulimit -v) is too small for them; raise or lift it"
    name = signal.Signals(number).name if number in {one.value for one in signal.Signals} else f"signal {number}"
    return f"not enough memory, or the program that draws them was ended ({name}); free some"
