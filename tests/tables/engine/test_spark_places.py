"""Files as executors see them."""

import shutil

import pytest

from engines import SPARK, spark_kept
from incrowd import recovery
from incrowd.errors import InputError
from incrowd.tables.engine.open import open_engine
from incrowd.tables.engine.spark import SparkGuard
from incrowd.tables.engine.spark_places import Passing, local_place, place_of, remove_again


def test_a_name_with_signs_of_patterns_means_one_file(tmp_path):
    assert local_place(tmp_path / "a[1]*.csv") == f"file:{tmp_path}/a\\[1\\]\\*.csv"


class Elsewhere:
    """A file system that is asked to remove folders."""

    def __init__(self):
        self.removed = []

    def remove(self, folder):
        self.removed.append(folder)


def test_a_folder_goes_with_its_job_unless_it_gets_its_place(tmp_path, monkeypatch):
    monkeypatch.setattr(recovery, "_held", type(recovery._held)())
    places, folder = Elsewhere(), tmp_path / ".a[1].part"
    for ending in ("remove", "abandon", "stays"):
        folder.mkdir()
        (folder / "part-0").write_text("rows")
        passing = Passing(places, place_of(folder))
        recovery.abandon_all() if ending == "abandon" else getattr(passing, ending)()
        assert folder.exists() == (ending == "stays")
    far = Passing(places, "hdfs://host/x/.a.part")
    recovery.abandon_all()
    far.remove()
    assert places.removed == ["hdfs://host/x/.a.part"] * 2
    del passing, far
    assert len(recovery._held) == 0


def test_what_was_removed_while_spark_may_have_written_is_removed_again(tmp_path):
    folder = tmp_path / ".a.part"
    folder.mkdir()
    passing = Passing(Elsewhere(), f"file:{folder}")
    try:
        raise KeyboardInterrupt
    except KeyboardInterrupt:
        passing.remove()
    folder.mkdir()  # a task that was not heard of yet
    remove_again()
    assert not folder.exists()
    folder.mkdir()
    remove_again()
    assert folder.exists()


@pytest.fixture(scope="module", params=[pytest.param("spark", marks=SPARK)])
def places(request):
    with spark_kept(), open_engine(request.param, None) as made:
        yield made.places


def test_a_folder_is_private_until_it_has_its_name(places, tmp_path):
    begun, done = f"file:{tmp_path}/.begun", f"file:{tmp_path}/done"
    places.make_private(begun)
    assert (tmp_path / ".begun").stat().st_mode & 0o777 == 0o700
    places.mark(begun)
    assert places.renames(begun)
    assert places.rename(begun, done)
    assert (tmp_path / "done").stat().st_mode & 0o777 == 0o755
    assert [(place.name, place.size, place.folder) for place in places.inside(done)] == [("_SUCCESS", 0, False)]
    places.make_private(begun)
    assert not places.rename(begun, done)  # nothing is replaced, nor put inside
    places.remove(begun)
    assert (places.exists(begun), places.exists(done)) == (False, True)


def test_patterns_and_plain_names_are_told_apart(places, tmp_path):
    for name in ("a1.csv", "a[1].csv", "b.csv"):
        (tmp_path / name).write_text("x")
    assert [place.name for place in places.matching(f"file:{tmp_path}/a*")] == ["a1.csv", "a[1].csv"]
    assert [place.name for place in places.matching(local_place(tmp_path / "a[1].csv"))] == ["a[1].csv"]
    assert places.matching(f"file:{tmp_path}/c*") == []


def test_room_is_told_where_a_folder_will_be_and_a_folder_that_cannot_be_made_is_a_sentence(places, tmp_path):
    assert 0 < places.free(f"file:{tmp_path}/not/there/yet") <= shutil.disk_usage(tmp_path).total
    with pytest.raises(InputError, match=r"^writing: permission is denied; may Spark use it\?$"), SparkGuard("writing"):
        places.make_private("file:/proc/no-folder")
