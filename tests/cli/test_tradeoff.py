"""`incrowd tradeoff`: one k after the other, in the shell."""

from incrowd.cli.main import cli


def test_no_single_k_and_no_release_can_be_asked_for():
    options = {option.name for option in cli.commands["tradeoff"].params}
    assert {"ks", "ls", "ts", "solvers", "quasi_identifiers", "report", "time_limit"} <= options
    assert not {"k", "output", "certificate", "dry_run", "keep_best"} & options


def test_wrong_use_is_one_sentence_before_a_table_is_read(run):
    for arguments, said in (
        (("--ks", "2"), "no table is given"),
        (("t.csv",), "Missing option '--ks'"),
        (("t.csv", "--ks", "2,x", "--qi", "a"), "ks must be whole numbers such as 2,5,10, not 'x'"),
    ):
        status, out, err = run("tradeoff", *arguments)
        assert (status, out) == (2, "")
        assert said in err
        assert err.count("\n") == 1
