"""Try a built wheel in a fresh environment, outside the project: first alone, then with the charts of its reports."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import venv
from pathlib import Path

ALONE = ["hospital.csv", "hospital.toml", "release.csv", "summary.txt"]
EXTRA = "report"


class Trial:
    """A fresh environment with a folder to work in."""

    def __init__(self, home: Path) -> None:
        self.home = home
        self.programs = home / "venv" / "bin"
        self.environment = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
        venv.create(home / "venv", with_pip=True)

    def install(self, *what: str | Path) -> None:
        """Install with pip."""
        command = [self.programs / "python", "-m", "pip", "install", "--quiet", "--disable-pip-version-check", *what]
        subprocess.run(command, check=True)  # noqa: S603

    def run(self, *arguments: str) -> subprocess.CompletedProcess[str]:
        """Run the command `incrowd`."""
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
        trial.works("checker", "-o", "check.html")  # made of files that are no modules
        trial.demo("alone", ALONE)
        report = ["audit", "alone/hospital.csv", "--qi", "age_group,sex", "--report", "audit.html"]
        refused = trial.run(*report)
        if refused.returncode != 2 or "which are not installed: pip install" not in refused.stderr:
            sys.exit(f"a report without its extra ended with {refused.returncode}: {refused.stderr}")
        trial.install(f"{wheel}[{EXTRA}]")
        trial.works(*report)
        trial.demo("drawn", [*ALONE, "report.html"])
    print(f"{wheel.name}: installed and tried, alone and with the extra {EXTRA}")


if __name__ == "__main__":
    main()
