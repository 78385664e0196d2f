"""What is done, one screen each; every job reads as sentences.

``api``                 the public functions: settings as keywords
``anonymize``           read, compress, solve, expand, verify, write
``verify``              a release held against its original, from the two tables alone
``audit``               how risky a table is as it is
``estimate``            what a job would take, without a release
``large``               the main job on row types that stay in the table engine
``tradeoff``            what every k (l, t) costs
``proposal``            a policy proposed for a table (`incrowd init`), and what stars alone lose
``networks``            the questions about networks (public as `incrowd.networks`); ``network``: what they stand on
``demo``                the main job on the bundled table

What the jobs stand on, in the order in which they ask it:

``prepare``             the policy fitted to a table, once; the table read, checked and compressed
``solver_choice``       the solver that is named, the first exact one that takes the problem, or auto
``reductions``          a solver that gets a smaller problem
``check``               what a release is held to; the verdict held against the plan
"""
