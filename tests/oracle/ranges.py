"""Range labels and releases of ranges in plain Python."""

from __future__ import annotations

from collections import defaultdict
from decimal import Decimal, InvalidOperation


def label(values, *, numeric):
    """What a class shows of a column, from its values (None: missing); a star is "*"."""
    distinct = set(values)
    if len(distinct) == 1:
        return next(iter(distinct))
    if not numeric or None in distinct:
        return "*"
    order = sorted(distinct, key=lambda v: (Decimal(v), v))
    return f"[{order[0]}-{order[-1]}]"


def may_hide(shown, original, domain):
    """Whether a released cell may hide an original value."""
    if shown in ("*", original):
        return True
    if shown is None or shown in domain:
        return False
    if shown.startswith("[") and shown.endswith("]"):
        for cut in range(1, len(shown) - 1):
            low, high = number(shown[1:cut]), number(shown[cut + 1 : -1])
            if shown[cut] == "-" and low is not None and high is not None:
                own = None if original is None else number(original)
                return own is not None and low <= own <= high
    return False


def number(text):
    try:
        return Decimal(text)
    except InvalidOperation:
        return None


def loss(rows, shown, numeric):
    """NCP, loss metric and bits of a release: `shown` lines up with `rows`."""
    m, n = len(rows[0]), len(rows)
    penalty = granular = 0.0
    behind = []
    for j in range(m):
        column = [row[j] for row in rows]
        domain = set(column)
        numbers = [Decimal(v) for v in domain if v is not None] if j in numeric else []
        for row, cells in zip(rows, shown, strict=True):
            cell = cells[j]
            if cell == row[j]:
                behind.append((j, row[j], [row[j]]))
                continue
            below = [v for v in domain if may_hide(cell, v, domain)]
            granular += (len(below) - 1) / (len(domain) - 1)
            if cell != "*" and j in numeric:
                low, high = min(Decimal(v) for v in below), max(Decimal(v) for v in below)
                penalty += float((high - low) / (max(numbers) - min(numbers)) if max(numbers) > min(numbers) else 0)
            else:
                penalty += len(below) / len(domain)
            behind.append((j, row[j], below))
    return penalty / (n * m), granular / (n * m), behind


def classes(shown):
    sizes = defaultdict(int)
    for row in shown:
        sizes[tuple(row)] += 1
    return sizes
