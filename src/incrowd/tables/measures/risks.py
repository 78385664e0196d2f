"""Re-identification risks: how likely somebody who knows the quasi-identifiers finds the right row."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from incrowd.tables.measures.context import ClassSizes, MeasureContext, class_sizes

if TYPE_CHECKING:
    from incrowd.tables.table import Expanded


THRESHOLDS = (Fraction(1, 5), Fraction(1, 20))

MEANINGS = {
    "prosecutor": "greatest chance to pick the right row of somebody who is known to be in the table: "
    "1 / the size of the smallest class",
    "prosecutor_mean": "the same chance, averaged over the rows: classes / rows",
    "journalist": "greatest chance to pick the right row of somebody who may be in the table: 1 / the number of people "
    "in the population who look alike; no population table is given, so the table stands for it and the "
    "number is the prosecutor's, the most it can be",
    "journalist_mean": "the same chance, averaged over the rows",
    "marketer": "share of the rows that somebody who links the whole table with names gets right on average: "
    "classes / rows",
    "above": "rows whose prosecutor risk is greater than the threshold",
}


@dataclass(frozen=True, slots=True)
class ReidentificationRisks:
    """Prosecutor, journalist and marketer risk of the rows that show anything; 0 to 1, smaller is better.

    With f_i the size of the class of row i, over the n rows in J classes:

    - ``prosecutor = max 1 / f_i``, ``prosecutor_mean = 1/n * sum 1 / f_i = J / n``: the attacker knows that a
      person is in the table;
    - ``journalist``: the attacker does not, and f_i counts the population instead of the table. Without a
      population table it is bounded by, and given as, the prosecutor's;
    - ``marketer = J / n``: the expected share of rows that are re-identified when all are matched;
    - ``above``: rows with ``1 / f_i`` greater than 0.2 (classes of fewer than 5) and 0.05 (of fewer than 20).

    Outliers (fully suppressed rows under ``outliers="suppress"``) are in no class and left out, as in ARX; they
    are a risk of their own where there are fewer than k.

    References
    ----------
    K. El Emam, F. K. Dankar, "Protecting Privacy Using k-Anonymity", JAMIA 15(5), 2008: prosecutor and
    journalist. F. K. Dankar, K. El Emam, "A Method for Evaluating Marketer Re-identification Risk", PAIS 2010.
    K. El Emam, "Guide to the De-Identification of Personal Health Information", CRC Press, 2013: thresholds.
    """

    name = "risks"
    cites = ("ElEmamDankar2008",)
    summary = "chance to find the right row, by attacker: prosecutor, journalist, marketer; 0 is best"
    unit = "probability"

    def measure(self, release: Expanded, context: MeasureContext) -> dict[str, Any]:
        """Return the risks by name, with ``unique_rows``; time grows with the row types."""
        sizes = class_sizes(release, context)
        return {**risks_of(sizes), "unique_rows": unique_rows(sizes)}


def risks_of(sizes: ClassSizes) -> dict[str, Any]:
    """Return the risks of a table with these classes.

    They are ``prosecutor``, ``prosecutor_mean``, ``journalist``, ``journalist_mean``, ``marketer`` (0 to 1; None where
    there is no class) and ``above``, a list of ``threshold``, ``rows`` and ``fraction`` of the rows in classes.
    """
    worst = 1 / sizes.classes[0][0] if sizes.classes else None
    mean = sizes.count / sizes.rows if sizes.classes else None
    above = []
    for threshold in THRESHOLDS:
        rows = sum(size * times for size, times in sizes.classes if size * threshold < 1)
        fraction = rows / sizes.rows if sizes.classes else None
        above.append({"threshold": float(threshold), "rows": rows, "fraction": fraction})
    return {
        "prosecutor": worst,
        "prosecutor_mean": mean,
        "journalist": worst,
        "journalist_mean": mean,
        "marketer": mean,
        "above": above,
    }


def unique_rows(sizes: ClassSizes) -> int:
    """Return the rows that are alone in their class."""
    return sum(times for size, times in sizes.classes if size == 1)
