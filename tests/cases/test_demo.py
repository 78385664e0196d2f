"""`incrowd demo`: a folder that a newcomer can look into, run again and verify."""


def test_the_demo_ends_proven_least_and_leaves_a_release_that_verifies(run, tmp_path):
    status, out, _ = run("demo")
    folder = tmp_path / "incrowd-demo"
    assert status == 0
    assert "What was lost" in out
    assert "This is the least loss possible under this policy: no release can cost less than 975." in out
    assert (folder / "summary.txt").read_text() in out
    assert "<h1>Release report: release.csv</h1>" in (folder / "report.html").read_text()
    policy = ("--policy", folder / "hospital.toml")
    assert run("verify", folder / "hospital.csv", folder / "release.csv", *policy)[0] == 0
