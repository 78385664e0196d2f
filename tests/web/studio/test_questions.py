"""What is asked about columns is counted once over the table, and anew where it is read in another way."""

from __future__ import annotations

import pytest

from incrowd.errors import InputError
from incrowd.policy.job import Job
from incrowd.tables.hierarchy import as_spec
from incrowd.web.studio import questions as module
from incrowd.web.studio.questions import Questions
from incrowd.web.studio.work import Work


@pytest.fixture
def job(tmp_path):
    (tmp_path / "a.csv").write_text("age,sex\n" + "".join(f"{age},{'fm'[age % 2]}\n" for age in range(20, 60)))
    return Job().replace(source=tmp_path / "a.csv", quasi_identifiers=["age", "sex"], k=2)


@pytest.fixture
def begun():
    found = []
    yield found
    for work in found:
        work._thread.join(60)


@pytest.fixture
def questions(begun):
    def begin(what, do):
        begun.append(Work(what, do))
        return begun[-1]

    return Questions(begin)


def test_the_table_is_read_once_for_all_that_is_asked(job, questions, begun):
    for width in (5, 10):
        assert questions.levels(job, "age", as_spec(f"intervals:{width}", "x"), 0)[1].labels == 40 // width
    assert questions.levels(job, "sex", None, 8)[0].some == ("f", "m")
    assert questions.allowed_patterns(job) == 4
    job.source.unlink()
    assert questions.allowed_patterns(job.replace(hierarchies={"age": "intervals:5,10"})) == 8
    assert len(begun) == 1


def test_it_is_read_anew_in_another_way_and_after_a_stop(job, questions, begun):
    assert questions.levels(job, "age", None, 0)[0].labels == 40
    assert questions.levels(job.replace(na=["31"]), "age", None, 0)[0].labels == 39
    begun[-1].stop()
    assert questions.counting(job.replace(na=["31"])) is begun[2]


def test_a_level_is_made_once(job, questions, monkeypatch):
    asked = []
    monkeypatch.setattr(module, "levels", lambda *words: asked.append(words) or [])
    for _ in range(3):
        questions.levels(job, "age", None, 0)
    questions.levels(job, "age", None, 1)
    assert len(asked) == 2


def test_what_cannot_be_read_is_said_where_it_is_asked_and_tried_again(job, questions, begun):
    text = job.source.read_text()
    job.source.unlink()
    with pytest.raises(InputError):
        questions.allowed_patterns(job)
    job.source.write_text(text)
    assert questions.allowed_patterns(job) == 4
    assert len(begun) == 2


def test_a_count_that_takes_too_long_is_no_answer(job, questions, monkeypatch):
    monkeypatch.setattr(Work, "wait", lambda self, seconds: False)
    with pytest.raises(InputError, match="still being counted"):
        questions.allowed_patterns(job)
