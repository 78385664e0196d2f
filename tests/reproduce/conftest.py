"""Small experiments load what they call; loading every compiled kernel first would take seconds."""

import pytest

from incrowd import kernels


@pytest.fixture(autouse=True, scope="module")
def _unwarmed():
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(kernels, "warm", lambda: None)
        yield
