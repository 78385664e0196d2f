"""The second checker's recount of a certificate is the check's, also of one that somebody changed."""

from __future__ import annotations

import pytest

from checker import red_team
from seeds import how_many

pytestmark = pytest.mark.seeds  # the certificates, and how often they are changed


@pytest.mark.few(4)
@pytest.mark.parametrize(
    "kind", ["prices", "components", "trees", "lattice cuts", "matching", "2-diversity", "requirements"]
)
def test_changed_certificates_get_one_verdict(kind):
    some = red_team.cases(how_many(60, 6)).get(kind)
    if not some:
        pytest.skip("the check reads no such certificate yet")
    counted, differ, above = red_team.attack(kind, some, how_many(10_000 // 6, 40))
    assert not differ, differ[0][:4]
    assert not above, above[0][:3]
    assert counted["good"] and counted["violation"] and counted["unreadable"]


def test_every_kind_of_certificate_is_drawn():
    assert {"prices", "components", "trees", "lattice cuts", "matching", "2-diversity"} <= set(red_team.cases(6))
