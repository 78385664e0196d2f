"""A journal says what is to be finished, and nothing that others wrote is believed."""

import json
import os
import stat
from pathlib import Path

import pytest

from incrowd.recovery.journal import discard, finish, pending, read_journal, write_journals

RUN = "0123456789ab"
STAGED = f".x.aaaaaa.{RUN}.part"


def ready_in(*folders):
    ready = []
    for number, folder in enumerate(folders):
        folder.mkdir(parents=True, exist_ok=True)
        staged = folder / f".f{number}.aaaaaa.{RUN}.part"
        staged.write_text("x" * (number + 1))
        ready.append((staged, folder / f"f{number}"))
    return ready


def test_it_is_read_as_it_was_written_from_every_folder(tmp_path):
    ready = ready_in(tmp_path / "a", tmp_path / "b" / "c", tmp_path / "b")
    write_journals(RUN, ready)
    for folder in (tmp_path / "a", tmp_path / "b" / "c", tmp_path / "b"):
        path = folder / f".incrowd.{RUN}.journal"
        assert stat.S_IMODE(path.stat().st_mode) == 0o600
        journal = read_journal(path)
        assert journal.run == RUN
        found = [(e.staged.resolve(), e.place.resolve(), e.size) for e in journal.entries]
        assert found == [(staged, place, i + 1) for i, (staged, place) in enumerate(ready)]
    assert len(pending(journal)) == 3
    assert finish(journal)
    assert pending(journal) == []
    assert [place.read_text() for _, place in ready] == ["x", "xx", "xxx"]
    discard(RUN, [place for _, place in ready])
    assert not list(tmp_path.rglob("*.journal"))


def test_it_holds_base_names_and_sizes_where_all_files_lie_in_one_folder(tmp_path):
    write_journals(RUN, ready_in(tmp_path, tmp_path))
    text = (tmp_path / f".incrowd.{RUN}.journal").read_text()
    assert tmp_path.name not in text
    assert json.loads(text)["files"][1] == {
        "staged": f".f1.aaaaaa.{RUN}.part", "place": "f1", "size": 2, "folder": ".",
    }  # fmt: skip


FILE = {"staged": STAGED, "place": "x", "size": 1, "folder": "."}
NOT_BELIEVED = {
    "no JSON": "{",
    "no object": "[]",
    "deep": "[" * 60_000,
    "another version": json.dumps({"version": 2, "files": [FILE]}),
    "no files": json.dumps({"version": 1, "files": []}),
    "too many": json.dumps({"version": 1, "files": [FILE] * 65}),
    "too large": json.dumps({"version": 1, "files": [FILE], "more": "x" * 70_000}),
    "a place elsewhere": json.dumps({"version": 1, "files": [FILE | {"place": "../x"}]}),
    "a staged file elsewhere": json.dumps({"version": 1, "files": [FILE | {"staged": f"a/{STAGED}"}]}),
    "of another run": json.dumps({"version": 1, "files": [FILE | {"staged": ".x.aaaaaa.ffffffffffff.part"}]}),
    "a foreign file": json.dumps({"version": 1, "files": [FILE | {"staged": "passwords"}]}),
    "a size that is none": json.dumps({"version": 1, "files": [FILE | {"size": True}]}),
    "no place": json.dumps({"version": 1, "files": [{k: v for k, v in FILE.items() if k != "place"}]}),
    "dots": json.dumps({"version": 1, "files": [FILE | {"place": ".."}]}),
    "a pointer to nothing": json.dumps({"version": 1, "main": "nowhere"}),
}


@pytest.mark.parametrize("text", NOT_BELIEVED.values(), ids=NOT_BELIEVED)
def test_a_forged_one_is_not_believed(tmp_path, text):
    path = tmp_path / f".incrowd.{RUN}.journal"
    path.write_text(text)
    path.chmod(0o600)
    assert read_journal(path) is None


def test_one_that_others_can_write_or_that_is_a_link_or_a_pipe_is_not_believed(tmp_path):
    path = tmp_path / f".incrowd.{RUN}.journal"
    path.write_text(json.dumps({"version": 1, "files": [FILE]}))
    path.chmod(0o600)
    assert read_journal(path) is not None
    path.chmod(0o666)
    assert read_journal(path) is None
    path.chmod(0o600)
    path.rename(tmp_path / "elsewhere")
    path.symlink_to(tmp_path / "elsewhere")
    assert read_journal(path) is None
    path.unlink()
    os.mkfifo(path)
    assert read_journal(path) is None


def test_a_link_in_the_place_of_a_staged_file_is_not_moved(tmp_path):
    (tmp_path / "secret").write_text("s")
    (tmp_path / STAGED).symlink_to(tmp_path / "secret")
    path = tmp_path / f".incrowd.{RUN}.journal"
    path.write_text(json.dumps({"version": 1, "files": [FILE]}))
    path.chmod(0o600)
    assert not finish(read_journal(path))
    assert not (tmp_path / "x").exists()


def test_where_it_cannot_be_written_none_is_left(tmp_path, monkeypatch):
    ready = ready_in(tmp_path / "a", tmp_path / "b")
    real, calls = Path.replace, []

    def failing(self, to):
        calls.append(to)
        if len(calls) == 2:
            raise OSError("no")
        return real(self, to)

    monkeypatch.setattr(Path, "replace", failing)
    with pytest.raises(OSError, match="no"):
        write_journals(RUN, ready)
    assert len(calls) == 2
    assert not [path for path in tmp_path.rglob("*") if "journal" in path.name]
