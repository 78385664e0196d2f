"""The check as a page of its own, for somebody who has a browser and nothing else.

``page``     the page as one text: `page.html` with `page.css` and the files of ``script`` in it, each named by its hash
``script``   the check in JavaScript, rule by rule as `docs/certificate.md` says it, in the order in which it is read:
             ``numbers text json toml`` (what is read), ``policy mask table models`` (what is asked of whom),
             ``requirements flow release`` (the release against its original), ``packed certificate problem prices
             matching classes required single ranges`` (the bound), ``check`` (all), ``show`` (what the page shows)
"""
