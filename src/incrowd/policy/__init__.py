"""What a user wants: one job, its policy and its settings, for library, command line and policy file alike.

Read first `job`; what it stands on lies below it, in this order from the ground:

``keys``      the words of a mask, other names of settings, and which keys are tables or paths in a file
``document``  settings by name to and from the tables of a policy file, paths from its folder
``job``       `Policy` (what the release must be) and `Job` (the table, the release, how hard to look)
``questions``  what a job asks of its policy before it begins
``keywords``  every setting as a keyword of the Python interface, with its type (a written file)
``python_calls``  what a call from Python is told: keywords in place of options, a short traceback
``template``  what ``incrowd init`` writes: a proposed policy as a file
"""
