"""Constructions made of others: a step between source problems, then a construction, or one construction upon another.

``clique``             Clique -> half-clique -> cn-anonymity
``closeness``          bisections and half-cliques -> cn-anonymity -> t-closeness (Corollary 1)
``dominating_set``     dominating set -> a cover by neighbourhoods -> ADIM=k
``cover``              set cover -> dominating set -> ADIM=k
``exact_cover``        exact cover by threes -> set cover -> dominating set -> ADIM=k
``triangles_ternary``  edge partition into triangles -> blocks of the table of Appendix C with a third symbol
"""
