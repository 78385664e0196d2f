"""Flip one comparison at a time and say which test notices.

    python scripts/mutate.py [--list] [--only mask costs ... | --only tables/mask/rules.py] [--sample N] [--seed S]
           [--ones] [--mirrored] [--jobs 1] [--limit 120] [--json FILE]

A mutant is the package with one `<` written as `<=`, `==` as `!=`, `in` as `not in`, `is` as `is not`, `and` as `or`,
or the other way round (with ``--ones``, also one `+ 1` or `- 1` left out). It is made in a copy, never in the checkout.
The test file of the mutated module runs first, then the tests of its area (not with ``--mirrored``). A mutant that
runs into the limit (seconds of processor time) is caught, and said to hang.

Mutants that nobody could tell from the package stand in `mutants_known.toml` with the reason; the exit status is 1 if
any other survives.
"""

from __future__ import annotations

import argparse
import ast
import concurrent.futures
import contextlib
import dataclasses
import itertools
import json
import os
import queue
import random
import re
import shutil
import subprocess
import sys
import tempfile
import tomllib
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

HERE = Path(__file__).resolve().parent
KNOWN = HERE / "mutants_known.toml"
TESTS = "tests/tables"
FLIPS = {"<": "<=", ">": ">=", "==": "!=", "in": "not in", "is": "is not", "and": "or"}
FLIPS |= {after: before for before, after in FLIPS.items()}
OPERATOR = re.compile(r"not\s+in\b|is\s+not\b|<=|>=|==|!=|<|>|\b(?:in|is|and|or)\b")


@dataclass(frozen=True)
class Area:
    """Files that are mutated, and the tests of them beside each file's own."""

    sources: str
    tests: tuple[str, ...]


AREAS = {
    "mask": Area("incrowd/tables/mask", (f"{TESTS}/mask", f"{TESTS}/verify/test_mask.py")),
    "costs": Area("incrowd/tables/costs", (f"{TESTS}/costs", f"{TESTS}/verify/release/test_costs.py")),
    "models": Area(
        "incrowd/tables/models",
        (f"{TESTS}/models", f"{TESTS}/verify/requirements", f"{TESTS}/verify/release/test_requirements.py"),
    ),
    "bounds": Area("incrowd/tables/solve/bounds", (f"{TESTS}/solve/bounds", f"{TESTS}/verify/bound")),
    "check": Area("incrowd/tables/verify", (f"{TESTS}/verify",)),
}


@dataclass(frozen=True)
class Mutant:
    """One change of one file."""

    module: str  # below src
    area: str
    function: str
    line: int
    before: str  # the comparison's text
    after: str
    begin: int  # where in the file's bytes the change is
    end: int
    new: str

    def __str__(self) -> str:
        """Return the place and the change."""
        return f"{self.module}:{self.line}, {self.before} -> {self.after}"

    @property
    def key(self) -> tuple[str, str, str]:
        """What a known mutant is found by: no line, so that it stays known when the file grows."""
        return self.module, self.function, f"{self.before} -> {self.after}"


@dataclass(frozen=True)
class Outcome:
    """What became of a mutant: ``mirrored``, ``others``, ``survived`` or ``known``, and who caught it or why not."""

    mutant: Mutant
    how: str
    by: str
    seconds: float


def changes(tree: ast.AST, ones: bool) -> Iterator[tuple[ast.expr, ast.AST | None, ast.AST, str]]:
    """Yield what can change: the expression, the operands around its operator, and the name of its function.

    Where the left operand is None, the right one, the number 1, becomes 0.
    """

    def walk(node: ast.AST, function: str) -> Iterator[tuple[ast.expr, ast.AST | None, ast.AST, str]]:
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            function = f"{function}.{node.name}".lstrip(".")
        if isinstance(node, ast.Compare | ast.BoolOp):
            operands = [node.left, *node.comparators] if isinstance(node, ast.Compare) else node.values
            for left, right in itertools.pairwise(operands):
                yield node, left, right, function
        moved = ones and isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add | ast.Sub)
        if moved and isinstance(node.right, ast.Constant) and repr(node.right.value) == "1":
            yield node, None, node.right, function
        for below in ast.iter_child_nodes(node):
            yield from walk(below, function)

    yield from walk(tree, "")


def line_starts(source: bytes) -> list[int]:
    """Return where each line of a file begins, in bytes, and where the file ends."""
    return [0, *itertools.accumulate(map(len, source.splitlines(keepends=True)))]


def mutants_of(source: bytes, module: str, area: str, ones: bool = False) -> list[Mutant]:
    """Return the mutants of a file, from its top to its end."""
    starts = line_starts(source)
    found = []
    for whole, left, right, function in changes(ast.parse(source), ones):
        first, last = (starts[whole.lineno - 1] + whole.col_offset, starts[whole.end_lineno - 1] + whole.end_col_offset)
        begin = starts[right.lineno - 1] + right.col_offset
        end, new = begin + 1, "0"
        if left is not None:
            between = starts[left.end_lineno - 1] + left.end_col_offset
            operator = OPERATOR.search(source[between:begin].decode())
            if operator is None:
                raise SystemExit(f"{module}:{whole.lineno}: no operator between two operands")
            begin, end = between + len(operator.string[: operator.start()].encode()), between + operator.end()
            new = FLIPS[" ".join(operator[0].split())]
        before, after = source[first:last], source[first:begin] + new.encode() + source[end:last]
        texts = [" ".join(text.decode().split()) for text in (before, after)]
        found.append(Mutant(module, area, function, whole.lineno, *texts, begin, end, new))
    return sorted(found, key=lambda mutant: mutant.begin)


def all_mutants(root: Path, areas: dict[str, Area], ones: bool = False) -> list[Mutant]:
    """Return the mutants of all areas, area by area and file by file."""
    found = []
    for name, area in areas.items():
        for file in sorted((root / "src" / area.sources).rglob("*.py")):
            module = file.relative_to(root / "src").as_posix()
            found += mutants_of(file.read_bytes(), module, name, ones)
    return found


def mirrored(root: Path, module: str) -> str | None:
    """Return the test file of a module, if it has one."""
    path = Path(module)
    mirror = Path("tests", *path.parts[1:-1], f"test_{path.name}")
    return mirror.as_posix() if (root / mirror).is_file() else None


def dependents(src: Path, module: str) -> list[str]:
    """Return a module and those that import it, near or far: code compiled for them may hold a piece of its code."""
    imports = {}
    for file in src.rglob("*.py"):
        nodes = [node for node in ast.walk(ast.parse(file.read_bytes())) if isinstance(node, ast.ImportFrom)]
        names = {node.module for node in nodes} | {
            f"{node.module}.{name.name}" for node in nodes for name in node.names
        }
        imports[file.relative_to(src).as_posix()] = names
    found = [module]
    for one in found:
        dotted = one.removesuffix(".py").removesuffix("/__init__").replace("/", ".")
        found += [name for name, names in imports.items() if dotted in names and name not in found]
    return found


class Workshop:
    """A copy of the package and its tests, and a worker that runs the tests in it."""

    def __init__(self, root: Path, limit: int, bare: bool = False) -> None:
        self.limit = limit
        self.folder = tempfile.TemporaryDirectory(prefix="mutants-")
        self.root = Path(self.folder.name)
        self.sound: dict[str, bool] = {}
        for name in ("src", "tests"):
            shutil.copytree(root / name, self.root / name)  # with the times of its files, so compiled code stays good
        shutil.copy2(root / "pyproject.toml", self.root)
        environment = {key: value for key, value in os.environ.items() if key != "NUMBA_CACHE_DIR"}
        environment |= {"PYTHONPATH": str(self.root / "src"), "PYTHONDONTWRITEBYTECODE": "1"}
        environment.setdefault("INCROWD_DATA", str(self.root / "no data"))  # real tables take too long
        worker = [sys.executable, str(HERE / "mutate_worker.py"), *(["bare"] if bare else [])]
        self.process = subprocess.Popen(  # noqa: S603
            worker, stdin=subprocess.PIPE, stdout=subprocess.PIPE, cwd=self.root, env=environment, text=True
        )

    def close(self) -> None:
        """End the worker and remove the copy."""
        self.process.communicate()
        self.folder.cleanup()

    def run(self, tests: Sequence[str]) -> dict[str, object]:
        """Run tests on the copy as it is; what the worker answers."""
        if self.process.stdin is None or self.process.stdout is None:
            raise SystemExit("the worker has no pipes")
        asked = {"tests": list(tests), "limit": self.limit, "clock": 20 * self.limit}
        self.process.stdin.write(json.dumps(asked) + "\n")
        self.process.stdin.flush()
        found: dict[str, object] = json.loads(self.process.stdout.readline())
        if found["status"] == -2:
            raise SystemExit(f"the tests could not be run: {found['test']}")
        return found

    @contextlib.contextmanager
    def mutated(self, mutant: Mutant) -> Iterator[None]:
        """Put a mutant into the copy, without code compiled from what it replaces; then put all back."""
        file = self.root / "src" / mutant.module
        source, times, kept = file.read_bytes(), file.stat(), self.root / "kept"
        changed = source[: mutant.begin] + mutant.new.encode() + source[mutant.end :]
        compile(changed, mutant.module, "exec")
        modules = dependents(self.root / "src", mutant.module) if b"njit" in source else [mutant.module]
        stale = {module: self.compiled(module) for module in modules}
        for number, path in enumerate(path for paths in stale.values() for path in paths):
            kept.mkdir(exist_ok=True)
            path.rename(kept / str(number))
        file.write_bytes(changed)
        try:
            yield
        finally:
            file.write_bytes(source)
            os.utime(file, ns=(times.st_atime_ns, times.st_mtime_ns))
            for path in [path for module in modules for path in self.compiled(module)]:
                path.unlink()
            for number, path in enumerate(path for paths in stale.values() for path in paths):
                (kept / str(number)).rename(path)

    def compiled(self, module: str) -> list[Path]:
        """Return the files of code compiled from a module."""
        path = self.root / "src" / module
        return sorted((path.parent / "__pycache__").glob(f"{path.stem}.*"))

    def try_out(self, mutant: Mutant, tests: Sequence[str]) -> Outcome:
        """Run the mirrored test file, then the others, until one fails."""
        own = mirrored(self.root, mutant.module)
        seconds = 0.0
        for how, some in (("mirrored", [own] if own else []), ("others", tests)):
            if not some:
                continue
            with self.mutated(mutant):
                found = self.run([*some, *(f"--ignore={own}" for _ in [own] if own and how == "others")])
            seconds += float(str(found["seconds"]))
            if found["status"] != 0:
                test = str(found["test"])
                again = [test] if found["status"] == 1 else list(some)
                if str(again) not in self.sound:
                    self.sound[str(again)] = self.run(again)["status"] == 0
                if not self.sound[str(again)]:
                    raise SystemExit(f"{' '.join(again)}: fails without any change too, or needs a higher --limit")
                return Outcome(mutant, how, test, seconds)
        return Outcome(mutant, "survived", "", seconds)


def known_mutants(path: Path) -> dict[tuple[str, str, str], str]:
    """Return why mutants survive that are known to, by module, function and change."""
    told = tomllib.loads(path.read_text())["mutant"] if path.is_file() else []
    return {(one["module"], one["function"], one["change"]): one["reason"] for one in told}


def try_all(
    root: Path, areas: dict[str, Area], chosen: Sequence[Mutant], *, jobs: int, limit: int, others: bool = True,
    known: dict[tuple[str, str, str], str] | None = None, bare: bool = False,
) -> Iterator[Outcome]:  # fmt: skip
    """Yield what becomes of each mutant, in their order; a known one that survives has its reason."""
    reasons = known or {}
    shops: queue.SimpleQueue[Workshop] = queue.SimpleQueue()

    def one(mutant: Mutant) -> Outcome:
        if mutant.key in reasons:
            return Outcome(mutant, "known", reasons[mutant.key], 0.0)
        shop = shops.get()
        try:
            return shop.try_out(mutant, areas[mutant.area].tests if others else ())
        finally:
            shops.put(shop)

    with contextlib.ExitStack() as stack:
        for _ in range(jobs):
            shop = Workshop(root, limit, bare)
            stack.callback(shop.close)
            shops.put(shop)
        yield from stack.enter_context(concurrent.futures.ThreadPoolExecutor(jobs)).map(one, chosen)


def choose(mutants: list[Mutant], sample: int | None, seed: int) -> list[Mutant]:
    """Return as many mutants as asked for, alike many of every area."""
    if sample is None or sample >= len(mutants):
        return mutants
    turns: dict[str, list[Mutant]] = {}
    for mutant in random.Random(seed).sample(mutants, len(mutants)):
        turns.setdefault(mutant.area, []).append(mutant)
    picked = [mutant for turn in itertools.zip_longest(*turns.values()) for mutant in turn if mutant][:sample]
    return sorted(picked, key=mutants.index)


def summary(outcomes: Sequence[Outcome]) -> list[str]:
    """Return a line of counts per area."""
    rows = []
    for area in dict.fromkeys(outcome.mutant.area for outcome in outcomes):
        how = [outcome.how for outcome in outcomes if outcome.mutant.area == area]
        rows.append(
            f"{area}: {len(how)} made, {how.count('mirrored')} caught by the module's own test file, "
            f"{how.count('others')} by others, {how.count('known')} known, {how.count('survived')} survived"
        )
    return rows


def main() -> int:
    """Make the mutants asked for and say which tests catch them."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--list", action="store_true", help="name the mutants and make none")
    parser.add_argument(
        "--only", nargs="+", default=[], metavar="MODULE", help=f"{', '.join(AREAS)}, or part of a path"
    )
    parser.add_argument("--sample", type=int, metavar="N", help="as many, drawn from all areas alike")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--ones", action="store_true", help="leave out + 1 and - 1 as well")
    parser.add_argument("--mirrored", action="store_true", help="run the modules' own test files only")
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--limit", type=int, default=120, help="seconds of processor time of one run of tests")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write what became of them")
    asked = parser.parse_args()
    every = all_mutants(HERE.parent, AREAS, asked.ones)
    mutants = [m for m in every if not asked.only or any(o == m.area or o in f"src/{m.module}" for o in asked.only)]
    if not mutants:
        parser.error("no mutant there")
    chosen = choose(mutants, asked.sample, asked.seed)
    if asked.list:
        numbers = {(mutant.module, mutant.begin): number for number, mutant in enumerate(every, 1)}
        print(*(f"{numbers[mutant.module, mutant.begin]:4} {mutant}" for mutant in chosen), sep="\n")
        return 0
    outcomes = []
    known = known_mutants(KNOWN)
    options = {"jobs": asked.jobs, "limit": asked.limit, "others": not asked.mirrored}
    for outcome in try_all(HERE.parent, AREAS, chosen, known=known, **options):
        outcomes.append(outcome)
        caught = f"caught by {outcome.by}" if outcome.how in ("mirrored", "others") else outcome.how
        print(f"{outcome.mutant}: {caught}", flush=True)
    if asked.json:
        asked.json.write_text(json.dumps([dataclasses.asdict(outcome) for outcome in outcomes], indent=1) + "\n")
    print("", *summary(outcomes), sep="\n")
    return any(outcome.how == "survived" for outcome in outcomes)


if __name__ == "__main__":
    sys.exit(main())
