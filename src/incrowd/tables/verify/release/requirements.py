"""Recount of what classes must meet beside k: how often each combination of sensitive values occurs in each class.

The counts are the check's own, from the released cells and the original's values, and so is what they mean: each model
that the policy names is judged by `incrowd.check`.
"""

from __future__ import annotations

import itertools
from collections import Counter
from typing import TYPE_CHECKING, Any

import ibis

from incrowd.check.exact import Unreadable
from incrowd.errors import InputError, PolicyError
from incrowd.tables.verdict import Violation
from incrowd.tables.verify.recount import asked_of
from incrowd.tables.verify.release.groups import ALIKE, alike_rows, number_of, recount_classes

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    import ibis.expr.types as ir

    from incrowd.tables.engine.base import Engine
    from incrowd.tables.verify.release.groups import Classes
    from incrowd.tables.verify.rules import Rules


_NOTHING = object()  # what a class without known rows reaches


def judge(
    engine: Engine, original: ir.Table, released: ir.Table, cells: Sequence[str],
    sensitive: Mapping[str, tuple[str, str]], rules: Rules,
) -> tuple[Classes, tuple[Violation, ...], list[dict[str, Any]]]:  # fmt: skip
    """Judge the classes of released rows: their sizes, and what is required of them beside, as `recount_requirements`.

    Where a model asks, equal rows are counted once for both.
    """
    lines = alike_rows(engine, released, [*cells, *(i for _, i in sensitive.values())]) if sensitive else released
    unmet, reached = recount_requirements(engine, original, lines, cells, sensitive, rules.policy.models)
    return recount_classes(engine, lines, cells, rules), unmet, reached


def recount_requirements(
    engine: Engine,
    original: ir.Table,
    released: ir.Table,
    cells: Sequence[str],
    sensitive: Mapping[str, tuple[str, str]],
    models: Sequence[Any],
) -> tuple[tuple[Violation, ...], list[dict[str, Any]]]:
    """Judge every class of released rows by every model, the class of fully suppressed rows too.

    `released` may be what `alike_rows` makes of the rows, and `cells` are the columns of the released
    quasi-identifiers. `sensitive` has by name the column of each judged sensitive column in `original` and in
    `released`. The violations are by model: the number of classes that fail, and the rows of one of the smallest of
    them. A class with a combination of values that the original does not have fails every model. Beside them a dict per
    model has ``rule``, ``columns`` and ``reached``: the strictest threshold that every class meets. Raise `PolicyError`
    for a model that the check has no reading of, or values that its settings cannot judge. One GROUP BY over each table
    and two over the result of the released one; what leaves the engine is one line per class with its counts, and the
    distinct sensitive values for the models.
    """
    names = tuple(sensitive)
    if not models:
        return (), []
    with engine.guard("counting the sensitive values"):
        before = original.select(**{f"v{j}": engine.plain(original[sensitive[n][0]]) for j, n in enumerate(names)})
        counted = before.group_by(before.columns).aggregate(n=lambda r: r.count())
        # one number per combination, in an order of the values, so that equal tables are judged alike
        values = [counted[f"v{j}"] for j in range(len(names))]
        order = [key for v in values for key in (engine.text(v).notnull(), engine.text(v), v)]
        kinds = engine.keep(counted.mutate(kind=ibis.row_number().over(order_by=order)))
        told = {f"t{j}": engine.text(kinds[f"v{j}"]) for j in range(len(names))}
        listed = engine.fetch(kinds.select("n", "kind", **told).order_by("kind"))
        shown = {f"w{j}": engine.plain(released[sensitive[n][1]]) for j, n in enumerate(names)}
        after = released.select(*cells, *(c for c in released.columns if c == ALIKE), **shown)
        entries = after.group_by([*cells, *shown]).aggregate(n=number_of)
        same = [entries[f"w{j}"].identical_to(kinds[f"v{j}"]) for j in range(len(names))]
        known = entries.left_join(kinds.drop("n"), same).select(*cells, "n", "kind")
        classes = known.group_by(cells).aggregate(
            kinds=known.kind.fill_null(-1).cast("int64").collect(), rows=known.n.cast("int64").collect()
        )
        found = engine.fetch(classes.select("kinds", "rows")).combine_chunks()
        engine.drop(kinds)
    texts = list(zip(*(listed.column(name).to_pylist() for name in told), strict=True))
    asked = asked_of(models, names, dict(zip(texts, listed.column("n").to_pylist(), strict=True)))
    # classes with the same rows of the same combinations are one to judge
    alike = Counter(
        tuple(sorted(zip(kinds, rows, strict=True)))
        for kinds, rows in zip(_lists(found, "kinds"), _lists(found, "rows"), strict=True)
    )
    # rows of known combinations, all rows, whether all are known, and how many such classes there are
    classes_found = [
        ({texts[kind]: n for kind, n in one if kind >= 0}, sum(n for _, n in one), one[0][0] >= 0, times)
        for one, times in alike.items()
    ]
    violations, reached = [], []
    for model, one in zip(models, asked, strict=True):
        try:
            judged = [one.judged(counted) if counted else (False, _NOTHING) for counted, *_ in classes_found]
        except Unreadable as error:
            kind = InputError if "not decided" in str(error) else PolicyError
            raise kind(f"{model.rule}: {error}") from None
        failing = [
            (size, times)
            for (met, _), (_, size, known, times) in zip(judged, classes_found, strict=True)
            if not (met and known)  # [R5]
        ]
        if failing:
            violations.append(Violation(model.rule, sum(times for _, times in failing), min(failing)[0]))
        every = [value for _, value in judged if value is not _NOTHING]
        worst = None if not every or None in every else one.worst(every)
        reached.append({"rule": model.rule, "columns": list(model.judged), "reached": worst})
    return tuple(violations), reached


def _lists(found: Any, name: str) -> Iterator[list[int]]:
    """Yield the lists of a column."""
    lists = found.column(name).combine_chunks()
    ends, flat = lists.offsets.to_pylist(), lists.flatten().to_pylist()
    return (flat[low:high] for low, high in itertools.pairwise(ends))
