"""Errors say what is wrong in one sentence, with the exit status that the command line has for them."""

import pickle

from incrowd import errors
from incrowd.errors import IncrowdError, Infeasible, SolverDeclined, about, an, count_of, did_you_mean


def test_every_error_is_one_of_ours_and_stands_in_the_tree_with_its_exit_status():
    kinds = [kind for name in errors.__all__ if isinstance(kind := getattr(errors, name), type)]
    for kind in kinds:
        assert issubclass(kind, IncrowdError)
        line = next(line for line in errors.__doc__.splitlines() if kind.__name__ in line)
        assert kind is IncrowdError or f"(exit status {kind.exit_status})" in line


def test_reasons_and_requirements_are_kept_beside_the_sentence():
    declined = SolverDeclined("chain", "two columns differ")
    assert (str(declined), declined.solver, declined.reason) == (
        "solver 'chain' declines: two columns differ", "chain", "two columns differ",
    )  # fmt: skip
    none = Infeasible("no release", requirement="k=5", proven=True)
    assert (none.requirement, none.proven) == ("k=5", True)


def test_words_have_their_number_article_and_nearest_neighbour():
    assert [about(n) for n in (99_999, 1_234_567, 7**9000)] == ["99,999", "1.2e+06", "10^7605"]
    assert [count_of(n, "entry") for n in (1, 2, 1234)] == ["1 entry", "2 entries", "1,234 entries"]
    assert [an("list"), an("int")] == ["a list", "an int"]
    assert did_you_mean("agee", ["age", "sex"]) == " (did you mean 'age'?)"
    assert did_you_mean("xyz", ["age"]) == ""


def test_errors_cross_from_one_process_to_another():
    declined = pickle.loads(pickle.dumps(SolverDeclined("chain", "two columns differ")))
    assert (str(declined), declined.solver) == ("solver 'chain' declines: two columns differ", "chain")
    none = pickle.loads(pickle.dumps(Infeasible("no release", requirement="k=5", proven=False)))
    assert (str(none), none.requirement, none.proven) == ("no release", "k=5", False)
