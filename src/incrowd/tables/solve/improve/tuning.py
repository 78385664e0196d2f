"""What tunes the search of `improve`: shares of the time, temperatures, sizes; never what is proven."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple


class Ends(NamedTuple):
    """When cuts, annealing and regrouping end, as shares of the time."""

    cuts: float
    annealing: float
    regrouping: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Tuning:
    """The constants of `improve`, chosen by ``benchmarks/run.py --case stars``.

    ``benchmarks/run.py --off`` switches some mechanisms off and says what each is worth. Shares of the time hold
    where there is a time limit and no number of moves, and count from the end of the greedy release.
    """

    # --- shares of the time ---
    # New rounds of prices until here, and until there while they gain much.
    price_end: float = 0.18
    price_end_gaining: float = 0.45
    # Shares of the cost that a round has to gain after the first and after the second of these.
    price_gain: float = 3e-3
    price_gain_late: float = 1e-2
    # Seconds up to which these shares hold, and the power by which they fall then: prices settle, annealing does not.
    price_seconds: float = 30.0
    price_power: float = 0.6
    # Where the cuts, the annealing and the pairing of parts of classes end.
    cut_end: float = 0.38
    anneal_end: float = 0.88
    regroup_end: float = 0.94

    # The same with hierarchies, where blocks of row types are cut, and solved anew in the end; and where a sweep over
    # all blocks, at so many seconds for each row type, takes longer than the first of these allows.
    block_end: float = 0.33
    leveled_anneal_end: float = 0.84
    leveled_regroup_end: float = 0.86
    dive_end: float = 0.975
    sweep_seconds: float = 1.2e-3
    long_block_end: float = 0.54
    long_anneal_end: float = 0.71
    long_regroup_end: float = 0.78
    # Seconds for each row type below which no blocks are cut, at k = 5, and by how much more at larger k; the shares
    # then.
    block_seconds: float = 6e-4
    block_crowds: float = 2.5
    wide_anneal_end: float = 0.68
    wide_regroup_end: float = 0.83
    # Where the dive over a small table as a whole ends, after the cuts, and what follows there: its release is one that
    # meets others, and that saves more than further dives.
    whole_end: float = 0.8
    whole_anneal_end: float = 0.945
    whole_regroup_end: float = 0.95

    # --- bound ---
    # Rounds of price steps where no time limit says when to stop.
    price_rounds: int = 4
    # Pairs of a linear program for each second that is left, at most, for it to be cut.
    cut_speed: float = 1000.0
    # Share of the time for prices of k alone where prices under requirements follow, in times of the counting bound the
    # cost from which on these begin without them, and their rounds without a limit.
    k_share: float = 0.2
    k_from: float = 3.0
    required_rounds: int = 12
    # Reduced cost up to which instances are opened under requirements, in stars for every five rows of k; with many row
    # types; and there where the release costs at most so many times the bound: a run there is too short for instances
    # that hardly ever pay.
    near_reach: float = 1.0
    near_reach_large: float = 0.5
    near_reach_close: float = 0.3
    near_close: float = 1.5
    near_large_types: int = 4000
    # Least rows of a class from which on multipliers alone are asked: with lists of classes, by shares, by closeness.
    listed_below: int = 25
    shares_below: int = 7
    close_below: int = 1
    # Most classes in a list.
    listed_classes: int = 4000
    # --- candidates ---
    # The threshold for candidates, in that of the prices: k over this, from 1 to the second.
    candidate_crowd: float = 12
    candidate_reach: float = 2.0
    # The threshold for candidates where all patterns take long to look at, in stars at k = 5.
    wide_near: float = 0.2

    # --- annealing ---
    # Moves per row type without a time limit and a number of moves.
    moves_per_type: int = 50
    # Reduced cost, in stars at k = 5, that makes an instance e times less likely, its growth with k, and the power
    # of e by which the least likely ones are rarer.
    draw_width: float = 0.25
    draw_growth: float = 0.75
    draw_rarity: float = 5.0
    # First temperature in stars at k = 5, its growth with k, and the last one as a part of it.
    heat: float = 2.0
    heat_growth: float = 0.5
    cooling: float = 0.1
    # Temperatures on the way from hot to cold, at least.
    temperatures: int = 64
    # Stars that a move may cost before it is broken off: for every row of k, and at least.
    move_cost: float = 0.4
    least_move_cost: float = 2.0
    # How often a move closes no other instance, one, and one more besides when it fills an instance.
    move_odds: tuple[float, float, float] = (0.4, 0.4, 0.2)

    # --- runs again and again (with a time limit) ---
    # Seconds that a run needs for a pair of the list, and runs that must fit into the time.
    pair_seconds: float = 2e-5
    least_runs: float = 3.0
    # Classes above which a release is large: a short run from hot does not settle all of them.
    large_classes: int = 700
    # Shares of the time for the first run, for each later one, and for an integer program.
    small_shares: tuple[float, float, float] = (0.04, 0.04, 0.04)
    large_shares: tuple[float, float, float] = (0.2, 0.07, 0.02)
    # What the first run has at least where the list is one of near instances, in times of what a run needs.
    patient_first: float = 3.0
    # How warm a run from a large release begins, in parts of the hottest, and how often the two meet.
    large_heat: float = 0.4
    large_meetings: int = 2
    # Releases that are remembered.
    pool: int = 12
    # Pairs with rows in a piece: at first, and at least; pairs of its program at most.
    piece_pairs: int = 700
    least_piece_pairs: int = 100
    program_pairs: int = 30_000

    # --- blocks solved anew by cuts and dives (`block_dives`) ---
    # Row types of a block, and the pairs of its program at most.
    dive_types: int = 400
    dive_pairs: int = 60_000
    # Reduced cost of the instances that may be opened, in stars at k = 5, and pairs of theirs per row type.
    dive_near: float = 0.4
    dive_room: float = 15.0
    # Rounds of cuts before the dive, least violation then and on the way.
    dive_rounds: int = 4
    dive_violation: float = 0.05
    dive_recut: float = 0.08
    # Share of the undecided instances that are opened at once, how nearly open they have to be, and how often all that
    # are open are held open.
    dive_share: float = 0.25
    dive_openness: float = 0.75
    dive_fixing: int = 3
    # The same for a whole table of at most so many row types, up to this k, with so many seconds for each row type; and
    # the reduced costs there.
    whole_types: int = 1000
    whole_crowd: int = 5
    whole_seconds: float = 0.012
    whole_near: float = 0.8
    whole_rounds: int = 8
    whole_violation: float = 0.03
    whole_recut: float = 0.04
    whole_share: float = 0.12
    # Share of the cost that a sweep has to save, lest blocks double, and by how much a border may look worse than
    # another.
    dive_gain: float = 1e-3
    dive_jitter: float = 3.0

    # --- parts of classes paired anew ---
    # From this k on, and with stars alone, this keeps no time for itself: it finds next to nothing after annealing.
    regroup_crowd: int = 5
    # Nearest blocks that a block may join.
    regroup_neighbours: int = 12
    # Rounds in a row that save nothing before it ends: before the first that saves, and later.
    regroup_trial: int = 5
    regroup_patience: int = 10

    # --- polish ---
    # Parts of a plan up to which its rows are assigned anew by a linear program.
    polished_parts: int = 400_000

    def near(self, cost: int, bound: float, types: int) -> float:
        """Return up to which reduced cost instances are opened under requirements."""
        if types <= self.near_large_types:
            return self.near_reach
        return self.near_reach_close if cost <= self.near_close * bound else self.near_reach_large

    def of_price(self, of_little: float, seconds: float) -> float:
        """Return the share of so many seconds that prices may take, from their share of little time."""
        return of_little * min(1.0, float((self.price_seconds / max(seconds, 1.0)) ** self.price_power))

    def cuts_blocks(self, seconds: float, types: int, k: int) -> bool:
        """Return whether so many seconds are worth a sweep of cuts over all blocks, or most of one.

        `seconds` are those until cuts end, and `types` is the number of row types. Crowds of more rows make larger
        programs.
        """
        return seconds >= self.block_seconds * types * min(max(k / 5, 1.0), self.block_crowds)

    def small(self, types: int, k: int) -> bool:
        """Return whether a table of so many row types is dived as a whole."""
        return types <= self.whole_types and k <= self.whole_crowd

    def ends(self, seconds: float, types: int, k: int, *, cut: bool) -> Ends:
        """Return when steps end with hierarchies.

        `seconds` are all the time there is, and `types` is the number of row types. `cut` says whether blocks of them
        are cut.
        """
        long = self.sweep_seconds * types > 0.5 * self.block_end * seconds
        cuts = self.long_block_end if long else self.block_end
        if not cut:
            return Ends(cuts, self.wide_anneal_end, self.wide_regroup_end)
        if long:
            return Ends(cuts, self.long_anneal_end, self.long_regroup_end)
        if self.small(types, k):
            return Ends(cuts, self.whole_anneal_end, self.whole_regroup_end)
        return Ends(cuts, self.leveled_anneal_end, self.leveled_regroup_end)


DEFAULT = Tuning()
