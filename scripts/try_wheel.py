"""Try a built wheel in a fresh environment, outside the project: with nothing beside it: demo, report, checker."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import venv
from pathlib import Path

LEAVES = ["hospital.csv", "hospital.toml", "release.csv", "report.html", "summary.txt"]


class Trial:
    """A fresh environment with a folder to work in."""

    def __init__(self, home: Path) -> None:
        self.home = home
        self.programs = home / "venv" / "bin"
        self.environment = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
        venv.create(home / "venv", with_pip=True)

    def install(self, *what: str | Path) -> None:
        command = [self.programs / "python", "-m", "pip", "install", "--quiet", "--disable-pip-version-check", *what]
        subprocess.run(command, check=True)  # noqa: S603

    def run(self, *arguments: str) -> subprocess.CompletedProcess[str]:
        command = [self.programs / "incrowd", *arguments]
        return subprocess.run(  # noqa: S603
            command, check=False, cwd=self.home, env=self.environment, capture_output=True, text=True
        )

    def works(self, *arguments: str) -> None:
        """Run `incrowd`, which has to succeed."""
        done = self.run(*arguments)
        if done.returncode != 0:
            sys.exit(f"incrowd {' '.join(arguments)} ended with {done.returncode}: {done.stderr}")

    def demo(self, folder: str, leaves: list[str]) -> None:
        """Run the demo, which has to leave these files."""
        self.works("demo", "-o", folder, "--quiet")
        files = sorted(path.name for path in (self.home / folder).iterdir())
        if files != sorted(leaves):
            sys.exit(f"the wheel's demo left {files}")


def main() -> None:
    """Try the only wheel of the folder given as argument."""
    (wheel,) = Path(sys.argv[1]).resolve().glob("*.whl")
    with tempfile.TemporaryDirectory() as folder:
        trial = Trial(Path(folder))
        trial.install(wheel)
        trial.works("--version")
        if not (trial.home / "venv" / "share" / "man" / "man1" / "incrowd.1").exists():
            sys.exit("the wheel brings no man page")
        trial.works("checker", "-o", "check.html")  # made of files that are no modules
        trial.demo("alone", LEAVES)
        trial.works("audit", "alone/hospital.csv", "--qi", "age_group,sex", "--report", "audit.html")
    print(f"{wheel.name}: installed and tried")


if __name__ == "__main__":
    main()
