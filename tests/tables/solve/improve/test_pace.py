"""Calls of an annealing: all moves of a total, evenly; with a time limit as many as fit, until it stops."""

from incrowd.progress import Watch
from incrowd.tables.solve.improve.pace import CHUNK, FIRST, calls
from incrowd.tables.solve.shared.time_limit import now
from incrowd.tables.solve.shared.time_share import TimeShare


def test_a_total_is_made_to_the_last_move_in_equal_calls_from_hot_to_cold():
    share = TimeShare.of(Watch(), None)
    for total in (1, 7, 63, 64, 1000, 10**6):
        made = list(calls(share, total=total, temperatures=64))
        assert sum(moves for _, moves in made) == total
        assert len({moves for _, moves in made[:-1]}) <= 1
        assert max(moves for _, moves in made) <= CHUNK
        shares = [over for over, _ in made]
        assert shares[0] == 0 and shares == sorted(shares) and shares[-1] < 1
        assert len(made) >= min(total, 64)


def test_quick_calls_grow_while_there_is_time():
    watch = Watch()
    watch.limit(60)
    first, second, third = (
        moves
        for (_, moves), _ in zip(calls(TimeShare.of(watch, None), total=None, temperatures=64), range(3), strict=False)
    )
    assert FIRST == first < second < third


def test_without_time_no_move_is_made():
    assert not list(calls(TimeShare.of(now(Watch()), None), total=None, temperatures=64))
