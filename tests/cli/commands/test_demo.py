"""`incrowd demo`: a folder that a newcomer can look into, run again and verify."""

from incrowd.jobs import demo


def test_the_demo_leaves_a_release_that_verifies(run, tmp_path, monkeypatch):
    searched = demo.anonymize
    monkeypatch.setattr(demo, "anonymize", lambda job, watch: searched(job.replace(time_limit=0.3), watch))
    status, out, _ = run("demo")
    folder = tmp_path / "incrowd-demo"
    assert status == 0
    assert "What was lost" in out
    assert (folder / "summary.txt").read_text() in out
    assert "<h1>Release report: release.csv</h1>" in (folder / "report.html").read_text()
    policy = ("--policy", folder / "hospital.toml")
    assert run("verify", folder / "hospital.csv", folder / "release.csv", *policy)[0] == 0
