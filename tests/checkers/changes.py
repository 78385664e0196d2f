"""Certificates changed in many ways: places and numbers, whole parts, proofs of something else, sums that wrap, texts."""

from __future__ import annotations

import copy
import json
from collections import defaultdict

NUMBERS = [0, 1, -1, 2, 3, 2**31, 2**53 - 1, 2**53, 2**53 + 1, 2**58, 2**60, 2**61 - 1, 2**61, 2**62, 2**63 - 1, 2**63,
           2**64, 2**64 + 1, 2**80, 10**40, -(2**31), -(2**53), -(2**60), -(2**61), -(2**63), -(2**64)]  # fmt: skip
OTHERS = [1.0, 0.5, 1e300, True, False, None, "1", "", [], {}, [0], {"instance": 0}]
KEYS = ["for", "diverse", "requirements", "whole_below", "trees", "matching", "sets", "prices", "weights", "instance",
        "closed", "instances", "types", "kind", "component", "full", "format", "note", "comment", "", "Rows"]  # fmt: skip
WHAT = (
    "near",
    "far",
    "other",
    "gone",
    "doubled",
    "swapped",
    "theirs",
    "parts",
    "sum kept",
    "key added",
    "wrapped",
    "all moved",
)
HEAD = ("certificate", "version", "requirements", "diverse", "rows", "row_types", "k", "outliers", "scale", "cost")
TURNS = (2**52, 2**53, 2**60, 2**61, 2**62, 2**63, 2**64)  # where sums wrap


def places(value, path=()):
    """Every place of a value: the path to it."""
    yield path
    for key, one in value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ():
        yield from places(one, (*path, key))


def at(value, path):
    for step in path:
        value = value[step]
    return value


def changed(certificate, other, rng):
    """A certificate with one thing or several changed, here and there for what another has there."""
    made = copy.deepcopy(certificate)
    turn = rng.random()
    for _ in range(1 if turn < 0.7 else rng.randrange(2, 6) if turn < 0.97 else 20):
        by_root = defaultdict(list)
        for path in places(made):
            if path:
                by_root[path[0]].append(path)
        if not by_root:
            break
        path = rng.choice(by_root[rng.choice(list(by_root))])
        _change(made, path, rng.choice(WHAT), other, rng)
    return made


def _change(made, path, what, other, rng):
    holder, last = at(made, path[:-1]), path[-1]
    value = holder[last]
    unit = made.get("parts") if type(made.get("parts")) is int else 1
    beside = rng.randrange(len(holder)) if isinstance(holder, list) else None
    if what == "near" and type(value) is int:
        holder[last] = value + rng.choice([-2, -1, 1, 2])
    elif what == "parts" and type(value) is int:
        holder[last] = value + rng.choice([-1, 1]) * unit
    elif what == "far":
        holder[last] = rng.choice(NUMBERS)
    elif what == "other":
        holder[last] = copy.deepcopy(rng.choice(OTHERS))
    elif what == "gone":
        del holder[last]
    elif what == "key added":
        objects = [one for one in (at(made, spot) for spot in places(made)) if isinstance(one, dict)]
        rng.choice(objects).setdefault(rng.choice(KEYS), rng.choice([[], {}, None, True, "", 1, copy.deepcopy(value)]))
    elif what == "theirs":
        try:
            holder[last] = copy.deepcopy(at(other, path))
        except (KeyError, IndexError, TypeError):
            holder[last] = copy.deepcopy(other.get(path[0]))
    elif what == "all moved" and isinstance(value, list):
        by = rng.choice([-1, 1, unit, *TURNS])
        holder[last] = [x + by if type(x) is int else x for x in value]
    elif what == "doubled" and beside is not None:
        holder.insert(last, copy.deepcopy(value))
    elif what == "swapped" and beside is not None:
        holder[last], holder[beside] = holder[beside], holder[last]
    elif beside not in (None, last) and type(value) is int and type(holder[beside]) is int:
        by = rng.randrange(-3, 4) if what != "wrapped" else rng.choice(TURNS)
        holder[last], holder[beside] = value + by, holder[beside] - by


def claimed(certificate, bound):
    """A certificate that says so much, of a release that costs no less."""
    cost = certificate.get("cost")
    cost = max(cost, bound) if type(cost) is int else cost
    return certificate | {"cost": cost, "lower_bound": bound, "lower_bound_checked": bound, "proof": "certificate"}


def as_if_for(certificate, target):
    """A proof of something else under the head of a certificate of this, its lists cut or filled to this table."""
    made = copy.deepcopy(certificate)
    same = [made.get(key) == target.get(key) for key in ("certificate", "version")]
    for key in HEAD:
        if key in target and (all(same) or key not in ("certificate", "version", "requirements", "diverse")):
            made[key] = copy.deepcopy(target[key])
    for key in ("prices", "components"):
        if isinstance(made.get(key), list):
            made[key] = [*made[key][: target["row_types"]], *[0] * (target["row_types"] - len(made[key]))]
    return made


def finer(certificate, factor):
    """The same proof in finer parts."""
    if "matching" in certificate:
        inner = certificate["matching"]
        sets = [one | {"price": one["price"] * factor} for one in inner["sets"]]
        inner = inner | {
            "scale": inner["scale"] * factor,
            "prices": [y * factor for y in inner["prices"]],
            "sets": sets,
        }
        return certificate | {"matching": inner}

    def times(value, key=None):
        if isinstance(value, dict):
            return {name: times(one, name) for name, one in value.items()}
        if isinstance(value, list) and key in ("prices", "weights") and value and isinstance(value[0], list):
            return [[one[0], one[1] * factor] for one in value]  # a leaf's: a place and a number
        if isinstance(value, list) and key != "multipliers":
            return [times(one, key) for one in value]
        return value * factor if type(value) is int and key in ("parts", "prices", "weights") else value

    return times(certificate)


def garbled(certificate, rng):
    """The certificate as a text, not quite as JSON has it, or with numbers and names that a reader may take for others."""
    text = json.dumps(certificate)
    spot = rng.choice([i for i, c in enumerate(text) if c.isdigit() and not text[i + 1].isdigit()]) + 1
    objects = [one for one in (at(certificate, path) for path in places(certificate)) if isinstance(one, dict)]
    name = rng.choice([key for one in objects for key in one])
    spelled = "".join("\\u" + format(ord(c), "04x") for c in name)  # the same name, as JSON may write it
    odd = rng.choice(["NaN", "Infinity", "-0", "007", "+1", "0x1", "-", "true"])
    return rng.choice([
        lambda: text[:spot] + rng.choice([".0", "e0", "E2", ".5", "0" * 30, "0" * 5000, " 1", "_0", "n", "e-1"]) + text[spot:],
        lambda: text.replace(f'"{name}":', f'"{name}": {rng.choice(["0", "null", "[]"])}, "{name}":', 1),
        lambda: text.replace(f'"{name}":', f'"{spelled}":'),
        lambda: text[: rng.randrange(len(text))],
        lambda: text[:spot].rstrip("0123456789") + odd + text[spot:],
        lambda: rng.choice(["\ufeff", " \n", "[", "//\n", "\0", "\u00a0"]) + text,
        lambda: text + rng.choice([",", "{}", " ", "\n\n", "\0", "]"]),
        lambda: json.dumps(certificate, indent=rng.randrange(4)),
    ])()  # fmt: skip
