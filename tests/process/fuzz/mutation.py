"""Plain mutation: bytes flipped, cut, doubled and replaced by what readers stumble on; numbers and nodes of JSON alike."""

from __future__ import annotations

import copy
import json
import struct

__all__ = ["JUNK", "changed_bytes", "changed_json"]

WORDS = (
    b"\0", b'"', b"'", b"\xff\xfe", b"\xef\xbb\xbf", b"\r", b"\n", b"\r\n", b",", b"\t", b";", b" ", b"nan", b"inf", b"-1",
    b"1e999", b"1e-999", b"99999999999999999999999", b"-9223372036854775808", b"4294967296", b"*", b"\xe2\x80\xae",
    b"\x1b[31m", b"\x1b]0;x\x07", b"\xc2\x85", b"\xe9", b"{", b"}", b"[", b"]", b"<", b">", b"&lol;", b"#", b"%", b"\\",
    b"\\u0000", b"\\ud800", b"0x10", b"1_0", b"1.0", b"0.1", b"1/3", b"1/0", b"null", b"true", b"=1+1", b"\xf0\x9f\x92\xa9",
    b"A" * 300, b"9" * 400, b"((((((((", b"[[[[[[[[",
)  # fmt: skip
ENDS = (-1, 0, 1, 255, 256, 2**31 - 1, -(2**31))
JUNK = (
    None, True, False, -1, 0, 1, 2, 1.5, 2**31, 2**63, -(2**63), 2**64, 10**30, float("nan"), float("inf"), 1e308, 5e-324,
    "", "x", "*", "1/0", "1/3", "1e999999999", "9" * 400, "\x1b[31m", "\ud800", "\0", [], [[]], {}, [None], [[0, 0]],
    [1] * 300, {"a": 1}, [[[[[[[[]]]]]]]],
)  # fmt: skip


def changed_bytes(rng, data: bytes, most: int = 8) -> bytes:
    """Bytes with one to `most` changes, mostly one."""
    held = bytearray(data)
    for _ in range(min(most, rng.choice((1, 1, 1, 2, 3, 8)))):
        _change(rng, held)
    return bytes(held)


def _change(rng, held: bytearray) -> None:
    if not held:
        held += b"x"
    at = rng.randrange(len(held))
    how = rng.randrange(10)
    if how == 0:
        held[at] ^= 1 << rng.randrange(8)
    elif how == 1:
        del held[at:]
    elif how == 2:
        del held[at : at + rng.choice((1, 2, 10, 100))]
    elif how == 3:
        held[at:at] = rng.randbytes(rng.choice((1, 4, 20)))
    elif how == 4:
        other = rng.randrange(len(held))
        held[at:at] = held[other : other + rng.choice((5, 50, 500))]
    elif how in (5, 6):
        held[at : at + rng.choice((0, 0, 1, 3))] = rng.choice(WORDS)
    elif how == 7:
        held[at] = rng.choice(b"0123456789-")
    elif how == 8:
        held[at : at + 4] = struct.pack(rng.choice(("<i", ">i")), rng.choice(ENDS))
    else:
        _number(rng, held, at)


def _number(rng, held: bytearray, at: int) -> None:
    """Another number in place of the one that stands at or after a place."""
    digits = b"0123456789"
    while at < len(held) and held[at] not in digits:
        at += 1
    end = at
    while end < len(held) and held[end] in digits:
        end += 1
    held[at:end] = rng.choice(
        (b"0", b"-1", b"1", b"2147483647", b"2147483648", b"9223372036854775808", b"1e9", b"1e400", b"0.5")
    )


def _places(held, depth=0):
    """Every place of a JSON value where another one may stand."""
    if isinstance(held, dict):
        for key, value in held.items():
            yield held, key
            yield from _places(value, depth + 1)
    elif isinstance(held, list):
        for number, value in enumerate(held[:40]):
            yield held, number
            yield from _places(value, depth + 1)


def changed_json(rng, data: bytes, junk=JUNK) -> bytes:
    """JSON with one to three of its values replaced, left out, repeated or moved."""
    held = json.loads(data)
    for _ in range(rng.choice((1, 1, 2, 3))):
        places = list(_places(held))
        if not places:
            break
        where, key = rng.choice(places)
        how = rng.randrange(6)
        if how == 0:
            del where[key]
        elif how == 1 and isinstance(where, list):
            where.insert(key, where[key])
        elif how == 2:
            other, place = rng.choice(places)
            where[key] = json.loads(json.dumps(other[place]))
        elif how == 3 and type(where[key]) is int:
            where[key] += rng.choice((-1, 1, 2**16, -(2**40), 2**62))
        else:
            where[key] = copy.deepcopy(rng.choice(junk))  # which the next change may reach into
    return json.dumps(held).encode("ascii")
