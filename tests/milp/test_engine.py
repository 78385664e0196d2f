from __future__ import annotations

import pytest

from incrowd.milp.engine import fresh


def test_unknown_options_are_refused():
    with pytest.raises(ValueError, match="no_such_option"):
        fresh(no_such_option=1)
