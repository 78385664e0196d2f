"""What a release gives away by itself.

``composition``      two releases of the same people, or of people of whom some are in both: who may be whom
"""
