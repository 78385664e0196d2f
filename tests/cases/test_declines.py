"""A solver or method that declines says so in one sentence with exit status 2, however large its count is."""

from __future__ import annotations

import itertools
import random


def declined(said):
    """Assert that a command was refused in one line, with a count in a few digits; return its words."""
    status, out, err = said
    assert (status, out) == (2, ""), err
    assert err.count("\n") == 1
    assert "our bug" not in err
    assert max(map(len, err.replace(",", " ").split())) < 80
    return err


def test_sets_of_instances_beyond_any_float(run, tmp_path):
    draw = random.Random(1)
    lines = ["a,b,c,d,e,f", *(",".join(str(draw.randrange(m)) for m in (30, 4, 4, 12, 2, 4)) for _ in range(1400))]
    (tmp_path / "table.csv").write_text("\n".join(lines) + "\n")
    asked = ("table.csv", "-o", "out.csv", "--qi", lines[0], "--k", "3", "--outliers", "suppress")
    said = declined(run("anonymize", *asked, "--solver", "two_phase"))
    assert "it would try 10^" in said
    assert "take solver 'exact'" in said


def test_sets_of_nodes_beyond_any_float(run, tmp_path):
    edges = [f"{a} {b}" for a, b in itertools.pairwise(range(2000))]
    (tmp_path / "graph.txt").write_text("\n".join(edges) + "\n")
    said = declined(run("network", "graph.txt", "--exactly", "1300", "--method", "theorem-2c"))
    assert "10^" in said
