"""What a change costs, said once more in plain Python: by the name of the cost, one function each."""

from fractions import Fraction


def leaves(lines, value, level):
    """Of a value and a level the share of the other leaves that its label lumps together with it."""
    height = len(lines[0])
    if level == 0:
        return Fraction(0)
    if level == height:
        return Fraction(1)
    label = next(line for line in lines if line[0] == value)[level]
    alike = [line for line in lines if line[level] == label]
    return Fraction(len(alike) - 1, len(lines) - 1) if len(lines) > 1 else Fraction(0)


def cells(lines, value, level):
    """One for every changed cell."""
    return Fraction(1 if level > 0 else 0)


def levels(lines, value, level):
    """How far up the hierarchy the cell is shown."""
    return Fraction(level, len(lines[0]))


PLAIN = {"leaves": leaves, "cells": cells, "levels": levels}
