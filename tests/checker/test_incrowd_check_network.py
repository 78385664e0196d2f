"""The second checker of networks gives the verdict of the check."""

from __future__ import annotations

import copy
import itertools
import json
import re
from pathlib import Path

import numpy as np
import pytest

import incrowd
from checker.red_changes import changed, plain
from checker.red_networks import ASKED, drawn, first_verdict, near_of, second, second_verdict
from incrowd.errors import InputError
from seeds import seeds

PAGE = (Path(__file__).resolve().parents[2] / "docs" / "certificate.md").read_text(encoding="utf-8")


def test_the_pages_example_is_good_and_proven(tmp_path, capsys):
    edges = re.search(r"```text edges\n(.*?)```\n\n```json certificate\n(.*?)```", PAGE, re.DOTALL)
    (tmp_path / "edges.txt").write_text(edges[1], encoding="utf-8")
    (tmp_path / "c.json").write_text(edges[2], encoding="utf-8")
    assert second.main([str(tmp_path / "edges.txt"), str(tmp_path / "c.json"), "--json"]) == 0
    said = json.loads(capsys.readouterr().out)
    assert said["proven"] and said["k"] == 2
    near, graph = second.read_edges(tmp_path / "edges.txt"), incrowd.networks.read(tmp_path / "edges.txt")
    assert first_verdict(graph, json.loads(edges[2])) == second_verdict(near, json.loads(edges[2]))
    (tmp_path / "c.json").write_text(edges[2].replace('"nodes": 5', '"nodes": 6'), encoding="utf-8")
    assert second.main([str(tmp_path / "edges.txt"), str(tmp_path / "c.json")]) == 1
    (tmp_path / "c.json").write_text(edges[2].replace('"nodes": 5', '"nodes": 5, "nodes": 5'), encoding="utf-8")
    assert second.main([str(tmp_path / "edges.txt"), str(tmp_path / "c.json")]) == 2


@seeds(600, 12)
def test_certificates_and_changed_ones_get_one_verdict(tmp_path, seed):
    rng = np.random.default_rng([21, seed])
    near, graph = near_of(drawn(rng), tmp_path)
    question, given = ASKED[seed % len(ASKED)]
    try:
        found = getattr(incrowd.networks, question)(graph, **given)
    except InputError:
        pytest.skip("k is more than the network's nodes")
    honest = plain(found.certificate())
    assert first_verdict(graph, honest) == second_verdict(near, honest)
    for _ in range(20):
        made, _ = changed(honest, honest, rng)
        assert first_verdict(graph, copy.deepcopy(made)) == second_verdict(near, made), made


@pytest.mark.parametrize(
    "text",
    [
        "",
        "# nothing\n",
        "a\n",
        "1,2\n3\n",
        "a b\n\0 c\n",
        "1 1\n",
        "source,target,weight\n1,2,-1\n",
        "%%MatrixMarket\n1 2\n",
    ],
)
def test_what_is_no_edge_list_ends_in_exit_status_2(text, tmp_path, capsys):
    (tmp_path / "edges.txt").write_text(text, encoding="utf-8")
    (tmp_path / "c.json").write_text("{}", encoding="utf-8")
    assert second.main([str(tmp_path / "edges.txt"), str(tmp_path / "c.json")]) == 2


@pytest.mark.parametrize(
    "text", ["source,target\na,b\nb,c\nc,a\n", "10 9\n9 8\n8 10\n10 9\n7 7\n7 8\n", "x;y\ny;z\n", "% c\n01 1\n1 2\n"]
)
def test_nodes_are_numbered_as_the_tool_numbers_them(text, tmp_path):
    path = tmp_path / "edges.txt"
    path.write_text(text, encoding="utf-8")
    graph, near = incrowd.networks.read(path), second.read_edges(path)
    ptr, to = graph.indptr.tolist(), graph.indices.tolist()
    assert near == [to[a:b] for a, b in itertools.pairwise(ptr)]
