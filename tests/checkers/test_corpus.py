"""True and tampered releases and certificates of every kind before every checker, and before a judge that tries everything.

No release is called good that the definitions call broken, no bound is confirmed above the least cost of a release, and
`incrowd verify`, the second checker and the page's script say the same of all.
"""

from __future__ import annotations

import csv
import functools
import io
import json

import pytest

from checkers import ask, corpus, tampering
from checkers.corpus import ENTRIES, EXAMPLES
from seeds import how_many

KINDS = {
    "prices",
    "components",
    "trees",
    "lattice cuts",
    "requirements",
    "lines",
    "matching",
    "2-diversity",
    "ranges",
    "one recoding",
}
WRITTEN = [f"example: {name}" for name in EXAMPLES]
SOURCES = [*ENTRIES, *WRITTEN]
OF_EVERY_KIND = ["k", "lines", "costs of nodes", "stars that are NULL", "four models", "two grids", "2-diversity"]
HERE = SOURCES if how_many(2, 1) == 2 else [*OF_EVERY_KIND, *WRITTEN]  # what `make test` has time to make


def files(name, folder):
    """The files of an entry or of an example of docs/certificate.md, to be changed."""
    if name in ENTRIES:
        return corpus.copied(name, folder)
    return corpus.example(name.removeprefix("example: "), folder)


@functools.cache
def question(name):
    return ENTRIES[name].question if name in ENTRIES else corpus.example_question(name.removeprefix("example: "))


def tiny(name):
    return name not in ENTRIES or ENTRIES[name].tiny


@functools.cache
def certificate(name):
    if name in ENTRIES:
        return ask.certificate_of(corpus.made(name))
    text = EXAMPLES[name.removeprefix("example: ")]["certificate"]
    head, _, prices = text.partition("\n") if '"version": 13' in text else (text, "", "")
    return json.loads(head) | ({"prices": list(map(int, prices.split()))} if prices else {})


def read(data):
    """The header and rows of a release."""
    return list(csv.reader(io.StringIO(data)))


def judged(name, rows):
    """Whether rows are a release by the definitions, or None where the table is too large to tell."""
    if not tiny(name):
        return None
    cells = [tuple(cell or None for cell in row) for row in rows]
    if name in ENTRIES and ENTRIES[name].job.get("spreadsheet_safe"):
        bare = lambda cell: cell[1:] if cell and cell[0] == "'" and cell[1:2] in "=+-@" else cell
        cells = [tuple(map(bare, row)) for row in cells]
    return bool(cells) and question(name).good([cell or "" for cell in cells[0]], cells[1:])


@pytest.mark.seeds
@pytest.mark.parametrize("name", [
    name if name in HERE else pytest.param(name, marks=pytest.mark.proofs) for name in SOURCES
])  # fmt: skip
def test_a_true_release_is_good_for_all_and_costs_no_less_than_is_proven(name, tmp_path):
    """In `make test` `verify` is not asked about what is written by hand: test_refused.py and test_proved.py do."""
    folder, claims = files(name, tmp_path), certificate(name)
    said = (ask.everyone if how_many(2, 1) == 2 or name in OF_EVERY_KIND else ask.both)(folder)
    scale = claims["scale"]
    assert (said.status, said.cost * scale, said.proven) == (
        0,
        claims["cost"],
        said.bound * scale >= claims["lower_bound"],
    )
    assert said.bound * scale >= claims["lower_bound_checked"]
    assert said.proven or claims["proof"] == "solver"
    if tiny(name):
        assert judged(name, read((folder / "release.csv").read_text()))
        assert said.bound <= question(name).least <= said.cost
        if ENTRIES.get(name) and ENTRIES[name].solver in ("exact", "matching", "subset_dp"):
            assert said.cost == question(name).least


def test_every_kind_of_certificate_is_there():
    assert {corpus.kind_of(certificate(name)) for name in HERE} == KINDS
    assert {told[4] for told in certificate("four models")["multipliers"]} == {0, 1, 2, 3}  # of which rule


@pytest.mark.few(3)
@pytest.mark.parametrize("name", HERE)
def test_the_command_says_what_the_function_says(name, tmp_path):
    """Which says what the others do, as the test before holds."""
    folder = files(name, tmp_path)
    status, cost, bound, proven = ask.by_command(folder)
    said = ask.both(folder)
    assert (status, float(cost), float(bound), proven) == (
        said.status,
        float(said.cost),
        float(said.bound),
        said.proven,
    )
    assert ask.by_command(folder, None).status == 0


def spread(some, others, few):
    """Pairs of which every first one is there; in `make test` with a few of the others, each time with the next."""
    every = [(one, other) for one in some for other in others]
    if how_many(2, 1) == 2:
        return every
    return [(one, others[(at * few + turn * 7) % len(others)]) for at, one in enumerate(some) for turn in range(few)]


@pytest.mark.few(7, "no header-two grids")
@pytest.mark.seeds
@pytest.mark.parametrize(
    ("way", "name"), spread(list(tampering.RELEASES), [name for name in HERE if name in ENTRIES], 1)
)
def test_a_tampered_release_is_called_good_only_where_it_is_one(way, name, tmp_path):
    folder = files(name, tmp_path)
    rows = tampering.RELEASES[way](read((folder / "release.csv").read_text()), ENTRIES[name])
    if rows is None:
        pytest.skip("there is nothing to change")
    out = io.StringIO()
    csv.writer(out, lineterminator="\n").writerows(rows)
    (folder / "release.csv").write_text(out.getvalue(), encoding="utf-8")
    fits, plain = judged(name, rows), ask.both(folder, None)
    assert fits is None or (plain.status == 0) == fits
    if len(way + name) % 2:
        assert ask.by_verify(folder, None) == plain
        return
    said = ask.everyone(folder)
    assert said.status >= plain.status
    assert not tiny(name) or not said.bound or said.bound <= question(name).least


@pytest.mark.few(6)
@pytest.mark.parametrize("way", tampering.FILES)
def test_a_file_is_read_as_it_is_written_or_not_at_all(way, tmp_path):
    folder = files("k", tmp_path)
    change, same = tampering.FILES[way]
    (folder / "release.csv").write_bytes(change((folder / "release.csv").read_bytes()))
    said = ask.both(folder)
    assert (said.status == 0) == same
    assert ask.by_command(folder).status == said.status


# What no proof survives, whatever is certified; of all else the checkers and the judge decide.
VERDICTS = {
    "no rule for outliers": 1, "no proof": 2, "version 9": 2, "a version that is a text": 2, "a version with a point": 2, "true for a number": 2,
    "a number of 40 digits": 2, "another name": 2, "a number for people": 2, "no certificate": 2, "no version": 2, "no rows": 2, "no k": 2,
    "no scale": 2, "no cost": 2, "no lower_bound": 2, "no lower_bound_checked": 2, "no proof of it": 2, "no outliers": 2, "no released_sum": 2, "another release": 1, "no row_types": 2,
    "an unknown key": 2, "rows": 1, "row types": 1, "k of one more": 1, "k of one less": 1, "the other rule for outliers": 1,
    "another scale": 1, "a cost of one less": 1, "a price with a point": 2, "prices that are a number": 2, "a price of 2^61": 2, "parts of 0": 2,
    "parts below 0": 2, "a name twice": 2, "NaN": 2, "cut short": 2, "two of them": 2, "a mark before it": 2, "in brackets": 2, "a list": 2,
    "nothing": 2, "brackets alone": 2, "bytes that are no text": 2, "packed without lines": 2, "untouched": 0, "a text for people": 0,
    "less claimed": 0, "written in lines": 0, "a price too few": 2, "a price too many": 2, "more checked than claimed": 1,
}  # fmt: skip


def applied(way, name, seed=0):
    """A certificate with something done to it; None where there is nothing to do it to."""
    beside = HERE[(HERE.index(name) + 1 + seed) % len(HERE)]
    made = tampering.tampered(way, certificate(name), certificate(beside), seed)
    return None if made == certificate(name) and way != "untouched" else made


@pytest.mark.seeds
@pytest.mark.few(5)
@pytest.mark.parametrize("way", tampering.CERTIFICATES)
def test_a_tampered_certificate_proves_no_more_than_the_least_cost_and_gets_one_verdict(way, tmp_path):
    """Of some of the corpus in `make test`, of as many kinds as it can be done to; of all in `make proofs`."""
    at, seen, tried = list(tampering.CERTIFICATES).index(way), set(), 0
    few = 1 if way in VERDICTS else 2
    for turn in range(len(HERE)):
        name = HERE[(5 * at + turn) % len(HERE)]
        kind = corpus.kind_of(certificate(name))
        made = applied(way, name) if how_many(2, 1) == 2 or (kind not in seen and tried < few) else None
        if made is None:
            continue
        seen.add(kind)
        tried += 1
        folder = tmp_path / str(turn)
        folder.mkdir()
        files(name, folder)
        ask.save(folder, made)
        said = ask.everyone(folder)
        assert said.status == VERDICTS.get(way, said.status), name
        if tiny(name) and said.status < 2:
            assert said.bound <= question(name).least, name
            assert (
                said.status or not isinstance(made, dict) or said.bound * made["scale"] >= made["lower_bound_checked"]
            )
    assert tried
