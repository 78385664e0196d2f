"""Certificates read and recounted for anybody who holds the original and the release.

Row types are counted in the engine, and `incrowd.check` is asked. A certificate of lines is recounted in the engine too
where the row types are too many for this process.
"""

from __future__ import annotations

import dataclasses
import functools
import math
from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, NamedTuple

from incrowd.check import verdict
from incrowd.check.exact import Unreadable
from incrowd.check.hierarchies import Grid
from incrowd.errors import InputError
from incrowd.strict_json import read_json
from incrowd.tables.verdict import Violation
from incrowd.tables.verify import lines
from incrowd.tables.verify.lines import MAGIC, PriceFile, type_table
from incrowd.tables.verify.mask import MaskReading
from incrowd.tables.verify.recount import Compiled, readable, required, told_apart
from incrowd.tables.verify.release.released_cost import claimed_cost, loss_of, recounted_cost
from incrowd.tables.verify.row_types import count_types, grouped
from incrowd.tables.verify.rules import with_ranges

if TYPE_CHECKING:
    import ibis.expr.types as ir
    import numpy as np
    from numpy.typing import NDArray

    from incrowd.tables.engine.base import Engine
    from incrowd.tables.table import Opened
    from incrowd.tables.values import Levels
    from incrowd.tables.verdict import Loss
    from incrowd.tables.verify.rules import Rules


class Rechecked(NamedTuple):
    """A certificate recounted, in the user's units.

    `cost`: of the release; None where the release lacks columns that it is counted from. `proven`: whether the whole
    claimed bound was recounted. `question`: what the bound is about: of all releases that are this, none costs less.
    `k`: the k that the bound was recounted for. `requirements`: what the bound was recounted for beside k, as the
    policy writes it.
    """

    violations: tuple[Violation, ...]
    cost: Fraction | None
    lower_bound: Fraction
    proven: bool
    question: str
    k: int
    requirements: tuple[str, ...] = ()


def read_certificate(source: str | Path | Mapping[str, Any]) -> Mapping[str, Any] | PriceFile:
    """Return a certificate from its file, or as it is; nothing in it is checked yet.

    A mapping is returned unchanged; a file is read whole, but of a packed one the head. InputError is raised if the
    file cannot be read or holds no certificate.
    """
    if isinstance(source, Mapping):
        return source
    if not isinstance(source, (str, Path)):
        raise InputError(f"a certificate is the path of a file or a mapping, not a {type(source).__name__}")
    name = f"certificate '{Path(source).name}'"
    try:
        with Path(source).open("rb") as file:
            packed = file.read(len(MAGIC)) == MAGIC  # [F1]
        read = PriceFile(source) if packed else read_json(Path(source).read_text(encoding="utf-8"))
    except OSError as error:
        raise InputError(f"{name} cannot be read: {error.strerror}") from None
    except (ValueError, RecursionError):
        raise InputError(f"{name} is no JSON; give a file as it was written for one") from None
    if not isinstance(read, (dict, PriceFile)):
        raise InputError(f"{name} is no certificate; give a file as it was written for one")
    return read


@readable()
def recheck(
    engine: Engine,
    original: Opened,
    released: Opened,
    rules: Rules,
    certificate: Mapping[str, Any],
    ask: Callable[[], object],
    prices: Callable[[int], Sequence[int]] | None = None,
    loss: Loss | None = None,
    told: Mapping[str, Any] = MappingProxyType({}),
) -> Rechecked:
    """Recount a certificate from the two tables: row types from the original, the cost from the release.

    The engine holds both tables, and `rules` are read of the original. Nothing in `certificate`, which is as
    `read_certificate` returns it, is believed. `ask` is called again and again, and ends the recount by an exception.
    `prices` returns those of so many row types where they stand line by line; `certificate` is the head then. `loss` is
    that of the release, where it was recounted before. `told` is what it must say besides: which release
    it is of, where that is written already.
    InputError is raised if it is no certificate, or not one of these tables and this policy.
    """
    policy = rules.policy
    columns, m = columns_of(engine, original, rules), len(rules.names)
    kind = verdict.kind_of(certificate)
    matched, single = (kind[0] == f"incrowd {name} bound" for name in ("2-anonymity", "single recoding"))
    judged = [name for name in original.names if name in rules.judged]
    question, judged, facts = verdict.asked_by(policy, certificate, judged)
    facts |= told
    verdict.refuse_of_gaps(kind, gaps=bool(rules.gaps))
    sensitive = [original.data[original.ids[name]] for name in judged]
    types = count_types(engine, original.data, columns, sensitive, rules.climbed)
    codes, more = types.codes[:, :m], dict[str, Any]()
    if judged:
        more = {"secret": told_apart(types.codes[:, m:])} if matched else required(policy.models, types, judged)
    ask()
    sizes = [int(rank) + 1 for rank in codes.max(axis=0)]
    rows = int(types.counts.sum())
    if policy.grid:
        levels, scale, more = _on_grids(rules, sizes, types.lines, rows)
    else:
        levels, scale = rules.levels(sizes, types.lines, rows)
    offset = int(rules.unchanged() * scale)  # [T4, T8]
    more |= {"gapped": rules.gapped, "own": offset}
    if matched and offset:
        raise InputError("a certificate of 2-anonymity proves nothing under this cost: its prices begin at 0 [T4]")
    certificate = with_offset(certificate, offset)
    if single and loss is None and set(rules.names) <= set(released.names):
        loss = loss_of(engine, released, rules)
    if single:
        facts["most_suppressed"] = policy.most_suppressed(rows)
        more["of_release"] = None if loss is None else (loss.suppressed, loss.low, loss.high)
    found_cost = recounted_cost(engine, original, released, rules, loss)
    if policy.grid:
        cost = None if found_cost is None else int(found_cost[0] * scale)
    else:
        cost = claimed_cost(certificate, found_cost, scale, offset)
    problem = Compiled(
        codes, types.counts, levels, rules.mask, policy.k, policy.outliers, scale, ask, **more, facts=facts
    )
    rules_told = tuple(model.rule for model in policy.models) if "asked" in more else ()
    found = verdict.Verdict(problem, certificate, cost, prices)
    return said_of(found, cost, offset, scale, policy.k, question, rules_told)


def on_grid(
    engine: Engine, original: Opened, released: Opened, rules: Rules, certificate: Mapping[str, Any] | None
) -> Rules:
    """Return rules with the ranges that a release shows, on the grid of the policy or the certificate."""
    if rules.policy.grid and not rules.steps and certificate is not None:
        with readable():
            ranged, told = rules.policy.ranged, verdict.steps_of(certificate)
        if len(told) != len(ranged):
            raise InputError("the certificate is about other ranged columns than the policy: make it with this policy")
        rules = dataclasses.replace(rules, steps=dict(zip(ranged, told, strict=True)))
    return with_ranges(engine, original, released, rules)


def columns_of(engine: Engine, original: Opened, rules: Rules) -> list[ir.Value]:
    """Return the quasi-identifiers of the original as they are read."""
    before = [original.data[original.ids[name]] for name in rules.names]
    return [engine.text(c) if name in rules.text else c for name, c in zip(rules.names, before, strict=True)]


def said_of(
    found: Any, cost: int | None, offset: int, scale: int, k: int, question: str = "k-anonymity",
    requirements: tuple[str, ...] = (),
) -> Rechecked:  # fmt: skip
    """Return what a verdict of `check` recounted in the user's units."""
    violations, proven = tuple(Violation(one, 1) for one in found.wrong), found.proven
    if cost is None:  # nothing is known of it: the columns are missing, which is a violation of its own
        violations, proven = (*violations, Violation("certificate: cost", 1)), False
    paid = None if cost is None else Fraction(cost - offset, scale)
    bound_of_it = Fraction(max(found.bound - offset, 0), scale)
    return Rechecked(violations, paid, bound_of_it, proven, question, k, requirements)


def _on_grids(
    rules: Rules, sizes: Sequence[int], lines: Sequence[NDArray[np.int64] | None], rows: int
) -> tuple[tuple[Levels, ...], int, dict[str, Any]]:
    """Return every column's levels, of ranged ones value and star; the scale; and the grids [G1, G3]."""
    policy, names = rules.policy, rules.names
    ranged_ones = policy.ranged
    places = [names.index(name) for name in ranged_ones]
    if not places or set(rules.steps) != set(ranged_ones) or any(lines[j] is None for j in places):
        raise InputError(
            "the policy names no numeric column without a hierarchy, so a certificate of ranges does not fit"
        )
    grids = []
    for name, j in zip(ranged_ones, places, strict=True):
        values = rules.hierarchies[name].lines
        texts = [values[line][0] for line in lines[j]]  # type: ignore[union-attr]
        grid, weight = Grid(texts, rules.steps[name], wide=policy.cost == "ncp"), rules.star_cost(name)
        grids.append((j, grid, [weight * paid for paid in grid.paid], [grid.numbers[text] for text in texts]))
    levels, plain = rules.levels(sizes, [None if j in places else line for j, line in enumerate(lines)], rows)
    scale = math.lcm(plain, *(paid.denominator for _, _, shares, _ in grids for paid in shares))
    if rows * len(names) * scale * max(int(level.cost.max()) for level in levels) >= 2**62:
        raise InputError("the weights have too many digits for ranges to be added up")
    levels = tuple(dataclasses.replace(level, cost=level.cost * (scale // plain)) for level in levels)
    said, tops = policy.mask, [2 if j in places else level.height for j, level in enumerate(levels)]
    told = [(j, grid.step, grid.sorted, [int(paid * scale) for paid in shares], own_numbers)
            for j, grid, shares, own_numbers in grids]  # fmt: skip
    # value, range and star of the ranged columns
    kinds = (MaskReading(said, names, tops), tuple(tops)) if said else None
    return levels, scale, {"grids": told, "kinds_mask": kinds}


def with_offset(certificate: Mapping[str, Any], offset: int) -> Mapping[str, Any]:
    """Return a certificate whose claims count what the rows cost as they are, as its prices do."""
    claims = {name: certificate.get(name) for name in ("cost", "lower_bound", "lower_bound_checked")}
    return {**certificate, **{name: told + offset for name, told in claims.items() if type(told) is int}}


# Certificates of lines: in the table engine where the row types are too many for this process.
def recheck_lines(
    engine: Engine, original: Opened, released: Opened, rules: Rules, file: PriceFile, most: int,
    ask: Callable[[], object] = lambda: None, loss: Loss | None = None,
    told: Mapping[str, Any] = MappingProxyType({}),
) -> Rechecked:  # fmt: skip
    """Recount a certificate of lines from the two tables.

    The engine holds both tables, and `rules` are read of the original. `most` is the number of row types that may lie
    in this process; more are left in the engine. `ask` is called again and again, and ends the recount by an exception.
    `loss` is that of the release, where it was recounted before, and `told` what the head must say of it.
    InputError is raised if the certificate cannot be read, or is not one of these tables and this policy.
    """
    if rules.policy.grid:
        raise InputError("the certificate is not about ranges on a grid, and the policy is")
    types = grouped(engine, original.data, columns_of(engine, original, rules))
    many = int(engine.one(types.aggregate(t=types.count()))["t"])
    try:
        if many > most:
            paid = recounted_cost(engine, original, released, rules, loss)
            return recheck_in_engine(engine, types, rules, file, paid, ask, told)
        engine.drop(types)
        file.unpack(many)
        return recheck(
            engine, original, released, rules, file.head, ask,
            prices=functools.partial(_prices, file), loss=loss, told=told,
        )  # fmt: skip
    except Unreadable as error:
        raise file.refused(error) from None


def prices_in_memory(file: PriceFile, types: int) -> Mapping[str, Any]:
    """Return the certificate of version 11 that says what a certificate of lines does [Z4].

    `types` is the number of row types of the table. InputError is raised if the file cannot be read.
    """
    try:
        prices = _prices(file, types)
    except Unreadable as error:
        raise file.refused(error) from None
    return {**file.head, "version": file.head["version"] - 2, "components": None, "prices": prices, "trees": []}


def _prices(file: PriceFile, types: int) -> list[int]:
    """Return the prices of a certificate of lines, one a row type."""
    return [price for some in file.prices(types) for price in some.tolist()]


def recheck_in_engine(
    engine: Engine, grouped_rows: ir.Table, rules: Rules, file: PriceFile,
    paid: tuple[Fraction, Fraction] | None, ask: Callable[[], object] = lambda: None,
    told: Mapping[str, Any] = MappingProxyType({}),
) -> Rechecked:  # fmt: skip
    """Recount a certificate of lines, the original's row types left in the engine.

    `grouped_rows` are these, and `paid` is what the release costs, least and most. InputError is raised if the file
    cannot be read.
    """
    verdict.refuse_of_gaps(verdict.kind_of(file.head), gaps=bool(rules.gaps))
    types = type_table(engine, grouped_rows, rules.climbed)
    levels, scale = rules.levels(types.sizes, types.lines, types.n)
    offset = int(rules.unchanged() * scale)
    head = with_offset(file.head, offset)
    cost = claimed_cost(head, paid, scale, offset)
    found = lines.recount(types, file, head, rules, levels, scale, offset, cost, ask, told)
    return said_of(found, cost, offset, scale, rules.policy.k)
