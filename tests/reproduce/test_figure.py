"""The figure shows every line once, in both panels."""

import struct
from pathlib import Path

import pytest

from incrowd.errors import InputError
from incrowd.progress import Watch
from incrowd.reproduce.experiment import reproduce
from incrowd.reproduce.figure import chart, check_figure, draw
from oracles.tiny_experiment import tiny_experiment


@pytest.fixture(scope="module")
def found():
    return reproduce(tiny_experiment(), Watch(), ks=[2, 3])


def test_both_panels_are_drawn_from_every_line(found):
    made = chart(found).to_dict()
    assert made["title"] == found.experiment.title
    assert [panel["encoding"]["y"]["field"] for panel in made["hconcat"]] == ["seconds", "usefulness"]
    for values in made["datasets"].values() if "datasets" in made else [p["data"]["values"] for p in made["hconcat"]]:
        assert [(one["k"], one["algorithm"], one["usefulness"]) for one in values] == [
            (line.k, {"greedy": "greedy heuristic", "mondrian": "Mondrian"}[line.method], line.usefulness)
            for line in found.lines
        ]
        assert all(one["seconds"] > 0 for one in values)


def test_a_picture_is_one_of_both_panels_whole(found, tmp_path):
    draw(found, tmp_path / "f.PNG")
    content = (tmp_path / "f.PNG").read_bytes()
    assert content[:8] == b"\x89PNG\r\n\x1a\n"
    width, height = struct.unpack(">II", content[16:24])
    assert width > 800 and height > 300


def test_an_ending_that_is_no_picture_is_refused_and_nothing_is_left(found, tmp_path):
    with pytest.raises(InputError, match=r"--figure must end in \.svg or \.png"):
        draw(found, tmp_path / "f.pdf")
    assert list(tmp_path.iterdir()) == []
    with pytest.raises(InputError, match="--figure"):
        check_figure(Path("svg"))
