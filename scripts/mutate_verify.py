"""Change one thing in masks, costs, models, solvers or bounds at a time, and say whether `incrowd verify` is deceived.

    python scripts/mutate_verify.py [--list] [--only mask costs ... | --only tables/mask/vocabulary.py] [--sample N]
           [--seed S] [--jobs 200] [--each 3] [--limit 2] [--resume FILE] [--json FILE]

A mutant is the package with one comparison flipped, `and` and `or`, `+` and `-` or `min` and `max` swapped, one `1`
left out of a sum, or one whole number larger by one. It lives in the memory of a process of its own, which runs small
jobs that reach the changed line (compiled code runs as plain Python). Where the line runs only while a solver looks for
its answer, the job begins with the counted table and ends with that answer; if it is the one that it gave without the
change, so are the files. Otherwise the job runs from file to file and writes release and certificate. Then the package
as it is verifies the files, and a judge that tries every release of the table (`mutate_verify_jobs.py` says of what)
says what is wrong with them. Files that were judged once are not judged again. What becomes of a mutant, the worst that
any of its jobs shows:

past      a wrong release that `verify` calls good, or a bound above the optimum that it confirms
shared    as past, but of `verify` with the same change: as it is it refuses
verify    wrong, and refused by `verify`, or its bound is not confirmed
own check what `incrowd anonymize` recounts before it writes refused it; written without that recount, `verify` did too
crash     an error
limit     more than the limit in seconds of processor time
words     refused in a sentence: no release, a bad option
changed   another release or certificate, and a right one
same      the same files as without the change

With `--resume` what became of each is added to a file, a line each, and what the file tells of the code as it is now is
not tried again (but for those that took too long, if the limit was lower). The exit status is 1 if any is past.
"""

from __future__ import annotations

import argparse
import ast
import dataclasses
import json
import random
import sys
import tempfile
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING, Any

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parent / "tests")]

from mutate import Mutant, choose, line_starts, mutants_of  # noqa: E402
from mutate_verify_jobs import drawn_jobs  # noqa: E402
from mutate_verify_trials import HOWS, Lines, Trials, Worker  # noqa: E402

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

AREAS = {
    "mask": "incrowd/tables/mask",
    "costs": "incrowd/tables/costs.py",
    "models": "incrowd/tables/models",
    "bounds": "incrowd/tables/solve/bounds",
    "solvers": "incrowd/tables/solve",
    "kernels": "incrowd/kernels",
}
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
        for file in sorted((root / "src" / area).rglob("*.py")):
            module, source = file.relative_to(root / "src").as_posix(), file.read_bytes()
            if (name == "solvers" and "/bounds/" in module) or "/networks/" in module:
                continue
            for one in [*mutants_of(source, module, name, ones=True), *more_mutants(source, module, name)]:
                found.setdefault((module, one.begin, one.new), one)
    return list(found.values())


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
    parser.add_argument("--jobs", type=int, default=200, help="small jobs to draw")
    parser.add_argument("--each", type=int, default=3, help="jobs that a mutant runs, of those that reach it")
    parser.add_argument("--limit", type=float, default=2, help="seconds of processor time of a job")
    parser.add_argument("--resume", type=Path, metavar="FILE", help="add what is found to a file, and go on with it")
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
    worker, lines = Worker(asked.limit), Lines(asked.resume, asked.limit)
    trials = Trials(drawn_jobs(asked.jobs, folder), worker, folder, lines, asked.each)
    solvers = Counter(job["options"]["solver"] for job in trials.jobs)
    print(f"{len(trials.jobs)} jobs: " + ", ".join(f"{n} {s}" for s, n in solvers.items()), flush=True)
    reached = [mutant for mutant in mutants if trials.reached(mutant)]
    missed = Counter(mutant.area for mutant in mutants) - Counter(mutant.area for mutant in reached)
    outcomes: list[tuple[Mutant, str, str]] = []
    sample = choose(reached, asked.sample, asked.seed)
    random.Random(asked.seed).shuffle(sample)  # so that a run that is cut off has tried alike many of every file
    if asked.sample is None:
        sample.sort(
            key=lambda mutant: min(list(AREAS).index(mutant.area), 4)
        )  # the last two, which are large, together
    for number, mutant in enumerate(sample):
        known = lines.mutant(mutant)
        how, why = known or trials.try_out(mutant, asked.seed)
        outcomes.append((mutant, how, why))
        if known is None:
            lines.tried(mutant, how, why)
            print(f"{mutant}: {how} {why if how in ('past', 'shared', 'crash', 'words') else ''}"[:600], flush=True)
            if number % 100 == 99:
                print(*summary(outcomes, missed), sep="\n", flush=True)
    worker.close()
    if asked.json:
        all_told = [{**dataclasses.asdict(mutant), "how": how, "why": why} for mutant, how, why in outcomes]
        asked.json.write_text(json.dumps(all_told, indent=1) + "\n")
    print("", *summary(outcomes, missed), sep="\n")
    return int(any(how == "past" for _, how, _ in outcomes))


if __name__ == "__main__":
    sys.exit(main())
