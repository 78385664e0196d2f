"""`incrowd tradeoff`: one k after the other, in the shell."""

from incrowd.cli.main import cli


def test_no_single_k_and_no_release_can_be_asked_for():
    options = {option.name for option in cli.commands["tradeoff"].params}
    assert {"ks", "ls", "ts", "quasi_identifiers", "report", "time_limit"} <= options
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


def test_cost_may_be_given_several_times(run, tmp_path):
    (tmp_path / "t.csv").write_text("a,b\n" + "1,x\n1,x\n2,y\n3,y\n", encoding="utf-8")
    status, out, _ = run(
        "tradeoff", tmp_path / "t.csv", "--qi", "a,b", "--ks", "2", "--cost", "leaves", "--cost", "entropy",
        "--quiet",
    )  # fmt: skip
    assert status == 0
    assert "cost by" in out
    assert "entropy" in out
    status, _, err = run("tradeoff", tmp_path / "t.csv", "--qi", "a,b", "--ks", "2", "--cost", "nothing")
    assert status == 2
    assert "there is no cost named 'nothing'" in err
