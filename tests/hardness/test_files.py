"""An instance's folder: whole or not at all, and what is in it is what was built."""

import csv
import json
import os

import pytest

from incrowd import networks
from incrowd.errors import InputError
from incrowd.hardness import files, instance
from incrowd.policy.job import Job, Policy


def names(folder):
    return sorted(path.name for path in folder.iterdir())


def test_a_tables_folder_holds_table_policy_and_answer(tmp_path):
    made = instance("matching-metric", size=2)
    assert files.write(made, tmp_path / "hard") == ("answer.json", "policy.toml", "source.json", "table.csv")
    assert names(tmp_path) == ["hard"]
    with (tmp_path / "hard" / "table.csv").open(newline="") as lines:
        header, *rows = csv.reader(lines)
    assert tuple(header) == made.table.columns
    assert tuple(map(tuple, rows)) == made.table.rows
    assert json.loads((tmp_path / "hard" / "answer.json").read_text()) == made.answer()
    job = Job.load(tmp_path / "hard" / "policy.toml")
    assert job.policy == Job().replace(**made.policy).policy
    assert job.source == tmp_path / "hard" / "table.csv"
    assert Policy.load(tmp_path / "hard" / "policy.toml").requirements == job.policy.requirements


def test_a_networks_folder_holds_graph_and_answer(tmp_path):
    made = instance("set-cover-network", size=4)
    assert files.write(made, tmp_path / "hard") == ("answer.json", "graph.txt", "source.json")
    graph = networks.read(tmp_path / "hard" / "graph.txt")
    assert (graph.nodes, graph.edges) == (made.more["nodes"], made.more["edges"])


def test_an_earlier_instance_is_replaced_whole(tmp_path):
    files.write(instance("set-cover", size=4), tmp_path / "hard")
    files.write(instance("set-cover-network", size=4), tmp_path / "hard")
    assert names(tmp_path / "hard") == ["answer.json", "graph.txt", "source.json"]
    assert names(tmp_path) == ["hard"]
    (tmp_path / "empty").mkdir()
    assert files.write(instance("set-cover", size=4), tmp_path / "empty")


def test_a_folder_with_anything_else_stays_as_it_is(tmp_path):
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "table.csv").write_text("dear")
    (tmp_path / "mine" / "diary.txt").write_text("dearer")
    with pytest.raises(InputError, match="'mine' holds other files"):
        files.write(instance("set-cover", size=4), tmp_path / "mine")
    assert names(tmp_path / "mine") == ["diary.txt", "table.csv"]
    assert (tmp_path / "mine" / "table.csv").read_text() == "dear"
    (tmp_path / "file").write_text("")
    with pytest.raises(InputError, match="'file' is a file"):
        files.write(instance("set-cover", size=4), tmp_path / "file")
    with pytest.raises(InputError, match="does not exist"):
        files.write(instance("set-cover", size=4), tmp_path / "no" / "such")


def test_a_failure_leaves_nothing_and_keeps_what_was_there(tmp_path, monkeypatch):
    files.write(instance("set-cover", size=4), tmp_path / "hard")
    before = (tmp_path / "hard" / "answer.json").read_text()
    rename = type(tmp_path).rename

    def fails(self, target):
        if self.name.endswith(".part"):
            raise OSError(28, os.strerror(28))
        return rename(self, target)

    monkeypatch.setattr(type(tmp_path), "rename", fails)
    with pytest.raises(InputError, match="cannot be written: No space left"):
        files.write(instance("set-cover", size=6), tmp_path / "hard")
    assert (tmp_path / "hard" / "answer.json").read_text() == before
    assert names(tmp_path) == ["hard"]
