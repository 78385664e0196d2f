"""What the certificate of one recoding says."""

from incrowd.progress import Watch
from incrowd.tables.solve.global_recoding.certificate import NAME, VERSION, by_walk
from incrowd.tables.solve.global_recoding.lattice import Lattice
from incrowd.tables.values import Bound
from incrowd.tables.verify.bound import single_recoding
from oracles.problems import stars, types_of


def test_it_names_the_vector_and_what_it_suppresses():
    problem = stars(types_of([(0, 0), (0, 1), (1, 2)]), 2, "suppress")
    made = by_walk(problem, (0, 1), 1, 4, Bound(3, 3, "walk"))
    assert (made["certificate"], made["version"]) == (NAME, VERSION) == (single_recoding.NAME, single_recoding.VERSION)
    assert made["levels"] == [0, 1]
    assert (made["suppressed_rows"], made["most_suppressed"], made["requirements"]) == (1, 3, [])
    assert (made["cost"], made["lower_bound"], made["proof"]) == (4, 3, "certificate")


def test_it_holds_whole_numbers_texts_and_lists_alone():
    problem = stars(types_of([(0, 0), (0, 1), (1, 2)]), 2, "suppress")
    made = Lattice(single=True).solve(problem, Watch()).certificate
    assert all(type(value) in (int, str, list) for value in made.values())
