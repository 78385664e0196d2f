"""Charts are drawn in a process of their own, which may die without the release."""

import os
import resource
import subprocess
import sys

import pytest

import incrowd
from incrowd.errors import InputError, OurBug
from incrowd.report.charts import process

CHART = process.SMALLEST


def dying(tmp_path, monkeypatch, line):
    program = tmp_path / "program.py"
    program.write_text(f"import os, signal, sys\nsys.stdin.read()\n{line}\n")
    monkeypatch.setattr(process, "PROGRAM", program)


def test_charts_are_drawn_by_one_process_and_none_by_none(monkeypatch):
    calls = []
    real = subprocess.run
    monkeypatch.setattr(process.subprocess, "run", lambda *a, **o: (calls.append(a), real(*a, **o))[1])
    assert process.svgs_of([]) == []
    assert [svg[:4] for svg in process.svgs_of([CHART, CHART])] == ["<svg", "<svg"]
    assert len(calls) == 1


def test_the_program_draws_what_the_tests_draw_in_its_place(drawn_here):
    told = [CHART, {**CHART, "data": {"values": [{"a": "\u202eabc"}]}}]
    assert process.svgs_of(told) == drawn_here(told)


@pytest.mark.parametrize(
    ("line", "said"), [("os.abort()", "SIGABRT"), ("os.kill(os.getpid(), signal.SIGKILL)", "SIGKILL")]
)
def test_a_drawing_process_that_dies_is_told_in_a_sentence_and_nothing_is_written(
    run, tmp_path, monkeypatch, line, said
):
    dying(tmp_path, monkeypatch, line)
    (tmp_path / "t.csv").write_text("a,b\n" + "x,u\ny,v\n" * 5)
    (tmp_path / "out.csv").write_text("old")
    asked = ("--qi", "a,b", "--k", "5", "--solver", "greedy", "--report", "r.html", "--certificate", "c.json")
    status, out, err = run("anonymize", "t.csv", "-o", "out.csv", *asked)
    assert (status, out) == (2, "")
    assert err.startswith("incrowd: the report's charts cannot be drawn: not enough memory")
    assert said in err
    assert (tmp_path / "out.csv").read_text() == "old"
    assert {path.name for path in tmp_path.iterdir()} == {"t.csv", "out.csv", "program.py"}


def test_a_limit_on_address_space_is_told_before_anything_runs(tmp_path):
    (tmp_path / "t.csv").write_text("a,b\n" + "x,u\ny,v\n" * 5)
    limit = 6 * 2**30
    done = subprocess.run(
        [sys.executable, "-m", "incrowd", "audit", "t.csv", "--qi", "a,b", "--report", "r.html"],
        cwd=tmp_path, capture_output=True, text=True, env=dict(os.environ),
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_AS, (limit, limit)),
    )  # fmt: skip
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.count("\n") == 1
    assert "cannot be drawn: the limit on address space (ulimit -v) is too small for them" in done.stderr
    assert not (tmp_path / "r.html").exists()


def test_a_chart_that_cannot_be_drawn_is_our_bug_and_what_it_says_is_not_repeated(tmp_path, monkeypatch, capfd):
    dying(tmp_path, monkeypatch, "raise ValueError('a cell')")
    with pytest.raises(OurBug, match="cannot be drawn"):
        process.svgs_of([CHART])
    assert "a cell" not in "".join(capfd.readouterr())


def test_a_missing_drawing_library_is_named_and_nothing_to_draw_needs_none(monkeypatch):
    monkeypatch.setitem(sys.modules, "vl_convert", None)
    for draw in (lambda: process.svgs_of([CHART]), process.check_drawing):
        with pytest.raises(InputError, match="need vl-convert-python, which is not installed"):
            draw()
    assert process.svgs_of([]) == []


def test_what_stands_where_the_command_runs_is_not_imported(tmp_path, monkeypatch):
    (tmp_path / "json.py").write_text("raise SystemExit(9)\n")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    assert process.svgs_of([CHART])[0].startswith("<svg")


def test_a_release_needs_no_chart(tmp_path, monkeypatch):
    dying(tmp_path, monkeypatch, "os.abort()")
    (tmp_path / "t.csv").write_text("a,b\n" + "x,u\ny,v\n" * 5)
    with incrowd.anonymize(tmp_path / "t.csv", quasi_identifiers=["a", "b"], k=5, solver="greedy") as release:
        assert release.cost == 0
        assert "Release of" in release._repr_html_()
