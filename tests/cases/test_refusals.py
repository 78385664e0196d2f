"""What is refused, in which words: every row of `refusals.txt`, commands (`$`) and calls from Python (`>>>`).

A command ends with status 2, or the one in brackets before its sentence, says one line on standard error and nothing
else, leaves no file and repeats no cell. ``release`` and ``table FILE`` stand for a small release; ``...`` for any words.
"""

from __future__ import annotations

import csv
import io
import re
import shlex
from pathlib import Path

import ibis
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

import incrowd
from cases import refused_files

ROLES = "-o r.csv --qi age,sex,job --k 3 --solver greedy --quiet"
SHORT = {"release": f"anonymize people.csv {ROLES}", "table": "anonymize"}
NAMES = {name: getattr(incrowd, name) for name in incrowd.__all__} | {"pa": pa, "pd": pd, "pl": pl, "ibis": ibis}
NAMES["PEOPLE"] = list(csv.DictReader(io.StringIO(refused_files.PEOPLE)))


def rows(mark):
    """The rows of the table that begin with a mark: what is asked, and what is said."""
    lines = (Path(__file__).with_name("refusals.txt")).read_text(encoding="utf-8").splitlines()
    return [(asked.removeprefix(mark).strip(), lines[i + 1]) for i, asked in enumerate(lines) if asked.startswith(mark)]


def said(words):
    """A pattern of a sentence."""
    return re.compile(".*".join(map(re.escape, words.split("..."))))


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    made = tmp_path_factory.mktemp("refused")
    refused_files.write(made)
    return made, sorted(made.rglob("*"))


COMMANDS = rows("$")
PART = 40


@pytest.mark.parametrize("part", range(0, len(COMMANDS), PART))
def test_a_command_is_refused_in_its_words_and_leaves_nothing(run, folder, monkeypatch, part):
    made, before = folder
    monkeypatch.chdir(made)
    for asked, sentence in COMMANDS[part : part + PART]:
        words = shlex.split(asked)
        if words and words[0] in SHORT:
            more = shlex.split(ROLES) if words[0] == "table" else []
            words = [*shlex.split(SHORT[words[0]]), *words[1:2][: len(more)], *more, *words[1 + bool(more) :]]
        wanted, sentence = (3, sentence[4:]) if sentence.startswith("[3] ") else (2, sentence)
        status, out, err = run(*words)
        assert said(f"incrowd: {sentence}\n").fullmatch(err), (asked, err)
        assert (status, out) == (wanted, ""), asked
        assert refused_files.CANARY not in err, asked
    assert sorted(made.rglob("*")) == before


def test_a_call_is_refused_in_its_words(folder, monkeypatch):
    monkeypatch.chdir(folder[0])
    for asked, sentence in rows(">>>"):
        with pytest.raises(incrowd.IncrowdError) as refused:
            eval(asked, NAMES)
        assert said(sentence).fullmatch(str(refused.value)), (asked, str(refused.value))
        assert "Zebedee" not in str(refused.value), asked
    assert sorted(folder[0].rglob("*")) == folder[1]
