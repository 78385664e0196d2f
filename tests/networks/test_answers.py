"""Answers as values: they know no word, no certificate and no page."""

import dataclasses
import subprocess
import sys

import networkx as nx
import pytest

from incrowd import networks
from incrowd.networks import answers


@pytest.fixture(scope="module")
def star():
    return networks.antidimension(nx.star_graph(4))


def as_value(found, kind=answers.Measurement):
    return kind(**{setting.name: getattr(found, setting.name) for setting in dataclasses.fields(kind)})


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
