"""Small tables of people for tests of the command line, with a canary that no answer may repeat."""

import sys
from pathlib import Path

CANARY = "Zebedee-4711"
ROWS = [
    ("31", "f", "PL"),
    ("31", "f", "PL"),
    ("47", "m", "PL"),
    ("52", "m", "DE"),
    ("47", "m", "DE"),
    ("52", "f", "DE"),
]
GOOD = ("--qi", "age,sex,land", "--identifier", "name", "--k", "2")

ILL = [("31", "f", "flu"), ("31", "f", "flu"), ("47", "m", "flu"), ("47", "m", "cold"), ("52", "m", "cold"), ("52", "f", "cold")]  # fmt: skip
ASK = ("--qi", "age,sex", "--sensitive", "ill", "--k", "2")

COMMAND = Path(sys.executable).with_name("incrowd")
