"""What is written is what was verified: for every option that touches rows, and for every kind of file.

The rows that the check is given are taken at the one place where a job hands them over, and are held against the file
as the csv module, the json module or Arrow read it. A file that holds anything else is never published.
"""

from __future__ import annotations

import csv
import datetime
import gzip
import io
import json
import random
from collections import Counter
from pathlib import Path

import pyarrow as pa
import pyarrow.feather
import pyarrow.parquet as pq
import pytest

import incrowd
from incrowd.errors import OurBug

# nor can a door write a wrong cell: the writer is followed by somebody who changes the staged file
from incrowd.results import release as outputs

# no door shows the rows between the plan and the file: each recoding's recount is given them, and they are read there
from incrowd.tables.recoding import levels

N = 72
QUASI = ("age", "place", "=work")
TREE = "north;land;*\nsouth;land;*\neast;sea;*\n-west;sea;*\nNULL;sea;*\n"
BAND = {"age": "intervals:10,20"}


def table():
    draw = random.Random(3)
    return pa.table({
        "who": [f"p{i}" for i in range(N)],
        "age": pa.array([draw.choice([30, 31, 38, 45, 52, 60]) for _ in range(N)], pa.int64()),
        "place": [draw.choice(["north", "south", "east", "-west", None]) for _ in range(N)],
        "=work": [draw.choice(["'=mill", "mine, deep", 'the "sea"', "@home", "+5"]) for _ in range(N)],
        "ill": [draw.choice(["flu", "=cold", "gout\n", ""]) for _ in range(N)],
        "born": pa.array([datetime.date(1980, 1, 1 + i % 9) for i in range(N)]),
        "paid": pa.array([draw.choice([None, 1.5, -2.25, 1e-7, 3e20]) for i in range(N)]),
    })  # fmt: skip


OPTIONS = {
    "nothing more": {},
    "order kept": {"keep_order": True},
    "columns dropped": {"other": "drop"},
    "another star": {"star": "hidden, 'all'"},
    "safe for spreadsheets": {"spreadsheet_safe": True},
    "safe, with a star that runs": {"spreadsheet_safe": True, "star": "-"},
    "stars are NULL": {"suppressed": "null"},
    "a hierarchy of a file": {"hierarchies": {"place": "tree.csv"}},
    "a hierarchy by rule": {"hierarchies": BAND, "solver": "greedy"},
    "hierarchies proposed": {"other_hierarchies": "auto", "solver": "greedy"},
    "a hierarchy completed": {"hierarchies": {"place": "short.csv"}, "complete_hierarchies": True},
    "ranges": {"recoding": "ranges", "numeric": ["age"], "solver": "mondrian"},
    "ranges on a grid": {"recoding": "grid", "numeric": ["age"], "round": 5},
    "grid steps": {"recoding": "grid", "numeric": ["age"]},
    "one recoding": {"recoding": "global", "hierarchies": BAND},
    "a limit on suppressed rows": {"recoding": "global", "hierarchies": BAND, "suppression_limit": 0.1},
    "a limit, levels": {"hierarchies": BAND, "suppression_limit": 0.2},
    "few may be outliers": {"outliers": "suppress", "max_stars": 1},
    "blunted": {"blunt": 2},
    "facts are few": {"quiet_facts": True},
    "a mask": {"keep": ["=work"], "together": [["age", "place"]]},
    "weights": {"weights": {"age": "1/3"}, "cost": "entropy"},
    "a distinct l": {"require": ["l-diversity l=2 column=ill kind=distinct"]},
    "t": {"t": 0.4},
    "exact": {"solver": "exact", "k": 2},
    "in the engine": {"types_in_memory": 1},
}
FILES = ("csv", "parquet", "jsonl", "arrow", "csv.gz", "jsonl.gz")


def said(value):
    """A cell as text: what is missing is None."""
    return value if value is None else value.isoformat() if isinstance(value, datetime.date) else str(value)


def numbers_alike(cell):
    """A number as its shortest text, whoever wrote it."""
    try:
        return repr(float(cell)) if cell is not None else None
    except ValueError:
        return cell


def rows_of(names, rows, paid):
    return Counter(tuple(numbers_alike(c) if i == paid else c for i, c in enumerate(row)) for row in rows), names


def kind_of(path):
    """The kind of a file, staged or in its place."""
    return next(kind for kind in ("csv", "jsonl", "parquet", "arrow") if f".{kind}" in path.name)


def read_file(path):
    """Names and rows of a file in their order, by nothing of this package; an empty CSV field is missing."""
    data = path.read_bytes()
    data = gzip.decompress(data) if path.suffix == ".gz" else data
    ending = kind_of(path)
    if ending == "csv":
        names, *rows = csv.reader(io.StringIO(data.decode(), newline=""))
        return names, [tuple(cell or None for cell in row) for row in rows]
    if ending == "jsonl":
        held = [json.loads(line) for line in data.decode().splitlines()]
        return list(held[0]), [tuple(map(said, row.values())) for row in held]
    found = pq.read_table(path) if ending == "parquet" else pyarrow.feather.read_table(str(path))
    return found.column_names, [
        tuple(map(said, row)) for row in zip(*map(pa.ChunkedArray.to_pylist, found.columns), strict=True)
    ]


@pytest.fixture
def verified(monkeypatch):
    """The rows that the check was given, one table a job."""
    seen = []
    real = levels.Recoding.recount

    def recount(self, release, rules):
        verdict = real(self, release, rules)
        ids = [column.id for column in release.table.columns]
        rows = release.table.engine.fetch(release.rows.select(ids))
        seen.append(rows.rename_columns([column.name for column in release.table.columns]))
        return verdict

    monkeypatch.setattr(levels.Recoding, "recount", recount)
    return seen


def settings(option, folder):
    (folder / "tree.csv").write_text(TREE)
    (folder / "short.csv").write_text("north;land;*\nsouth;land;*\n")
    made = {
        "quasi_identifiers": QUASI, "identifiers": ["who"], "sensitive": ["ill"], "k": 3, "time_limit": 0.3,
        **OPTIONS[option],
    }  # fmt: skip
    made["hierarchies"] = {
        name: str(folder / spec) if spec.endswith("csv") else spec for name, spec in made.get("hierarchies", {}).items()
    }
    return made


def marked(text, safe):
    """What stands in a CSV for spreadsheets: an apostrophe before what would run, and is no number."""
    if not safe or text is None:
        return text
    bare = text.lstrip("'")
    runs = bare[:1] in ("=", "+", "-", "@", "\t", "\r") and not bare.lstrip("+-").replace(".", "", 1).isdigit()
    return f"'{text}" if runs else text


@pytest.mark.few("in the engine", "t", "a limit, levels", "grid steps", "a distinct l")
@pytest.mark.parametrize("option", OPTIONS)
def test_the_file_holds_the_rows_that_were_verified(option, verified, tmp_path):
    asked, path = settings(option, tmp_path), tmp_path / "release.csv"
    with incrowd.anonymize(table(), output=path, **asked) as release:
        shown, facts = release.table, release.facts
    (checked,) = verified
    names, rows = read_file(path)
    safe = "spreadsheet_safe" in asked
    assert names == [marked(name, safe) for name in checked.column_names]
    paid = names.index("paid") if "paid" in names else -1
    for given in (checked, shown):
        # of texts the spelling is held, of numbers the value; a CSV tells no empty text from a missing one
        cells = [
            [marked(said(v) or None, safe and pa.types.is_string(c.type)) for v in c.to_pylist()] for c in given.columns
        ]
        assert rows_of(names, zip(*cells, strict=True), paid) == rows_of(names, rows, paid)
    assert len(rows) == facts["rows"] == N
    if asked.get("keep_order"):
        assert [row[names.index("born")] for row in rows] == [said(day) for day in table()["born"].to_pylist()]
    star = asked.get("star", "*")
    if asked.get("suppressed") != "null":
        quasi = [names.index(marked(name, safe)) for name in QUASI]
        stars = sum(row[j] == marked(star, safe) for row in rows for j in quasi)
        assert stars == facts["suppressed_cells"]
        classes = Counter(tuple(row[j] for j in quasi) for row in rows)
        outside = classes.pop((star,) * 3, 0) if asked.get("outliers") == "suppress" else 0
        assert (facts["classes"]["count"], facts["classes"]["min"], facts["classes"]["max"]) == (
            len(classes), min(classes.values()), max(classes.values()),
        )  # fmt: skip
        assert facts["outliers"] == outside
    unasked = {"output", "time_limit", "solver", "blunt", "quiet_facts", "keep_order"}
    held = {name: value for name, value in asked.items() if name not in unasked}
    assert not incrowd.verify(table(), path, **held)


@pytest.mark.few(5)
@pytest.mark.parametrize("option", ["nothing more", "stars are NULL", "order kept", "ranges"])
@pytest.mark.parametrize("ending", FILES)
def test_every_kind_of_file_holds_the_rows_that_were_verified(option, ending, verified, tmp_path):
    path = tmp_path / f"release.{ending}"
    with incrowd.anonymize(table(), output=path, **settings(option, tmp_path)):
        pass
    names, rows = read_file(path)
    (checked,) = verified
    assert names == checked.column_names
    cells = [
        [said(v) if not ending.startswith("csv") else said(v) or None for v in c.to_pylist()] for c in checked.columns
    ]
    assert rows_of(names, zip(*cells, strict=True), 5) == rows_of(names, rows, 5)


def changed(path, seed):
    """One cell of a file otherwise, and the file as well-formed as before."""
    names, rows = read_file(path)
    draw = random.Random(seed)
    i, j = draw.randrange(len(rows)), draw.choice([1, 2, 3])
    rows[i] = (*rows[i][:j], "other", *rows[i][j + 1 :])
    ending = kind_of(path)
    if ending == "csv":
        out = io.StringIO(newline="")
        csv.writer(out, lineterminator="\n").writerows([names, *rows])
        text = out.getvalue()
    elif ending == "jsonl":
        text = "".join(json.dumps(dict(zip(names, row, strict=True))) + "\n" for row in rows)
    else:
        made = pa.table({name: [row[at] for row in rows] for at, name in enumerate(names)})
        (pq.write_table if ending == "parquet" else pyarrow.feather.write_feather)(made, str(path))
        return
    path.write_bytes(gzip.compress(text.encode()) if path.suffix == ".gz" else text.encode())


def short(path):
    """The last row of a text file gone."""
    kept = path.read_bytes().rstrip(b"\n").rpartition(b"\n")[0]
    path.write_bytes(kept + b"\n")


def doubled(path):
    """One row twice, and another one gone."""
    lines = path.read_bytes().splitlines(keepends=True)
    lines[-1] = next(line for line in lines[1:] if line != lines[-1])
    path.write_bytes(b"".join(lines))


def go_wrong(module, fault, monkeypatch):
    """Let what a module writes come out otherwise."""
    real = module.write_file

    def write_file(release, path, **manner):
        real(release, path, **manner)
        fault(path)

    monkeypatch.setattr(module, "write_file", write_file)


FAULTS = [(ending, lambda path: changed(path, 4)) for ending in FILES] + [
    ("csv", short), ("jsonl", short), ("csv", doubled), ("jsonl", doubled),
    ("csv.gz", lambda path: path.write_bytes(path.read_bytes()[:-9])),  # packed, and cut off in its checksum
]  # fmt: skip


@pytest.mark.few(6)
@pytest.mark.parametrize(("ending", "fault"), FAULTS)
def test_a_file_that_came_out_otherwise_is_not_published(ending, fault, monkeypatch, tmp_path):
    go_wrong(outputs, fault, monkeypatch)
    place = tmp_path / "out"
    place.mkdir()
    asked = {"quasi_identifiers": ["place", "age"], "identifiers": ["who"], "other": "keep", "k": 3, "solver": "greedy"}
    plain = table().select(["who", "place", "age", "ill"]).set_column(3, "ill", [["flu", "gout"] * (N // 2)])
    with pytest.raises(OurBug, match="the written file does not hold the verified release; nothing was kept"):
        incrowd.anonymize(plain, output=place / f"r.{ending}", certificate=place / "c.json", **asked)
    assert list(place.iterdir()) == []
    monkeypatch.undo()
    with incrowd.anonymize(plain, output=place / f"r.{ending}", certificate=place / "c.json", **asked):
        assert len(list(place.iterdir())) == 2


def test_standard_output_is_read_back_too(monkeypatch, run, tmp_path):
    (tmp_path / "t.csv").write_text("a,b\n" + "1,x\n1,y\n2,x\n2,y\n" * 3)
    asked = ("anonymize", "t.csv", "-o", "-", "--qi", "a,b", "--k", "3", "--solver", "greedy")
    status, out, _ = run(*asked)
    assert (status, out.count("\n")) == (0, 13)
    # the writer of streams lies in a room of its own, and has no other door than this command
    from incrowd.tables import write

    go_wrong(write, short, monkeypatch)
    status, out, err = run(*asked)
    assert (status, out) == (70, "")
    assert "what was to be written does not hold the verified release; nothing was" in err


def test_a_release_saved_later_is_read_back_as_well(monkeypatch, tmp_path):
    with incrowd.anonymize(table(), quasi_identifiers=["age"], identifiers=["who"], k=3, solver="greedy") as release:
        release.save(tmp_path / "good.csv")
        go_wrong(outputs, short, monkeypatch)
        for save in (release.save, release.to_csv):
            with pytest.raises(OurBug):
                save(tmp_path / "bad.csv")
    assert [path.name for path in tmp_path.iterdir()] == ["good.csv"]


def test_what_expansion_did_wrong_is_found_by_the_check(monkeypatch, tmp_path):
    """A value that no row of the class shows, put in between the plan and the check: nothing is written."""
    real = levels.Recoding.recount

    def recount(self, release, rules):
        import dataclasses

        import ibis

        first = next(column.id for column in release.table.columns if column.name == "place")
        wrong = release.rows.mutate(**{first: ibis.ifelse(release.rows.row_key == 0, "north", release.rows[first])})
        return real(self, dataclasses.replace(release, rows=release.table.engine.keep(wrong)), rules)

    monkeypatch.setattr(levels.Recoding, "recount", recount)
    made = table().set_column(2, "place", [["south"] * N])
    with pytest.raises(OurBug, match="nothing was written"):
        incrowd.anonymize(made, quasi_identifiers=["place"], k=3, output=Path(tmp_path / "r.csv"))
    assert list(tmp_path.iterdir()) == []
