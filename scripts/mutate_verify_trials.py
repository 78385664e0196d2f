"""Jobs that were run without any change, and what becomes of mutants in them: for `mutate_verify.py`."""

from __future__ import annotations

import csv
import dataclasses
import functools
import hashlib
import json
import random
import shutil
import subprocess
import sys
import tempfile
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING, Any

from mutate_verify_jobs import Larger
from mutate_verify_worker import files_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from mutate import Mutant

HERE = Path(__file__).resolve().parent
HOWS = ("past", "shared", "verify", "own check", "crash", "limit", "words", "changed", "same")


class Worker:
    """The process that makes the mutants and runs the jobs, each mutant in a fork of its own."""

    def __init__(self, limit: float) -> None:
        self.process = subprocess.Popen(  # noqa: S603
            [sys.executable, str(HERE / "mutate_verify_worker.py"), str(limit)],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, cwd=HERE.parent,
        )  # fmt: skip

    def ask(self, **asked: Any) -> Any:
        """Return its answer."""
        if self.process.stdin is None or self.process.stdout is None:
            raise SystemExit("the worker has no pipes")
        self.process.stdin.write(json.dumps(asked) + "\n")
        self.process.stdin.flush()
        return json.loads(self.process.stdout.readline())

    def close(self) -> None:
        """End it."""
        self.process.communicate()


def judged(
    job: dict[str, Any], out: Path, believed: Sequence[dict[str, Any]] = (), *, always: bool = False
) -> dict[str, Any]:
    """Return what is wrong with the files of a job, and what the check says of what is wrong (or `always`).

    `believed` is what the check said with the same change.
    """
    import incrowd
    from incrowd.errors import IncrowdError

    asked, path = job["asked"], out / "certificate.json"
    with (out / "release.csv").open(encoding="utf-8", newline="") as file:
        names, *lines = csv.reader(file)
    good = asked.good(names, [tuple(cell or None for cell in line) for line in lines])
    claims = json.loads(path.read_text(encoding="utf-8")) if path.is_file() else None
    above = claims is not None and Fraction(claims["lower_bound"], claims["scale"]) > asked.least
    files = Path(job["folder"]) / "original.csv", out / "release.csv", Path(job["folder"]) / "policy.toml"

    def deceived(said: Any) -> bool:
        too_high = Fraction(said["bound"]) > asked.least or (said["proven"] and above)
        return bool(said["good"] and (not good or too_high))

    past = refused = False
    # a release that is none must be refused by itself, whatever lies beside it; a bound too high by its certificate
    for certificate in [None] * (not good) + [path] * (claims is not None and (above or not good or always)):
        try:
            found = incrowd.verify(*files, certificate=certificate)
        except IncrowdError:
            refused = True
            continue
        refused = refused or bool(found)
        past = past or deceived({"good": not found, "bound": found.lower_bound or 0, "proven": found.proven})
    shared = any(deceived(said) for said in believed)
    return {"wrong": not good or above, "past": past, "refused": refused, "good": good, "above": above} | (
        {"shared": True} if shared else {}
    )


def became(answer: dict[str, Any], job: dict[str, Any]) -> tuple[str, str]:
    """Return what became of a mutant in one job that ran from file to file, and why."""
    how, why, out = answer["how"], answer.get("why", ""), Path(answer["out"])
    if how in ("written", "own check") and (out / "release.csv").is_file():
        found = None if files_of(out) == job["clean"] else judged(job, out, answer.get("believed", ()))
        if found is None:
            how = "same" if how == "written" else how
        elif found["past"] or found.get("shared"):
            how = "past" if found["past"] else "shared"
        elif how == "written":
            how = "verify" if found["wrong"] else "changed"
        why = str(found)
    return how, f"job {job['seed']} ({told(job)}): {why}"


def told(job: dict[str, Any]) -> str:
    """Return the options of a job."""
    return ", ".join(str(value) for value in job["options"].values())


def worst(hows: Iterable[tuple[str, str]]) -> tuple[str, str]:
    """Return the worst of what became of a mutant in its jobs."""
    return min(hows, key=lambda how: HOWS.index(how[0]), default=("same", ""))


class Trials:
    """Jobs that were run without any change, and what became of mutants in them.

    Parameters
    ----------
    jobs : list of dict
        As `drawn_jobs` gives them.
    worker : Worker
    folder : Path
        For the files of mutants.
    lines : Lines
        Where what is found out is kept.
    each : int
        Jobs that a mutant runs, of those that reach it.
    """

    def __init__(self, jobs: list[dict[str, Any]], worker: Worker, folder: Path, lines: Lines, each: int) -> None:
        self.worker, self.folder, self.each = worker, folder, each
        self.known: dict[tuple[int, str], tuple[str, str]] = {}
        self.jobs = [job for job in jobs if self.clean(job, lines)]
        for job in self.jobs:
            if job["cost"] is not None and isinstance(job["asked"], Larger):
                job["asked"].costs.append(Fraction(job["cost"]))
        for at in range(0, len(self.jobs), 20):
            worker.ask(do="prepare", jobs=[plain(job) for job in self.jobs[at : at + 20]], out=str(folder / "prepare"))
        for job in self.jobs:
            first, again = (worker.ask(do="short", jobs=[plain(job)], out=str(folder / "short")) for _ in range(2))
            job["solved"] = first[0]["why"] if first[0]["how"] == "solved" else None
            job["seconds"] = first[0]["seconds"]
            if job["solved"] is None or first[0]["why"] != again[0]["why"]:
                print(f"job {job['seed']} ({told(job)}) has no short run: {first} {again}", flush=True)
                job["solved"] = None
        self.reaching: dict[tuple[str, int], list[int]] = {}
        for at, job in enumerate(self.jobs):
            stages = job["lines"].values()
            for place in {(module, line) for files in stages for module, some in files.items() for line in some}:
                self.reaching.setdefault(place, []).append(at)

    def clean(self, job: dict[str, Any], lines: Lines) -> bool:
        """Run a job without any change; whether its files are right, and what it reaches."""
        if (known := lines.job(job)) is not None:
            job |= known
            return bool(known)
        for bare in (False, True):  # some solvers say that their bound comes without a certificate
            job["bare"] = bare
            out = self.folder / f"clean{job['seed']}{'b' * bare}"
            answer = self.worker.ask(do="trace", jobs=[plain(job)], out=str(out))
            how = "crash" if isinstance(answer, str) else answer[0]["how"]
            if how != "words":
                break
        if how != "written":
            why = answer if isinstance(answer, str) else answer[0]["why"]
            print(f"job {job['seed']} ({told(job)}) writes nothing: {why}", flush=True)
            lines.keep(job, {})
            return False
        found = judged(job, out / "0", always=True)
        if found["wrong"] or found["refused"]:
            print(f"without any change, job {job['seed']} ({told(job)}): {found}", flush=True)
            lines.keep(job, {})
            return False
        path = out / "0" / "certificate.json"
        claims = json.loads(path.read_text(encoding="utf-8")) if path.is_file() else None
        cost = None if claims is None else str(Fraction(claims["cost"], claims["scale"]))
        some = {"bare": job["bare"], "clean": files_of(out / "0"), "lines": answer[0]["lines"], "cost": cost}
        job |= some
        lines.keep(job, some)
        return True

    def reached(self, mutant: Mutant) -> list[dict[str, Any]]:
        """Return the jobs that reach a mutant."""
        return [self.jobs[at] for at in self.reaching.get((mutant.module, mutant.line), ())]

    def chosen(self, mutant: Mutant, seed: int) -> list[dict[str, Any]]:
        """Return the jobs that a mutant is to run."""
        jobs = self.reached(mutant)
        rng = random.Random(f"{seed} {mutant.module} {mutant.begin}")
        jobs = rng.sample(jobs, min(3 * self.each, len(jobs)))
        return sorted(jobs, key=lambda job: (job["solved"] is None, float(job["seconds"])))[: self.each]

    def try_out(self, mutant: Mutant, seed: int) -> tuple[str, str]:
        """Return what became of a mutant, and the job that shows it."""
        source = (HERE.parent / "src" / mutant.module).read_bytes()
        text = (source[: mutant.begin] + mutant.new.encode() + source[mutant.end :]).decode()
        jobs = self.chosen(mutant, seed)
        short, whole = [job for job in jobs if job["solved"]], [job for job in jobs if not job["solved"]]
        out, found = self.folder / "mutant", list[tuple[str, str]]()
        ask = functools.partial(self.worker.ask, out=str(out), module=mutant.module, source=text)
        digests: dict[int, str] = {}
        if short:
            # a table is counted anew where the change may matter for that; what became of others says nothing then
            counted = [not before(job, mutant) for job in short]
            asked = [plain(job) | {"counted": one} for job, one in zip(short, counted, strict=True)]
            answers = ask(do="short", jobs=asked)
            if isinstance(answers, str):
                answers = [{"how": "crash", "why": answers}] * len(short)
            for answer, job, one in zip(answers, short, counted, strict=True):
                known = ("same", "") if answer["why"] == job["solved"] else None
                known = self.known.get((job["seed"], answer["why"])) if one and known is None else known
                if answer["how"] in ("solved", "anew") and known is None:
                    digests |= {job["seed"]: answer["why"]} if one and answer["how"] == "solved" else {}
                    whole = [*whole, job]
                else:
                    found.append(known or (answer["how"], f"job {job['seed']} ({told(job)}): {answer['why']}"))
        if whole:
            answers = ask(do="whole", jobs=[plain(job) for job in whole])
            if isinstance(answers, str):
                answers = [{"how": "crash", "why": answers, "out": str(out)}] * len(whole)
            for answer, job in zip(answers, whole, strict=True):
                found.append(became(answer, job))
                if job["seed"] in digests:
                    self.known[job["seed"], digests[job["seed"]]] = found[-1]
        how = worst(found)
        if how[0] in ("past", "shared"):
            kept = Path(tempfile.gettempdir()) / f"{how[0]}-verify-{Lines.of_mutant(mutant)[:8]}"
            shutil.copytree(out, kept, dirs_exist_ok=True)
        shutil.rmtree(out, ignore_errors=True)
        return how


def plain(job: dict[str, Any]) -> dict[str, Any]:
    """Return what the worker is told of a job."""
    return {name: job[name] for name in ("seed", "folder", "options", "bare", "clean", "seconds") if name in job}


def before(job: dict[str, Any], mutant: Mutant) -> bool:
    """Return whether a job runs a line before a solver gets the problem."""
    return mutant.line in job["lines"]["before"].get(mutant.module, ())


class Lines:
    """What became of mutants, a line each, in a file or nowhere.

    Parameters
    ----------
    path : Path or None
    limit : float
        Seconds of processor time of a job.
    """

    def __init__(self, path: Path | None, limit: float) -> None:
        self.path, self.limit = path, limit
        some = path.read_text(encoding="utf-8").splitlines() if path is not None and path.is_file() else []
        self.known = {one["of"]: one for one in map(json.loads, some)}

    @functools.cached_property
    def tree(self) -> str:
        """What stands for the code as it is now."""
        files = sorted((HERE.parent / "src").rglob("*.py"))
        return hashlib.sha256(b"".join(file.read_bytes() for file in files)).hexdigest()[:16]

    def add(self, of: str, **some: Any) -> None:
        """Add a line."""
        self.known[of] = {"of": of, **some}
        if self.path is not None:
            with self.path.open("a", encoding="utf-8") as file:
                file.write(json.dumps(self.known[of]) + "\n")

    def of_job(self, job: dict[str, Any]) -> str:
        """Return what a job of the code as it is now stands under."""
        texts = [(Path(job["folder"]) / name).read_bytes() for name in ("original.csv", "policy.toml")]
        whole = repr((self.tree, job["seed"], job["options"], texts)).replace(str(Path(job["folder"]).parent), "")
        return hashlib.sha256(whole.encode()).hexdigest()[:24]

    def job(self, job: dict[str, Any]) -> dict[str, Any] | None:
        """Return what is known of a job."""
        known = self.known.get(self.of_job(job))
        return None if known is None else known["job"]

    def keep(self, job: dict[str, Any], some: dict[str, Any]) -> None:
        """Keep what is known of a job."""
        self.add(self.of_job(job), job=some)

    @staticmethod
    def of_mutant(mutant: Mutant) -> str:
        """Return what a mutant of its file as it is now stands under."""
        source = (HERE.parent / "src" / mutant.module).read_bytes()
        whole = repr((source, mutant.module, mutant.begin, mutant.end, mutant.new))
        return hashlib.sha256(whole.encode()).hexdigest()[:24]

    def mutant(self, mutant: Mutant) -> tuple[str, str] | None:
        """Return what became of a mutant, if it was tried."""
        known = self.known.get(self.of_mutant(mutant))
        if known is None or (known["how"] == "limit" and known["limit"] < self.limit):
            return None
        return known["how"], known["why"]

    def tried(self, mutant: Mutant, how: str, why: str) -> None:
        """Keep what became of a mutant."""
        self.add(self.of_mutant(mutant), mutant=dataclasses.asdict(mutant), how=how, why=why, limit=self.limit)
