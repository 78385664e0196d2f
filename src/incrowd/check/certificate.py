"""A certificate's file read strictly [F, Z]: whole numbers of a known size, lists of a known length, nothing else."""

from __future__ import annotations

import itertools
import json
import math
import re
import zlib
from pathlib import Path

from .exact import Unreadable, refuse

LIMIT = 2**61  # [F4] no number of a certificate reaches it
MOST_HEAD, PIECE = 1 << 16, 1 << 20  # [Z2] bytes of a packed file's first line, and those that are unpacked at a time


def read_certificate(path):
    """Return the object in a certificate's file: JSON, no name twice in an object, no NaN and no infinity."""

    def once(pairs):
        refuse(len(dict(pairs)) < len(pairs), "the certificate has a name twice in an object")
        return dict(pairs)

    packed = None
    try:
        with Path(path).open("rb") as file:
            packed = path if file.read(2) == b"\x1f\x8b" else None  # [F1]
        text = Path(path).read_text(encoding="utf-8") if packed is None else first_line(path)
        found = json.loads(text, object_pairs_hook=once, parse_constant=lambda name: refuse(name, f"found {name}"))
    except (OSError, ValueError, RecursionError):
        raise Unreadable("the certificate cannot be read as JSON") from None
    refuse(not isinstance(found, dict), "the certificate is no object")
    return found if packed is None else Packed(found, packed)


class Packed(dict):
    """The head of a certificate whose prices stand line by line, and its file."""

    def __init__(self, head, path):
        """Keep both."""
        super().__init__(head)
        self.path = path


def unpacked(path, most):
    """Yield what a member of gzip holds, some at a time; refuse any other file, and more than so many bytes [Z1]."""
    member = zlib.decompressobj(wbits=31)
    try:
        with Path(path).open("rb") as file:
            packed = file.read(PIECE)
            refuse(packed[:4] != b"\x1f\x8b\x08\0", "the certificate is not packed as gzip without a name")
            while packed and not member.eof:
                piece = member.decompress(packed, PIECE)
                most -= len(piece)
                refuse(most < 0, "the certificate unpacks to more than the table has row types for")
                yield piece
                packed = member.unconsumed_tail or (b"" if member.eof else file.read(PIECE))
            behind = member.unused_data or file.read(1)
            refuse(not member.eof or behind, "the certificate is cut short, or goes on behind its end")
    except (OSError, zlib.error):
        raise Unreadable("the certificate is no whole file of gzip") from None


def lines_of(path, most):
    """Yield the lines of a packed file, each of which ends [Z2]."""
    rest = b""
    for piece in unpacked(path, most):
        *whole, rest = (rest + piece).split(b"\n")
        yield from whole
    refuse(rest, "the certificate's last line does not end")


def first_line(path):
    """Return the head of a packed certificate as text [Z2]."""
    begun = b""
    for piece in unpacked(path, math.inf):
        begun += piece
        if len(begun) > MOST_HEAD or b"\n" in begun:
            break
    line, ended, _ = begun.partition(b"\n")
    refuse(not ended or len(line) > MOST_HEAD, "the certificate's first line is too long, or does not end")
    return line.decode("utf-8")


def prices_of(path, types):
    """Return the prices of a packed certificate, one a line [Z3]."""
    found = []
    for line in itertools.islice(lines_of(path, MOST_HEAD + 1 + 21 * types), 1, None):
        bad = len(found) == types or not re.fullmatch(rb"0|-?[1-9][0-9]{0,18}", line)
        refuse(bad, "the certificate: a line is no price")
        found.append(int(line))
    return numbers(found, "prices", types)


CUTS = {"C": ["instances"], "T": ["types", "instances"], "S": ["types", "pairs"], "F": ["types", "part", "full"]}
INNER = {  # the keys of an object that stands under a key, or in its list
    "trees": ["component", "instances", "cuts", "tree"], "matching": ["scale", "divisor", "rows", "prices", "sets"],
    "sets": ["rows", "price"],
}  # fmt: skip


def known_keys(place, value, known=()):
    """Refuse keys that no certificate has where they stand, and numbers with a point [F2, F3]."""
    left, seen = [(place, value, known)], set()  # one object may stand at many places
    while left:
        place, value, known = left.pop()
        if (place, id(value)) in seen:
            continue
        seen.add((place, id(value)))
        inner = [(place, one) for one in value]
        if isinstance(value, dict):
            if place == "cuts":
                kind = value.get("kind")
                known = ["kind", *CUTS.get(kind if isinstance(kind, str) else "", ())]
            elif place in ("tree", "closed", "open"):
                known = ["instance", "closed", "open"] if "instance" in value else ["prices", "weights"]
            refuse(not set(value) <= set(known), "the certificate has a key that no certificate has there")
            inner = list(value.items())
        refuse(any(isinstance(one, float) for _, one in inner), "the certificate: a number has a point or an exponent")
        left += [(place, one, INNER.get(place, ())) for place, one in inner if isinstance(one, (list, dict))]


def whole(source, name, least=None, below=LIMIT):
    """Return a whole number of an object, below a size."""
    value = source.get(name)
    good = type(value) is int and (-below if least is None else least - 1) < value < below
    refuse(not good, f"the certificate: {name} is no whole number, or out of its range")
    return value


def entries(source, name, kind=list):
    """Return a list (or an object) of an object."""
    refuse(not isinstance(source.get(name), kind), f"the certificate: {name} is missing, or of another type")
    return source[name]


def numbers(value, name, length=None, below=LIMIT):
    """Return a list of whole numbers below a size."""
    good = isinstance(value, list) and length in (None, len(value))
    good = good and all(type(x) is int and -below < x < below for x in value)
    refuse(not good, f"the certificate: {name} is no list of whole numbers, or of another length")
    return value


def pairs_of(source, name, length=2):
    """Yield short lists of whole numbers, of whatever size."""
    for one in entries(source, name):
        yield numbers(one, name, length, math.inf)


def too_large(number):
    """Refuse numbers that a checker with 64 bits could not add up [F5]."""
    refuse(number >= LIMIT, "the certificate's numbers are too large to be added up")


def named(name, m=None):
    """Return the level vector and the row type by which a certificate names an instance [I6]."""
    good = isinstance(name, list) and name and all(type(x) is int for x in name) and m in (None, len(name) - 1)
    refuse(not good, "the certificate: an instance is not named by its levels and a row type")
    return tuple(name[:-1]), name[-1]


def listed_at(place, names):
    """Return the instance that a tree lists at a place."""
    refuse(type(place) is not int or not 0 <= place < len(names), "the certificate: an instance that no tree lists")
    return names[place]


def tree_value(node, names, leaf, state, depth=0):
    """Return what a node of a tree is worth: what `leaf` says of a leaf, of others the lesser side [B2]."""
    refuse(not isinstance(node, dict) or depth > 400, "the certificate: a tree's node is no object, or too deep")
    if "instance" not in node:
        return leaf(node, state)
    g = listed_at(node["instance"], names)
    refuse(g in state, "the certificate: a tree branches twice on an instance")
    ways = {"closed": -1, "open": 1}
    return min([tree_value(node.get(way), names, leaf, state | {g: ways[way]}, depth + 1) for way in ways])
