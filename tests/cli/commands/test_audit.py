"""`incrowd audit`: what it says of a release is what verify says."""

from people import ASK


def test_a_homogeneous_class_betrays_its_secret_and_l_diversity_mends_it(run, patients):
    assert run("anonymize", patients, "-o", "plain.csv", *ASK)[0] == 0
    status, out, _ = run("audit", "plain.csv", *ASK, "--l", "2")
    assert status == 1
    assert "l-diversity of ill: 2 asked, NOT met: 1 reached; not met in" in " ".join(out.split())
    assert run("verify", patients, "plain.csv", *ASK, "--l", "2")[0] == 1
    assert run("anonymize", patients, "-o", "mended.csv", *ASK, "--l", "2")[0] == 0
    assert run("audit", "mended.csv", *ASK, "--l", "2")[0] == 0
    assert run("verify", patients, "mended.csv", *ASK, "--l", "2")[0] == 0


def test_a_table_must_be_named(run):
    status, out, err = run("audit", "--qi", "age")
    assert (status, out) == (2, "")
    assert err == "incrowd: no table is given: say which, for example `incrowd audit patients.csv`\n"
