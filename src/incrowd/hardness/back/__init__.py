"""The way back, from a folder and a release or node set to the source problem's answer; nothing read is believed.

``document``  ``source.json``: the source problem, its labels and the construction's parameters
``pairing``   which released row is which row of the table, where they come in another order
``release``   released rows and node sets from files
``answer``    what a release or node set says of the source problem
"""
