"""What is done to true releases and certificates, by name."""

from __future__ import annotations

import copy
import json
import random

from checkers import changes
from checkers.changes import at, claimed, finer, places

# --- releases: (header and rows, lists of cells, and the corpus's entry) -> header and rows ------------------------


def quasi(entry):
    return entry.question.quasi


def own_places(rows, entry):
    return [rows[0].index(c) for c in quasi(entry)]


def classes(rows, entry):
    """The rows of every class of equal cells."""
    found = {}
    for r, row in enumerate(rows[1:], 1):
        found.setdefault(tuple(row[j] for j in own_places(rows, entry)), []).append(r)
    return list(found.values())


def starred(rows, entry):
    """A row and a column with a star."""
    star = entry.question.star or ""
    return next(((r, j) for r, row in enumerate(rows) if r for j in own_places(rows, entry) if row[j] == star), None)


def shown(rows, entry):
    """A row and a column without one."""
    star = entry.question.star or ""
    return next(((r, j) for r, row in enumerate(rows) if r for j in own_places(rows, entry) if row[j] != star), None)


def at_cell(find, value):
    """Put something into a cell that is found; nothing where there is none."""

    def change(rows, entry):
        spot = find(rows, entry)
        if spot is None:
            return None
        r, j = spot
        rows[r][j] = value(rows, entry, r, j)
        return rows

    return change


def another(rows, entry, r, j):
    """A value of the column that this row does not have."""
    values = [row[entry.names.index(rows[0][j])] for row in entry.rows]
    return next((value for value in sorted(filter(None, values)) if value != rows[r][j]), "another")


def swapped(rows, entry):
    """The sensitive cells of two rows of two classes."""
    some = classes(rows, entry)
    j = next((j for j, name in enumerate(rows[0]) if name not in quasi(entry)), None)
    for one in some[0]:
        for other in (r for two in some[1:] for r in two):
            if j is not None and rows[one][j] != rows[other][j]:
                rows[one][j], rows[other][j] = rows[other][j], rows[one][j]
                return rows
    return None


def beneath_k(rows, entry):
    """A row of the smallest class becomes one of the largest."""
    some = sorted(classes(rows, entry), key=len)
    if len(some) < 2:
        return None
    for j in own_places(rows, entry):
        rows[some[0][0]][j] = rows[some[-1][0]][j]
    return rows


def other_label(rows, entry):
    """A label of the hierarchy that does not stand above the row's value."""
    for r, row in enumerate(rows[1:], 1):
        for j in own_places(rows, entry):
            labels = {label for line in entry.trees.get(rows[0][j], ()) for label in line if row[j] not in line}
            if labels:
                rows[r][j] = min(labels)
                return rows
    return None


def own_level(rows, entry):
    """A whole class a level up or down, where its hierarchy has one."""
    for some in classes(rows, entry):
        for j in own_places(rows, entry):
            lines = entry.trees.get(rows[0][j], ())
            label = next(
                (line[(line.index(rows[some[0]][j]) + 1) % len(line)] for line in lines if rows[some[0]][j] in line),
                None,
            )
            if label:
                for r in some:
                    rows[r][j] = label
                return rows
    return None


def as_it_was(rows, entry):
    """Every row as it was before."""
    at = [entry.names.index(name) for name in rows[0]]
    return [rows[0], *([row[j] or "" for j in at] for row in entry.rows)]


def one_as_it_was(rows, entry):
    return [*as_it_was(rows, entry)[:2], *rows[2:]]


def all_stars(rows, entry):
    star = entry.question.star or ""
    return [
        rows[0],
        *(
            [star if name in quasi(entry) else cell for name, cell in zip(rows[0], row, strict=True)]
            for row in rows[1:]
        ),
    ]


def stars(rows, entry):
    """One row more of stars alone."""
    full = all_stars(rows, entry)
    r = next((r for r in range(1, len(rows)) if rows[r] != full[r]), None)
    return None if r is None else [*rows[:r], full[r], *rows[r + 1 :]]


def column(change):
    """Something done to every row alike, told the place of the last column and whether it is the header."""
    return lambda rows, entry: [change(row, len(rows[0]) - 1, r == 0) for r, row in enumerate(rows)]


RELEASES = {
    "untouched": lambda rows, entry: rows,
    "another order": lambda rows, entry: [rows[0], *rows[:0:-1]],
    "a row lost": lambda rows, entry: rows[:-1],
    "a row doubled": lambda rows, entry: [*rows, rows[-1]],
    "a row in the place of another": lambda rows, entry: [*rows[:-1], rows[1]],
    "half of the rows": lambda rows, entry: rows[: len(rows) // 2 + 1],
    "no rows": lambda rows, entry: rows[:1],
    "sensitive cells swapped": swapped,
    "a cell starred": at_cell(shown, lambda rows, entry, r, j: entry.question.star or ""),
    "a star shown": at_cell(starred, another),
    "another's value": at_cell(shown, another),
    "a value of nobody": at_cell(shown, lambda *_: "made up"),
    "a value in capitals": at_cell(shown, lambda rows, entry, r, j: rows[r][j].upper()),
    "a blank behind a value": at_cell(shown, lambda rows, entry, r, j: rows[r][j] + " "),
    "a value of 0 digits more": at_cell(shown, lambda rows, entry, r, j: rows[r][j] + ".0"),
    "an empty cell": at_cell(shown, lambda *_: ""),
    "the word NULL": at_cell(shown, lambda *_: "NULL"),
    "another star": at_cell(starred, lambda *_: "**"),
    "a class beneath k": beneath_k,
    "a label of others": other_label,
    "a class at another level": own_level,
    "one row as it was": one_as_it_was,
    "all as it was": as_it_was,
    "stars alone": all_stars,
    "one row of stars": stars,
    "a column lost": column(lambda row, last, head: row[:last]),
    "a quasi-identifier lost": column(lambda row, last, head: row[1:]),
    "a column doubled": column(lambda row, last, head: [*row, row[last]]),
    "a column renamed": column(lambda row, last, head: [*row[:last], "another" if head else row[last]]),
    "two columns exchanged": column(lambda row, last, head: [row[1], row[0], *row[2:]]),
    "a new column": column(lambda row, last, head: [*row, "new" if head else "x"]),
    "a cell too many": lambda rows, entry: [*rows[:-1], [*rows[-1], "x"]],
    "a cell too few": lambda rows, entry: [*rows[:-1], rows[-1][:-1]],
    "no header": lambda rows, entry: rows[1:],
}

# --- files of releases: bytes -> bytes; whether what they hold is what it was ----------------------------------------

FILES = {
    "lines that end by CRLF": (lambda data: data.replace(b"\n", b"\r\n"), True),
    "every cell quoted": (lambda data: b"".join(
        b",".join(b'"' + cell + b'"' for cell in line.split(b",")) + b"\n" for line in data.splitlines()
    ), True),
    "a mark of UTF-8 before it": (lambda data: b"\xef\xbb\xbf" + data, True),
    "no end of the last line": (lambda data: data[:-1], True),
    "a byte that is no UTF-8": (lambda data: data[:-2] + b"\xff\n", False),
    "a byte 0": (lambda data: data[:-2] + b"\0\n", False),
    "nothing": (lambda data: b"", False),
    "semicolons": (lambda data: data.replace(b",", b";"), False),
}  # fmt: skip

# --- certificates: (object, another one, random) -> object, text or bytes; None where there is nothing to change -----


def put(*path, value=None, by=None):
    """Change what stands at a path, by its value or for another."""

    def change(made, other, rng):
        try:
            old = at(made, path)
        except (KeyError, IndexError, TypeError):
            return None
        at(made, path[:-1])[path[-1]] = value if by is None else by(old)
        return made

    return change


def gone(key):
    def change(made, other, rng):
        return None if key not in made else {name: told for name, told in made.items() if name != key}

    return change


def first(kind, change):
    """Change the first object, list or number of some kind: the key that it stands under."""

    def found(made, other, rng):
        for path in places(made):
            if path and path[-1] == kind and at(made, path) not in ([], {}, None):
                told = change(at(made, path), made, rng)
                if told is not None:
                    at(made, path[:-1])[path[-1]] = told
                    return made
        return None

    return found


def text(change):
    """Change the text; certificates of lines have their own ways (`tests/checkers/test_lines.py`)."""
    return lambda made, other, rng: None if made["version"] in (13, 16) else change(json.dumps(made))


def moved_price(by):
    """A price higher or lower by so many parts."""

    def change(made, other, rng):
        inner = made.get("matching", made)
        if "prices" not in inner or not inner["prices"]:
            return None
        spot = rng.randrange(len(inner["prices"]))
        inner["prices"][spot] += by * inner.get("parts", inner.get("scale", 1))
        return made

    return change


def without_cut(made, other, rng):
    for tree in made.get("trees", ()):
        if tree["cuts"]:
            del tree["cuts"][rng.randrange(len(tree["cuts"]))]
            return made
    return None


def sides_exchanged(node, made, rng):
    if "closed" not in node:
        return None
    return node | {"closed": node["open"], "open": node["closed"]}


def one_more(made, other, rng):
    """Everything as it is, and a claim of a step more of a release that costs it."""
    return None if made["lower_bound_checked"] is None else claimed(made, made["lower_bound_checked"] + 1)


def near(value, made, rng):
    return [*value[:-1], value[-1] + 1] if type(value[-1]) is int else None


CERTIFICATES = {
    "untouched": lambda made, other, rng: made,
    "a cost of one more": put("cost", by=lambda cost: cost + 1),
    "a cost of one less": put("cost", by=lambda cost: cost - 1),
    "a cost of nothing": lambda made, other, rng: made | {"cost": 0, "lower_bound": 0, "lower_bound_checked": 0},
    "a bound of one more": one_more,
    "more checked than claimed": put("lower_bound_checked", by=lambda bound: bound + 1),
    "a solver's word of all": lambda made, other, rng: made | {"proof": "solver", "lower_bound_checked": 0, "lower_bound": made["cost"]},
    "less claimed": lambda made, other, rng: made | {"lower_bound": 0, "lower_bound_checked": 0},
    "a bound below nothing": lambda made, other, rng: made | {"lower_bound": -1, "lower_bound_checked": -1},
    "rows": put("rows", by=lambda rows: rows + 1),
    "row types": put("row_types", by=lambda types: types - 1),
    "k of one more": put("k", by=lambda k: k + 1),
    "k of one less": put("k", by=lambda k: k - 1),
    "the other rule for outliers": put("outliers", by=lambda told: {"forbid": "suppress", "suppress": "forbid"}[told]),
    "no rule for outliers": put("outliers", value="none"),
    "another scale": put("scale", by=lambda scale: 2 * scale),
    "another release": put("released_sum", value="0" * 32),
    "no proof": put("proof", value="none"),
    "version 9": put("version", value=9),
    "another's version": put("version", by=lambda version: (version - 10) % 3 + 11),
    "a version that is a text": put("version", value="1"),
    "a version with a point": put("version", value=1.0),
    "true for a number": put("rows", value=True),
    "a number of 40 digits": put("cost", value=10**40),
    "another name": put("certificate", value="another"),
    "a number for people": put("for", value=1),
    "a text for people": put("for", value="you"),
    **{f"no {key}": gone(key) for key in (
        "certificate", "version", "rows", "k", "scale", "cost", "lower_bound", "lower_bound_checked", "proof", "parts", "prices",
        "components", "trees", "matching", "requirements", "whole_below", "multipliers", "step", "steps", "column", "levels",
        "suppressed_rows", "most_suppressed", "outliers", "row_types", "released_sum",
    )},
    "an unknown key": lambda made, other, rng: made | {"note": 1},
    "an unknown key inside": first("trees", lambda trees, made, rng: [trees[0] | {"note": 1}, *trees[1:]]),
    "another's proof": lambda made, other, rng: changes.as_if_for(other, made),
    "another's certificate": lambda made, other, rng: other,
    # prices
    "a price higher": moved_price(1),
    "a price lower": moved_price(-1),
    "a price higher by one part": lambda made, other, rng: None if "parts" not in made or made["parts"] == 1 else moved_price(1)(
        made | {"parts": 1}, other, rng) | {"parts": made["parts"]},
    "a price higher, and claimed": lambda made, other, rng: (
        (told := moved_price(1)(made, other, rng)) and claimed(told, told["cost"])),
    "prices of nothing": put("prices", by=lambda prices: [0] * len(prices)),
    "prices in another order": put("prices", by=lambda prices: prices[::-1]),
    "a price too few": put("prices", by=lambda prices: prices[:-1]),
    "a price too many": put("prices", by=lambda prices: [*prices, 0]),
    "a price with a point": put("prices", by=lambda prices: [*prices[:-1], 1.0]),
    "prices that are a number": put("prices", value=1),
    "a price of 2^61": put("prices", by=lambda prices: [*prices[:-1], 2**61]),
    "prices that wrap around": put("prices", by=lambda prices: [prices[0] + 2**59, prices[1] - 2**59, *prices[2:]]),
    "finer parts": lambda made, other, rng: finer(made, 7),
    "parts of 0": put("parts", value=0),
    "parts below 0": put("parts", value=-1),
    # components, trees and cuts
    "one component": put("components", by=lambda told: told and [0] * len(told)),
    "a component each": put("components", by=lambda told: told and list(range(len(told)))),
    "a component without number 0": put("components", by=lambda told: told and [one + 1 for one in told]),
    "a component below 0": put("components", by=lambda told: told and [-1, *told[1:]]),
    "no components": put("components", value=None),
    "no trees": put("trees", value=[]),
    "a tree twice": put("trees", by=lambda trees: trees and [*trees, trees[0]]),
    "a tree that is a number": put("trees", value=[1]),
    "a tree of another component": first("component", lambda told, made, rng: told + 1),
    "without a cut": without_cut,
    "a cut of another kind": first("cuts", lambda cuts, made, rng: [cuts[0] | {"kind": "X"}, *cuts[1:]]),
    "a cut of all types": first("types", lambda types, made, rng: list(range(made["row_types"]))),
    "a type twice": first("types", lambda types, made, rng: [*types, types[0]]),
    "an instance twice in a cut": first("cuts", lambda cuts, made, rng: None if not cuts[0].get("instances") else [
        cuts[0] | {"instances": [*cuts[0]["instances"], cuts[0]["instances"][0]]}, *cuts[1:]]),
    "an instance of another level": first("instances", lambda names, made, rng: None if type(names[0]) is int else [
        [1 - min(names[0][0], 1), *names[0][1:]], *names[1:]]),
    "an instance of a type that is not there": first("instances", lambda names, made, rng: None if type(names[0]) is int else [
        [*names[0][:-1], 10**6], *names[1:]]),
    "a name too short": first("instances", lambda names, made, rng: None if type(names[0]) is int else [names[0][:-1], *names[1:]]),
    "closed for open": first("tree", sides_exchanged),
    "an open side that is missing": first("tree", lambda node, made, rng: None if "open" not in node else {
        key: told for key, told in node.items() if key != "open"}),
    "a branch on what is not listed": first("instance", lambda told, made, rng: told + 1000),
    "a weight of one more": first("weights", lambda pairs, made, rng: [near(pairs[0], made, rng), *pairs[1:]]),
    "a weight below 0": first("weights", lambda pairs, made, rng: [[pairs[0][0], -1], *pairs[1:]]),
    "a weight of 2^60": first("weights", lambda pairs, made, rng: [[pairs[0][0], 2**60], *pairs[1:]]),
    "a weight of no cut": first("weights", lambda pairs, made, rng: [[1000, 1], *pairs[1:]]),
    "a leaf's price of one more": first("tree", lambda node, made, rng: _deepest(node, [[0, 1]])),
    "a leaf's price of no type": first("tree", lambda node, made, rng: _deepest(node, [[1000, 1]])),
    "a leaf's price of 2^60": first("tree", lambda node, made, rng: _deepest(node, [[0, 2**60]])),
    "a tree of 500 nodes": first("tree", lambda node, made, rng: _chain(500)),
    # matching
    "sets left out": put("matching", "sets", value=[]),
    "a set of two": put("matching", "sets", value=[{"rows": [0, 1], "price": 1}]),
    "a set below 0": put("matching", "sets", value=[{"rows": [0, 1, 2], "price": -1}]),
    "a set of three": put("matching", "sets", value=[{"rows": [0, 1, 2], "price": 1}]),
    "a set of rows that are not there": put("matching", "sets", value=[{"rows": [0, 1, 10**6], "price": 0}]),
    "a row twice in a set": put("matching", "sets", value=[{"rows": [0, 1, 1], "price": 0}]),
    "a row of no type": put("matching", "rows", by=lambda rows: [10**6, *rows[1:]]),
    "a type more often than it has rows": put("matching", "rows", by=lambda rows: [rows[0]] * len(rows)),
    "a scale of 0": put("matching", "scale", value=0),
    "a scale of 2^58": put("matching", "scale", value=2**58),
    "a divisor that divides nothing": put("matching", "divisor", value=7919),
    "a divisor of 0": put("matching", "divisor", value=0),
    "diversity claimed": lambda made, other, rng: None if "matching" not in made else made | {"diverse": True},
    "diversity left out": gone("diverse"),
    # requirements
    "other requirements": put("requirements", by=lambda told: [*told, "p-sensitive p=2 column=ill"]),
    "classes listed below 1": put("whole_below", value=1),
    "classes listed below 0": put("whole_below", value=0),
    "classes listed below 5000": put("whole_below", value=5000),
    "multipliers left out": put("multipliers", value=[]),
    "a multiplier that is a number": put("multipliers", value=[1]),
    "a multiplier of one more": first("multipliers", lambda told, made, rng: [near(told[0], made, rng), *told[1:]]),
    "a multiplier twice": first("multipliers", lambda told, made, rng: [told[0], *told]),
    "a multiplier below 0": first(
        "multipliers", lambda told, made, rng: [[*told[0][:-1], -1 - abs(told[0][-1])], *told[1:]]
    ),
    "a multiplier of no requirement": put("multipliers", by=lambda told: [[0, 0, 0, 0, 1000, 0, 1]]),
    # ranges and one recoding
    "another step": put("step", by=lambda step: [2 * step[0], step[1]]),
    "a step of 0": put("step", value=[0, 1]),
    "a step that is a number": put("step", value=10),
    "another step of two": put("steps", by=lambda steps: [[2 * steps[0][0], steps[0][1]], *steps[1:]]),
    "a step too few": put("steps", by=lambda steps: steps[:-1]),
    "another column": put("column", by=lambda told: told + 1),
    "other columns": put("columns", by=lambda told: told[::-1]),
    "other levels": put("levels", by=lambda told: [*told[:-1], 1 - min(told[-1], 1)]),
    "levels of no such height": put("levels", by=lambda told: [*told[:-1], 9]),
    "levels too few": put("levels", by=lambda told: told[:-1]),
    "more rows suppressed": put("suppressed_rows", by=lambda told: told + 1),
    "more rows that may be": put("most_suppressed", by=lambda told: told + 1),
    # texts
    "a name twice": text(lambda told: told.replace('"rows":', '"rows": 1, "rows":', 1)),
    "NaN": text(lambda told: told.replace('"scale": ', '"scale": NaN, "q": ', 1)),
    "cut short": text(lambda told: told[:-1]),
    "two of them": text(lambda told: told + told),
    "a mark before it": text(lambda told: "\ufeff" + told),
    "written in lines": text(lambda told: json.dumps(json.loads(told), indent=1)),
    "in brackets": text(lambda told: f"[{told}]"),
    "a list": text(lambda told: "[]"),
    "nothing": text(lambda told: ""),
    "brackets alone": text(lambda told: "[" * 100_000),
    "bytes that are no text": text(lambda told: told.encode().replace(b'"for"', b'"f\xffr"') + b"\xff"),
    "packed without lines": text(lambda told: b"\x1f\x8b\x08\x00" + told.encode()),
}  # fmt: skip


def _deepest(node, prices):
    """A tree whose first leaf has other prices."""
    if "closed" in node:
        return node | {"closed": _deepest(node["closed"], prices)}
    return node | {"prices": prices}


def _chain(depth):
    node = {"prices": [], "weights": []}
    for _ in range(depth):
        node = {"instance": 0, "closed": node, "open": {"prices": [], "weights": []}}
    return node


def tampered(name, certificate, other, seed=0):
    """A certificate with something done to it, or None."""
    return CERTIFICATES[name](copy.deepcopy(certificate), other, random.Random(f"{name} {seed}"))
