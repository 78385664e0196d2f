"""Models as a table: the asked ones first, whichever they are."""

from incrowd import registry
from incrowd.report.pages.models import models_table


def test_asked_models_come_first_and_unknown_ones_have_no_meaning():
    measured = {"name": "l-diversity", "column": "ill", "asked": None, "reached": 2, "ok": None}
    asked = {"name": "some-model", "column": None, "asked": 1234, "reached": None, "ok": False}
    table = models_table([measured, asked, {**asked, "ok": True, "reached": 2}])
    meaning = registry.load("models", "l-diversity").summary
    assert list(map(list, table.rows)) == [
        ["some-model", "1,234", "–", "NOT met", "–"],
        ["some-model", "1,234", "2", "met", "–"],
        ["l-diversity of ill", "–", "2", "measured only", meaning],
    ]
