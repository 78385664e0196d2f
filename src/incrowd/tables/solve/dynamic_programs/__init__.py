"""Optima by dynamic programs.

``chain``       under a chain of patterns, over the forest of its instances
``subset_dp``   over the sets of rows that are left: small tables, any requirements (with ``joins``, ``row_prices``)
``subsets``     the papers' own recursions over halves and thirds of the rows
"""
