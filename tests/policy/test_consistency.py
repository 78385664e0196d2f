"""What of a policy does not go together is refused, in a sentence that names the settings."""

import pytest

from incrowd import Hierarchy, Mask
from incrowd.errors import PolicyError
from incrowd.policy.job import refuse_contradictions, refuse_other_columns, refuse_star

GOOD = {
    "cost": "leaves",
    "hierarchies": (),
    "recoding": "levels",
    "mask": Mask(),
    "suppressed": "text",
    "suppression_limit": None,
}
AGE = Hierarchy(lines=(("1", "low", "*"), ("2", "low", "*"), ("3", "high", "*")))
OWN = Hierarchy(lines=AGE.lines, level_costs=(1, 2))


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"cost": "nothing"}, "nothing"),
        ({"cost": "cells", "hierarchies": (("age", OWN),)}, "level_costs"),
        ({"suppressed": "null", "hierarchies": (("age", AGE),)}, "labels"),
        ({"suppressed": "null", "auto": True}, "labels"),
        ({"recoding": "ranges", "auto": True}, "no hierarchies"),
        ({"recoding": "ranges", "mask": Mask(max_stars=1)}, "no mask"),
        ({"recoding": "ranges", "hierarchies": (("age", AGE),)}, "no hierarchies"),
        ({"recoding": "ranges", "suppressed": "null"}, "ranges do not fit"),
        ({"recoding": "ranges", "suppression_limit": 1}, "no suppression_limit"),
        ({"recoding": "global", "suppressed": "null"}, "recoding=global counts"),
        ({"suppression_limit": 1, "suppressed": "null"}, "suppression_limit counts"),
    ],
)
def test_a_contradiction_is_named(change, words):
    refuse_contradictions(**GOOD)
    with pytest.raises(PolicyError, match=words):
        refuse_contradictions(**{**GOOD, **change})


def test_a_star_that_could_not_be_read_back_is_refused():
    refuse_star("*", strip=True)
    refuse_star(" *", strip=False)
    for star in ("", " *"):
        with pytest.raises(PolicyError, match="star must"):
            refuse_star(star, strip=True)


@pytest.mark.parametrize("given", ["mask", "weights", "hierarchies"])
def test_columns_that_never_change_take_no_mask_weight_or_hierarchy(given):
    none = {"mask": Mask(), "weights": (), "hierarchies": ()}
    named = {"mask": Mask(keep=["sx"]), "weights": (("sx", 2),), "hierarchies": (("sx", AGE),)}
    refuse_other_columns(("age", "sex"), **none)
    with pytest.raises(PolicyError, match="'sx', which is no quasi-identifier"):
        refuse_other_columns(("age", "sex"), **{**none, given: named[given]})
