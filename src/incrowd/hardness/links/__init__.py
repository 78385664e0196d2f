"""Steps from one source problem to another, each with its way back; `incrowd.hardness.chains` puts them together.

``half_clique``  Clique -> a clique of half the nodes
``domination``   set cover -> dominating set -> set cover by neighbourhoods
"""
