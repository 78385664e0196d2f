"""The small examples of two papers: what the text says of each beside what is computed."""

from __future__ import annotations

import csv
import io
import itertools
from collections import Counter
from dataclasses import dataclass
from fractions import Fraction
from importlib.resources import files
from typing import TYPE_CHECKING, Any

import pyarrow as pa

from incrowd import anonymize
from incrowd.hardness import instance
from incrowd.hardness.construction import BLOCKI_WILLIAMS, LIANG_YUAN
from incrowd.hardness.sources import Formula
from incrowd.hardness.values import Table
from incrowd.reproduce.claims import Verdict
from incrowd.reproduce.experiment import claims_of, grid, told
from incrowd.tables.mask import Mask

if TYPE_CHECKING:
    from collections.abc import Sequence

    from incrowd.progress import Watch


# The groups of the paper's tables, records numbered from 1 as there.
TABLE_2 = ((1, 2, 3), (4, 5, 6, 7), (8, 9, 10))
TABLE_3 = ((1, 2), (3, 5, 8, 9), (4, 6), (7, 10))
TABLE_5 = ((1, 2, 4), (3, 5, 8, 9), (6, 7, 10))
Groups = tuple[tuple[int, ...], ...]
FORMULAS = (Formula(3, ((-1, 2, 3), (1, -2, 3))), Formula(3, ((1, 2, 3), (-1, -2, -3))))  # Examples 1 and 2


@dataclass(frozen=True, slots=True, kw_only=True)
class Example:
    """A paper's examples with our figures: `rows` under `head`, and claims."""

    name: str
    paper: str
    title: str
    head: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    verdicts: tuple[Verdict, ...]
    notes: tuple[str, ...] = ()

    def to_json(self) -> dict[str, Any]:
        """Return everything as plain values."""
        return {
            "name": self.name,
            "paper": self.paper,
            "title": self.title,
            "rows": [dict(zip(self.head, row, strict=True)) for row in self.rows],
            "claims": claims_of(self.verdicts),
            "notes": list(self.notes),
        }


def said(claim: str, paper: Any, ours: Any) -> Verdict:
    """Return a claim that holds where our value is the paper's."""
    return Verdict(claim, str(paper), str(ours), paper == ours)


def text_of(found: Example) -> str:
    """Return the table, the sentences with their verdicts, and the notes, as text whose lines end with a line end."""
    lines = [found.title, "", *grid(found.head, found.rows, left=1), "", *told(found.verdicts), ""]
    return "\n".join([*lines, *(f"Note: {note}." for note in found.notes)]) + "\n"


def _patients() -> Table:
    """Return Table 1 with each digit of zip code and age as a column of its own (Section 2)."""
    text = files("incrowd.data").joinpath("liang_yuan.csv").read_text(encoding="utf-8")
    rows = tuple(
        (*row["zipcode"], *row["age"], row["education"], row["disease"]) for row in csv.DictReader(io.StringIO(text))
    )
    names = (*(f"zip_{j}" for j in range(1, 6)), "age_1", "age_2", "education")
    return Table(quasi_identifiers=names, sensitive=("disease",), rows=rows)


def _cost(table: Table, groups: Groups) -> int:
    """Return the stars of a partition, records numbered from 1."""
    return table.cost(table.released([[i - 1 for i in group] for group in groups]))


def _shares(table: Table, group: Sequence[int]) -> dict[str, Fraction]:
    """Return the share of each disease among records numbered from 1."""
    counted = Counter(table.rows[i - 1][-1] for i in group)
    return {value: Fraction(number, len(group)) for value, number in counted.items()}


def _distance(table: Table, group: Sequence[int]) -> Fraction:
    """Return the earth mover's distance of a group from the table, all diseases one apart (Fact 1)."""
    whole, mine = _shares(table, range(1, len(table.rows) + 1)), _shares(table, group)
    return sum((abs(share - mine.get(value, 0)) for value, share in whole.items()), Fraction()) / 2


def _least(table: Table, watch: Watch, **asked: Any) -> str:
    """Return the cost of a release of least cost that was proven to be one."""
    columns = {name: [row[j] for row in table.rows] for j, name in enumerate(table.columns)}
    asked |= {"quasi_identifiers": table.quasi_identifiers, "sensitive": table.sensitive}
    found = anonymize(pa.table(columns), **asked)
    watch.report("reproduce", cost=found.facts["cost"], status=found.facts["status"])
    return f"{found.facts['cost']:,}{'' if found.facts['status'] == 'optimal' else ' (not proven)'}"


def liang_yuan(watch: Watch) -> Example:
    """Compute what Liang and Yuan say of ten patients: stars of their releases, and the least."""
    table = _patients()
    asked: list[tuple[str, str, Groups | None, dict[str, Any]]] = [
        ("3-anonymity", "Table 2", TABLE_2, {"k": 3}),
        ("2-diversity (frequency)", "Table 3", TABLE_3, {"k": 1, "l": 2}),
        ("0.1-closeness", "Table 5", TABLE_5, {"k": 1, "t": "1/10"}),
        ("0-closeness", "-", None, {"k": 1, "t": 0}),
        ("0.4-closeness", "-", None, {"k": 1, "t": "2/5"}),
    ]
    rows = []
    for words, where, groups, settings in asked:
        cost = "-" if groups is None else f"{_cost(table, groups):,}"
        rows.append((words, where, cost, _least(table, watch, solver="subset_dp", outliers="forbid", **settings)))
    diverse = max(max(_shares(table, group).values()) for group in TABLE_3)
    far = max(_distance(table, group) for group in TABLE_5)
    stars = table.released([(0, 1, 2), *([i] for i in range(3, 10))])[0].count("*")
    whole = sorted(_shares(table, range(1, 11)).values())
    verdicts = (
        said("Table 2 is 3-anonymous: its smallest group", 3, min(map(len, TABLE_2))),
        said("all people in the third group of Table 2 have", ["Cancer"], list(_shares(table, TABLE_2[2]))),
        Verdict("Table 3 is 2-diverse", "at most 1/2", f"{diverse} of a group have one disease", 2 * diverse <= 1),
        said("Table 4, the first three records: stars of every suppressor", 5, stars),
        said("the distribution of Table 1 is (0.3, 0.3, 0.4)", "3/10, 3/10, 2/5", ", ".join(map(str, whole))),
        said("how far the first group of Table 3 is from the table", Fraction(2, 5), _distance(table, TABLE_3[0])),
        Verdict("Table 5 is a 0.1-closeness partition", "at most 1/10", f"at most {far}", far <= Fraction(1, 10)),
    )
    notes = (
        "the digits of zip code and age are columns of their own, as in the paper; all diseases are one apart",
        "the paper's tables are examples of a requirement, not releases of least cost, and it does not say so of any",
    )
    return Example(
        name="liang-yuan", paper=LIANG_YUAN, verdicts=verdicts, notes=notes,
        title="Tables 1 to 5: ten patients, eight quasi-identifiers; stars of the paper's releases and the least",
        head=("requirement", "example", "its stars", "least"), rows=tuple(rows),
    )  # fmt: skip


def stars_of(edges: Sequence[tuple[int, int]], most: int = 1000) -> int:
    """Return in how many ways the edges of a graph can be cut into 4-stars, three edges at a centre each.

    The edges are those of a simple graph whose nodes have few edges. More ways than `most` are not counted. The search
    always cuts the edge with the fewest stars left: exponential time at worst.
    """
    at: dict[int, list[int]] = {}
    for number, edge in enumerate(edges):
        for node in edge:
            at.setdefault(node, []).append(number)
    stars = {
        number: [set(three) for node in edge for three in itertools.combinations(at[node], 3) if number in three]
        for number, edge in enumerate(edges)
    }

    def count(left: frozenset[int]) -> int:
        if not left:
            return 1
        choices = min(([star for star in stars[number] if star <= left] for number in left), key=len)
        found = 0
        for star in choices:
            found += count(left - star)
            if found >= most:
                break
        return found

    return count(frozenset(range(len(edges))))


def blocki_williams(watch: Watch) -> Example:
    """Compute what Blocki and Williams say of two formulas, their graphs and binary tables."""
    rows, ways, solutions, cut = [], [], [], []
    for number, formula in enumerate(FORMULAS, 1):
        made = instance("one-in-three-sat", formula)
        table = made.table
        assert table is not None
        values = [one for one in itertools.product((True, False), repeat=formula.variables) if formula.holds(one)]
        solutions.append(", ".join("".join("tf"[not one] for one in found) for found in values) or "none")
        ends = [[j for j, cell in enumerate(row) if cell == "1"] for row in table.rows]
        ways.append(stars_of([(u, v) for u, v in ends]))
        least = _least(table, watch, k=3, outliers="forbid", mask=Mask(max_stars=3), solver="exact")
        cut.append(least == f"{3 * len(ends):,}")
        counts = (len(values), len(table.quasi_identifiers), len(ends), ways[-1])
        rows.append((f"Example {number}", *map(str, counts), f"{made.threshold:,}", least))
    verdicts = (
        said("the satisfying assignments of Example 1's formula", "ttf, fff", solutions[0]),
        said("in how many ways its graph can be cut into 4-stars", 2, ways[0]),
        said("1-in-3 solutions of Example 2's formula", "none", solutions[1]),
        said("in how many ways its graph can be cut into 4-stars", 0, ways[1]),
        said("whether three stars a row do for 3-anonymity, as the graph can be cut (Lemma 6)", [True, False], cut),
    )
    notes = (
        "the graphs are made as in the proof of Theorem 1.5 (`incrowd instance one-in-three-sat`)",
        "the tables are released with at most three stars a row, or all: that changes no answer",
    )
    return Example(
        name="blocki-williams", paper=BLOCKI_WILLIAMS, verdicts=verdicts, notes=notes, rows=tuple(rows),
        title="Examples 1 and 2: formulas as graphs to cut into 4-stars, and as binary tables to make 3-anonymous",
        head=("example", "solutions", "nodes", "edges", "ways to cut", "3 a row", "least stars"),
    )  # fmt: skip


EXAMPLES = {
    "liang-yuan": ("Tables 1 to 5 of Liang and Yuan: costs and optima", liang_yuan),
    "blocki-williams": ("Examples 1 and 2 of Blocki and Williams: formulas, graphs and binary tables", blocki_williams),
}
