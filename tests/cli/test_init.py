"""`incrowd init`: a policy on standard output that is ready to be edited."""

import re

from people import CANARY


def test_init_proposes_roles_and_decides_nothing(run, table, tmp_path):
    status, out, _ = run("init", table)
    assert status == 0
    assert CANARY not in out
    assert all(line.startswith("#") for line in out.splitlines() if line)
    assert '# identifiers = ["name", "remark"]' in out
    assert '# quasi_identifiers = ["age", "sex", "land"]' in out
    (tmp_path / "p.toml").write_text(out)
    assert "no quasi-identifiers" in run("anonymize", table, "-o", "r.csv", "--policy", "p.toml")[2]
    (tmp_path / "p.toml").write_text(re.sub(r"^# (?=quasi|identifiers|k )", "", out, flags=re.MULTILINE))
    assert run("anonymize", table, "-o", "r.csv", "--policy", "p.toml", "--k", "2")[0] == 0


def test_init_writes_down_how_the_table_was_read(run, tmp_path):
    (tmp_path / "raw.csv").write_text("1;x\n2;y\n2;y\n")
    out = run("init", "raw.csv", "--no-header", "--columns", "n,w")[1]
    assert '[read]\nheader = false\ncolumns = [\n    "n",\n    "w",\n]\n' in out
