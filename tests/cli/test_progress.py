"""--quiet: nothing but errors on standard error, and the answer alone on standard output, of every command."""

import json
import logging
import random
import re
import signal

import pytest

from incrowd import Job
from incrowd.cli.exit_status import line_in_place, show
from incrowd.cli.main import cli
from incrowd.cli.progress import told, watching
from incrowd.jobs import demo
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
    "serve": (("--routes",), False),
    "tradeoff": (("p.csv", *GOOD[:2], "--ks", "2"), False),
    "usefulness": (("p.csv", "p.csv", *GOOD[:2]), False),
    "verify": (("p.csv", "p.csv", *GOOD[:2], "--k", "1"), False),
}


@pytest.fixture
def files(tmp_path):
    (tmp_path / "p.csv").write_text("age,sex,ill\n" + "\n".join(ROWS) + "\n")
    (tmp_path / "g.txt").write_text("0 1\n1 2\n2 0\n2 3\n")
    return tmp_path


def test_every_command_can_be_quiet_and_is_asked_here():
    assert set(ASKED) == set(cli.commands)


@pytest.mark.few(7, "instance")
@pytest.mark.parametrize("command", ASKED)
def test_a_quiet_command_writes_its_answer_and_nothing_else(run, files, monkeypatch, command):
    monkeypatch.setattr("sys.stderr.isatty", lambda: True, raising=False)  # where progress would be shown
    searched = demo.anonymize
    monkeypatch.setattr(demo, "anonymize", lambda job, watch: searched(job.replace(time_limit=0, report=None), watch))
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


STAGES = ("read", "compress", "solve", "expand", "verify", "recount", "measure", "write")


def test_progress_is_a_bar_on_a_terminal_and_a_line_a_stage_elsewhere(table, tmp_path, run, monkeypatch):
    draw = random.Random(3)
    lines = (f"{CANARY},{','.join(str(draw.randrange(n)) for n in (12, 9, 8, 6, 5))}\n" for _ in range(300))
    (tmp_path / "hard.csv").write_text("name,a,b,c,d,e\n" + "".join(lines))
    words = "anonymize hard.csv -o r.csv --qi a,b,c,d,e --identifier name --k 4 --time-limit 1"
    with on_terminal([COMMAND, *words.split()], cwd=tmp_path) as running:
        assert running.end()[0] == 0
    assert "\n" not in running.said.replace("\r\n", ""), running.said  # one line, drawn again and again
    assert running.said.endswith("\x1b[K")  # and taken away
    assert all(len(line) < 120 for line in re.findall(r"\x1b\[K([^\r\x1b]*)", running.said))
    bars = re.findall(r"solve +\[([#-]+)\] (?:(\d+) s left)?", running.said)
    assert all(len(bar) == 20 for bar, _ in bars)
    filled, left = [bar.count("#") for bar, _ in bars], [int(seconds) for _, seconds in bars if seconds]
    assert filled == sorted(filled) and filled[-1] > 0, running.said
    assert left == sorted(left, reverse=True) and left[0] <= 1
    assert CANARY not in running.said
    command = ["anonymize", table, "-o", "r.csv", *ASKED_OF_PEOPLE, "--time-limit", "30"]
    assert run(*command)[2] == ""  # a short run is told by its answer
    monkeypatch.setattr("incrowd.cli.progress.PATIENCE", 0.0)
    status, _, err = run(*command)
    assert status == 0
    stages = [line.split()[0] for line in err.splitlines()]
    assert list(dict.fromkeys(stages)) == list(STAGES)
    assert len(stages) == len(STAGES) + 1  # the search has one when it begins and one when it ends
    assert re.search(r"^solve +5 row types, at most 30 s$", err, re.MULTILINE)
    monkeypatch.setattr("incrowd.cli.progress.PATIENCE", 0.5)
    status, _, later = run(*words.split())  # what was held back so long is told too
    assert status == 0
    assert list(dict.fromkeys(line.split()[0] for line in later.splitlines())) == list(STAGES)
    for said in (err, later):
        assert re.search(r"^solve +[\d.]+ s: cost [\d.,]+, at least [\d.,]+, gap [\d.]+%", said, re.MULTILINE)
        assert CANARY not in said


def test_what_is_written_while_a_bar_is_drawn_takes_its_place(capfd):
    line_in_place("solve [##--] 4 s left")
    show("incrowd: something", err=True)
    line_in_place("")
    assert capfd.readouterr().err == "\r\x1b[Ksolve [##--] 4 s left\r\r\x1b[Kincrowd: something\n"


def test_a_bar_cannot_be_moved_by_what_it_shows(capfd):
    line_in_place("a\nb\x1b[2J")
    line_in_place("")
    shown = capfd.readouterr().err.removeprefix("\r\x1b[K").partition("\r")[0]
    assert "\n" not in shown and "\x1b" not in shown


def test_a_warning_of_the_library_is_one_line_and_none_where_quiet_is_asked(capfd):
    for quiet, said in ((False, "incrowd: compiling\n"), (True, "")):
        with told(quiet):
            logging.getLogger("incrowd").warning("compiling")
        assert capfd.readouterr().err == said


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
