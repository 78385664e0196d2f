"""A shell offers the columns of the table that stands in the command."""

import os
import subprocess

import pandas as pd
import pytest
from click.shell_completion import ShellComplete

from incrowd.cli.complete import NAMED
from incrowd.cli.main import cli
from incrowd.policy.job import every_setting
from people import COMMAND


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "p.csv").write_text("age,sex,zip code,admitted\n31,f,01067,2024-01-02\n47,m,01099,2024-01-03\n")
    pd.DataFrame({"age": [1], "area": [2]}).to_parquet("q.parquet")
    (tmp_path / "rows.csv").write_text("31,f\n47,m\n")
    (tmp_path / "s.csv").write_text("age;sex,or none;sex\n31;a;f\n")
    return tmp_path


def offered(*words):
    *before, begun = words
    return [item.value for item in ShellComplete(cli, {}, "incrowd", "_X").get_completions(list(before), begun)]


@pytest.mark.parametrize(
    ("words", "names"),
    [
        (("anonymize", "p.csv", "--qi", ""), ["age", "sex", "zip code", "admitted"]),
        (("anonymize", "p.csv", "--qi", "a"), ["age", "admitted"]),
        (("anonymize", "p.csv", "--qi", "age,a"), ["age,admitted"]),
        (("audit", "p.csv", "--sensitive", "z"), ["zip code"]),
        (("tradeoff", "q.parquet", "--qi", "a"), ["age", "area"]),
        (("verify", "p.csv", "r.csv", "--weight", "s"), ["sex="]),
        (("anonymize", "p.csv", "--hierarchy", "ad"), ["admitted="]),
        (("anonymize", "p*.csv", "--keep", "s"), ["sex"]),
        (("anonymize", "s.csv", "--delimiter", ";", "--k", "3", "--qi", "s"), ["sex"]),
        (("anonymize", "--policy", "job.toml", "--qi", "s"), ["sex"]),
        (("anonymize", "rows.csv", "--qi", ""), []),  # a row of data is nobody's column names
        (("anonymize", "nobody.csv", "--qi", ""), []),
        (("anonymize", "--qi", ""), []),
    ],
)
def test_columns_are_offered_by_what_stands_before(folder, words, names, capfd):
    (folder / "job.toml").write_text('source = "p.csv"\n')
    assert offered(*words) == names
    assert capfd.readouterr() == ("", "")


def test_every_setting_that_names_columns_is_completed():
    shapes = {"groups", "weights", "levels", "hierarchies", "distances"}
    of_columns = {name for name, spec in every_setting().items() if spec.shape in shapes}
    of_columns |= {
        name for name, spec in every_setting().items() if spec.shape == "list" and name not in ("columns", "na")
    }
    assert set(NAMED) == of_columns - {"patterns"}


def test_bash_is_answered(folder):
    environment = {
        **os.environ, "_INCROWD_COMPLETE": "bash_complete", "COMP_WORDS": "incrowd anonymize p.csv --qi a", "COMP_CWORD": "4",
    }  # fmt: skip
    done = subprocess.run([COMMAND], env=environment, capture_output=True, text=True, cwd=folder)
    assert done.stdout.splitlines() == ["plain,age", "plain,admitted"]
