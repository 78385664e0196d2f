"""The JSON Schemas of certificates take what is written and what the page shows, and nothing of another form."""

from __future__ import annotations

import copy
import json
import random
import re
from pathlib import Path

import jsonschema
import pytest

import incrowd.networks
from checkers import ask, changes, corpus
from seeds import how_many

DOCS = Path(__file__).resolve().parents[2] / "docs"
PAGE = (DOCS / "certificate.md").read_text(encoding="utf-8")
TABLES, NETWORKS = (
    jsonschema.Draft202012Validator(json.loads((DOCS / f"{name}.schema.json").read_text(encoding="utf-8")))
    for name in ("certificate", "network-certificate")
)


def test_the_schemas_are_schemas():
    for one in (TABLES, NETWORKS):
        jsonschema.Draft202012Validator.check_schema(one.schema)


def test_every_example_of_the_page_is_of_the_form():
    shown = [json.loads(block) for block in re.findall(r"```json certificate\n(.*?)```", PAGE, re.DOTALL)]
    packed = re.findall(r"```text certificate\n(.*)\n", PAGE)
    assert packed
    shown += map(json.loads, packed)
    assert len(shown) >= 10
    for one in shown:
        (NETWORKS if "format" in one else TABLES).validate(one)


def written(number):
    """The certificates that jobs wrote of the corpus's entries, as objects, with their folders."""
    names = [name for name, entry in corpus.ENTRIES.items() if not entry.packed]
    for name in names[:: -(-len(names) // number)]:
        yield corpus.made(name), ask.certificate_of(corpus.made(name))


def test_every_certificate_that_is_written_is_of_the_form():
    for _, certificate in written(how_many(60, 5)):
        TABLES.validate(certificate)
    graph = incrowd.networks.read(b"0 1\n1 2\n2 3\n3 4\n4 0\n4 5\n")
    asked = incrowd.networks.antidimension
    for found in (
        asked(graph), asked(graph, at_least=2), asked(graph, exactly=1), incrowd.networks.profile(graph),
        incrowd.networks.anonymity(graph, attackers=1),
    ):  # fmt: skip
        NETWORKS.validate(json.loads(json.dumps(found.certificate())))


def test_what_is_not_of_the_form_is_unreadable_for_the_check(tmp_path):
    """What the check reads and calls good is of the form: the schema asks for no more than the check."""
    rng, seen = random.Random(4), 0
    for folder, certificate in written(how_many(60, 3)):
        for _ in range(how_many(100, 20)):
            made = changes.changed(certificate, certificate, rng)
            ask.save(folder, made, "changed.json")
            if ask.by_second(folder, "changed.json").status == 0:
                seen += 1
                TABLES.validate(made)
    assert seen > how_many(100, 3)


@pytest.mark.parametrize("name", ["rows", "parts", "prices", "cost", "proof"])
def test_a_key_that_is_missing_or_a_text_is_of_another_form(name):
    good = next(json.loads(b) for b in re.findall(r"```json certificate\n(.*?)```", PAGE, re.DOTALL))
    for bad in ("1", 1.5, None):
        made = copy.deepcopy(good)
        made[name] = bad
        assert not TABLES.is_valid(made)
    del good[name]
    assert not TABLES.is_valid(good)


def test_a_key_that_the_page_does_not_have_there_is_of_another_form():
    for one in (json.loads(block) for block in re.findall(r"```json certificate\n(.*?)```", PAGE, re.DOTALL)):
        form = NETWORKS if "format" in one else TABLES
        objects = [path for path in changes.places(one) if isinstance(changes.at(one, path), dict)]
        for path in objects:
            made = copy.deepcopy(one)
            changes.at(made, path)["note"] = 1
            assert not form.is_valid(made)
        assert form.is_valid(one | {"for": "people"}) == ("format" not in one)
