"""The page's check without a browser: its script, run by Node, asked one question after another."""

from __future__ import annotations

import atexit
import base64
import contextlib
import functools
import io
import itertools
import json
import re
import subprocess
import tempfile
from pathlib import Path

from checkers.needed import NODE
from incrowd.cli.main import main

DRIVER = Path(__file__).with_name("page_driver.js")


@functools.cache
def text():
    """The page as `incrowd checker` writes it."""
    with tempfile.TemporaryDirectory() as folder:
        with contextlib.suppress(SystemExit), contextlib.redirect_stderr(io.StringIO()):
            main(["checker", "-o", f"{folder}/check.html"])
        return Path(folder, "check.html").read_text(encoding="utf-8")


def script():
    """The page's one script."""
    (found,) = re.findall(r"<script>(.*?)</script>", text(), re.DOTALL)
    return found


class Page:
    """The script in a process of its own."""

    def __init__(self):
        assert NODE, "Node is missing, and INCROWD_REQUIRED asks for it"
        with tempfile.NamedTemporaryFile("w", suffix=".js", encoding="utf-8") as file:
            file.write(script())
            file.flush()
            self.process = subprocess.Popen(
                [NODE, str(DRIVER), file.name],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                text=True,
                encoding="utf-8",
            )
            self.checked()  # by now it has read its file
        self.known = {}
        atexit.register(self.close)

    def close(self):
        self.process.stdin.close()
        self.process.wait(20)
        self.process.stdout.close()

    def ask(self, question):
        self.process.stdin.write(json.dumps(question) + "\n")
        self.process.stdin.flush()

    def answer(self):
        line = self.process.stdout.readline()
        assert line, "the page's script ended in an error"
        return json.loads(line)

    def checked(self, **files):
        """The verdict on files: {verdict, why, violations, facts}."""
        given = files or dict.fromkeys(("original", "release", "policy"), DRIVER)
        plain = {name: list(map(str, some)) if name == "others" else str(some) for name, some in given.items()}
        self.ask({"files": plain})
        return self.answer()

    def told(self, **question):
        """What one function of the script answers; "unreadable" where it refuses."""
        self.ask(question)
        return self.answer()

    def recounted(self, problem, certificate, cost):
        """The verdict on a certificate of the second checker's problem: (word, proven, cost, bound)."""
        if id(problem) not in self.known:
            self.known[id(problem)] = problem  # kept, so that no other gets its number
            self.ask({"name": id(problem), "problem": plain(problem)})
        if isinstance(certificate, bytes):
            told = {"packed": base64.b64encode(certificate).decode()}
        else:
            told = {"certificate": certificate if isinstance(certificate, str) else json.dumps(certificate)}
        self.ask({"name": id(problem), **told, "cost": str(cost)})
        word, proven, cost, bound = self.answer()
        return word, proven, cost and int(cost), bound and int(bound)


def plain(problem):
    """A problem of the second checker as JSON."""
    every = itertools.product(*(range(height + 1) for height in problem.heights))
    said = {
        "codes": problem.codes, "counts": problem.counts, "k": problem.k, "outliers": problem.outliers,
        "scale": str(problem.facts["scale"]), "secret": problem.secret,
        "levels": [[[list(map(int, nodes)), list(map(str, costs))] for nodes, costs in column] for column in problem.levels],
        "allowed": [vector for vector in every if problem.mask.allows(vector)],
    }  # fmt: skip
    if problem.grids:
        said["grids"] = [[j, str(step), *(list(map(str, some)) for some in more)] for j, step, *more in problem.grids]
    if problem.kinds_mask:
        mask, tops = problem.kinds_mask
        some = itertools.product(*(range(top + 1) for top in tops))
        said["kinds_mask"] = {"tops": list(tops), "allowed": [vector for vector in some if mask.allows(vector)]}
    if hasattr(problem, "asked"):
        names = list(dict.fromkeys(c for one in problem.asked for c in one.model.judged))
        said |= {
            "kinds": problem.kinds, "kind": problem.kind, "kindRows": problem.kind_rows, "names": problem.names,
            "models": json.dumps([[model.name, settings] for model, settings in problem.said]),
        }  # fmt: skip
        assert set(names) <= set(problem.names)
    return said


@functools.cache
def page():
    """The one process of a test run."""
    return Page()
