"""k, l and t with what they mean, and the curve to choose k by."""

from __future__ import annotations

import tomllib

from web.visitor import words


def test_thresholds_are_explained_for_this_table(visitor, place, policy):
    page = words(visitor.text(f"{place}/promise"))
    assert "k = 5" in page
    assert "At most 40 such crowds fit into the 200 rows" in page
    assert "Nothing is asked of diagnosis" in page
    visitor.post(f"{place}/promise", {"k": "4", "l": "2", "t": "0.3"})
    page = words(visitor.text(f"{place}/promise"))
    assert "no value of diagnosis belongs to more than 1 in 2" in page
    assert "at most 30 % would have to be moved" in page
    said = tomllib.loads(policy())
    assert (said["k"], said["l"], said["t"]) == (4, 2, 0.3)
    visitor.post(f"{place}/promise", {"l": "", "t": ""})


def test_thresholds_out_of_range_are_refused(visitor, place, policy):
    before = policy()
    for form in ({"k": "0"}, {"k": "x"}, {"l": "0.5"}, {"t": "2"}, {"require": "nobody p=3"}):
        assert "That did not work" in visitor.after(visitor.post(f"{place}/promise", form))
    assert policy() == before


def test_the_curve_has_a_point_for_every_k(visitor, place):
    visitor.post(f"{place}/curve", {"ks": "2, 4"})
    page = visitor.settled(f"{place}/promise")
    assert 'class="drawing"' in page
    assert page.count('<th scope="row">') == 2
    for ks in ("x", "", "0"):
        answer = visitor.post(f"{place}/curve", {"ks": ks})
        assert "notice no" in visitor.settled(answer.headers["location"])
