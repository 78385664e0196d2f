"""A policy proposed for a table: what its columns are, which part each plays, and what following it would lose.

``columns``           what is counted of every column, in the engine
``dependence``        which columns say the same, on a sample of the rows
``roles``             the part that is proposed for each column, with its reason
``loss``              what a quick search loses on a sample
``starting_policy``   ``incrowd init``: all of it as a policy file
``stars_alone``       what a release without hierarchies loses that one with them would not
"""
