"""A network is measured behind its page."""

from __future__ import annotations

from incrowd.web.studio.network_desk import NetworkDesk


def test_a_network_is_measured(tmp_path):
    (tmp_path / "g.txt").write_text("0 1\n1 2\n2 0\n2 3\n3 4\n")
    desk = NetworkDesk("0", tmp_path / "g.txt", tmp_path)
    work = desk.work("measure")
    assert work.wait(120)
    assert work.state == "done", work.why
    assert work.result["curve"].graph.nodes == 5
    assert work.result["risks"].attackers == 1
    desk.close()


def test_what_is_no_network_is_said(tmp_path):
    (tmp_path / "g.txt").write_text("nothing\n")
    work = NetworkDesk("0", tmp_path / "g.txt", tmp_path).work("measure")
    assert work.wait(120)
    assert work.state == "failed"
    assert work.why
