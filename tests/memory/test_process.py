"""What the process holds, as the system counts it."""

import numpy as np

from incrowd.memory import process
from incrowd.memory.process import at_hand, give_back, held, peak


def test_what_is_held_rises_with_what_is_written_and_the_peak_stays():
    before = held()
    block = np.ones(5_000_000)  # 40 MB
    rise = held() - before
    assert rise > 30_000_000 and peak() >= before + 30_000_000
    del block
    give_back()
    assert held() < before + 20_000_000 and peak() >= before + 30_000_000


def test_what_is_at_hand_is_the_least_of_system_group_and_limit(tmp_path, monkeypatch):
    meminfo, most, now = (tmp_path / name for name in ("meminfo", "max", "current"))
    meminfo.write_text("MemTotal:       16000000 kB\nMemAvailable:    8000000 kB\n")
    monkeypatch.setattr(process, "MEMINFO", meminfo)
    monkeypatch.setattr(process, "GROUPS", ((most, now), (tmp_path / "none", tmp_path / "none")))
    monkeypatch.setattr("resource.getrlimit", lambda _: (-1, -1))
    assert at_hand() == 8_000_000 * 1024
    most.write_text("max\n")
    now.write_text("100\n")
    assert at_hand() == 8_000_000 * 1024
    most.write_text("3000000100\n")
    assert at_hand() == 3_000_000_000
    now.write_text("4000000000\n")
    assert at_hand() == 0


def test_what_is_at_hand_can_be_told_without_the_systems_list(tmp_path, monkeypatch):
    monkeypatch.setattr(process, "MEMINFO", tmp_path / "none")
    assert at_hand() > 0
