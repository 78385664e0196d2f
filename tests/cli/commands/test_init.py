"""`incrowd init`: a policy on standard output that can be used as it is, and edited."""

from people import CANARY


def test_init_proposes_a_policy_that_can_be_used_as_it_is(run, table, tmp_path):
    status, out, err = run("init", table)
    assert (status, err) == (0, "")
    assert CANARY not in out
    assert '\nidentifiers = ["name", "remark"]' in out
    assert '\nquasi_identifiers = ["age", "sex", "land"]' in out
    assert '\n"age" = "intervals:5,10,20,90+"' in out and "\nk = 2\n" in out
    (tmp_path / "p.toml").write_text(out)
    assert run("anonymize", table, "-o", "r.csv", "--policy", "p.toml")[0] == 0
    assert run("verify", table, "r.csv", "--policy", "p.toml")[0] == 0


def test_init_says_what_to_expect(run, table):
    assert "## To expect: at k = 2 a quick search lost" in run("init", table)[1]


def test_init_writes_down_how_the_table_was_read(run, tmp_path):
    (tmp_path / "raw.csv").write_text("1;x\n2;y\n2;y\n")
    out = run("init", "raw.csv", "--no-header", "--columns", "n,w")[1]
    assert '[read]\nheader = false\ncolumns = [\n    "n",\n    "w",\n]\n' in out


def test_the_policy_goes_to_a_new_file_and_never_over_one_that_is_there(run, table, tmp_path):
    status, out, err = run("init", table, "-o", "p.toml")
    assert (status, out) == (0, "")
    assert (
        err
        == f"The policy is in 'p.toml'. Read its reasons, then: incrowd anonymize {table} --policy p.toml -o release.csv\n"
    )
    made = (tmp_path / "p.toml").read_text()
    assert made == run("init", table)[1] == run("init", table, "-o", "-")[1]
    (tmp_path / "p.toml").write_text(made + "# mine\n")
    status, _, err = run("init", table, "-o", "p.toml")
    assert status == 2 and "'p.toml' is there already" in err
    assert (tmp_path / "p.toml").read_text() == made + "# mine\n"
    assert run("init", table, "-o", "nowhere/p.toml")[0] == 2
    assert run("init", table, "-o", "q.toml", "--quiet") == (0, "", "")
