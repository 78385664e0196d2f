"""A file sent, chosen below the root, and closed."""

from __future__ import annotations


def test_a_file_below_the_root_is_opened_and_closed(visitor):
    assert 'value="small.csv"' in visitor.text("/")
    place = visitor.post("/choose", {"file": "small.csv", "as": "table"}).headers["location"]
    visitor.settled(place)
    number = place.split("/")[2]
    assert f"/tables/{number}/close" in visitor.text("/")
    visitor.post(f"/tables/{number}/close")
    assert visitor.get(place).status_code == 404


def test_paths_out_of_the_root_are_refused(visitor, root):
    (root / "away.csv").symlink_to("/etc/passwd")
    for name in ("../x.csv", "/etc/passwd", "away.csv", ""):
        answer = visitor.post("/choose", {"file": name, "as": "table"})
        assert answer.headers["location"].startswith("/?said=")
        assert "That did not work" in visitor.after(answer)
    assert "away.csv" not in visitor.text("/")


def test_a_form_without_a_file_is_said(visitor):
    answer = visitor.post("/upload", {"as": "table"}, files={"other": ("a.csv", b"x")})
    assert "choose one first" in visitor.after(answer)
