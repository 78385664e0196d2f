"""The program that draws charts, run by itself: what it draws with ends its whole process when it fails.

Reads a JSON list of Vega-Lite charts from standard input and writes the list of their SVG to standard output. Its
only argument is the folder in which the drawing library lies. Knows nothing of `incrowd`.
"""

from __future__ import annotations

import contextlib
import json
import sys


def main(folder: str) -> None:
    """Draw the charts that stand on standard input, and write their SVG to standard output.

    `folder` is the one in which the drawing library lies. Whatever the library raises goes on: the process ends with a
    status above 0.
    """
    with contextlib.suppress(ImportError, OSError, ValueError):
        import resource

        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))  # labels are on no disk, whatever happens
    sys.path.append(folder)
    import vl_convert

    charts = json.loads(sys.stdin.buffer.read())
    drawn = [vl_convert.vegalite_to_svg(chart, allowed_base_urls=[]) for chart in charts]
    sys.stdout.buffer.write(json.dumps(drawn).encode())


if __name__ == "__main__":
    main(sys.argv[1])
