"""Chromium over the whole way on a table of a million invented rows: pages stand while the engine counts behind them."""

from __future__ import annotations

import os
import time

import numpy as np
import pyarrow as pa
import pytest
from pyarrow import csv

from checkers.browser import needs_chromium
from incrowd.web.server import running
from web.drive import go_to, let_in, table_path, text, whole_way
from web.visitor import Visitor

pytestmark = [needs_chromium, pytest.mark.million, pytest.mark.timeout(7200)]
ROWS = int(os.environ.get("INCROWD_ROWS", "1_000_000"))
STEPS = ("columns", "risks", "labels", "stars", "promise", "search", "release", "settings")
PATIENCE = 3600


def draw(path, rows):
    """Write a table of invented stays in hospitals; the same rows each time."""
    rng = np.random.default_rng(7)

    def any_of(words, shares=None):
        return pa.array(np.array(words)[rng.choice(len(words), rows, p=shares)])

    age = np.clip(rng.normal(55, 22, rows).astype(int), 0, 101)
    admitted = np.datetime64("2019-01-01") + rng.integers(0, 1800, rows)
    table = pa.table(
        {
            "record": np.arange(rows),
            "age": age,
            "sex": any_of(["f", "m"]),
            "zip": (10_000 + rng.integers(0, 900, rows) * 7).astype(str),
            "admitted": admitted.astype(str),
            "ward": any_of([f"ward {n}" for n in range(12)]),
            "insurance": any_of(["public", "private", "none"], [0.8, 0.15, 0.05]),
            "lab": np.round(rng.normal(5, 1, rows), 2),
            "diagnosis": any_of([f"{letter}{n:02}" for letter in "ABCDEFGHIJ" for n in range(20)]),
        }
    )
    csv.write_csv(table, path)


@pytest.fixture(scope="module")
def table(tmp_path_factory):
    path = tmp_path_factory.mktemp("large") / "stays.csv"
    draw(path, ROWS)
    return path


def test_the_whole_way_on_a_million_rows(browser, table, capsys):
    with running() as server:
        browser.call("Page.navigate", url=server.address)
        let_in(browser, server)
        said = whole_way(browser, table, seconds="20", patience=PATIENCE)
        assert f"{ROWS:,} rows, 9 columns" in said["columns"]
        assert "patterns of blurred columns are allowed" in said["stars"]
        assert "No release costs less than" in said["promise"]
        assert "An independent recount of the release against the original passed" in said["release"], said["release"]
        assert "The certificate holds" in said["release"]
        took = {}
        for step in STEPS:
            began = time.monotonic()
            go_to(browser, server, f"{table_path(server)}/{step}", PATIENCE)
            took[step] = time.monotonic() - began
            assert "That did not work" not in text(browser)
    with capsys.disabled():
        print("", *(f"{step:10} {seconds:5.2f} s" for step, seconds in took.items()), sep="\n")


def test_every_page_stands_while_the_table_is_still_looked_at(table):
    with running() as server, Visitor(server) as visitor:
        place = visitor.upload(table.name, table.read_bytes()).rpartition("/")[0]
        desk = server.sessions.tables[place.rpartition("/")[2]]
        assert desk.work("columns").state == "working"
        assert "data-work" in visitor.text(f"{place}/columns")
        assert visitor.text("/")
        assert desk.work("columns").state == "working"  # and went on behind them
        visitor.settled(f"{place}/columns", PATIENCE)
        stars = visitor.text(f"{place}/stars")  # whose count may still go on
        assert "Columns that are never changed" in stars
        assert "patterns of blurred columns are allowed" in visitor.post(f"{place}/patterns").text
