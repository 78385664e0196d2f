"""The lines of Mondrian, at the door, against plain cuts row by row and the definition of usefulness."""

import json
from fractions import Fraction

import pytest

from oracle import measures as plain


def cuts(rows, k):
    """Parts as lists of row numbers: the toolbox's Mondrian on rows of numbers."""

    def split(part, region):
        widths = [
            (-Fraction(b - a) / max(d - c, 1), j) for j, ((a, b), (c, d)) in enumerate(zip(region, whole, strict=True))
        ]
        for width, j in sorted(widths):
            median = sorted(rows[i][j] for i in part)[(len(part) + 1) // 2 - 1]
            left, right = [i for i in part if rows[i][j] <= median], [i for i in part if rows[i][j] > median]
            if width < 0 and len(left) >= k and len(right) >= k:
                (low, high) = region[j]
                lower, upper = list(region), list(region)
                lower[j], upper[j] = (low, median), (median, high)
                return [*split(left, lower), *split(right, upper)]
        return [part]

    whole = [(min(column), max(column)) for column in zip(*rows, strict=True)]
    return split(list(range(len(rows))), whole)


def agrees(line, rows, places, numeric):
    parts = cuts(places, line["k"])
    sizes = [len(part) for part in parts]
    assert (line["groups"], line["largest"], line["smallest"]) == (len(parts), max(sizes), min(sizes))
    assert line["mean"] == pytest.approx(len(rows) / len(parts))
    width = len(rows[0])
    assert line["suppressed"] == sum(
        len(p) * sum(len({rows[i][j] for i in p}) > 1 for j in range(width)) for p in parts
    )
    cells = [tuple(cell or None for cell in row) for row in rows]
    told = [(cells[i], (0,) * width, g) for g, part in enumerate(parts) for i in part]
    assert line["usefulness"] == pytest.approx(float(plain.usefulness(told, numeric)), abs=1e-6)


def ranks(column, order):
    place = {value: number for number, value in enumerate(order)}
    return [place[value] for value in column]


def test_on_cmc_values_lie_one_apart(run, data_dir):
    rows = [tuple(line.split(",")) for line in (data_dir / "cmc.data").read_text().split()]
    rows = [row for row in rows if row[0].isdigit()]
    places = list(
        zip(*(ranks(column, sorted(set(column), key=int)) for column in zip(*rows, strict=True)), strict=True)
    )
    status, out, err = run("reproduce", "cmc", "--data", data_dir, "--ks", "5,50", "--json", "--quiet")
    assert status == 0, err
    for line in json.loads(out)["lines"]:
        if line["method"] == "mondrian":
            agrees(line, rows, places, [])


def test_on_canada_numbers_lie_by_their_value_and_texts_as_they_come(run, tmp_path):
    rows, lines = [], []
    for i in range(200):
        row = [("Spontaneous", "Study")[i % 2], ("Male", "Female", "")[i % 3], str(20 + i * i % 50), "Unknown"]
        row += [f"{50 + i % 9}.5", "", "Yes", "Physician", ("MAH", "Hospital")[i % 7 % 2]]
        fields = [""] * 42
        for place, cell in zip((7, 10, 13, 17, 19, 22, 26, 34, 37), row, strict=True):
            fields[place] = cell
        rows.append(tuple(row))
        lines.append("$".join(f'"{field}"' for field in fields))
    (tmp_path / "reports.txt").write_text("\n".join(lines) + "\n", encoding="utf-8")
    columns = list(zip(*rows, strict=True))
    places = [ranks(column, ["", *dict.fromkeys(filter(None, column))]) for column in columns]
    places[2], places[4] = ([Fraction(value) for value in columns[j]] for j in (2, 4))
    status, out, err = run("reproduce", "canada", "--data", ".", "--ks", "2,9", "--json", "--quiet")
    assert status == 0, err
    found = json.loads(out)
    assert (found["rows"], found["patterns"], len(found["lines"])) == (200, 512, 4)
    for line in found["lines"]:
        if line["method"] == "mondrian":
            agrees(line, rows, list(zip(*places, strict=True)), [2, 4, 5])
    assert any("the file has 200 rows, the paper's had 324,489" in note for note in found["notes"])
    assert [claim["verdict"] for claim in found["claims"] if "2,448" in claim["claim"]] == ["does not hold"]
