"""Certificates with a price a line: their packed files, and their recount where row types stay in the engine."""

from __future__ import annotations

import contextlib
import gzip
import io
import json
import random
import zlib

import pytest

import incrowd
from checkers import ask, corpus
from checkers.test_drawn import drawn
from incrowd.proved.check import Proved
from seeds import seeds

HEAD, PRICES = corpus.EXAMPLES["lines"]["certificate"].split("\n", 1)
TEXT = f"{HEAD}\n{PRICES}".encode()
GOOD = ask.packed(TEXT)


def with_head(head):
    return ask.packed(head + b"\n" + PRICES.encode())


def with_lines(lines):
    return ask.packed(HEAD.encode() + b"\n" + lines)


def named():
    """A member that tells its name."""
    held = io.BytesIO()
    with gzip.GzipFile("people.csv", "wb", fileobj=held) as file:
        file.write(TEXT)
    return held.getvalue()


def gzip_of(*members):
    return b"".join(map(ask.packed, members))


NO_PRICE, COUNT = "a line behind the first is no price", "it has not the 4 prices that its head says, one a line"
NO_GZIP, NAMED = "is no whole file of gzip", "is not packed as gzip without a name"
ENDS, LONG, NO_JSON = (
    "is cut short, or goes on behind its end",
    "first line is too long, or does not end",
    "cannot be read as JSON",
)
FILES = {
    "its first bytes alone": (GOOD[:4], ENDS),
    "cut short": (GOOD[:-1], ENDS),
    "without its end": (GOOD[:-8], ENDS),
    "another checksum": (GOOD[:-8] + bytes([GOOD[-8] ^ 1]) + GOOD[-7:], NO_GZIP),
    "another length": (GOOD[:-1] + b"\x01", NO_GZIP),
    "a byte behind it": (GOOD + b"\0", ENDS),
    "two members": (GOOD + GOOD, ENDS),
    "a head and its prices in two members": (gzip_of(HEAD.encode() + b"\n", PRICES.encode()), ENDS),
    "a name": (named(), NAMED),
    "an extra field": (GOOD[:3] + b"\x04" + GOOD[4:10] + b"\x00\x00" + GOOD[10:], NAMED),
    "a changed block": (GOOD[:12] + b"\xff\xff" + GOOD[14:], NO_GZIP),
    "a bomb": (with_lines(b"1\n" * (4 << 20)), "unpacks to more than the table has row types for"),
    "a head of no end": (ask.packed(HEAD.encode()), LONG),
    "a head of 65,537 bytes": (with_head(HEAD.encode().replace(b"{", b"{" + b" " * (65_537 - len(HEAD)), 1)),
                               LONG),
    "no head": (ask.packed(PRICES.encode()), "is no object"),
    "an empty head": (with_head(b""), NO_JSON),
    "a list": (with_head(b"[1]"), "is no object"),
    "a name twice": (with_head(HEAD.encode().replace(b"{", b'{"k": 2, ', 1)), "has a name twice in an object"),
    "NaN": (with_head(HEAD.encode().replace(b'"parts": 1', b'"parts": NaN')), "found NaN"),
    "no UTF-8": (with_head(HEAD.encode().replace(b'"parts"', b'"par\xff"')), NO_JSON),
    "brackets": (with_head(b"[" * 3000), NO_JSON),
    "a head of two lines": (with_head(HEAD.encode().replace(b", ", b",\n", 1)), NO_JSON),
    "prices in its head": (with_head(HEAD.encode().replace(b"{", b'{"prices": [], ', 1)), "has a key that no certificate has there"),
    "trees in its head": (with_head(HEAD.encode().replace(b"{", b'{"trees": [], ', 1)), "has a key that no certificate has there"),
    "version 11": (with_head(HEAD.encode().replace(b'"version": 13', b'"version": 11')), "version 13 or 16 is packed, and no other is"),
    "version 13, not packed": (HEAD.encode(), "version 13 or 16 is packed, and no other is"),
    "no parts": (with_head(HEAD.encode().replace(b', "parts": 1', b"")), "parts is no whole number"),
    "parts of 0": (with_head(HEAD.encode().replace(b'"parts": 1', b'"parts": 0')), "parts is no whole number"),
    "no prices": (with_lines(b""), COUNT),
    "three prices": (with_lines(b"0\n1\n1\n"), COUNT),
    "five prices": (with_lines(b"0\n1\n1\n1\n1\n"), COUNT),
    "no end of the last line": (with_lines(b"0\n1\n1\n1"), "its last line does not end"),
    "a line of too many digits": (with_lines(b"0\n1\n1\n" + b"1" * 30 + b"\n"), NO_PRICE),
    "a price of 2^61": (with_lines(b"0\n1\n1\n%d\n" % 2**61), "a price is no whole number of its size"),
    "a price of -2^61": (with_lines(b"0\n1\n1\n-%d\n" % 2**61), "a price is no whole number of its size"),
    "prices of 2^59": (with_lines(b"0\n1\n1\n%d\n" % 2**59), "numbers are too large to be added up"),
    **{
        f"a line {line!r}": (with_lines(b"0\n1\n" + line + b"\n1\n"), NO_PRICE)
        for line in (b"", b"1 ", b" 1", b"1\r", b"+1", b"-0", b"01", b"1.0", b"1e3", b"true", b'"1"', b"1,2", b"\xd9\xa1", b"1_0", b"1\x002", b"--1")
    },
}  # fmt: skip


@pytest.mark.few(4, "a head of no end")
@pytest.mark.parametrize("name", FILES)
def test_a_packed_file_that_cannot_be_read_is_refused_in_a_sentence(name, tmp_path):
    corpus.example("lines", tmp_path)
    data, said = FILES[name]
    ask.save(tmp_path, data)
    with pytest.raises(incrowd.InputError, match=r"certificate.* (cannot be read: |has a key)") as refused:
        ask.verified(tmp_path)
    assert said in str(refused.value)
    assert ask.both(tmp_path).status == 2


TRUE = {
    "stored": gzip.compress(TEXT, 0, mtime=0), "a time": gzip.compress(TEXT, mtime=99), "packed hard": gzip.compress(TEXT, 9, mtime=0),
    "a head of 65,536 bytes": with_head(HEAD.encode().replace(b"{", b"{" + b" " * (65_536 - len(HEAD)), 1)),
    "a price below nothing": with_lines(b"0\n1\n1\n-5\n"), "a price of 2^50": with_lines(b"0\n1\n1\n%d\n" % -(2**50)),
}  # fmt: skip


@pytest.mark.few(3)
@pytest.mark.parametrize("name", TRUE)
@pytest.mark.parametrize("engine", [False, True])
def test_a_packed_file_is_read_however_it_is_packed(name, engine, tmp_path):
    """`types_in_memory` is how a door says that row types stay in the engine, as a large table's do."""
    corpus.example("lines", tmp_path)
    ask.save(tmp_path, TRUE[name])
    said = ask.everyone(tmp_path, types_in_memory=1) if engine else ask.everyone(tmp_path)
    assert said.status == int(name.startswith("a price"))


@pytest.mark.parametrize("name", list(FILES)[:: len(FILES) // 3])
def test_a_file_is_refused_alike_where_row_types_stay_in_the_engine(name, tmp_path):
    corpus.example("lines", tmp_path)
    ask.save(tmp_path, FILES[name][0])
    assert ask.by_verify(tmp_path, types_in_memory=1).status == 2


@pytest.mark.few(3)
@pytest.mark.parametrize(
    "change",
    [{"row_types": 5}, {"cost": 6}, {"lower_bound": 4}, {"lower_bound_checked": 4, "lower_bound": 4}, {"k": 1}],
)
def test_a_claim_that_is_refuted_is_so_in_the_engine_too(change, tmp_path):
    corpus.example("lines", tmp_path)
    ask.save(tmp_path, with_head(json.dumps(json.loads(HEAD) | change).encode()))
    said = ask.both(tmp_path)
    assert said.status == 1
    assert ask.by_verify(tmp_path, types_in_memory=1) == said


@seeds(120, 2)
def test_the_engine_finds_what_is_found_in_memory(seed, tmp_path, monkeypatch):
    """Under any mask, hierarchy, costs and prices; columns in one key word or in several, joined some at a time.

    The widths of words and of chains of joins are lowered: no table of a test reaches 62 bits, or twelve columns.
    """
    if seed % 3 == 0:
        monkeypatch.setattr("incrowd.tables.verify.lines.WORD", 4)
    if seed % 4 == 0:
        monkeypatch.setattr("incrowd.tables.verify.lines.JOINS", 1)
    rng = random.Random(f"lines {seed}")
    folder = tmp_path / str(seed)
    drawn("lines", rng, folder, rows=None if seed % 2 else 40)
    said = ask.both(folder)
    assert ask.by_verify(folder, types_in_memory=1) == said
    if seed % 4 == 0:
        assert ask.by_verify(folder) == said


def test_rows_that_cost_something_as_they_are_are_added_up_in_the_engine(tmp_path):
    """At `entropy` prices begin at what the rows cost as they are."""
    folder = corpus.copied("entropy", tmp_path)
    made = ask.certificate_of(folder)
    made = {name: told for name, told in made.items() if name not in ("components", "trees")} | {"version": 13}
    ask.save(folder, made | {"lower_bound_checked": 0, "proof": "solver"})
    said = ask.both(folder)
    assert said.status == 0 and said.bound > 0
    assert ask.by_verify(folder, types_in_memory=1) == said


def test_the_program_that_is_proved_is_given_the_same_prices_where_they_fit(tmp_path, monkeypatch):
    asked = []
    monkeypatch.setattr("incrowd.jobs.verify.proved_check", lambda *given: asked.append(given[4]) or Proved(True))
    folder = corpus.example("lines", tmp_path)
    assert ask.verified(folder, proved=True).proved.holds
    assert asked == [json.loads(HEAD) | {"version": 11, "components": None, "prices": [0, 1, 1, 1], "trees": []}]
    found = ask.verified(folder, proved=True, types_in_memory=3)
    assert not found and not found.proved.holds
    assert "more than memory holds or types_in_memory allows" in found.proved.why
    ask.save(folder, with_head(HEAD.encode().replace(b'"cost": 5', b'"cost": 6')))
    assert not ask.verified(folder, proved=True).proved.holds
    assert len(asked) == 1


def test_more_level_vectors_than_are_asked_are_refused_in_words(tmp_path, monkeypatch):
    """Four thousand level vectors take a table of many columns: the limit is lowered."""
    monkeypatch.setattr("incrowd.tables.verify.lines.MOST_ASKED", 1)
    folder = corpus.copied("lines", tmp_path)
    with pytest.raises(incrowd.InputError, match="level vectors cost less than its prices"):
        ask.verified(folder, types_in_memory=1)
    assert ask.both(folder).status == 0


def test_a_job_whose_row_types_stay_in_the_engine_certifies_so(tmp_path):
    """Many thousand row types: the prices come and go a piece at a time."""
    rng = random.Random(2)
    rows = [(str(rng.randrange(3)), str(rng.randrange(60)), str(rng.randrange(60)), "x", "y", "z") for _ in range(4000)]
    entry = corpus.Entry(rows, {**corpus.BASE, "k": 4, "outliers": "suppress"}, tiny=False)
    corpus.write(entry, tmp_path)
    incrowd.anonymize(
        tmp_path / "original.csv", policy=tmp_path / "policy.toml", output=tmp_path / "release.csv", certificate=tmp_path / "c.json.gz",
        solver="greedy", types_in_memory=100,
    )  # fmt: skip
    (tmp_path / "c.json.gz").rename(tmp_path / "certificate.json")
    said = ask.by_second(tmp_path)
    assert said.status == 0 and said.bound > 0
    assert ask.by_verify(tmp_path, types_in_memory=100) == said


# --- the page unpacks what zlib does ----------------------------------------------------------------------------------------

WAYS = [
    (0, zlib.Z_DEFAULT_STRATEGY),
    (6, zlib.Z_DEFAULT_STRATEGY),
    (9, zlib.Z_FIXED),
    (9, zlib.Z_HUFFMAN_ONLY),
    (9, zlib.Z_RLE),
]


def deflated(text, level, strategy, flush=None):
    """One member: fixed codes, stored blocks, runs alone, codes of its own; perhaps in many blocks."""
    packer = zlib.compressobj(level, zlib.DEFLATED, 31, 9, strategy)
    if flush is None:
        return packer.compress(text) + packer.flush()
    parts = [packer.compress(text[at : at + 700]) + packer.flush(flush) for at in range(0, len(text), 700)]
    return b"".join(parts) + packer.flush()


@pytest.fixture(scope="module")
def many(tmp_path_factory):
    """Some hundred row types with prices of many sizes, as text."""
    folder = corpus.copied("lines of many rows", tmp_path_factory.mktemp("many"))
    rng = random.Random(8)
    made = ask.certificate_of(folder)
    made |= {
        "prices": [-rng.randrange(10 ** rng.randrange(1, 13)) for _ in made["prices"]],
        "lower_bound": 0,
        "lower_bound_checked": 0,
    }
    ask.save(folder, made)
    return folder, gzip.decompress((folder / "certificate.json").read_bytes())


@pytest.mark.few(10)
@pytest.mark.parametrize(("level", "strategy"), WAYS)
@pytest.mark.parametrize("flush", [None, zlib.Z_SYNC_FLUSH, zlib.Z_FULL_FLUSH])
def test_blocks_of_every_kind_are_unpacked(many, level, strategy, flush):
    folder, text = many
    ask.save(folder, deflated(text, level, strategy, flush))
    assert ask.both(folder).status == 0


@seeds(1000, 40)
def test_a_file_with_a_changed_byte_is_refused_as_zlib_refuses_it(seed, many):
    """In its codes, its lengths and its checksums; or blocks of random bits."""
    folder, text = many
    rng = random.Random(seed)
    if seed % 3 == 2:
        body = bytes([rng.choice([0b101, 0b011]), *(rng.randrange(256) for _ in range(rng.randrange(4, 90)))])
        ask.save(folder, b"\x1f\x8b\x08\0\0\0\0\0\0\xff" + body)
        assert ask.both(folder).status == 2
        return
    data = bytearray(deflated(text, *WAYS[seed % len(WAYS)]))
    at = rng.randrange(len(data) if seed % 2 else min(len(data), 120))
    data[at] ^= 1 << rng.randrange(8)
    ask.save(folder, bytes(data))
    same = False
    with contextlib.suppress(zlib.error):  # some bits say nothing
        same = zlib.decompress(data, 31) == text and at > 3
    assert ask.both(folder).status == (0 if same else 2)
