"""Which rows of two releases can belong together.

``keys``             the classes of two releases that contradict each other nowhere, met at keys
``assignment``       an assignment of all rows, row by row of classes, along those keys
``strong_parts``     the strong components of what an assignment leaves
"""
