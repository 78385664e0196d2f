"""What a job says of its bound was recounted in the same run."""

import threading

import pyarrow as pa
import pytest

import incrowd
from incrowd.errors import SolverDeclined
from incrowd.jobs.row_types import REFUTED
from incrowd.tables.mask.vocabulary import DEAD, Stars
from incrowd.tables.verify import recount

# Two stars a row are needed for the optimum of 10 at k = 2, and of 21 at k = 3.
TABLE = pa.table({"a": list("11223312"), "b": list("12211233"), "c": list("12121233")})
ASKED = {"quasi_identifiers": ["a", "b", "c"], "mask": incrowd.Mask(max_stars=2)}


def one_star_too_few(self, state, at, level):
    stars = state + (level == self.tops[at])
    if stars >= self.limit:
        return DEAD
    return 0 if at == self.last else stars


@pytest.mark.parametrize(("k", "optimum"), [(2, 10), (3, 21)])
@pytest.mark.usefixtures("bounds_may_be_refuted")
def test_a_false_bound_is_not_said_and_everybody_is_told(monkeypatch, k, optimum):
    assert incrowd.anonymize(TABLE, solver="exact", k=k, **ASKED).cost == optimum
    monkeypatch.setattr(Stars, "step", one_star_too_few)
    with incrowd.anonymize(TABLE, solver="exact", k=k, **ASKED) as release:
        assert release.cost > optimum
        assert release.lower_bound == release.facts["lower_bound_checked"] <= optimum
        assert (release.optimal, release.status) == (False, "heuristic")
        assert REFUTED[1:] in " ".join(release.summary().split())
        if release.lower_bound:
            claims = release.certificate()
            assert (claims["lower_bound"], claims["lower_bound_checked"]) == (release.lower_bound, release.lower_bound)
            assert incrowd.verify(TABLE, release.table, certificate=claims, k=k, **ASKED).proven
        else:
            with pytest.raises(SolverDeclined):
                release.certificate()


def test_a_false_bound_fails_every_other_test(monkeypatch):
    monkeypatch.setattr(Stars, "step", one_star_too_few)
    with pytest.raises(AssertionError, match="a lower bound of .* was claimed"):
        incrowd.anonymize(TABLE, solver="exact", k=3, **ASKED)


def test_a_bound_that_is_too_large_to_be_recounted_is_not_called_checked(monkeypatch):
    monkeypatch.setattr(recount, "MOST_MEMBERS", 1)
    with incrowd.anonymize(TABLE, solver="exact", k=3, **ASKED) as release:
        assert (release.lower_bound, release.facts["lower_bound_checked"], release.proof) == (21, 0, "solver")
        assert "the table has too many instances" in release.summary(details=True)
        assert release.certificate()["lower_bound_checked"] == 0


def test_who_interrupts_a_job_and_keeps_its_best_waits_for_no_recount():
    stop = threading.Event()
    asked = {"on_event": lambda event: stop.set() if event.stage == "expand" else None, "stop": stop, **ASKED}
    with incrowd.anonymize(TABLE, solver="exact", k=3, **asked) as release:
        assert (release.lower_bound, release.facts["lower_bound_checked"], release.proof) == (21, 0, "solver")
        assert "he bound was not recounted: the job was interrupted" in release.summary(details=True)
