"""Change one thing in masks, costs, models, solvers or bounds at a time, and say whether `incrowd verify` is deceived.

    python scripts/mutate_verify.py [--list] [--only mask costs ... | --only tables/mask/rules.py] [--sample N]
           [--seed S] [--jobs 60] [--each 2] [--limit 20] [--json FILE]

A mutant is the package with one comparison flipped, `and` and `or`, `+` and `-` or `min` and `max` swapped, one `1`
left out of a sum, or one whole number larger by one. It lives in the memory of a process of its own, which runs small
jobs that reach the changed line (compiled code runs as plain Python) and writes release and certificate. Then the
package as it is verifies the files, and a judge that tries every release of the table (`tests/oracles/released.py`)
says what is wrong with them. What becomes of a mutant, the worst that any of its jobs shows:

past      a wrong release that `verify` calls good, or a bound above the optimum that it confirms
verify    wrong, and refused by `verify`, or its bound is not confirmed
own check what `incrowd anonymize` recounts before it writes refused it; written without that recount, `verify` did too
crash     an error, or the limit in seconds of processor time
words     refused in a sentence: no release, a bad option
changed   another release or certificate, and a right one
same      the same files as without the change

The exit status is 1 if any is past.
"""

from __future__ import annotations

import argparse
import ast
import contextlib
import csv
import dataclasses
import json
import random
import shutil
import subprocess
import sys
import tempfile
from collections import Counter
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING, Any

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parent / "tests")]

from mutate import Area, Mutant, choose, line_starts, mutants_of  # noqa: E402

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

AREAS = {
    "mask": Area("incrowd/tables/mask", ()),
    "costs": Area("incrowd/tables/costs", ()),
    "models": Area("incrowd/tables/models", ()),
    "solvers": Area("incrowd/tables/solve", ()),
    "bounds": Area("incrowd/tables/solve/bounds", ()),
    "kernels": Area("incrowd/kernels", ()),
}
HOWS = ("past", "verify", "own check", "crash", "words", "changed", "same")
SWAPS = {"min": "max", "max": "min", "minimum": "maximum", "maximum": "minimum"}


def more_mutants(source: bytes, module: str, area: str) -> Iterator[Mutant]:
    """Yield the mutants beside comparisons: sums, min and max, and whole numbers."""
    starts = line_starts(source)
    tree = ast.parse(source)
    hints = {id(inner) for note in annotations(tree) for inner in ast.walk(note)}

    def place(node: Any, *, end: bool = False) -> int:
        line, column = (node.end_lineno, node.end_col_offset) if end else (node.lineno, node.col_offset)
        return starts[line - 1] + int(column)

    def made(node: Any, begin: int, end: int, new: str) -> Mutant:
        first, last = place(node), place(node, end=True)
        texts = (source[first:last], source[first:begin] + new.encode() + source[end:last])
        before, after = (" ".join(text.decode().split()) for text in texts)
        return Mutant(module, area, "", int(node.lineno), before, after, begin, end, new)

    for node in ast.walk(tree):
        if id(node) in hints:
            continue
        if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add | ast.Sub):
            sign = b"+" if isinstance(node.op, ast.Add) else b"-"
            begin = source.find(sign, place(node.left, end=True), place(node.right))
            if begin >= 0:
                yield made(node, begin, begin + 1, "-" if sign == b"+" else "+")
        elif isinstance(node, ast.Name) and node.id in SWAPS:
            yield made(node, place(node), place(node, end=True), SWAPS[node.id])
        elif isinstance(node, ast.Attribute) and node.attr in SWAPS:
            yield made(node, place(node, end=True) - len(node.attr), place(node, end=True), SWAPS[node.attr])
        elif isinstance(node, ast.Constant) and type(node.value) is int:
            yield made(node, place(node), place(node, end=True), str(node.value + 1))


def annotations(tree: ast.AST) -> Iterator[ast.AST]:
    """Yield the parts that say types alone."""
    for node in ast.walk(tree):
        if isinstance(node, ast.arg | ast.AnnAssign) and node.annotation:
            yield node.annotation
        elif isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            yield from filter(None, [node.returns, *node.decorator_list])


def all_mutants(root: Path) -> list[Mutant]:
    """Return the mutants of all areas; what lies in the folder of bounds is of bounds alone."""
    found: dict[tuple[str, int, str], Mutant] = {}
    for name, area in AREAS.items():
        for file in sorted((root / "src" / area.sources).rglob("*.py")):
            module, source = file.relative_to(root / "src").as_posix(), file.read_bytes()
            if (name == "solvers" and "/bounds/" in module) or "/networks/" in module:
                continue
            for one in [*mutants_of(source, module, name, ones=True), *more_mutants(source, module, name)]:
                found.setdefault((module, one.begin, one.new), one)
    return list(found.values())


def drawn_jobs(number: int, folder: Path) -> list[dict[str, Any]]:
    """Write the tables and policies of small jobs: every solver, model, mask, cost, outlier rule in turn, and grids."""
    import incrowd
    from incrowd.errors import IncrowdError
    from oracles import grid_files, released

    texts, found, seed = list(released.REQUIREMENTS), [], 0
    alone = (
        "exact", "matching", "improve", "chain", "greedy", "matching", "mondrian", "ilp", "two_phase", "improve",
        "matching_local", "approximation", "subset_dp", "mondrian_relaxed", "exact", "matching_textbook", "auto",
    )  # fmt: skip
    under = ("exact", "improve", "subset_dp", "ilp", "greedy", "improve", "mondrian", "exact", "auto")
    while len(found) < number:
        seed += 1
        rng = random.Random(seed)
        required = seed % 2 == 0
        turn = seed // 2
        require = [texts[turn % len(texts)]] + ([rng.choice(texts)] if rng.random() < 0.2 else []) if required else []
        solver = (under if required else alone)[(turn + turn // len(texts)) % (len(under) if required else len(alone))]
        asked = released.drawn(rng, require=require)
        asked.said["mask"] = (
            released.MASKS[seed % len(released.MASKS)] if solver != "chain" else {"patterns": [["age"], ["age", "sex"]]}
        )
        if solver.startswith("matching"):
            asked.said["k"] = 2
            asked.said["require"] = ["l-diversity l=2 column=ill"] if solver == "matching" and turn % 3 == 0 else []
        if seed % 7 == 0:  # ranges on a grid, which have a search of their own
            asked, solver = grid_files.drawn(rng), "auto"
        if asked.least is None:
            continue
        own = folder / f"job{seed}"
        own.mkdir()
        with contextlib.suppress(IncrowdError):
            incrowd.Job().replace(**released.save(asked, own)).policy.save(own / "policy.toml")
            found.append({"seed": seed, "folder": str(own), "solver": solver, "asked": asked})
    return found


class Worker:
    """The process that makes the mutants and runs the jobs, each mutant in a fork of its own."""

    def __init__(self, limit: int) -> None:
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


def judged(job: dict[str, Any], out: Path, *, always: bool = False) -> dict[str, Any]:
    """Return what is wrong with the files of a job, and what the check says of what is wrong (or `always`)."""
    import incrowd
    from incrowd.errors import IncrowdError

    asked, path = job["asked"], out / "certificate.json"
    with (out / "release.csv").open(encoding="utf-8", newline="") as file:
        names, *lines = csv.reader(file)
    good = asked.good(names, [tuple(cell or None for cell in line) for line in lines])
    claims = json.loads(path.read_text(encoding="utf-8")) if path.is_file() else None
    above = claims is not None and Fraction(claims["lower_bound"], claims["scale"]) > asked.least
    files = Path(job["folder"]) / "original.csv", out / "release.csv", Path(job["folder"]) / "policy.toml"
    past = refused = False
    # a release that is none must be refused by itself, whatever lies beside it; a bound too high by its certificate
    for certificate in [None] * (not good) + [path] * (claims is not None and (above or not good or always)):
        try:
            found = incrowd.verify(*files, certificate=certificate)
        except IncrowdError:
            refused = True
            continue
        refused = refused or bool(found)
        bound = found.lower_bound or 0
        past = past or (not found and (not good or bound > asked.least or bool(found.proven and above)))
    return {"wrong": not good or above, "past": past, "refused": refused, "good": good, "above": above}


def what_became(answers: Sequence[dict[str, Any]], jobs: Sequence[dict[str, Any]]) -> tuple[str, str]:
    """Return the worst of the jobs of a mutant, and the job that shows it."""
    worst, why = len(HOWS) - 1, ""
    for answer, job in zip(answers, jobs, strict=True):
        how, out = answer["how"], Path(answer["out"])
        if how in ("written", "own check") and (out / "release.csv").is_file():
            found = None if same(out, Path(job["clean"])) else judged(job, out)
            if found is None:
                how = "same" if how == "written" else how
            elif found["past"]:
                how = "past"
            elif how == "written":
                how = "verify" if found["wrong"] else "changed"
            why_now = f"job {job['seed']} ({job['solver']}): {found}"
        else:
            why_now = f"job {job['seed']} ({job['solver']}): {answer.get('why', '')}"
        if HOWS.index(how) < worst:
            worst, why = HOWS.index(how), why_now
        if how == "past":
            shutil.copytree(out, Path(tempfile.gettempdir()) / f"past-verify-{out.name}", dirs_exist_ok=True)
    return HOWS[worst], why


def same(out: Path, clean: Path) -> bool:
    """Return whether two folders hold the same release and certificate."""
    names = ("release.csv", "certificate.json")
    texts = [[(at / name).read_bytes() if (at / name).is_file() else b"" for name in names] for at in (out, clean)]
    return texts[0] == texts[1]


def summary(outcomes: Sequence[tuple[Mutant, str, str]], missed: Counter[str]) -> list[str]:
    """Return the table: a line an area."""
    areas = [*dict.fromkeys(mutant.area for mutant, _, _ in outcomes), "all"]
    rows = [f"{'area':<10}{'tried':>8}" + "".join(f"{how:>11}" for how in HOWS) + f"{'no job reaches':>16}"]
    for area in areas:
        how = Counter(how for mutant, how, _ in outcomes if area in (mutant.area, "all"))
        rest = sum(missed.values()) if area == "all" else missed[area]
        rows.append(f"{area:<10}{sum(how.values()):>8}" + "".join(f"{how[name]:>11}" for name in HOWS) + f"{rest:>16}")
    return rows


def main() -> int:
    """Make the mutants asked for and say what became of them."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--list", action="store_true", help="name the mutants and make none")
    parser.add_argument(
        "--only", nargs="+", default=[], metavar="MODULE", help=f"{', '.join(AREAS)}, or part of a path"
    )
    parser.add_argument("--sample", type=int, metavar="N", help="as many, drawn from all areas alike")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--jobs", type=int, default=60, help="small jobs to draw")
    parser.add_argument("--each", type=int, default=2, help="jobs that a mutant runs, of those that reach it")
    parser.add_argument("--limit", type=int, default=20, help="seconds of processor time of one mutant's jobs")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write what became of them")
    asked = parser.parse_args()
    every = all_mutants(HERE.parent)
    mutants = [m for m in every if not asked.only or any(o == m.area or o in f"src/{m.module}" for o in asked.only)]
    if not mutants:
        parser.error("no mutant there")
    if asked.list:
        print(*choose(mutants, asked.sample, asked.seed), sep="\n")
        return 0
    with tempfile.TemporaryDirectory(prefix="mutants-") as name:
        return run(mutants, asked, Path(name))


def run(mutants: list[Mutant], asked: argparse.Namespace, folder: Path) -> int:
    """Try a sample of the mutants and print the table."""
    jobs, worker, reach = drawn_jobs(asked.jobs, folder), Worker(asked.limit), {}
    clean = []
    for job in jobs:
        plain = {name: job[name] for name in ("seed", "folder", "solver")}
        wanted = sorted({m.module for m in mutants})
        for bare in (False, True):  # some solvers say that their bound comes without a certificate
            job["bare"] = plain["bare"] = bare
            out = str(folder / f"clean{job['seed']}{'b' * bare}")
            answer = worker.ask(jobs=[plain], out=out, trace=wanted)
            if isinstance(answer, list) and answer[0]["how"] == "written":
                break
        else:
            continue
        job["clean"] = answer[0]["out"]
        found = judged(job, Path(job["clean"]))
        if found["wrong"] or found["refused"]:
            print(f"without any change, job {job['seed']} ({job['solver']}): {found}", flush=True)
            continue
        clean.append(job)
        reach[job["seed"]] = {module: set(lines) for module, lines in answer[0]["lines"].items()}
    print(
        f"{len(clean)} jobs: " + ", ".join(f"{n} {s}" for s, n in Counter(job["solver"] for job in clean).items()),
        flush=True,
    )

    def reaching(mutant: Mutant) -> list[dict[str, Any]]:
        return [job for job in clean if mutant.line in reach[job["seed"]].get(mutant.module, ())]

    reached = [mutant for mutant in mutants if reaching(mutant)]
    missed = Counter(mutant.area for mutant in mutants) - Counter(mutant.area for mutant in reached)
    outcomes: list[tuple[Mutant, str, str]] = []
    sample = choose(reached, asked.sample, asked.seed)
    random.Random(asked.seed).shuffle(sample)  # so that a run that is cut off has tried alike many of every area
    for number, mutant in enumerate(sample):
        some = reaching(mutant)
        some = random.Random(f"{asked.seed} {mutant.module} {mutant.begin}").sample(some, min(asked.each, len(some)))
        plain_jobs = [{name: job[name] for name in ("seed", "folder", "solver", "bare")} for job in some]
        source = (HERE.parent / "src" / mutant.module).read_bytes()
        changed = source[: mutant.begin] + mutant.new.encode() + source[mutant.end :]
        out = folder / f"mutant{number}"
        answers = worker.ask(jobs=plain_jobs, out=str(out), module=mutant.module, source=changed.decode())
        if isinstance(answers, str):
            how, why = "crash", answers
        else:
            how, why = what_became(answers, some)
        shutil.rmtree(out, ignore_errors=True)
        outcomes.append((mutant, how, why))
        print(f"{mutant}: {how} {why if how in ('past', 'crash', 'words') else ''}"[:600], flush=True)
        if number % 25 == 24:
            print(*summary(outcomes, missed), sep="\n", flush=True)
    worker.close()
    if asked.json:
        told = [{**dataclasses.asdict(mutant), "how": how, "why": why} for mutant, how, why in outcomes]
        asked.json.write_text(json.dumps(told, indent=1) + "\n")
    print("", *summary(outcomes, missed), sep="\n")
    return int(any(how == "past" for _, how, _ in outcomes))


if __name__ == "__main__":
    sys.exit(main())
