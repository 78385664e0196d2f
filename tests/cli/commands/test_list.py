"""`incrowd list`: every registered part by its name, with what it is."""

import json

from incrowd import registry
from incrowd.cli.commands.list import listed


def test_list_names_every_part(run):
    for kind in registry.REGISTRIES:
        parts = json.loads(run("list", kind, "--json")[1])
        assert parts == listed(kind)
        assert [part["name"] for part in parts] == registry.names(kind)
        text = run("list", kind)[1]
        assert all(part["name"] in text and part["summary"] in text for part in parts)


def test_an_unknown_kind_is_refused_with_all_kinds(run):
    status, out, err = run("list", "nothing")
    assert (status, out) == (2, "")
    assert all(kind in err for kind in registry.REGISTRIES)
