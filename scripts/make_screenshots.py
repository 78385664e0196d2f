"""Draw the pictures of `incrowd serve` in the docs: `python scripts/make_screenshots.py` (needs Chromium).

The demo table is opened in a headless Chromium, gone through to its release, and the pages named below are kept.
"""

from __future__ import annotations

import base64
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).parents[1]
IMAGES = ROOT / "docs" / "images"
PAGES = ("columns", "promise", "release")
WIDTH, HEIGHT = 1100, 900


def main() -> None:
    """Go the whole way, and keep what the pages show."""
    sys.path.insert(0, str(ROOT / "tests"))
    from checkers.browser import Browser
    from incrowd.web.server import running
    from web.drive import goes, let_in, whole_way

    IMAGES.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory() as profile, running() as server:
        browser = Browser(profile)
        browser.call(
            "Emulation.setDeviceMetricsOverride", width=WIDTH, height=HEIGHT, deviceScaleFactor=1, mobile=False
        )
        browser.call("Page.navigate", url=server.address)
        let_in(browser, server)
        whole_way(browser, ROOT / "src" / "incrowd" / "data" / "hospital.csv")
        number = next(iter(server.sessions.tables))
        for page in PAGES:
            browser.call("Page.navigate", url=f"http://127.0.0.1:{server.port}/tables/{number}/{page}")
            goes(browser, f"/{page}")
            made = browser.call("Page.captureScreenshot", format="png")
            (IMAGES / f"serve-{page}.png").write_bytes(base64.b64decode(made["data"]))
            print(f"serve-{page}.png written")
        browser.close()


if __name__ == "__main__":
    main()
