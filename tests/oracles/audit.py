"""An audit the slow and plain way: every count read off the rows, none of `incrowd` used."""

from collections import Counter
from fractions import Fraction
from itertools import combinations


def audit(rows, *, star="*", outliers="forbid"):
    """What an audit of rows (tuples of quasi-identifier cells) has to say."""
    m = len(rows[0])
    inside = [row for row in rows if outliers == "forbid" or any(cell != star for cell in row)]
    classes = Counter(inside)
    sizes = sorted(classes.values())
    risks = [Fraction(1, classes[row]) for row in inside]
    return {
        "rows": len(rows),
        "classes": {
            "count": len(sizes),
            "min": sizes[0] if sizes else None,
            "mean": len(inside) / len(sizes) if sizes else None,
            "max": sizes[-1] if sizes else None,
        },
        "k": sizes[0] if sizes else None,
        "unique_rows": sizes.count(1),
        "outliers": len(rows) - len(inside),
        "prosecutor": float(max(risks)) if risks else None,
        "marketer": float(sum(risks) / len(risks)) if risks else None,
        "above": [sum(1 for risk in risks if risk > threshold) for threshold in (Fraction(1, 5), Fraction(1, 20))],
        "columns": [
            {
                **alone([row[j] for row in rows]),
                "missing": sum(1 for row in rows if row[j] is None),
                "stars": sum(1 for row in rows if row[j] == star),
                "unique_without": alone([row[:j] + row[j + 1 :] for row in inside])["unique"],
            }
            for j in range(m)
        ],
        "pairs": {(a, b): alone([(row[a], row[b]) for row in rows]) for a, b in combinations(range(m), 2)},
    }


def alone(cells):
    counts = Counter(cells)
    n = len(cells)
    differ = sum(1 for i in range(n) for j in range(n) if cells[i] != cells[j])
    return {
        "distinct": len(counts),
        "unique": sum(1 for cell in cells if counts[cell] == 1),
        "separation": differ / (n * (n - 1)) if n > 1 else None,
    }
