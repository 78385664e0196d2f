"""Every experiment that can be run again, by name."""

from __future__ import annotations

from incrowd.errors import PolicyError, did_you_mean
from incrowd.reproduce import against_exact, against_mondrian, data_sets
from incrowd.reproduce.experiment import Experiment
from incrowd.tables.mask import Mask

__all__ = ["CATALOGUE", "NETWORKS", "find"]

NETWORKS = "networks"
USER = Mask(
    max_stars=2,
    keep=["education", "salary-class"],
    together=[["workclass", "occupation"]],
    at_most_one=[["age", "sex", "race"]],
)

CATALOGUE: tuple[Experiment, ...] = (
    Experiment(
        name="adult", table=1, data=data_sets.ADULT, mask=Mask(), patterns=2**14, against="mondrian",
        claims=against_mondrian.ADULT, ties="colexicographic", numeric="all", texts="sorted",
    ),
    Experiment(
        name="adult-2", table=2, data=data_sets.ADULT_2, mask=Mask(), patterns=2**9, against="mondrian",
        claims=against_mondrian.ADULT_2, ties="colexicographic",
    ),
    Experiment(
        name="nursery", table=3, data=data_sets.NURSERY, mask=Mask(), patterns=2**8, against="mondrian",
        claims=against_mondrian.NURSERY, ties="colexicographic", numeric="none",
    ),
    Experiment(
        name="cmc", table=4, data=data_sets.CMC, mask=Mask(), patterns=2**10, against="mondrian",
        claims=against_mondrian.CMC, ties="first", numeric="none",
    ),
    Experiment(
        name="canada", table=5, data=data_sets.CANADA, mask=Mask(), patterns=2**9, against="mondrian",
        claims=against_mondrian.CANADA, ties="colexicographic",
    ),
    Experiment(
        name="nursery-exact", table=6, data=data_sets.NURSERY, mask=Mask(), patterns=2**8, against="exact",
        claims=against_exact.NURSERY, ties="colexicographic",
    ),
    Experiment(
        name="cmc-exact", table=7, data=data_sets.CMC, mask=Mask(max_stars=2), patterns=57, against="exact",
        claims=against_exact.CMC, ties="first",
    ),
    Experiment(
        name="adult-2-exact", table=8, data=data_sets.ADULT_2, mask=USER, patterns=15, against="exact",
        claims=against_exact.ADULT_2, ties="colexicographic",
    ),
)  # fmt: skip


def find(name: str) -> Experiment:
    """Return an experiment by its name or the number of its table (``"1"``, ``"table-1"``).

    The name may be in upper or lower case. PolicyError is raised if there is no such experiment; the message names the
    nearest one.
    """
    wanted = name.lower()
    for experiment in CATALOGUE:
        if wanted in (experiment.name, str(experiment.table), f"table-{experiment.table}"):
            return experiment
    names = [*(experiment.name for experiment in CATALOGUE), NETWORKS]
    raise PolicyError(
        f"there is no experiment named {name!r}{did_you_mean(wanted, names)}; `incrowd reproduce --list` names them"
    )
