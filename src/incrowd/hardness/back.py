"""What a release or a node set says of the source problem."""

from __future__ import annotations

import csv
import io
import json
import os
from collections import defaultdict
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import tomli_w
from scipy.sparse import csr_array
from scipy.sparse.csgraph import maximum_bipartite_matching

from incrowd import registry
from incrowd.atomic_file import together, write_whole
from incrowd.errors import InputError, PolicyError, count_of
from incrowd.hardness.construction import Construction
from incrowd.hardness.sources import MOST_CELLS as CELLS_OF_A_TABLE
from incrowd.hardness.sources import Source, bad, held_in, labels_of, source_of
from incrowd.hardness.values import STAR, Instance, Table
from incrowd.strict_json import read_json

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from numpy.typing import NDArray

    from incrowd.hardness.values import Labels, Told


@dataclass(frozen=True, slots=True)
class Answer:
    """What came back.

    Attributes
    ----------
    name : str
        The construction's.
    cost, threshold : int
        Stars of the release, or nodes of the set, and how many there may be.
    goal : int or None
        The number that was asked of the source problem.
    asked : str
        What a solution is, such as ``a cover``.
    unit : str
        ``star`` or ``node``.
    told : Told or None
        A solution of the source problem, judged by its definition; None where there is none.
    reached : bool
        Whether it is as good as was asked for: then the source problem's answer is yes.
    """

    name: str
    cost: int
    threshold: int
    goal: int | None
    asked: str
    unit: str
    told: Told | None
    reached: bool

    def sentence(self) -> str:
        """Return it in one sentence."""
        what = "The release" if self.unit == "star" else "The node set"
        head = f"{what} has {count_of(self.cost, self.unit)}, the threshold is {self.threshold}"
        if self.reached and self.told:
            return f"{head}: yes, {self.told.sentence}."
        if self.cost > self.threshold:
            over = f"{head}, so it does not answer the question; if nothing with fewer exists, the answer is no."
            return over if not self.told else f"{over} It holds {self.told.sentence}."
        return f"{head}, but it does not hold {self.asked}: it is not what the folder's policy or question asks for."

    def to_json(self) -> dict[str, Any]:
        """Return it as plain values: ``answer`` is ``yes`` or null, ``solution`` what came back or null."""
        return {
            "construction": self.name,
            "cost": self.cost,
            "threshold": self.threshold,
            "goal": self.goal,
            "answer": "yes" if self.reached else None,
            "asked": self.asked,
            "solution": dict(self.told.facts) if self.told else None,
            "sentence": self.sentence(),
        }


def answer_of(made: Instance, given: Any) -> Answer:
    """Return what a release or a node set says of an instance's source problem.

    What the way back gives is judged by the source problem's own definition, so that a solution is one whatever the
    release was; of a table with classes of fewer than k rows nothing is asked.

    The instance may be solved or not. `given` holds released rows in any order, or nodes. InputError is raised if it is
    no release of the table, or names no nodes of the network.
    """
    crowded = True
    if made.table is not None:
        given = in_order(made.table, given)
        cost, unit = made.table.cost(given), "star"
        crowded = all(len(rows) >= made.policy["k"] for rows in made.table.classes(given).values())
    else:
        cost, unit = len(set(given)), "node"
    asks = made.asks
    if asks is None:
        raise InputError(f"instance {made.name!r} does not say what is asked of its source problem")
    try:
        solution = made.backward(given) if crowded else None
    except ValueError:  # beyond the threshold, or no release that meets the policy
        solution = None
    told = None
    reached = False
    if solution is not None and asks.solves(made.source, solution):
        told = asks.report(made.source, solution, made.labels)
        reached = asks.meets(made.source, solution, made.goal)
    return Answer(made.name, cost, made.threshold, made.goal, asks.asked, unit, told, reached)


def back(folder: str | os.PathLike[str], given: str | os.PathLike[str]) -> Answer:
    """Return what a released file, or a file of nodes, says of the source problem of an instance's folder.

    The folder is one that `incrowd instance` wrote. The instance is made again from its ``source.json``, and its table
    or graph compared; nothing is solved. `given` is the path of the released CSV, its rows in any order; of a network,
    that of the nodes' numbers or the JSON of `incrowd network`. InputError is raised if a file cannot be read, or does
    not fit the folder.
    """
    folder = Path(folder)
    made = read_folder(folder)
    refuse_changed(folder, made)
    if made.table is not None:
        return answer_of(made, released_rows(Path(given), made.table))
    return answer_of(made, node_set(Path(given), 1 + max(v for edge in made.edges for v in edge)))


# Files: released rows and node sets, and the folder's own table or graph compared with what it should be.
MOST_BYTES = 1 << 28  # of a release: four million cells of some characters
MOST_NODE_BYTES = 1 << 24  # of a node set
MOST_SOURCE_BYTES = 1 << 22


def _text(path: Path, what: str, most: int = MOST_BYTES) -> str:
    """Return the text of an ordinary file of UTF-8 and at most so many bytes; otherwise InputError is raised."""
    try:
        if not path.is_file():
            raise InputError(
                f"{what} {path.name!r} is no file" if path.exists() else f"there is no {what} {path.name!r}"
            )
        with path.open("rb") as file:
            held = file.read(most + 1)
    except OSError as error:
        raise InputError(f"{what} {path.name!r} cannot be read: {error.strerror}") from None
    except ValueError:  # a zero byte in the path
        raise InputError(f"the name of {what} holds a zero byte") from None
    if len(held) > most:
        raise InputError(f"{what} {path.name!r} has more than {most >> 20} megabytes; it cannot be one")
    if b"\0" in held:
        raise InputError(f"{what} {path.name!r} is no text: it holds zero bytes")
    try:
        return held.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise InputError(f"{what} {path.name!r} is no UTF-8 text; convert it first") from None


def released_rows(path: Path, table: Table, what: str = "release") -> tuple[tuple[str, ...], ...]:
    """Return the rows of a table in CSV, their cells in the order of the table's columns.

    The file has a header; further columns than the table's are not read. `what` is what messages call the file.
    InputError is raised if it cannot be read, lacks a column of the table, or has more rows than it.
    """
    reader = csv.reader(io.StringIO(_text(path, what), newline=""), strict=True)
    rows: list[tuple[str, ...]] = []
    try:
        header = next(reader, [])
        missing = sum(name not in header for name in table.columns)
        if missing or len(set(header)) < len(header):
            raise InputError(
                f"{what} {path.name!r} lacks {missing} of the table's {len(table.columns)} columns, or names one "
                "twice; give the CSV that was released"
            )
        if len(header) * (len(table.rows) + 1) > 2 * CELLS_OF_A_TABLE:
            raise InputError(f"{what} {path.name!r} has too many columns")
        at = [header.index(name) for name in table.columns]
        for row in reader:
            if not row:
                continue
            if len(row) != len(header):
                raise InputError(
                    f"row {len(rows) + 1} of {what} {path.name!r} has another number of cells than the header"
                )
            if len(rows) == len(table.rows):
                raise InputError(f"{what} {path.name!r} has more than the table's {len(table.rows)} rows")
            rows.append(tuple(row[j] for j in at))
    except csv.Error:
        raise InputError(f"{what} {path.name!r} is no CSV: quotes or line ends do not fit") from None
    return tuple(rows)


def node_set(path: Path, nodes: int) -> tuple[int, ...]:
    """Return the nodes that a file names.

    The file holds numbers between blanks, commas or line ends; or the JSON of `incrowd network --json --show-labels`,
    or its certificate. `nodes` says how many nodes there are. InputError is raised if it cannot be read, or names
    anything else than nodes, each once.
    """
    text = _text(path, "node set", MOST_NODE_BYTES)
    named = _witness(text, path.name) if text.lstrip()[:1] in ("{", "[") else text.replace(",", " ").split()
    if len(named) > nodes:
        raise InputError(f"node set {path.name!r} names more than the network's {nodes:,} nodes")
    found = []
    for one in named:
        number = one if isinstance(one, int) else int(one) if isinstance(one, str) and _is_small(one) else -1
        if isinstance(one, bool) or not 0 <= number < nodes:
            raise InputError(
                f"node set {path.name!r} must name nodes of the network: whole numbers from 0 to {nodes - 1}"
            )
        found.append(number)
    if len(set(found)) < len(found):
        raise InputError(f"node set {path.name!r} names a node twice")
    return tuple(sorted(found))


def _is_small(word: str) -> bool:
    return word.isascii() and word.isdigit() and len(word) < 10


def _witness(text: str, name: str) -> list[Any]:
    """Return the list of nodes in an answer of `incrowd network`, or in a certificate of it."""
    try:
        held = read_json(text)
        found = held if isinstance(held, list) else held.get("witness") or held["claims"][0]["members"]
    except (KeyError, IndexError, TypeError, AttributeError):
        found = None
    except (ValueError, RecursionError):
        raise InputError(f"node set {name!r} is no JSON") from None
    if not isinstance(found, list):
        raise InputError(
            f"node set {name!r} has no witness; ask with `incrowd network ... --json --show-labels`, or give the "
            "nodes' numbers"
        )
    return found


def refuse_changed(folder: Path, made: Instance) -> None:
    """Refuse a folder whose table or graph is not what ``source.json`` gives.

    `made` is as `read_folder` made it. InputError is raised if the table or graph is
    another, or cannot be read.
    """
    if made.table is not None:
        if released_rows(folder / "table.csv", made.table, "table") != made.table.rows:
            raise InputError("table.csv is not the table that source.json describes; make the instance again")
        return
    text = _text(folder / "graph.txt", "graph")
    if text != "".join(f"{u} {v}\n" for u, v in made.edges):
        raise InputError("graph.txt is not the network that source.json describes; make the instance again")


# Which released row is which row of the table, where the release has them in an order of its own.
MOST_ROWS = 5_000
MOST_CELLS = 40_000_000  # comparisons of a table's rows with what is released


def in_order(table: Table, released: Sequence[Sequence[str]]) -> tuple[tuple[str, ...], ...]:
    """Return the released rows in the table's order, each under a row that it is a release of.

    Any such order will do: which rows look alike, what they cost and what they show does not depend on it, so the
    release keeps what it is asked for under every one of them. `released` holds (n, columns) texts for the table's n
    rows: quasi-identifiers, then sensitive cells, in any order of the rows. InputError is raised if there is no such
    order, or too much to compare. In the table's own order O(n) time; otherwise a matching of rows with different shown
    rows, O(n^2) memory and O(n^2.5) time at worst.
    """
    width, rows = len(table.quasi_identifiers), [tuple(row) for row in released]
    if len(rows) != len(table.rows):
        raise InputError(f"a release of this table has {len(table.rows)} rows, not {len(rows)}")
    if all(fits(row, out, width) for row, out in zip(table.rows, rows, strict=True)):
        return tuple(rows)
    kinds = sorted(set(rows))
    if len(rows) > MOST_ROWS or len(rows) * len(kinds) * width > MOST_CELLS:
        raise InputError(
            f"the release has {len(rows):,} rows in an order of its own, too many to sort; keep the table's order "
            "(--keep-order)"
        )
    allowed = _allowed(table, kinds, width)
    places = defaultdict(list)
    for j, row in enumerate(rows):
        places[row].append(j)
    # a column for every released row: those of one kind are alike
    order = [j for kind in kinds for j in places[kind]]
    of_kind = np.repeat(np.arange(len(kinds)), [len(places[kind]) for kind in kinds])
    partner = maximum_bipartite_matching(csr_array(allowed[:, of_kind]), perm_type="column")
    if (partner < 0).any():
        raise InputError(
            "it is no release of this table: its rows are not the table's, with stars (*) in place of cells"
        )
    return tuple(rows[order[int(j)]] for j in partner)


def fits(row: Sequence[str], out: Sequence[str], width: int) -> bool:
    """Return whether one row is a release of another: `out` of the original `row`.

    `width` is the number of quasi-identifiers; what follows them must be equal.
    """
    return out[width:] == row[width:] and all(cell in (STAR, own) for cell, own in zip(out[:width], row, strict=False))


def _allowed(table: Table, kinds: Sequence[tuple[str, ...]], width: int) -> NDArray[np.bool_]:
    """Return which row may be released as which kind, shape (rows, kinds)."""
    found = np.ones((len(table.rows), len(kinds)), np.bool_)
    for j in range(len(table.columns)):
        number = {value: code for code, value in enumerate({row[j] for row in table.rows})}
        own = np.array([number[row[j]] for row in table.rows])
        shown = np.array([-1 if j < width and kind[j] == STAR else number.get(kind[j], -2) for kind in kinds])
        found &= (shown[None, :] == -1) | (shown[None, :] == own[:, None])
    return found


# ``source.json``: what an instance was made from, so that it can be made again without being solved.
NAME = "source.json"
FORMAT = 1
DEEPEST = 4  # instances made of instances
INSTANCE = "instance"  # the problem whose source is another instance's document
KEYS = {"format", "construction", "parameters", "problem", "source", "labels"}


def document(made: Instance) -> dict[str, Any]:
    """Return what ``source.json`` holds: format, construction, parameters, source, labels."""
    plain = {name: str(value) if isinstance(value, Fraction) else value for name, value in made.parameters.items()}
    held: dict[str, Any] = {"format": FORMAT, "construction": made.name, "parameters": plain}
    if made.origin is not None:
        return {**held, "problem": INSTANCE, "source": document(made.origin), "labels": {}}
    return held | (problem_of(made.source, made.labels) if isinstance(made.source, Source) else {})


def problem_of(source: Source, labels: Labels) -> dict[str, Any]:
    """Return a source problem as ``--source`` takes it, with the names of its parts."""
    return {"problem": source.problem, "source": held_in(source), "labels": dict(labels)}


def example(made: Instance) -> str:
    """Return a source problem as JSON for ``--source``, its parts with names to be put in place of."""
    if not isinstance(made.source, Source):
        raise PolicyError(f"{made.name} takes no source of one's own: it is one table a size")
    labels = {kind: tuple(f"{kind[0]}{i + 1}" for i in range(count)) for kind, count in made.source.parts().items()}
    held = problem_of(made.source, labels)
    lines = [f"  {json.dumps(name)}: {json.dumps(value)}" for name, value in held.items()]
    return "{\n" + ",\n".join(lines) + "\n}\n"


def read_problem(kind: type[Source], held: Any) -> tuple[Any, Labels]:
    """Return the source problem of a document and the names of its parts; nothing of it is believed."""
    if not isinstance(held, dict) or not set(held) <= KEYS:
        bad("it must be an object of problem, source and labels; --example prints one")
    if held.get("problem") != kind.problem:
        bad(f"problem must be {kind.problem}; --example prints one")
    source = source_of(kind, held.get("source"))
    return source, labels_of(source, held.get("labels", {}))


def again(held: Any, *, solve: bool = False, depth: int = 0) -> Instance:
    """Return the instance that ``source.json`` describes, made anew and solved only where asked.

    InputError or PolicyError is raised if it describes none. `depth` says how many instances it is the source of.
    """
    if not isinstance(held, dict) or held.get("format") != FORMAT or type(held.get("format")) is not int:
        bad(f"format must be {FORMAT}")
    name, parameters = held.get("construction"), held.get("parameters")
    if not isinstance(name, str) or name not in registry.names("instances"):
        bad("construction must be one of `incrowd list instances`")
    kind: type[Construction] = registry.load("instances", name)
    nested = held.get("problem") == INSTANCE
    kept = () if nested else kind.kept
    if not isinstance(parameters, dict) or set(parameters) != set(kept):
        bad("parameters must be " + (", ".join(kept) or "none"))
    if depth >= DEEPEST:
        bad(f"more than {DEEPEST} instances are made of one another")
    if kind.source is None:
        return kind(**parameters).build()
    construction = kind(**parameters, solve=solve)
    if nested:
        return construction.over(again(held.get("source"), solve=solve, depth=depth + 1))
    return construction.of(*read_problem(kind.source, held))


def read_file(path: Path, what: str) -> Any:
    """Return the JSON of a file of at most four megabytes; InputError is raised if it is none."""
    try:
        return read_json(_text(path, what, MOST_SOURCE_BYTES))
    except (ValueError, RecursionError):
        raise InputError(
            f"{what} {path.name!r} is no JSON as `incrowd instance` writes and --example prints it"
        ) from None


def read_folder(folder: Path, *, solve: bool = False) -> Instance:
    """Return the instance of a folder that `write` wrote, made anew and solved only where asked."""
    if not folder.is_dir():
        raise InputError(
            f"there is no folder {folder.name!r}" if not folder.exists() else f"{folder.name!r} is no folder"
        )
    if not (folder / NAME).is_file():
        raise InputError(f"folder {folder.name!r} holds no {NAME}, which `incrowd instance` writes")
    try:
        return again(read_file(folder / NAME, "file"), solve=solve)
    except PolicyError as error:
        raise InputError(f"{NAME} of folder {folder.name!r} does not fit: {error}") from None


def made_from(construction: Construction, source: Any, chosen: Collection[str] = ()) -> Instance:
    """Return the instance that a construction makes of a source, which is as of `incrowd.hardness.instance`.

    `chosen` are the parameters that were chosen for it. InputError is raised if a file or folder cannot be read, or
    holds no such source, and PolicyError if the source lacks what the construction demands.
    """
    kind = construction.source
    if kind is None:
        raise PolicyError(f"{construction.name} takes no source of one's own: it is one table a size")
    labels: Labels = {}
    if isinstance(source, (str, os.PathLike)):
        path = Path(source)
        if not is_folder(path):
            source, labels = read_problem(kind, read_file(path, "source"))
        elif type(construction).over is Construction.over:
            raise PolicyError(f"the source of {construction.name!r} must be a file that holds a {kind.problem}")
        else:
            source = read_folder(path, solve=construction.solve)
    if isinstance(source, Instance):
        own = [name for name in chosen if name != "solve"]
        if own:
            raise PolicyError(f"leave out {' and '.join(own)}: the instance that is the source has its own")
        return construction.over(source)
    if not isinstance(source, kind):
        raise PolicyError(f"the source of {construction.name!r} must be a {kind.__name__}, or a file that holds one")
    return construction.of(source, labels)


def is_folder(path: Path) -> bool:
    """Return whether there is a folder; a path that cannot be one is none."""
    try:
        return path.is_dir()
    except (OSError, ValueError):
        return False


# An instance as a folder of files: table or network, policy, answer; whole or not at all.
FILES = ("table.csv", "graph.txt", "policy.toml", "answer.json", NAME)


def write(instance: Instance, folder: str | os.PathLike[str]) -> tuple[str, ...]:
    """Write an instance into `folder` and return the names of its files, in alphabetical order.

    A folder that holds nothing but an earlier instance is replaced; otherwise it must be new or empty. InputError is
    raised if it is no path, the folder holds anything else, its parent does not exist, or it cannot be written.
    """
    try:
        folder = Path(folder).resolve()
    except (OSError, ValueError):
        raise InputError(f"{Path(folder).name[:60]!r} is no path of a folder; name a new or an empty one") from None
    if not folder.parent.is_dir():
        raise InputError(f"folder {folder.name!r} cannot be made: the folder it goes into does not exist")
    if folder.exists() and not folder.is_dir():
        raise InputError(f"{folder.name!r} is a file; name a folder")
    # what begins with a dot is staged, or left behind by a killed run, and removed by this one
    if folder.is_dir() and {path.name for path in folder.iterdir() if path.name[0] != "."} - set(FILES):
        raise InputError(f"folder {folder.name!r} holds other files than an instance's; name an empty or a new folder")
    files, new = _files(instance), not folder.exists()
    try:
        folder.mkdir(exist_ok=True)
        with together():
            for name, text in files.items():
                write_whole(folder / name, text)
        for name in set(FILES) - set(files):  # of an earlier instance
            (folder / name).unlink(missing_ok=True)
    except OSError as error:
        raise InputError(f"folder {folder.name!r} cannot be written: {error.strerror}") from None
    finally:
        if new and folder.is_dir() and not any(folder.iterdir()):
            folder.rmdir()
    return tuple(sorted(files))


def _files(instance: Instance) -> dict[str, str]:
    """Return the text of every file by its name."""
    shared = {
        "answer.json": json.dumps(instance.answer(), indent=2) + "\n",
        NAME: json.dumps(document(instance)) + "\n",
    }
    if instance.table is None:
        return {"graph.txt": "".join(f"{u} {v}\n" for u, v in instance.edges), **shared}
    text = io.StringIO(newline="")
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(instance.table.columns)
    writer.writerows(instance.table.rows)
    policy = {**instance.policy, "job": {"source": "table.csv"}}
    return {"table.csv": text.getvalue(), "policy.toml": tomli_w.dumps(policy), **shared}
