"""Everything but charts works without the extra ``report``, and what needs it is refused before anything is read."""

import json
import os
import subprocess
import sys

import pytest

# the extra's libraries cannot be found; commands one after the other: exit status, standard output, standard error
PROGRAM = """
import contextlib, io, json, sys

class Lacking:
    @staticmethod
    def find_spec(name, *_):
        if name.partition(".")[0] in ("altair", "vl_convert"):
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)

sys.meta_path.insert(0, Lacking)
from incrowd.cli.main import main

def run(command):
    out, err = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        try:
            status = main(command) or 0
        except SystemExit as ended:
            status = ended.code or 0
    return status, out.getvalue(), err.getvalue()

def shown():
    import incrowd, incrowd.networks
    table = {"a": ["x", "x", "y", "y"], "b": ["p", "q", "p", "q"]}
    import pyarrow as pa
    with incrowd.anonymize(pa.table(table), quasi_identifiers=["a", "b"], k=2, solver="greedy") as release:
        told = [release, incrowd.audit(pa.table(table), quasi_identifiers=["a", "b"])]
        told.append(incrowd.tradeoff(pa.table(table), quasi_identifiers=["a", "b"], ks=[2], solvers=["greedy"]))
        told += [incrowd.networks.risks([(1, 2), (2, 3)], attackers=1)]
        cards = [one._repr_html_() for one in told]
        refused = []
        for ask in [release.plot.bounds, told[2].plot, *(lambda one=one: one.report("python.html") for one in told)]:
            try:
                ask()
            except incrowd.InputError as error:
                refused.append(str(error))
    return cards, refused

print(json.dumps({"runs": [run(c) for c in json.loads(sys.argv[1])], "shown": shown()}))
"""
HOW = (
    'need altair and vl-convert-python, which are not installed: pip install "altair>=5.5" "vl-convert-python>=1.7,<2"'
)
ASKED = ("--qi", "a,b", "--k", "2")
WORK = {
    "anonymize": ("anonymize", "t.csv", "-o", "r.csv", *ASKED, "--solver", "greedy", "--certificate", "c.json"),
    "json": ("anonymize", "t.csv", "--dry-run", "--json", *ASKED, "--solver", "greedy", "--report", "dry.html"),
    "verify": ("verify", "t.csv", "r.csv", *ASKED, "--certificate", "c.json"),
    "audit": ("audit", "t.csv", *ASKED),
    "tradeoff": ("tradeoff", "t.csv", "--qi", "a,b", "--ks", "2,3"),
    "list": ("list", "solvers"),
    "network": ("network", "g.csv"),
    "simulation": ("network", "g.csv", "--simulate", "--trials", "2", "--sybils", "3", "--report", "page.html"),
}
# of files that are not there: a command that reads first says so
REPORTS = {
    "anonymize": ("anonymize", "no.csv", "-o", "none.csv", *ASKED, "--report", "none.html"),
    "audit": ("audit", "no.csv", *ASKED, "--report", "none.html"),
    "tradeoff": ("tradeoff", "no.csv", "--qi", "a,b", "--ks", "2", "--report", "none.html"),
    "network": ("network", "no.txt", "--report", "none.html"),
    "risks": ("network", "no.txt", "--risks", "1", "--report", "none.html"),
}


@pytest.fixture(scope="module")
def done(tmp_path_factory):
    folder = tmp_path_factory.mktemp("plain")
    (folder / "no.csv").write_text("")  # no table: reading it would be told otherwise
    (folder / "t.csv").write_text("a,b\n" + "x,p\nx,q\ny,p\ny,q\n" * 2)
    (folder / "g.csv").write_text("1,2\n2,3\n3,4\n4,5\n")
    commands = [*WORK.values(), *REPORTS.values()]
    ran = subprocess.run(
        [sys.executable, "-c", PROGRAM, json.dumps(commands)],
        cwd=folder, capture_output=True, text=True, env=dict(os.environ),
    )  # fmt: skip
    assert ran.returncode == 0, ran.stderr
    said = json.loads(ran.stdout.splitlines()[-1])
    names = [*(("work", name) for name in WORK), *(("report", name) for name in REPORTS)]
    return folder, dict(zip(names, said["runs"], strict=True)), said["shown"]


@pytest.mark.few(4)
@pytest.mark.parametrize("name", WORK)
def test_what_draws_nothing_works(done, name):
    status, out, err = done[1]["work", name]
    assert status == 0, err
    assert out


@pytest.mark.parametrize("name", REPORTS)
def test_what_draws_is_refused_in_one_sentence_before_anything_is_read(done, name):
    status, out, err = done[1]["report", name]
    assert (status, out, err) == (2, "", f"incrowd: the charts of a report {HOW}\n")


def test_nothing_is_left_of_what_was_refused(done):
    folder = done[0]
    assert {path.name for path in folder.iterdir()} == {"no.csv", "t.csv", "g.csv", "r.csv", "c.json", "page.html"}
    assert "<svg" not in (folder / "page.html").read_text()


def test_cards_of_notebooks_are_shown_without_their_pictures_and_python_is_refused_alike(done):
    cards, refused = done[2]
    for card, said in zip(cards, ("Release of 4 rows", "Audit of 4 rows", "greedy", "Network of 3 nodes"), strict=True):
        assert said in card
        assert "<svg" not in card
    assert len(refused) == 6
    assert all(HOW in said for said in refused)
