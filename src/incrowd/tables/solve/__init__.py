"""Stage 3: row types -> plan. One folder a method; a folder imports only what stands below it here.

``auto``               which methods, in which order, for how long
``blunt``              a release drawn at random near the best one found
``last_pass``          whether a release is settled: no row and no class could be shown cheaper by itself
``ranges``             one column as ranges on a grid, the others by their hierarchies
``suppression_limit``  the limit on fully suppressed rows, around solvers that do not know it
``mishap``             what a search does with an error of ours while it holds a release
``exact``              the least release, proven
``improve``            search from the greedy's release, with a bound
``textbook``           the papers' methods, literally: yardsticks
``matching``           optimal 2-anonymity and 2-diversity, by simplex matching
``chain``              the optimum under a chain of patterns
``mondrian``           median cuts
``global_recoding``    one recoding for the whole table
``greedy``             the greedy of pattern-guided k-anonymity, and the same under requirements
``bounds``             lower bounds for every release, and their certificates
``shared``             what several methods stand on

Every folder's ``__init__`` names its files in the order in which they are read, and the papers by their keys in
docs/papers/refs.bib; what holds of which theorem is in the notes beside it.
"""
