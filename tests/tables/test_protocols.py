"""What plugs in is what the protocols describe."""

import pytest

from incrowd import registry
from incrowd.tables import protocols


@pytest.mark.parametrize(
    ("kind", "protocol"),
    [
        ("solvers", protocols.Solver),
        ("models", protocols.Model),
        ("costs", protocols.Cost),
        ("measures", protocols.Measure),
    ],
)
def test_every_registered_part_has_what_its_protocol_asks_for(kind, protocol):
    asked = {name for name in dir(protocol) if not name.startswith("_")} | set(protocol.__annotations__)
    for name in registry.names(kind):
        part = registry.load(kind, name)
        assert not {one for one in asked if not hasattr(part, one)}, name
