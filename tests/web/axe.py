"""axe-core's own script in a page: what it calls serious or worse. The script comes with a package that carries it."""

from __future__ import annotations

import json
from importlib import util
from pathlib import Path

import pytest

PACKAGE = "axe_playwright_python"  # which is not imported: it would ask for Playwright
SERIOUS = ("serious", "critical")


def script():
    """The script's file, or None."""
    found = util.find_spec(PACKAGE)
    folders = [] if found is None else list(found.submodule_search_locations or ())
    return next((path for folder in folders if (path := Path(folder) / "axe.min.js").is_file()), None)


needs_axe = pytest.mark.skipif(
    script() is None, reason="needs axe-core: pip install --no-deps axe-playwright-python (make test-web does)"
)


def findings(browser):
    """What axe-core finds serious or worse on the page that is open, as (rule, part of the page's markup)."""
    if not browser.value("typeof axe === 'object'"):
        browser.call("Runtime.evaluate", expression=script().read_text(encoding="utf-8"))
    ran = browser.call(
        "Runtime.evaluate",
        expression="axe.run(document, { resultTypes: ['violations'] }).then((found) => JSON.stringify(found.violations))",
        awaitPromise=True,
        returnByValue=True,
    )
    assert "exceptionDetails" not in ran, ran
    return [
        (rule["id"], node["html"][:160])
        for rule in json.loads(ran["result"]["value"])
        if rule["impact"] in SERIOUS
        for node in rule["nodes"]
    ]
