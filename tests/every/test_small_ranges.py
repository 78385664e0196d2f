from checker.page_script import NODE
from every.small_ranges import tried
from seeds import seeds


@seeds(500, 15)
def test_search_bounds_and_all_checkers_agree_with_every_partition_of_the_rows(seed):
    assert tried(seed, page=NODE is not None) in ("optimum", "below")
