"""Random small tables: what an attack excludes, against every original that could have given the release.

    PYTHONPATH=tests python -m properties.small_attacks [NUMBER] [FIRST]

tries NUMBER tables (5,000 by default) from number FIRST (0) on. Ten tables share one question (domains that are known,
hierarchies or weighted stars, a mask, k from 1 to 3, an outlier rule, for a part of them a requirement on a sensitive
column), so that no original is solved twice. Each table is released by a real solver; then **every** original whose
cells lie below the released ones is solved too, and is one of the attacker's if it gives this release with the same
facts published. Of six questions four are solved by `exact`, one by the greedy (not the cheapest, a bound below), one
under a requirement by `subset_dp`. Of each table:

- no value that is excluded under a proven premise is a value of an original that gives the release (a hit fails);
- no class that insiders take to differ in a column is alike there in such an original;
- recall, by premise, where the release is the cheapest: which values no original has for which the premise holds, and
  how many of them are excluded. *settled*: originals in which nothing can be moved or lowered, in the plain words of
  `properties.attacked`; *bound*: originals of which no release costs less; *program*: originals that give the release.
"""

from __future__ import annotations

import contextlib
import itertools
import math
import sys
import time
from collections import Counter
from functools import lru_cache

import numpy as np

from incrowd.errors import Infeasible
from incrowd.progress import Watch
from incrowd.registry import load
from incrowd.tables.attack.answer import attacked
from incrowd.tables.attack.classes import lowerings
from incrowd.tables.attack.premises import KNOWN, premises_of
from incrowd.tables.attack.read import at_one_vector, broken_rules
from incrowd.tables.solve.last_pass import settled
from properties import attacked as plain
from properties import attacked_required as required

TABLES = 10  # of one question
DRAWS = 40  # until a table hides something that no earlier one of its question did
MOST_TABLES = 2500  # of a question, which says how many rows they have
MOST = 150  # originals with cells below the released ones


class Question:
    """Domains, policy and solver, and what the solver makes of every original that was asked for."""

    def __init__(self, number):
        self.rng = np.random.default_rng([101, number])
        self.solver = ("exact", "exact", "greedy", "lattice", "exact", "subset_dp")[number % 6]
        self.single = {"single": True} if self.solver == "lattice" else {}  # one recoding for the whole table
        self.with_solver = load("solvers", self.solver)(**self.single)
        self.tables = [None]
        while None in self.tables:  # no table that can be released was drawn
            self.model, self.solved = None, {}
            if self.solver == "subset_dp":
                self.asked, self.model = required.question_with_model(self.rng)
            else:
                self.asked = plain.random_question(self.rng, most=MOST_TABLES)
                if self.single and self.asked[3] < 2:
                    continue
            self.tables = list(self.drawn())

    def drawn(self):
        """Tables that are released, with what is hidden in as many different ways as chance finds."""
        seen, last = set(), None
        for _ in range(TABLES):
            for draw in range(DRAWS):
                table = self.random_table()
                shown = self.shown(table)
                if not shown or self.how_many(shown) > MOST:
                    continue
                last = table
                if shown not in seen and (self.may_be_left(shown) or draw > DRAWS // 2):
                    seen.add(shown)
                    break
            yield last

    def may_be_left(self, shown):
        """Whether there are several classes, of which one hides something and has rows to spare."""
        spare = any(len(rows) > 1 and n > self.asked[3] for rows, n in self.below(shown))
        return spare and len({key for key, _ in shown}) > 1 if not self.model else spare

    def random_table(self):
        """Rows of which some are frequent."""
        domain = [range(d) for d in self.asked[0]] + ([range(2)] if self.model else [])
        kinds = list(itertools.product(*domain))
        share = self.rng.dirichlet(np.full(len(kinds), self.rng.choice([0.2, 0.5, 2.0])))
        return tuple(sorted(kinds[i] for i in self.rng.choice(len(kinds), self.asked[-1], p=share)))

    def solve(self, table):
        """A table's problem and the solver's answer; None where there is none."""
        if table not in self.solved:
            if self.model:
                problem = required.problem_of(table, self.asked, self.model)
            else:
                problem = plain.problem_of(table, self.asked)
            self.solved[table] = None
            if not self.with_solver.declines(problem):
                with contextlib.suppress(Infeasible):
                    self.solved[table] = problem, self.with_solver.solve(problem, Watch())
        return self.solved[table]

    def shown(self, table):
        """What the release of a table shows; None where there is none."""
        found = self.solve(table)
        if found is None:
            return None
        return (required if self.model else plain).shown_by(found[0], found[1].plan)

    def below(self, shown):
        """By class, and sensitive value, the rows that it may hold, and how many it holds."""
        units = [(*key, (kind,), n) for (key, kind), n in shown] if self.model else [(*key, (), n) for key, n in shown]
        for vector, nodes, kind, n in units:
            boxes = [
                np.flatnonzero(level.up[at] == node).tolist()
                for level, at, node in zip(self.asked[1], vector, nodes, strict=True)
            ]
            yield [(*row, *kind) for row in itertools.product(*boxes)], n

    def how_many(self, shown):
        """How many originals, of classes of rows, lie below what is shown."""
        return math.prod(math.comb(len(rows) + n - 1, n) for rows, n in self.below(shown))

    def originals(self, shown):
        """Every table whose cells lie below the released ones, as a sorted tuple of rows."""
        choices = [list(itertools.combinations_with_replacement(rows, n)) for rows, n in self.below(shown)]
        return {tuple(sorted(itertools.chain(*some))) for some in itertools.product(*choices)}

    def facts(self, table):
        """What would be published of a table's release."""
        problem, found = self.solve(table)
        cost, bound = found.plan.cost(problem), found.bound.value
        return cost, bound, not self.single and settled(problem, found.plan, Watch())


@lru_cache(maxsize=2)
def question(number):
    return Question(number)


def tried(number):
    """Attack one table's release; return what is to be counted."""
    asked = question(number // TABLES)
    table = asked.tables[number % TABLES]
    told = Counter({(asked.solver, "tables"): 1})
    shown, facts = asked.shown(table), asked.facts(table)
    if asked.model:
        released, place = required.released_with_kinds(shown, asked.asked, asked.model)
    else:
        released, place = plain.released_of(shown, asked.asked), None
    if asked.single:
        released, broken = at_one_vector(released)
        assert not broken and not broken_rules(released) and released.cost == facts[0]
    cost, bound, fine = facts
    published = {"cost": cost, "lower_bound": bound, "optimal": cost == bound, "settled": fine, "solver": asked.solver}
    found = attacked(released, premises_of(released, published, KNOWN, valid=True), Watch())
    excluded = triples(found.union("proven"))
    alike = lowerings(released, Watch()) if found.premises.settled == "proven" else None
    originals = asked.originals(shown)
    assert table in originals
    given = [one for one in originals if asked.shown(one) == shown and asked.facts(one) == facts]
    assert table in given
    program = [[set() for _ in released.columns] for _ in released.unit_class]
    for one in given:
        problem, solution = asked.solve(one)
        if asked.model:
            values = required.values_held(problem, solution.plan, released, place)
        else:
            values = plain.hidden_values(problem, solution.plan, shown)
        for u, j, v in excluded:
            assert v not in values[u][j], (number, one, u, j, v)
        for all_of, some in zip(program, values, strict=True):
            for held, more in zip(all_of, some, strict=True):
                held |= more
        if alike is not None:
            told[asked.solver, "insiders"] += differ(released, alike, values)
    told[asked.solver, "hidden"] += int(((released.levels > 0) * released.sizes[:, None]).sum())
    told[asked.solver, "originals"] += len(originals)
    told[asked.solver, "give the release"] += len(given)
    told[asked.solver, "excluded"] += len(excluded)
    if asked.solver == "exact":
        told.update(recalled(asked, shown, found, program, originals, cost))
    return told


def triples(found):
    """Exclusions as a set."""
    return set(zip(found.unit.tolist(), found.column.tolist(), found.value.tolist(), strict=True))


def differ(released, alike, values):
    """How many columns of classes are said to differ; it is wrong where an original is alike there."""
    said = 0
    for c, j in np.argwhere(alike.level >= 0).tolist():
        up = released.columns[j].levels.up[alike.level[c, j]]
        held = set().union(*(values[u][j] for u in np.flatnonzero(released.unit_class == c)))
        assert len({int(up[v]) for v in held}) > 1, (c, j)
        said += 1
    for classes, columns in alike.together:
        for c in classes.tolist():
            units = np.flatnonzero(released.unit_class == c)
            assert any(len(set().union(*(values[u][j] for u in units))) > 1 for j in columns), (c, columns)
            said += 1
    return said


def recalled(asked, shown, found, program, originals, cost):
    """What no original has for which a premise holds, and how much of it is excluded under that premise."""
    ours = {"settled": set(), "bound": set(), "program": set()}
    for one in found.found:
        if one.standing == "proven":
            for premise in list(ours)[("valid", "settled", "bound", "program").index(one.premise) - 1 :]:
                ours[premise] |= triples(one.exclusions)
    ours["settled"] |= triples(found.found[0].exclusions)
    cheapest = [[set() for _ in cells] for cells in program]
    for one in originals:  # classes have the rows below them, whichever of an original's rows those are
        if asked.solve(one) is not None and asked.solve(one)[1].bound.value == cost:
            for values, (key, _) in zip(cheapest, shown, strict=True):
                some = [row for row in one if plain.fits(asked.asked[1], *key, row)]
                for j, held in enumerate(values):
                    held.update(row[j] for row in some if in_some_pairing(asked, one, shown, key, row))
    possible = plain.possible_values(shown, asked.asked)
    told = Counter()
    for u, columns in enumerate(possible):
        for j, (box, fine) in enumerate(columns):
            for premise, held in (("settled", fine), ("bound", cheapest[u][j]), ("program", program[u][j])):
                mine = {v for c, column, v in ours[premise] if (c, column) == (u, j)}
                assert not mine & held, (premise, u, j)
                told[premise, "excludable"] += len(box - held)
                told[premise, "excluded"] += len(mine)
    return told


@lru_cache(maxsize=20_000)
def _pairs(levels, keys, rest, sizes):
    """Whether rows can fill the classes."""
    if not rest:
        return not any(sizes)
    row, more = rest[0], rest[1:]
    for i, size in enumerate(sizes):
        if size and plain.fits(levels, *keys[i], row):
            left = (*sizes[:i], size - 1, *sizes[i + 1 :])
            if _pairs(levels, keys, more, left):
                return True
    return False


def in_some_pairing(asked, table, shown, key, row):
    """Whether a row can be in a class while all others fill the classes."""
    rest = list(table)
    rest.remove(row)
    sizes = tuple(n - (one == key) for one, n in shown)
    return _pairs(asked.asked[1], tuple(one for one, _ in shown), tuple(rest), sizes)


def main(number, first=0):
    """Print what was found; a hit ends it."""
    begun, told = time.process_time(), Counter()
    for one in range(first, first + number):
        try:
            told.update(tried(one))
        except BaseException:
            print(f"table {one}:", flush=True)
            raise
    names = ("tables", "hidden", "originals", "give the release", "excluded", "insiders")
    print(f"{'solver':<10}" + "".join(f"{name:>18}" for name in names))
    for solver in ("exact", "greedy", "lattice", "subset_dp"):
        print(f"{solver:<10}" + "".join(f"{told[solver, name]:>18,}" for name in names))
    for premise in ("settled", "bound", "program"):
        most, ours = told[premise, "excludable"], told[premise, "excluded"]
        print(f"{premise}: {ours:,} of {most:,} excludable values excluded ({100 * ours / max(most, 1):.1f} %)")
    print(f"0 hits, {time.process_time() - begun:.0f} s of CPU", flush=True)


if __name__ == "__main__":
    main(*(int(argument) for argument in sys.argv[1:3] or ["5000"]))
