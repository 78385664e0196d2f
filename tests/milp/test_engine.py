from __future__ import annotations

import subprocess
import sys

import highspy
import pytest

from incrowd.milp.engine import fresh, outcome_of
from incrowd.milp.program import Outcome
from incrowd.progress import Watch


def test_unknown_options_are_refused():
    with pytest.raises(ValueError, match="no_such_option"):
        fresh(no_such_option=1)


def test_an_engine_writes_nothing_not_even_its_version():
    said = subprocess.run(
        [sys.executable, "-c", "from incrowd.milp.engine import fresh; fresh().run()"], capture_output=True, check=True
    )
    assert (said.stdout, said.stderr) == (b"", b"")


def test_a_run_that_ends_with_the_time_of_its_watch_is_not_called_interrupted():
    class Interrupted:
        def getModelStatus(self):
            return highspy.HighsModelStatus.kInterrupt

    watch = Watch()
    watch.limit(0)
    assert outcome_of(Interrupted(), watch) is Outcome.TIME_LIMIT
    watch.interrupted = True
    assert outcome_of(Interrupted(), watch) is outcome_of(Interrupted()) is Outcome.INTERRUPTED
