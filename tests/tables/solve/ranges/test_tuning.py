from dataclasses import fields

from incrowd.tables.solve.ranges.tuning import DEFAULT, Tuning


def test_every_constant_is_a_positive_number_and_the_shares_of_time_grow():
    assert Tuning() == DEFAULT
    assert all(getattr(DEFAULT, field.name) > 0 for field in fields(Tuning))
    assert 0 < DEFAULT.first_end < DEFAULT.price_end < DEFAULT.search_end < 1
