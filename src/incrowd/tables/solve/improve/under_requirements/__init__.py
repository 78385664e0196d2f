"""The search under requirements like l and t: annealing in which a class may fail what is asked, at a price per row.

``search``         from the greedy's release and the bound to the cheapest release found
``annealing``      from hot and lenient to cold and strict
``free_classes``  the same without candidates, where no prices name them: classes that show what their rows share
``tuning``         the constants
"""
