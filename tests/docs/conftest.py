"""The commands of the documentation's pages, run with short limits."""

import re
import shlex
from importlib.resources import files
from pathlib import Path

import pytest

from incrowd.cli.main import main


def hurried(text):
    """A page's text that searches for a fifth of a second where it says seconds."""
    return re.sub(r"(--time-limit |time_limit=)\d+", r"\g<1>0.2", text)


@pytest.fixture(scope="module")
def demo(tmp_path_factory):
    """A folder where `incrowd demo` has been run, as far as pages go on from there: with the table and its policy."""
    folder = tmp_path_factory.mktemp("demo")
    (folder / "incrowd-demo").mkdir()
    for name in ("hospital.csv", "hospital.toml"):
        (folder / "incrowd-demo" / name).write_bytes((files("incrowd.data") / name).read_bytes())
    return folder


@pytest.fixture
def run_commands(capsys):
    """Run what follows `$ ` in a page's text, in the folder that one stands in."""

    def call(text, *, but=()):
        commands = re.findall(r"^\$ (incrowd .*)$", text, re.MULTILINE)
        for command in commands:
            if command in but:
                continue
            words, _, target = hurried(command).partition(" > ")
            with pytest.raises(SystemExit) as ended:
                main(shlex.split(words)[1:])
            out = capsys.readouterr().out
            assert ended.value.code == 0, command
            if target:
                Path(target).write_text(out)
        return commands

    return call


@pytest.fixture
def run_python():
    """Run a block of a page."""

    def call(text, name, names):
        exec(compile(hurried(text), name, "exec"), names)

    return call
