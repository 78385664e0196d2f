"""Sets of named elements, one a line: ``NAME: a b c``, or the elements alone."""

from __future__ import annotations

from typing import Any

from incrowd.errors import InputError
from incrowd.hardness.problems.limits import MOST_ITEMS, MOST_PARTS
from incrowd.hardness.problems.problem import Given, Problem, counted, tuples
from incrowd.hardness.problems.text import Names, words_of
from incrowd.hardness.sources.set_cover import SetCover

__all__ = ["SETS"]

UNIVERSE = "universe:"


class _Sets(Problem):
    name = "sets"
    holds = "one set a line: NAME: a b c"

    def read(self, text: str) -> Given:
        """Return the sets of a text.

        A line ``universe: a b c`` before all others declares the elements. A set without a name is called by its place.
        """
        elements, sets = Names("element", MOST_ITEMS), Names("set", MOST_PARTS)
        found: list[tuple[int, ...]] = []
        bare: dict[tuple[int, ...], int] = {}
        total = 0
        for line, words in words_of(text):
            if words[0] == UNIVERSE:
                if found or elements.place:
                    raise InputError(f"line {line} of the source: the universe is declared once, before all sets")
                for name in words[1:]:
                    elements.number(name, line)
                elements.closed = True
                continue
            named = words[0].endswith(":") and len(words[0]) > 1
            members = [elements.number(name, line) for name in words[named:]]
            total += len(members)
            if not members:
                raise InputError(f"line {line} of the source is an empty set")
            if len(set(members)) < len(members):
                raise InputError(f"line {line} of the source names an element twice")
            name = words[0][:-1] if named else str(len(found) + 1)
            if name in sets.place:
                raise InputError(f"line {line} of the source gives two sets one name")
            one = tuple(sorted(members))
            if not named and one in bare:
                raise InputError(f"line {line} of the source repeats the set of line {bare[one]}")
            if total > MOST_PARTS:
                raise InputError(
                    f"the sets hold more than {MOST_PARTS:,} elements together; that is too large a problem"
                )
            bare.setdefault(one, line)
            sets.number(name, line)
            found.append(one)
        if not found:
            raise InputError("the source holds no set: every line is blank or a comment")
        return Given(
            SetCover(len(elements.place), tuple(found)), {"elements": elements.labels(), "sets": sets.labels()}
        )

    def pack(self, source: SetCover) -> dict[str, Any]:
        """Return universe and sets."""
        return {"universe": source.universe, "sets": [list(members) for members in source.sets]}

    def unpack(self, held: Any) -> SetCover:
        """Return the sets; `SetCover` refuses elements that are none."""
        return SetCover(counted(held, "universe", 0, MOST_ITEMS), tuples(held, "sets"))

    def counts(self, source: SetCover) -> dict[str, int]:
        """Return the numbers of elements and sets."""
        return {"elements": source.universe, "sets": len(source.sets)}


SETS = _Sets()
