"""What a user wants: one job, its policy and its settings, for library, command line and policy file alike.

Read first `job`; what it stands on lies below it, in this order from the ground:

``keys``      the words of a mask, other names of settings, and which keys are tables or paths in a file
``sections``  under which heading a setting stands in ``--help``
``document``  settings by name to and from the tables of a policy file, paths from its folder
``mask_words``  a mask from plain values, and with some words replaced
``hierarchy_words``  the word auto among hierarchies, and what was proposed for it spelled out
``toml``      the file itself: TOML read and written
``consistency``  what of a policy does not go together
``job``       `Policy` (what the release must be) and `Job` (the table, the release, how hard to look)
``questions``  what a job asks of its policy before it begins
``keywords``  every setting as a keyword of the Python interface, with its type (a written file)
``job_of``    the job that a Python call asks for
``python_words``  what a message calls a setting where Python called
``python_calls``  what a call from Python is told: keywords in place of options, a short traceback
``signatures``  what editors and notebooks show of them
``template``  what ``incrowd init`` writes: a proposed policy as a file
"""
