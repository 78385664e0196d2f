"""The token opens the door once; the cookie is told from every other."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

from incrowd.web.gate.keys import Keys


def test_a_token_is_good_for_one_of_many_who_come_at_once():
    keys = Keys(8000)
    with ThreadPoolExecutor(8) as pool:
        found = list(pool.map(keys.enter, [keys.token] * 64))
    assert sum(one is not None for one in found) == 1


def test_a_wrong_token_does_not_use_up_the_right_one():
    keys = Keys(8000)
    assert keys.enter("") is None
    assert keys.enter("é" * 43) is None
    assert keys.enter(keys.token)


def test_the_cookie_is_for_this_site_and_for_no_script():
    line = Keys(8000).enter
    assert line("x") is None
    keys = Keys(8000)
    assert keys.enter(keys.token).endswith("; Path=/; HttpOnly; SameSite=Strict")


def test_the_cookie_is_known_among_others_and_once_alone():
    keys = Keys(8000)
    ours = keys.enter(keys.token).partition(";")[0]
    assert keys.knows(ours)
    assert keys.knows(f"a=b; {ours}; c")
    for wrong in ("", "incrowd-8000=", "incrowd-8000=é", ours.replace("8000", "8001"), f"{ours}; {ours}", f"{ours}x"):
        assert not keys.knows(wrong)


def test_two_runs_share_no_secret():
    assert Keys(8000).token != Keys(8000).token
