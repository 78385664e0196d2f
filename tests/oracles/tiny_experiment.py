"""An experiment on a small table, as the catalogue's are on large ones."""

from random import Random

from incrowd.reproduce.claims import Claim
from incrowd.reproduce.data_sets import DataSet
from incrowd.reproduce.experiment import Experiment
from incrowd.tables.mask import Mask

DOMAINS = (["1", "2", "4"], ["a", "b", "c"], ["7", "8"])


def tiny_experiment(*, seed=0, rows=12, against="mondrian", patterns=8, **more):
    """Rows of three columns, two of them numbers; the claim holds wherever k = 2 and 3 were run."""
    rng = Random(seed)
    made = [tuple(rng.choice(domain) for domain in DOMAINS) for _ in range(rows)]
    data = DataSet(
        name="tiny", columns=("p", "q", "r"), numeric=("p", "r"), rows=more.pop("told", rows), file=None, source="",
        reader=lambda _: iter(made), exact_rows=False,
    )  # fmt: skip
    claims = (Claim("both were run", lambda pairs: (True, f"{len(pairs.ks)} k"), needs=(2, 3)),)
    return Experiment(
        name="tiny-one", table=9, data=data, mask=Mask(), patterns=patterns, against=against, claims=claims, **more
    )
