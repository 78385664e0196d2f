"""What may honestly differ between two runs of one version, and what differs beyond that."""

from __future__ import annotations

import difflib
import gzip
import json
import re
from typing import TYPE_CHECKING, Any

import compare_catalogue

if TYPE_CHECKING:
    from pathlib import Path

__all__ = ["differences", "masked"]

SHOWN = 24  # lines shown of a difference

# what may honestly differ between two runs of one version: pattern, what stands for it
MASKS = (
    (r'"seconds": \{[^{}]*\}', '"seconds": SECONDS'),
    (r'"(seconds|peak_mb|[a-z_]+_seconds)": [0-9.e+-]+', r'"\1": NUMBER'),  # JSON: times, and memory at its peak
    (r'"version": "[^"]*"', '"version": VERSION'),  # of the package; a certificate's own version is a number, and stays
    (r"\b(incrowd,? (?:version )?)[0-9]+\.[0-9]+[0-9a-z.+]*", r"\1VERSION"),
    (r"\b(in|after) [0-9][0-9,]*(\.[0-9]+)? s\b", r"\1 TIME"),  # "Decided in 0.08 s"
    (r'(<th scope="row">seconds</th><td class="n">)[0-9.,]+', r"\1NUMBER"),  # in the report of a network
    # the chart over time; what it says in words stays
    (r'(while the search ran</figcaption>\n<div class="chart"><svg [^>]*aria-label="[^"]*").*', r"\1 CHART"),
)
# the same within a table of a report: table, what is masked in it, what stands for it
TABLES = (
    (r'class="n">seconds</th></tr></thead>.*?</table>', r'<td class="n">[0-9.,]+</td></tr>', "<td>NUMBER</td></tr>"),
    (r'<th scope="col">seconds</th>.*?</table>', r'<th scope="row">[0-9.,]+</th>', "<th>NUMBER</th>"),
)
# steps of a search that say the same at two times: how many there are depends on the clock
STEPS = (r"(<tr><th>NUMBER</th>.*</tr>\n)\1+", r'(\{\s*"seconds": NUMBER,[^{}]*\})(?:,\s*\1)+')


def masked(content: bytes, root: str, days: list[str]) -> str:
    """Return a kept file with everything masked that may honestly differ.

    Masked are: seconds (in JSON, in sentences, in the tables and the chart over time of a report) and peak memory;
    the package's version; the date of the recording (other dates stay); the temporary folder. Equal steps of a
    search at two times count as one. Files that are no text stand for themselves, spelled so that every byte counts.
    """
    if content[:2] == b"\x1f\x8b":  # the packed file holds its time
        content = gzip.decompress(content)
    try:
        text = content.decode()
    except UnicodeDecodeError:
        return content.decode("latin-1").encode("unicode_escape").decode()
    text = text.replace(root, "ROOT")
    for day in days:
        text = text.replace(day, "DAY")
    for pattern, word in MASKS:
        text = re.sub(pattern, word, text)
    for table, pattern, word in TABLES:
        text = re.sub(table, lambda found, p=pattern, w=word: re.sub(p, w, found[0]), text, flags=re.DOTALL)  # type: ignore[misc]
    for step in STEPS:
        text = re.sub(step, r"\1", text)
    return text


def differences(one: Path, other: Path, root: str, days: list[str], root_b: str = "", days_b: Any = None) -> Any:
    """Yield the files of a command that differ, each with the first lines of the difference."""
    loose = json.loads((one / "command").read_text())[:1] in [[name] for name in compare_catalogue.LOOSE]
    paths = {path.relative_to(folder) for folder in (one, other) for path in folder.rglob("*") if path.is_file()}
    for path in sorted(paths):
        if not ((one / path).is_file() and (other / path).is_file()):
            yield str(path), [f"only in {'the first' if (one / path).is_file() else 'the second'} recording"]
            continue
        if loose and path.parts[0] in ("stdout", "files"):
            continue
        a = masked((one / path).read_bytes(), root, days)
        b = masked((other / path).read_bytes(), root_b or root, days_b or days)
        if a != b:
            lines = difflib.unified_diff(a.splitlines(), b.splitlines(), "first", "second", lineterm="", n=1)
            yield str(path), [line[:400] for _, line in zip(range(SHOWN), lines, strict=False)] or ["line ends differ"]
