"""The same in the shell and in Python: the very lines of the pages, run."""

from __future__ import annotations

import shlex

import pytest

import incrowd
from incrowd.web.pages.commands import network_same, same
from incrowd.web.pages.page import STEPS

TABLE = "a b's.csv"


@pytest.fixture
def here(tmp_path, monkeypatch, small):
    (tmp_path / TABLE).write_bytes(small)
    (tmp_path / "g.txt").write_text("0 1\n1 2\n2 0\n2 3\n")
    (tmp_path / "own policy.toml").write_text('quasi_identifiers = ["age", "sex"]\nsensitive = ["diagnosis"]\nk = 2\n')
    monkeypatch.chdir(tmp_path)
    return tmp_path


def in_shell(run, line):
    words = shlex.split(line)
    words = words[: words.index(">")] if ">" in words else words
    assert words[0] == "incrowd"
    return run(*words[1:])


def test_every_step_runs_in_the_shell_and_in_python(run, here, capsysbinary):
    steps = [step for step, _ in STEPS]
    assert steps.index("search") < steps.index("release")
    for step in [*steps, "settings"]:
        said = same(step, TABLE, "own policy.toml", "2, 4")
        status, _, err = in_shell(run, said.shell)
        assert status == 0, err
        exec(said.python, {"incrowd": incrowd})
    capsysbinary.readouterr()
    assert (here / "a b's-report.html").is_file()


def test_a_networks_lines_run(run, here, capsysbinary):
    assert here
    said = network_same("g.txt")
    for line in said.shell.splitlines():
        assert in_shell(run, line)[0] == 0
    import incrowd.networks

    exec(said.python, {"incrowd": incrowd})
    capsysbinary.readouterr()
