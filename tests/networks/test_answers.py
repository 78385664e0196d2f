"""Answers as values, and as what is handed out: the same fields, and words, certificate and report on top."""

import dataclasses
import importlib
import pickle
import pkgutil
import subprocess
import sys
from pathlib import Path

import networkx as nx
import pytest

from incrowd import networks
from incrowd.networks import answers
from incrowd.networks.certificate import certificate
from incrowd.networks.words import words_of
from incrowd.results.network import handed_out


@pytest.fixture(scope="module")
def star():
    return networks.antidimension(nx.star_graph(4))


def as_value(found, kind=answers.Measurement):
    return kind(**{setting.name: getattr(found, setting.name) for setting in dataclasses.fields(kind)})


def test_what_is_handed_out_holds_the_fields_of_the_answer_and_says_the_same(star):
    value = as_value(star)
    again = handed_out(value)
    assert type(again) is networks.Measurement
    assert again.to_json() == value.to_json() == star.to_json()
    assert again.summary() == words_of(value) == star.summary()
    assert again.certificate() == certificate(value) == star.certificate()
    assert repr(again) == repr(star)
    assert repr(star).startswith("Measurement(question='adim', k=4, ")


def test_a_value_knows_no_word_no_certificate_and_no_page(star):
    value = as_value(star)
    assert not {"summary", "certificate", "report", "_repr_html_"} & set(dir(value))
    code = (
        "import sys, incrowd.networks.values, incrowd.networks.answers\n"
        "above = ('words', 'certificate', 'measure', 'solve', 'input')\n"
        "sys.exit(any('incrowd.' + name in sys.modules for name in ('report', 'results', 'jobs'))"
        " or any('incrowd.networks.' + name in sys.modules for name in above))"
    )
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


def test_an_answer_travels(star):
    again = pickle.loads(pickle.dumps(star))
    assert type(again) is networks.Measurement
    assert again.to_json() == star.to_json()


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
