"""The small examples of two papers: what the text says of each beside what is computed."""

from __future__ import annotations

import csv
import io
import itertools
from collections import Counter
from dataclasses import asdict, dataclass
from fractions import Fraction
from importlib.resources import files
from typing import TYPE_CHECKING, Any

import pyarrow as pa

from incrowd import anonymize
from incrowd.errors import PolicyError
from incrowd.hardness import instance
from incrowd.hardness.sources import Formula
from incrowd.hardness.values import Table
from incrowd.reproduce.claims import Verdict
from incrowd.reproduce.words import grid, told
from incrowd.tables.mask import Mask

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from incrowd.progress import Watch


LIANG_YUAN = "Liang, Yuan: On the Complexity of t-Closeness Anonymization and Related Problems"
BLOCKI_WILLIAMS = "Blocki, Williams: Resolving the Complexity of Some Data Privacy Problems (2010)"
# The groups of the paper's tables, records numbered from 1 as there.
TABLE_2 = ((1, 2, 3), (4, 5, 6, 7), (8, 9, 10))
TABLE_3 = ((1, 2), (3, 5, 8, 9), (4, 6), (7, 10))
TABLE_5 = ((1, 2, 4), (3, 5, 8, 9), (6, 7, 10))
Groups = tuple[tuple[int, ...], ...]
FORMULAS = (Formula(3, ((-1, 2, 3), (1, -2, 3))), Formula(3, ((1, 2, 3), (-1, -2, -3))))  # Examples 1 and 2


@dataclass(frozen=True, slots=True, kw_only=True)
class Example:
    """A paper's examples with our figures. `head`: names of the columns of `rows`. `rows`: what was computed."""

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
            "claims": [asdict(one) | {"verdict": one.word} for one in self.verdicts],
            "notes": list(self.notes),
        }


def known_examples() -> list[dict[str, Any]]:
    """Return name, summary and source of every paper's examples."""
    bundled = "nowhere: its tables are in the package"
    return [
        {"name": "liang-yuan", "summary": "Tables 1 to 5 of Liang and Yuan: costs and optima", "source": bundled},
        {
            "name": "blocki-williams",
            "summary": "Examples 1 and 2 of Blocki and Williams: formulas, graphs and binary tables",
            "source": bundled,
        },
    ]


def example(name: str, watch: Watch) -> Example:
    """Compute a paper's examples.

    The names are ``liang-yuan`` and ``blocki-williams``; PolicyError is raised if there is none of that name. The watch
    gets an event per optimum. It takes seconds: ten rows of eight columns, and binary tables of at most 75 rows.
    """
    made: dict[str, Callable[[Watch], Example]] = {"liang-yuan": _liang_yuan, "blocki-williams": _blocki_williams}
    if name not in made:
        raise PolicyError(f"there are no examples named {name!r}; there are {', '.join(made)}")
    return made[name](watch)


def text_of(found: Example) -> str:
    """Return the examples as text: the table, the sentences with their verdicts, the notes.

    The lines of text end with a line end.
    """
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
    watch.tell("reproduce", cost=found.facts["cost"], status=found.facts["status"])
    return f"{found.facts['cost']:,}{'' if found.facts['status'] == 'optimal' else ' (not proven)'}"


def _liang_yuan(watch: Watch) -> Example:
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
        least = _least(table, watch, solver="subset_dp", outliers="forbid", **settings)
        rows.append((words, where, cost, least))
    third = _shares(table, TABLE_2[2])
    diverse = max(max(_shares(table, group).values()) for group in TABLE_3)
    first, far = _distance(table, TABLE_3[0]), max(_distance(table, group) for group in TABLE_5)
    whole = sorted(_shares(table, range(1, 11)).values())
    stars = table.released([(0, 1, 2), *([i] for i in range(3, 10))])[0].count("*")
    verdicts = (
        Verdict("Table 2 is 3-anonymous", min(map(len, TABLE_2)) >= 3, f"groups of {_sizes(TABLE_2)} records"),
        Verdict("all people in the third group of Table 2 have cancer", third == {"Cancer": 1}, _told(third)),
        Verdict(
            "Table 3 is 2-diverse", diverse <= Fraction(1, 2), f"a disease has at most {float(diverse):g} of a group"
        ),
        Verdict("Table 4, the first three records: every suppressor costs 5", stars == 5, f"{stars} stars a record"),
        Verdict(
            "the distribution of Table 1 is (0.3, 0.3, 0.4)",
            whole == [Fraction(3, 10), Fraction(3, 10), Fraction(2, 5)],
            ", ".join(f"{float(share):g}" for share in whole),
        ),
        Verdict(
            "the first group of Table 3 is 0.4 from the table, so that the table is not 0.1-close",
            first == Fraction(2, 5),
            f"{float(first):g}",
        ),
        Verdict("Table 5 is a 0.1-closeness partition", far <= Fraction(1, 10), f"at most {float(far):.3g} from it"),
    )
    notes = (
        "the digits of zip code and age are columns of their own, as in the paper; all diseases are one apart",
        "the paper's tables are examples of a requirement, not releases of least cost, and it does not say so of any",
    )
    title = "Tables 1 to 5: ten patients, eight quasi-identifiers; stars of the paper's releases and the least"
    head = ("requirement", "example", "its stars", "least")
    return Example(
        name="liang-yuan", paper=LIANG_YUAN, title=title, head=head, rows=tuple(rows), verdicts=verdicts, notes=notes
    )


def _sizes(groups: Groups) -> str:
    return ", ".join(str(len(group)) for group in groups)


def _told(shares: dict[str, Fraction]) -> str:
    return ", ".join(f"{float(share):g} {value}" for value, share in shares.items())


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


def _blocki_williams(watch: Watch) -> Example:
    rows, ways, solutions, least = [], [], [], []
    for number in (1, 2):
        made = instance("one-in-three-sat", FORMULAS[number - 1])
        table = made.table
        assert table is not None
        formula = made.source
        values = [one for one in itertools.product((True, False), repeat=formula.variables) if formula.holds(one)]
        edges = [tuple(j for j, cell in enumerate(row) if cell == "1") for row in table.rows]
        ways.append(stars_of([(edge[0], edge[1]) for edge in edges]))
        solutions.append(values)
        least.append(_least(table, watch, k=3, outliers="forbid", mask=Mask(max_stars=3), solver="exact"))
        rows.append(
            (
                f"Example {number}",
                f"{len(values)}",
                f"{len(table.quasi_identifiers)}",
                f"{len(edges)}",
                f"{ways[-1]}",
                f"{made.threshold:,}",
                least[-1],
            )
        )
    words = [", ".join("".join("tf"[not one] for one in values) for values in found) or "none" for found in solutions]
    verdicts = (
        Verdict(
            "the formula of Example 1 has two satisfying assignments, (t, t, f) and (f, f, f)",
            sorted(solutions[0]) == [(False, False, False), (True, True, False)],
            words[0],
        ),
        Verdict("its graph can be cut into 4-stars in exactly two ways", ways[0] == 2, f"{ways[0]} ways"),
        Verdict("the formula of Example 2 is not 1-in-3 satisfiable", not solutions[1], words[1]),
        Verdict("its graph cannot be cut into 4-stars", ways[1] == 0, f"{ways[1]} ways"),
        Verdict(
            "three stars a row do for 3-anonymity if and only if the graph can be cut (Lemma 6)",
            [int(cost.replace(",", "").split()[0]) == 3 * int(row[3]) for cost, row in zip(least, rows, strict=True)]
            == [bool(number) for number in ways],
            f"the least is {least[0]} and {least[1]} stars for {rows[0][3]} and {rows[1][3]} rows",
        ),
    )
    title = "Examples 1 and 2: formulas as graphs to cut into 4-stars, and as binary tables to make 3-anonymous"
    head = ("example", "solutions", "nodes", "edges", "ways to cut", "3 a row", "least stars")
    notes = (
        "the graphs are made as in the proof of Theorem 1.5 (`incrowd instance one-in-three-sat`)",
        "the tables are released with at most three stars a row, or all: that changes no answer",
    )
    return Example(
        name="blocki-williams", paper=BLOCKI_WILLIAMS, title=title, head=head, rows=tuple(rows), verdicts=verdicts,
        notes=notes,
    )  # fmt: skip
