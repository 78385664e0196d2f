"""What tunes the bounds: speed and reach only; whatever comes out is counted again in integers."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Tuning:
    """The constants of prices and cuts, chosen by ``benchmarks/run.py --case 'stars|mask'``.

    ``benchmarks/run.py --off`` switches some mechanisms off and says what each is worth.
    """

    # --- prices for a search (`column_generation`) ---
    # Price steps of a round at least; three times as many at most.
    search_steps: int = 80
    # Share of the release's cost to step towards.
    search_target: float = 0.965
    # Rounds that together have to gain a share of the release's cost where nothing but the bound is asked; and rounds
    # at most for a release that another solver made.
    settled_rounds: int = 3
    settled_gain: float = 1e-4
    release_rounds: int = 12
    # Visits (patterns times types) of the look at the release's own patterns before the first scan; 0: hardly any.
    first_visits: int = 60_000_000
    # Up to so many patterns times types every instance is stored.
    stored_visits: int = 100_000
    # Hierarchies with more patterns times types are looked at in parts first: so many, with so many steps between,
    # towards a share of the release's cost (another one, and so many steps, once all were looked at), from a share of
    # what it pays; what is stored then, as a share of the threshold, and the pairs that are
    # remembered at k = 5; they grow with its root.
    wide_visits: int = 60_000_000
    wide_looks: int = 8
    wide_steps: int = 40
    wide_target: float = 0.9
    wide_aim: float = 0.92
    wide_round: int = 140
    wide_start: float = 0.85
    wide_share: float = 0.4
    wide_pairs: int = 800_000
    # From this k on the threshold grows with this power of k there.
    wide_crowd: int = 5
    wide_growth: float = 0.3
    # Linear programs over all row types of a table without hierarchies that are cut: row types, and pairs of instances
    # with so small a reduced cost, in stars, at most.
    cut_types: int = 5000
    cut_pairs: int = 60_000
    cut_distance: float = 0.6

    # --- cuts block by block (`block_cuts`) ---
    # Row types of a block, and of a table with hierarchies that is one block up to this k; rounds of cuts in each, and
    # least violation of a cut, in instances.
    block_types: int = 300
    block_whole: int = 600
    block_crowd: int = 5
    block_rounds: int = 6
    block_violation: float = 0.05
    # The same where the table is one block without hierarchies.
    thorough_violation: float = 0.02
    # Reduced cost of the instances that a block's program holds, and how far a price may move from where instances were
    # listed (over k), in shares of the reduced cost up to which they are.
    block_near: float = 0.9
    block_move: float = 1.0
    block_box: float = 1.0
    # Share of the bound that a sweep has to gain for another one, and by how much a border may look worse than another
    # then.
    block_gain: float = 2e-4
    block_jitter: float = 3.0
    # Least multiplier that is kept, in stars.
    block_weight: float = 1e-6

    # --- prices under requirements (`under_requirements`) ---
    # Pairs of types and instances in one scan at most, beside those that gain before the rule.
    inner_pairs: int = 40_000_000
    # Steps between two scans, what shrinks their length after so many without gain, and how often as long as at its end
    # they begin after a scan.
    inner_steps: int = 60
    inner_cooling: float = 0.7
    inner_again: float = 3.0
    inner_patience: int = 8
    # Reduced cost of the instances that they know, in stars; up to so many patterns times types they know all.
    inner_stored: float = 0.5
    inner_visits: int = 2_000_000
    # What a first price is at least, in times of the cheapest instance that may hold a valid class.
    inner_start: float = 1.2
    # Share of the release's cost to step towards, and the most above the best value, as a share of it: that shrinks
    # with every scan that gains less than so much, and the search ends where it is small. A scan that loses more than
    # a share sends prices half the way back.
    inner_target: float = 0.97
    inner_reach: float = 0.15
    inner_gain: float = 1e-4
    inner_fall: float = 0.005
    inner_shrink: float = 0.6
    inner_least_reach: float = 2e-4

    # --- classes of few rows, and trees over them (`under_requirements.class_program`, `price_tree`) ---
    # Prices stay below so many times the rows times the dearest row; they are whole in so many parts at most.
    class_box: int = 4
    class_parts: int = 840_000
    # Linear programs of one search for prices at most.
    class_rounds: int = 500
    # Pairs of types and instances above which no linear program over classes is begun.
    class_pairs: int = 20_000
    # Leaves of a tree at most, steps that its recount may take, and deepest leaf.
    tree_leaves: int = 1_000_000
    tree_steps: int = 1 << 34
    tree_depth: int = 300

    # --- kinds of cuts ---
    # Rows of an instance whose types are worth counting, at most.
    counted_rows: int = 400
    # Cuts taken in one round: by counting, and flow cuts.
    counting_room: int = 150
    flow_room: int = 100
    # Instances among which cliques are looked for.
    clique_instances: int = 600
    # Types of an instance along which a set grows, in k; types moved from one start, and where many programs are cut.
    set_width: int = 6
    set_steps: int = 20
    quick_steps: int = 8
    # Crowds in an instance above which it leaves nothing tight for flow cuts.
    flow_crowds: float = 2.5


DEFAULT = Tuning()
