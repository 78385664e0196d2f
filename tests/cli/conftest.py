"""Tables that several commands are tried on."""

import pytest

from people import CANARY, ROWS


@pytest.fixture
def table(tmp_path):
    """Six people, of whom the names and remarks are canaries or notes."""
    path = tmp_path / "people.csv"
    lines = [f"{CANARY}-{i},{','.join(row)},note {i}" for i, row in enumerate(ROWS)]
    path.write_text("name,age,sex,land,remark\n" + "\n".join(lines) + "\n")
    return path
