"""Spark's errors are told by their conditions, never with data."""

import pytest

from incrowd.errors import InputError
from incrowd.tables.engine.spark import SparkGuard


class Java:
    """A Java error as Py4J shows it."""

    def __init__(self, kind, condition=None, cause=None):
        self.kind, self.condition, self.cause = kind, condition, cause

    def getClass(self):
        return self

    def getName(self):
        return self.kind

    def getCondition(self):
        if self.condition is None:
            raise AttributeError
        return self.condition

    def getCause(self):
        return self.cause


class Py4JError(Exception):
    def __init__(self, java, text="Zebedee"):
        super().__init__(text)
        self.java_exception = java


LOST = Java("org.apache.spark.SparkException", "CHECKPOINT_RDD_BLOCK_ID_NOT_FOUND")
SAID = [
    (Py4JError(Java("org.apache.spark.SparkException", cause=LOST)), "what executors held was lost with them"),
    (Py4JError(Java("java.lang.OutOfMemoryError")), "not enough memory"),
    (Py4JError(Java("x"), "Zebedee is bigger than spark.driver.maxResultSize 1024.0 MiB"), "raise that limit"),
    (Py4JError(Java("x"), "java.io.IOException: No space left on device"), "the disk is full"),
    (Py4JError(Java("org.apache.hadoop.security.AccessControlException")), "permission is denied"),
    (Py4JError(Java("java.io.FileNotFoundException"), "Zebedee (Permission denied)"), "permission is denied"),
    (Py4JError(Java("x", "CANNOT_READ_FILE_FOOTER")), "it may be cut short"),
    (Py4JError(Java("x", "FAILED_READ_FILE.FILE_NOT_EXIST")), "where every machine sees it"),
    (Py4JError(Java("x", "FAILED_READ_FILE.NO_HINT")), "it may be damaged or cut short"),
    (Py4JError(Java("x", "DIVIDE_BY_ZERO")), r"Spark cannot do it \(DIVIDE_BY_ZERO\)$"),
    (Py4JError(Java("x", "Zebedee lived here")), r"Spark cannot do it \(Py4JError\)$"),
    (ValueError("Zebedee"), r"Spark cannot do it \(ValueError\)$"),
]


@pytest.mark.parametrize(("error", "said"), SAID)
def test_an_error_is_told_by_its_condition(error, said):
    with pytest.raises(InputError, match=f"^trying: .*{said}") as caught, SparkGuard("trying"):
        raise error
    assert "Zebedee" not in str(caught.value)
    assert caught.value.__cause__ is None
    assert caught.value.__context__ is None


def test_what_ctrl_c_is_called_may_stand_in_a_cell():
    assert not SparkGuard("trying").interrupted(ValueError("interrupt"))
