"""Stage 3: row types -> plan. One folder a method; a folder imports only what stands below it.

``auto``               which methods, in which order, for how long
``shared``             what several methods stand on
``bounds``             lower bounds for every release, and their certificates
``greedy``             the greedy of pattern-guided k-anonymity, and the same under requirements
``improve``            search from there, with a bound
``exact``              the least release, proven
``matching``           optimal 2-anonymity and 2-diversity, by simplex matching
``dynamic_programs``   chains of patterns, small tables
``mondrian``           median cuts
``textbook``           the papers' methods, literally: yardsticks
"""
