"""--quiet: nothing but errors on standard error, and the answer alone on standard output, of every command."""

import json
import re
import signal

import pytest

from incrowd import Job
from incrowd.cli.main import cli
from incrowd.cli.progress import watching
from people import CANARY, COMMAND
from people import GOOD as ASKED_OF_PEOPLE
from terminals import on_terminal

ROWS = ["31,f,flu", "31,f,cold", "47,m,flu", "47,m,cold", "52,m,flu", "52,f,cold"]
GOOD = ("--qi", "age,sex", "--k", "2")
# command: what to ask it, and whether its answer is a file (then nothing is printed)
ASKED = {
    "anonymize": (("p.csv", "-o", "r.csv", *GOOD), True),
    "attack": (("p.csv", *GOOD[:2], "--k", "1"), False),
    "audit": (("p.csv", *GOOD[:2]), False),
    "checker": ((), False),
    "demo": (("-o", "shown"), True),
    "hierarchy": (("age", "p.csv", "--intervals", "10"), False),
    "init": (("p.csv",), False),
    "instance": (("set-cover", "-o", "hard"), True),
    "ledger": (("list", "--ledger", "l.json"), False),
    "list": (("models",), False),
    "network": (("g.txt",), False),
    "reproduce": (("--list",), False),
    "tradeoff": (("p.csv", *GOOD[:2], "--ks", "2", "--solvers", "greedy"), False),
    "usefulness": (("p.csv", "p.csv", *GOOD[:2], "--queries", "5"), False),
    "verify": (("p.csv", "p.csv", *GOOD[:2], "--k", "1"), False),
}


@pytest.fixture
def files(tmp_path):
    (tmp_path / "p.csv").write_text("age,sex,ill\n" + "\n".join(ROWS) + "\n")
    (tmp_path / "g.txt").write_text("0 1\n1 2\n2 0\n2 3\n")
    return tmp_path


def test_every_command_can_be_quiet_and_is_asked_here():
    assert set(ASKED) == set(cli.commands)


@pytest.mark.parametrize("command", ASKED)
def test_a_quiet_command_writes_its_answer_and_nothing_else(run, files, monkeypatch, command):
    monkeypatch.setattr("sys.stderr.isatty", lambda: True, raising=False)  # where progress would be shown
    arguments, to_file = ASKED[command]
    status, out, err = run(command, *arguments, "--quiet")
    assert (status, err) == (0, "")
    assert bool(out) is not to_file


def test_a_quiet_release_on_standard_output_is_the_table_alone(run, files):
    status, out, err = run("anonymize", "p.csv", "-o", "-", *GOOD, "--quiet")
    assert (status, err) == (0, "")
    assert out.splitlines()[0] == "age,sex,ill"
    assert len(out.splitlines()) == 1 + len(ROWS)


@pytest.mark.parametrize("command", ["anonymize", "audit", "network", "tradeoff", "verify", "list", "reproduce"])
def test_quiet_with_json_is_the_json_alone(run, files, command):
    status, out, err = run(command, *ASKED[command][0], "--quiet", "--json")
    assert (status, err) == (0, "")
    json.loads(out)


def test_a_quiet_verdict_is_told_and_an_error_is_one_sentence(run, files):
    status, out, err = run("verify", "p.csv", "p.csv", *GOOD, "--quiet")
    assert (status, err) == (1, "")
    assert "fewer than 2 rows" in out
    status, out, err = run("anonymize", "nobody.csv", "-o", "r.csv", *GOOD, "--quiet")
    assert (status, out) == (2, "")
    assert err == "incrowd: there is no file 'nobody.csv'\n"


def test_without_quiet_the_summary_stands_beside_the_table(run, files):
    status, out, err = run("anonymize", "p.csv", "-o", "-", *GOOD)
    assert status == 0
    assert "What was lost" in err
    assert "What was lost" not in out


def test_progress_is_a_line_per_stage_on_a_terminal_and_nothing_elsewhere(table, tmp_path, run):
    command = [COMMAND, "anonymize", table, "-o", "r.csv", *ASKED_OF_PEOPLE]
    with on_terminal(command, cwd=tmp_path) as running:
        assert running.end()[0] == 0
    for stage in ("read", "compress", "solve", "expand", "verify", "measure", "write"):
        assert re.search(rf"\d s +{stage} ", running.said), stage
    assert CANARY not in running.said
    status, _, err = run(*command[1:])
    assert (status, err) == (0, "")


def test_ctrl_c_ends_everything_unless_the_best_is_to_be_kept():
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        with pytest.raises(KeyboardInterrupt), watching(Job(), quiet=True):
            signal.raise_signal(signal.SIGINT)
        for job in (Job(keep_best=True), None):
            with watching(job, quiet=True) as watch:
                signal.raise_signal(signal.SIGINT)
                assert watch.interrupted
                with pytest.raises(KeyboardInterrupt):  # the second one ends everything
                    signal.raise_signal(signal.SIGINT)
        assert signal.getsignal(signal.SIGINT) is signal.default_int_handler
    finally:
        signal.signal(signal.SIGINT, before)
