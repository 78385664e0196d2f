"""Charts as SVG made here: no script, no style of their own (the app's style sheet colours them), one text alternative.

``svg``       elements, escaped
``bars``      shares of the rows
``curve``     lines over k
``star_map``  which columns are stars together, and in how many rows
``graph``     a small network with its attackers
"""
