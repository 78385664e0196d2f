"""A run that a signal ends leaves with that signal's status and no file; a wish to stop keeps the best; events tell no cell."""

from __future__ import annotations

import json
import logging
import os
import random
import re
import signal
import subprocess
import sys
import tempfile
import threading
from pathlib import Path

import pyarrow as pa
import pytest

import incrowd
from incrowd.errors import OurBug
from people import CANARY, COMMAND
from seeds import how_many
from terminals import on_terminal

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="this system has no such signals")
ENDING = [signal.SIGINT, signal.SIGTERM, signal.SIGHUP]
STAGES = ["read", "compress", "solve", "expand", "verify", "recount", "measure", "write"]


def hard(rows=2500):
    """A table that no search ends with in a minute."""
    draw = random.Random(3)
    return [[draw.randrange(n) for n in (12, 9, 8, 6, 5)] for _ in range(rows)]


@pytest.fixture(scope="module")
def table(tmp_path_factory):
    path = tmp_path_factory.mktemp("hard") / "t.csv"
    path.write_text("name,a,b,c,d,e\n" + "".join(f"{CANARY},{','.join(map(str, row))}\n" for row in hard()))
    return path


@pytest.fixture
def command(table, tmp_path):
    """A long search with every kind of file; where it runs, and its environment."""
    (tmp_path / "out").mkdir()
    (tmp_path / "temporary").mkdir()
    words = [COMMAND, "anonymize", table, "--qi", "a,b,c,d,e", "--identifier", "name", "--k", "4", "--time-limit", "500",
             "-o", "r.csv", "--certificate", "c.json", "--memory", "2GB"]  # fmt: skip
    return words, {
        "cwd": tmp_path / "out",
        "env": {**os.environ, "TMPDIR": str(tmp_path / "temporary"), "COLUMNS": "120"},
    }


def nothing(tmp_path, kept=()):
    assert sorted(path.name for path in (tmp_path / "out").iterdir()) == sorted(kept)
    assert list((tmp_path / "temporary").iterdir()) == []


@pytest.mark.few(1)
@pytest.mark.parametrize("number", ENDING)
def test_a_signal_while_it_searches_ends_the_run_with_nothing_left(command, tmp_path, number):
    words, where = command
    with on_terminal(words, **where) as running:
        running.wait_for(r"solve.*cost")
        running.process.send_signal(number)
        status, out = running.end()
    assert (status, out) == (128 + number, b"")
    last = running.said.rpartition("\x1b[K")[2].strip()
    assert last == ("incrowd: interrupted; nothing was written" if number == signal.SIGINT else "")
    assert CANARY not in running.said and "Traceback" not in running.said
    nothing(tmp_path)


def test_the_first_ctrl_c_keeps_the_best_where_it_is_asked_for(command, table, tmp_path):
    words, where = command
    with on_terminal([*words, "--keep-best", "--json"], **where) as running:
        running.wait_for(r"solve.*cost")
        running.process.send_signal(signal.SIGINT)
        status, out = running.end()
    facts = json.loads(out)
    assert (status, facts["status"], facts["optimal"]) == (130, "interrupted", False)
    assert facts["lower_bound"] <= facts["cost"]
    nothing(tmp_path, ["c.json", "r.csv"])
    asked = {"quasi_identifiers": ["a", "b", "c", "d", "e"], "identifiers": ["name"], "k": 4}
    assert not incrowd.verify(table, tmp_path / "out" / "r.csv", certificate=tmp_path / "out" / "c.json", **asked)


@pytest.mark.proofs
def test_at_the_second_everything_ends(command, tmp_path):
    words, where = command
    with on_terminal([*words, "--keep-best"], **where) as running:
        running.wait_for(r"solve.*cost")
        for _ in range(2):
            running.process.send_signal(signal.SIGINT)
        status, _ = running.end()
    assert status == 130
    # all of them where the first was answered before the second came
    nothing(tmp_path, ["c.json", "r.csv"] if "nothing was written" not in running.said else [])


@pytest.mark.proofs
def test_a_hang_up_that_was_ignored_from_the_start_stays_ignored(command, tmp_path):
    words, where = command
    words = ["1" if word == "500" else word for word in words]
    with on_terminal(words, preexec_fn=lambda: signal.signal(signal.SIGHUP, signal.SIG_IGN), **where) as running:
        running.wait_for(r"solve")
        running.process.send_signal(signal.SIGHUP)
        assert running.end()[0] == 0
    nothing(tmp_path, ["c.json", "r.csv"])


def test_a_signal_while_it_reads_standard_input_ends_it(tmp_path):
    process = subprocess.Popen(
        [COMMAND, "anonymize", "-", "-o", "r.csv", "--qi", "a", "--k", "2"], stdin=subprocess.PIPE, stderr=subprocess.PIPE,
        cwd=tmp_path, text=True,
    )  # fmt: skip
    with process:
        process.stdin.write("a\n1\n")
        process.stdin.flush()
        with pytest.raises(subprocess.TimeoutExpired):
            process.wait(2)
        process.send_signal(signal.SIGINT)
        assert process.stderr.read().strip() == "incrowd: interrupted; nothing was written"
        assert process.wait(30) == 130
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("seed", range(how_many(12, 1)))
def test_a_signal_at_any_moment_ends_in_its_status_and_one_sentence_or_comes_too_late(tmp_path, seed):
    draw = random.Random(seed)
    (tmp_path / "out").mkdir()
    (tmp_path / "temporary").mkdir()
    (tmp_path / "t.csv").write_text("a,b,c\n" + "".join(f"{i % 9},{i % 7},{i % 5}\n" for i in range(400)))
    number = draw.choice(ENDING)
    process = subprocess.Popen(
        [COMMAND, "anonymize", "../t.csv", "-o", "r.csv", "--certificate", "c.json", "--qi", "a,b,c", "--k", "3", "--time-limit", "1"],
        cwd=tmp_path / "out", stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
        env={**os.environ, "TMPDIR": str(tmp_path / "temporary")},
    )  # fmt: skip
    with process:
        try:
            process.wait(draw.uniform(0.12, 2.0))
        except subprocess.TimeoutExpired:
            process.send_signal(number)
        out, err = process.communicate(timeout=100)
    assert process.returncode in (0, 128 + number, -number), (out, err)  # the last before the command itself has begun
    assert "Traceback" not in err and "bug" not in err and "Error" not in err
    if process.returncode != -number:
        left = sorted(path.name for path in (tmp_path / "out").iterdir())
        assert left in ([], ["c.json", "r.csv"])
        if process.returncode == 130:
            said = "nothing was written" if not left else "'c.json' and 'r.csv' are in place"
            assert err.strip().endswith(f"incrowd: interrupted; {said}")
        assert list((tmp_path / "temporary").iterdir()) == []


# --- in Python

TABLE = pa.table(
    {
        "a": [str(i % 9) for i in range(300)],
        "b": [str(i % 7) for i in range(300)],
        "c": [str(i % 5) for i in range(300)],
    }
)
ASKED = {"quasi_identifiers": ["a", "b", "c"], "k": 4, "time_limit": 0.4}


def test_an_interruption_at_any_event_leaves_nothing_and_handlers_as_they_were(tmp_path, monkeypatch):
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    out, heard = tmp_path / "out", []
    out.mkdir()
    with incrowd.anonymize(TABLE, on_event=heard.append, memory="4GB", **ASKED):
        pass
    before = [signal.getsignal(number) for number in ENDING]
    handler = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        for at in sorted({0, 1, 2, len(heard) // 2, len(heard) - 2}):
            count = iter(range(len(heard) * 9))

            def interrupt(_, at=at, count=count):
                if next(count) == at:
                    signal.raise_signal(signal.SIGINT)

            with pytest.raises(KeyboardInterrupt):
                incrowd.anonymize(TABLE, on_event=interrupt, output=out / "r.csv", certificate=out / "c.json", **ASKED)
            assert list(out.iterdir()) == [], at
    finally:
        signal.signal(signal.SIGINT, handler)
    assert [signal.getsignal(number) for number in ENDING] == before
    assert [path.name for path in tmp_path.iterdir()] == ["out"]


def test_commands_put_handlers_back(run, tmp_path):
    (tmp_path / "t.csv").write_text("a\n1\n1\n")
    before = [signal.getsignal(number) for number in ENDING]
    assert run("audit", "t.csv")[0] == 0
    assert run("audit", "nobody.csv")[0] == 2
    assert [signal.getsignal(number) for number in ENDING] == before


def test_a_hang_up_that_is_ignored_is_ignored_by_a_command_too(run, tmp_path, monkeypatch):
    (tmp_path / "t.csv").write_text("a\n1\n1\n")
    real, before = Path.replace, signal.signal(signal.SIGHUP, signal.SIG_IGN)

    def hang_up(self, to):
        signal.raise_signal(signal.SIGHUP)
        return real(self, to)

    monkeypatch.setattr(Path, "replace", hang_up)
    try:
        assert run("anonymize", "t.csv", "-o", "r.csv", "--qi", "a", "--k", "2")[0] == 0
        assert signal.getsignal(signal.SIGHUP) is signal.SIG_IGN
    finally:
        signal.signal(signal.SIGHUP, before)
    assert (tmp_path / "r.csv").exists()


@pytest.mark.few(1)
@pytest.mark.parametrize("solver", ["auto", "improve", "exact"])
def test_a_wish_to_stop_ends_the_search_with_the_best_it_has(solver):
    stop, heard = threading.Event(), []
    rows = pa.table({name: [str(row[j]) for row in hard(400)] for j, name in enumerate("abcde")})

    def hear(event):
        heard.append(event)
        if event.stage == "solve" and "cost" in event.facts:
            stop.set()

    with incrowd.anonymize(
        rows, quasi_identifiers=list("abcde"), k=4, solver=solver, time_limit=300, stop=stop, on_event=hear
    ) as release:
        assert release.status == "interrupted" and not release.optimal
        assert release.lower_bound <= release.cost
        table = release.table
    assert not incrowd.verify(rows, table, quasi_identifiers=list("abcde"), k=4)


def test_events_tell_stages_in_their_order_on_the_log_too_and_no_cell(caplog):
    rows = TABLE.append_column("who", pa.array([f"{CANARY}{i}" for i in range(300)]))
    heard = []
    with caplog.at_level(logging.INFO, logger="incrowd"):
        incrowd.anonymize(rows, on_event=heard.append, identifiers=["who"], **ASKED).close()
    assert logging.getLogger("incrowd").handlers == []  # the library adds none
    stages = list(dict.fromkeys(event.stage for event in heard))
    assert [one for one in stages if one != "bound"] == STAGES
    assert [event.seconds for event in heard] == sorted(event.seconds for event in heard)
    assert heard[0].seconds >= 0
    for event in heard:
        assert all(isinstance(value, (int, float, str, bool, type(None))) for value in event.facts.values())
        line = f"{event.stage} " + " ".join(f"{name}={value}" for name, value in event.facts.items())
        assert line in caplog.text
        with pytest.raises(TypeError):
            event.facts["more"] = 1
    assert CANARY not in caplog.text


def test_the_last_events_lead_to_the_releases_own_cost_and_bound():
    heard = []
    with incrowd.anonymize(TABLE, on_event=heard.append, weights={"a": "1/3"}, **ASKED) as release:
        cost, bound = release.exact_cost, release.exact_lower_bound
        points = release.facts["progress"]
    told = [event.facts for event in heard if event.stage in ("solve", "bound") and not event.facts.get("rows_left")]
    scale = next(facts["scale"] for facts in told if "scale" in facts)
    offset = next((facts["offset"] for facts in told if "offset" in facts), 0)
    costs = [facts["cost"] for facts in told if isinstance(facts.get("cost"), int)]
    bounds = [facts["lower_bound"] for facts in told if isinstance(facts.get("lower_bound"), int)]
    assert (costs[-1] - offset) == cost * scale
    assert (max(bounds) - offset) <= bound * scale
    assert (points[-1]["cost"], points[-1]["lower_bound"]) == (float(cost), float(bound))


# --- what no signal from outside can arrange: a main thread that is deaf, in foreign code, for as long as a test likes

STUCK = """
import hashlib, sys, time
from pathlib import Path
from incrowd.atomic_file import whole_file
from incrowd.cli import entry_point, main
from incrowd.cli.signals import thread as signal_thread
from incrowd.cli.signals.handlers import signal_handlers
from incrowd.recovery import PrivateFolder

def swallow():
    time.sleep(60)

def kernel():
    hashlib.pbkdf2_hmac("sha256", b"", b"", 2**31 - 1)  # without the interpreter, and deaf

def run():
    with signal_handlers(), whole_file(Path("release.csv")) as staged:
        folder = PrivateFolder()
        for place in (staged, Path(folder.name) / "spill"):
            place.write_text("a person")
        while True:
            try:
                print("ready", flush=True)
                {wait}()
            except BaseException:
                pass

signal_thread.PATIENCE = 0.05
main.main = run
entry_point.main()
"""


@pytest.mark.few(3)
@pytest.mark.parametrize("wait", ["kernel", "swallow"])
@pytest.mark.parametrize("number", ENDING)
def test_the_process_ends_with_the_signals_status_and_leaves_nothing(tmp_path, number, wait):
    (tmp_path / "tmp").mkdir()
    process = subprocess.Popen(
        [sys.executable, "-c", STUCK.replace("{wait}", wait)], cwd=tmp_path, text=True, stdout=subprocess.PIPE,
        stderr=subprocess.PIPE, env={**os.environ, "TMPDIR": str(tmp_path / "tmp")},
    )  # fmt: skip
    try:
        assert process.stdout.readline() == "ready\n"
        process.send_signal(number)
        said = process.communicate(timeout=60)[1]
    finally:
        process.kill()
    assert process.returncode == 128 + number
    assert said == ("incrowd: interrupted; nothing was written\n" if number == signal.SIGINT else "")
    assert [path.name for path in tmp_path.iterdir()] == ["tmp"] and list((tmp_path / "tmp").iterdir()) == []


MADE = """
import signal, sys
from incrowd.cli import entry_point

def look(frame, event, _):
    if event == "call" and frame.f_code.co_filename.endswith("enum.py"):
        while frame := frame.f_back:
            if getattr(frame.f_locals.get("self"), "name", "") == "_duckdb":
                sys.setprofile(None)
                print("made", flush=True)
                signal.raise_signal({number})

sys.setprofile(look)
entry_point.main()
"""


@pytest.mark.few(1)
@pytest.mark.parametrize("number", ENDING)
def test_a_signal_while_a_compiled_module_is_made_that_would_abort_comes_a_moment_later(tmp_path, number):
    (tmp_path / "t.csv").write_text("a\n1\n1\n")
    words = [sys.executable, "-c", MADE.replace("{number}", str(int(number)))]
    words += ["anonymize", "t.csv", "-o", "r.csv", "--qi", "a", "--k", "2"]
    process = subprocess.run(words, cwd=tmp_path, capture_output=True, text=True, timeout=100)
    assert (process.returncode, process.stdout) == (128 + number, "made\n")
    assert process.stderr.strip() == ("incrowd: interrupted; nothing was written" if number == signal.SIGINT else "")
    assert [path.name for path in tmp_path.iterdir()] == ["t.csv"]


def inside_a_library(number, kind):
    """The handler runs inside foreign code, which makes an error of its own of what it raised."""
    try:
        signal.raise_signal(number)
    except BaseException as error:
        raise kind("INTERRUPT Error: Interrupted!") from error


@pytest.mark.parametrize("number", ENDING)
@pytest.mark.parametrize("kind", [SystemError, RuntimeError, OurBug])
def test_a_signal_that_a_library_made_an_error_of_is_a_signal_again(monkeypatch, run, tmp_path, number, kind):
    from incrowd.jobs import anonymize

    (tmp_path / "t.csv").write_text("a\n1\n1\n")
    monkeypatch.setattr(anonymize, "anonymize", lambda *_: inside_a_library(number, kind))
    status, out, err = run("anonymize", "t.csv", "--dry-run", "--qi", "a", "--k", "2")
    assert (status, out) == (128 + number, "") and "bug" not in err

    def fails(*_):
        raise kind("by itself")

    monkeypatch.setattr(anonymize, "anonymize", fails)  # another run, with no signal
    assert run("anonymize", "t.csv", "--dry-run", "--qi", "a", "--k", "2")[0] == 70


def test_every_kernel_lets_go_of_the_interpreter_so_that_the_thread_can_run():
    for path in sorted(Path(incrowd.__file__).parent.rglob("*.py")):
        for decorator in re.findall(r"^ *@(?:numba\.)?n?jit\b.*", path.read_text(), re.MULTILINE):
            assert "nogil=True" in decorator, path.name
