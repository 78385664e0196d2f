"""The public names of `incrowd.networks`, imported when they are asked for."""

import importlib
import pkgutil
from pathlib import Path

import pytest

from incrowd import networks


def test_every_public_name_is_there_and_no_room_of_the_folder_hides_one():
    rooms = {room.name for room in pkgutil.iter_modules(networks.__path__)}
    assert not rooms & set(networks.__all__)
    for room in rooms:
        importlib.import_module(f"incrowd.networks.{room}")
    assert all(getattr(networks, name) is not None for name in networks.__all__)
    assert callable(networks.read)
    with pytest.raises(AttributeError, match="no attribute 'nothing'"):
        networks.nothing  # noqa: B018
    assert set(dir(networks)) == set(networks.__all__)


def test_the_types_of_the_public_names_are_told_from_where_they_are_imported():
    told = {}
    source = Path(networks.__file__ + "i").read_text("utf-8")
    exec(compile(source, "networks", "exec"), told)
    assert told["__all__"] == networks.__all__
    assert all(told[name] is getattr(networks, name) for name in networks.__all__)
