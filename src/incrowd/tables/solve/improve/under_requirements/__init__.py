"""The search under requirements like l and t: annealing in which a class may fail what is asked, at a price per row.

``search``         from the greedy's release and the bound to the cheapest release found
``prices_of_k``    the instances worth a try, by the prices of k alone
``prices_of_requirements``   the same by prices under requirements
``candidates``     what the search may open, over row types told apart by sensitive values
``layout``         candidates and requirements as the kernels read them
``annealing``      from hot and lenient to cold and strict
``class_programs``  neighbourhoods of a release exchanged for cheaper ones, again and again
``neighbourhood``  classes that share near instances, and what their rows may do
``class_program``  the integer program over them
``loose_classes``  the same without candidates, where they are too many to list: classes that show what their rows share
``loose_layout``   its release and requirements as the kernels read them
``checked_plan``   releases made of its rows, which are asked by every requirement itself
``tuning``         the constants
"""
