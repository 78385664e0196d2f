"""Install a built wheel in a fresh environment and run the demo with it, outside the project."""

from __future__ import annotations

import subprocess
import sys
import tempfile
import venv
from pathlib import Path


def main() -> None:
    """Try the only wheel of the folder given as argument."""
    (wheel,) = Path(sys.argv[1]).resolve().glob("*.whl")
    with tempfile.TemporaryDirectory() as folder:
        home = Path(folder)
        venv.create(home / "venv", with_pip=True)
        python = home / "venv" / "bin" / "python"
        install = [python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", wheel]
        subprocess.run(install, check=True)  # noqa: S603
        command = home / "venv" / "bin" / "incrowd"
        for arguments in (["--version"], ["demo", "-o", "out", "--quiet"]):
            subprocess.run([command, *arguments], check=True, cwd=home, stdout=subprocess.DEVNULL)  # noqa: S603
        files = sorted(path.name for path in (home / "out").iterdir())
        if files != ["hospital.csv", "hospital.toml", "release.csv", "report.html", "summary.txt"]:
            sys.exit(f"the wheel's demo left {files}")
    print(f"{wheel.name}: installed and tried")


if __name__ == "__main__":
    main()
