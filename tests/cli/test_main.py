"""The group of all commands: help, version, and where to begin."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

import incrowd
from incrowd.cli import commands as folder
from incrowd.cli.main import cli


def test_version_and_help_with_an_example_for_every_command(run):
    assert run("--version")[1] == f"incrowd {incrowd.__version__}\n"
    listing = run("--help")[1]
    for name in re.findall(r"^  ([a-z]+)  ", listing.partition("Commands:")[2], re.MULTILINE):
        assert "Example: incrowd" in run(name, "--help")[1]


def test_help_imports_nothing_heavy():
    code = (
        "import sys\nfrom incrowd.cli.main import main\ntry:\n    main(['--help'])\nexcept SystemExit:\n    pass\n"
        "heavy = {'ibis', 'duckdb', 'numba', 'pyarrow', 'pandas', 'polars', 'scipy', 'jinja2'}\n"
        "heavy &= set(sys.modules)\n"
        "sys.exit(f'imported {heavy}' if heavy else 0)"
    )
    subprocess.run([sys.executable, "-c", code], check=True, stdout=subprocess.DEVNULL)


@pytest.mark.few(4)
@pytest.mark.parametrize(
    "words",
    [
        ("anonymize", "nobody.csv", "--qi", "a", "--k", "5", "-o", "r.csv"), ("anonymize", "x.csv", "--k", "no"),
        ("audit", "nobody.csv"), ("tradeoff", "nobody.csv", "--ks", "2"), ("init", "nobody.csv"),
        ("verify", "nobody.csv", "r.csv"), ("usefulness", "nobody.csv", "r.csv"), ("network", "nobody.txt"),
    ],
)  # fmt: skip
def test_a_mistake_in_a_name_costs_no_library_that_reads_tables(words):
    code = (
        "import sys\nfrom incrowd.cli.main import main\ntry:\n    main(sys.argv[1:])\nexcept SystemExit as end:\n"
        "    status = end.code\nheavy = {'ibis', 'duckdb', 'numba', 'pyarrow', 'pandas', 'scipy', 'highspy'}\n"
        "print(status, heavy & set(sys.modules))"
    )
    done = subprocess.run([sys.executable, "-c", code, *words], check=True, capture_output=True, text=True)
    assert done.stdout == "2 set()\n"
    assert done.stderr.startswith("incrowd: ") and done.stderr.count("\n") == 1


def test_a_bare_command_says_where_to_begin(run):
    status, out, err = run()
    assert (status, out) == (2, "")
    assert err == "incrowd: no command is given: begin with `incrowd demo`; `incrowd --help` names all commands\n"


def test_every_command_lies_in_the_file_of_its_name():
    for name, command in cli.commands.items():
        assert (Path(folder.__file__).parent / f"{name}.py").exists()
        if name != "instance":  # a group of its own kind
            assert command.callback.__module__ == f"incrowd.cli.commands.{name}"
