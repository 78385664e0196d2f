"""What commands and calls answer, word for word: every section of `told.txt`, in a folder of its own.

A section begins with `==`. `$` is a command: its standard output follows, indented; `!` is standard error, `[n]` its exit
status; under `--json` every fact is a line; what the section told before is left out. `>>>` is a call and its answer, `@ FILE` a file as it was written, `% FILE` what
a page says, or a part of it, and what its charts say they show. Times, versions and memory are left out. With INCROWD_RECORD in the
environment the answers are written anew: read what changed. What nobody recounted is marked `unread`.
"""

from __future__ import annotations

import csv
import io
import json
import os
import re
import shlex
import textwrap
from pathlib import Path

import pyarrow as pa
import pytest

import incrowd
from cases import told_files
from report_charts import texts
from report_pages import check_page

AGAIN = "  (as before)"
FILE = Path(__file__).with_name("told.txt")
LOOSE = (
    (r"""(["'])(seconds|peak_mb|memory_mb|disk_mb)\1: (\{[^{}]*\}|[0-9.e+-]+)""", r"\1\2\1: ..."),
    (r"(?m)^(seconds|peak_mb|version|progress): .*", r"\1: ..."),
    (r"\bincrowd(,? (?:version )?)[0-9]+\.[0-9]+[0-9a-z.+]*", r"incrowd\1..."),
    (r"\d{4}-\d\d-\d\d(?=\. This file|\) too)", "..."),  # the day on which a report was made, or a release remembered
    (r"\b(in|after) [0-9][0-9,]*(\.[0-9]+)? s\b", r"\1 ..."),
)
PEOPLE = list(csv.DictReader(io.StringIO(told_files.EIGHT)))


def sections():
    """The sections: name, and what is asked with what is answered."""
    found, asked = [], None
    for line in FILE.read_text(encoding="utf-8").splitlines():
        if line.startswith("== "):
            found.append((line[3:], []))
        elif line.startswith(("$ ", ">>> ", "@ ", "% ")):
            asked = (line, [])
            found[-1][1].append(asked)
        elif found and asked and not line.startswith("#") and found[-1][1]:
            asked[1].append(line.removeprefix("  "))
    return {name: [(line, "\n".join(said).strip("\n")) for line, said in asks] for name, asks in found}


def plain(text):
    """A text without what differs from run to run."""
    for pattern, word in LOOSE:
        text = re.sub(pattern, word, text)
    text = re.sub(r"\d+\.\d{11,}", lambda number: repr(float(f"{float(number[0]):.10g}")), text)
    return "\n".join(line.rstrip() for line in text.splitlines()).strip("\n")


def facts(text):
    """JSON, a fact a line."""
    found = json.loads(text)
    told = found.items() if isinstance(found, dict) else enumerate(found)
    return "\n".join(f"{key}: {json.dumps(value, ensure_ascii=False)}" for key, value in told)


def news(text, before):
    """An answer without the points, paragraphs and facts that the section had before."""
    out = []
    for part in text.split("\n\n"):
        for one in [part] if part in before else re.split(r"\n(?=  - |[a-z_]+: )", part):
            told = one if one not in before or one.count("\n") + len(one) < 60 else AGAIN
            before.add(one)
            out += [told] if not (told == AGAIN and out and out[-1] == AGAIN) else []
        before.add(part)
        out.append("")
    return "\n".join(out).strip("\n")


def joined(lines):
    """Facts, as many on a line as fit."""
    out = [""]
    for line in lines:
        out += [line] if len(out[-1]) + len(line) > 140 else []
        out[-1] = out[-1] if out[-1] is line else f"{out[-1]}; {line}".removeprefix("; ")
    return "\n".join(out).strip("\n")


def page(path, begin="", end=""):
    """What a page says, or a part of it, and its drawings told by their alternatives."""
    parts = check_page(path.read_text(encoding="utf-8"))
    said = re.sub(r"Cost and lower bound while the search ran .*?(?=In numbers )", "", plain(parts.text))
    said = re.sub(r"stage seconds .*? Settings", lambda stages: re.sub(r" [0-9.]+", "", stages[0]), said)
    said = begin + said.rpartition(begin)[2].partition(end)[0] if begin else said
    drawn = [f"chart: {one['aria-label']}" for one in parts.all("svg") if one["aria-label"][:8] != "The cost"]
    return "\n".join([*textwrap.wrap(said, 150, break_long_words=False, break_on_hyphens=False), *drawn])


def answer(asked, run, folder, names):
    """What is answered."""
    mark, _, words = asked.partition(" ")
    if mark == "$":
        status, out, err = run(*shlex.split(words))
        out = facts(out) if "--json" in words and out else out
        return plain(f"[{status}]\n" * bool(status) + out + "".join(f"! {line}\n" for line in err.splitlines()))
    if mark == ">>>":
        if re.match(r"\w+ = ", words):
            exec(words, names)
            return ""
        found = eval(words, names)
        return plain(found if isinstance(found, str) else repr(found))
    name, *part = words.split(" :: ")
    return plain(page(folder / name, *part) if mark == "%" else (folder / name).read_text(encoding="utf-8"))


SECTIONS = sections()


@pytest.mark.parametrize("name", SECTIONS)
def test_the_answer_is(run, tmp_path, name):
    told_files.write(tmp_path)
    names = {one: getattr(incrowd, one) for one in incrowd.__all__} | {"pa": pa, "PEOPLE": PEOPLE, "json": json}
    names |= {"drawn": texts, "shown": lambda html: " ".join(re.sub(r"<[^>]*>", " ", html).split())}
    before = set()
    for asked, said in SECTIONS[name]:
        found = news(answer(asked, run, tmp_path, names), before)
        found = joined(found.splitlines()) if "--json" in asked else found
        if "INCROWD_RECORD" in os.environ:
            record(asked, found, name)
        else:
            assert found == said, asked


def record(asked, found, name):
    """Write an answer into the table."""
    lines, out, inside, mine = FILE.read_text(encoding="utf-8").splitlines(), [], False, False
    for line in lines:
        if line.startswith("== "):
            mine = line[3:] == name
        if inside and not line.startswith(("==", "$ ", ">>> ", "@ ", "% ", "#")):
            continue
        inside = False
        out.append(line)
        if mine and line == asked:
            out += [*(f"  {one}".rstrip() for one in found.splitlines()), ""]
            inside = True
    FILE.write_text("\n".join(out).rstrip("\n") + "\n", encoding="utf-8")
