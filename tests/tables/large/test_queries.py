from __future__ import annotations

import threading
import time

import pytest

from engines import SPARK, spark_wanted
from incrowd.progress import Watch
from incrowd.tables.engine.base import Engine
from incrowd.tables.engine.open import open_engine
from incrowd.tables.large.queries import Cut, stoppable

LONG = "SELECT count(*) FROM range(10000000000) a(i) WHERE hash(i) = 0"  # minutes


@pytest.mark.parametrize("how", ["interrupted", "time"])
def test_a_stop_breaks_off_the_query_that_runs_and_the_engine_goes_on(how):
    watch = Watch()
    with Engine() as engine:
        begun = time.perf_counter()
        if how == "time":
            watch.limit(0.1)
        else:
            threading.Timer(0.1, watch.interrupt).start()
        with pytest.raises(Cut), stoppable(engine, watch), engine.guard("counting"):
            engine.con.con.execute(LONG).fetchall()
        assert time.perf_counter() - begun < 60  # the query itself takes minutes
        assert engine.con.con.execute("SELECT 1").fetchall() == [(1,)]


def test_a_watch_that_says_stop_begins_nothing():
    watch = Watch()
    watch.interrupt()
    with Engine() as engine, pytest.raises(Cut), stoppable(engine, watch):
        pytest.fail("began")


def test_an_interruption_of_somebody_else_is_passed_on():
    with Engine() as engine, pytest.raises(KeyboardInterrupt), stoppable(engine, Watch()):
        raise KeyboardInterrupt


@pytest.mark.parametrize("how", [pytest.param("interrupted", marks=SPARK), pytest.param("time", marks=SPARK)])
def test_a_stop_breaks_off_what_spark_is_at_and_the_session_goes_on(how):
    spark_wanted()
    watch = Watch()
    with open_engine("spark", None) as engine:
        begun = time.perf_counter()
        if how == "time":
            watch.limit(1)
        else:
            threading.Timer(1, watch.interrupt).start()
        with pytest.raises(Cut), stoppable(engine, watch), engine.guard("counting"):
            engine.session.range(1 << 40).selectExpr("sum(hash(id))").toArrow()
        assert time.perf_counter() - begun < 100  # the query itself takes hours
        assert engine.session.range(3).count() == 3
