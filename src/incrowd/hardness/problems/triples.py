"""Triples of three kinds of elements, one a line: ``w x y``; names of different kinds are different elements."""

from __future__ import annotations

from typing import Any

from incrowd.errors import InputError
from incrowd.hardness.problems.limits import MOST_ITEMS, MOST_PARTS
from incrowd.hardness.problems.problem import Given, Problem, counted, tuples
from incrowd.hardness.problems.text import Names, words_of
from incrowd.hardness.sources.matching3d import Matching3D

__all__ = ["TRIPLES"]

KINDS = ("W", "X", "Y")


class _Triples(Problem):
    name = "triples"
    holds = "one triple a line: w x y"

    def read(self, text: str) -> Given:
        """Return the triples of a text; lines ``W: a b``, ``X: ...``, ``Y: ...`` before them may declare elements."""
        names = [Names(f"{kind} element", MOST_ITEMS) for kind in KINDS]
        found: dict[tuple[int, int, int], int] = {}
        for line, words in words_of(text):
            if words[0][-1] == ":" and words[0][:-1].upper() in KINDS:
                one = names[KINDS.index(words[0][:-1].upper())]
                if found or one.closed:
                    raise InputError(
                        f"line {line} of the source: the elements of W, X and Y are declared once, before all triples"
                    )
                for name in words[1:]:
                    one.number(name, line)
                one.closed = True
                continue
            if len(words) != 3:
                raise InputError(f"line {line} of the source has {len(words)} words where a triple has three")
            w, x, y = (one.number(word, line) for one, word in zip(names, words, strict=True))
            if (w, x, y) in found:
                raise InputError(f"line {line} of the source repeats the triple of line {found[w, x, y]}")
            if len(found) >= MOST_PARTS:
                raise InputError(f"the source has more than {MOST_PARTS:,} triples; that is too large a problem")
            found[w, x, y] = line
        if not found:
            raise InputError("the source holds no triple: every line is blank or a comment")
        sides = [len(one.place) for one in names]
        if len(set(sides)) > 1:
            raise InputError(
                f"W, X and Y must have equally many elements, and the source has {sides[0]}, {sides[1]} and "
                f"{sides[2]}; declare those in no triple with lines such as 'W: a b c'"
            )
        labels = {kind: one.labels() for kind, one in zip(KINDS, names, strict=True)}
        return Given(Matching3D(sides[0], tuple(found)), labels)

    def pack(self, source: Matching3D) -> dict[str, Any]:
        """Return side and triples."""
        return {"side": source.side, "triples": [list(triple) for triple in source.triples]}

    def unpack(self, held: Any) -> Matching3D:
        """Return the triples; `Matching3D` refuses coordinates that are none."""
        triples = tuples(held, "triples", width=3)
        return Matching3D(counted(held, "side", 1, MOST_ITEMS), tuple((w, x, y) for w, x, y in triples))

    def counts(self, source: Matching3D) -> dict[str, int]:
        """Return the number of elements of every kind."""
        return dict.fromkeys(KINDS, source.side)


TRIPLES = _Triples()
