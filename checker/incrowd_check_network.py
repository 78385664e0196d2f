"""A network's certificate checked by `src/incrowd/check`, with nothing installed but Python."""

import importlib
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "src" / "incrowd"))

if __name__ == "__main__":
    sys.exit(importlib.import_module("check.network").main())
