"""Logarithms to the base 2 as whole numbers, rounded down by a rule that leaves no choice; there is no float in it."""

from __future__ import annotations

from functools import lru_cache

__all__ = ["PARTS", "micro_bits"]

PARTS = 10**6  # of a bit
DIGITS = 512  # binary ones of the mantissa


@lru_cache(maxsize=1 << 16)
def micro_bits(number: int) -> int:
    """Return ``floor(10^6 log2 number)`` of a number that is at least 1.

    Every binary digit of the logarithm takes a squaring of the mantissa, which is held between two whole numbers.
    Digits are taken until they decide: of a power of two at once, else the logarithm is irrational and no multiple of
    10^-6.
    """
    whole = number.bit_length() - 1
    if number == 1 << whole:
        return whole * PARTS
    low = high = number << max(DIGITS - whole, 0)
    one = max(DIGITS, whole)
    digits = 0
    for taken in range(1, DIGITS):
        low, high = low * low >> one, -(-high * high >> one)
        digits *= 2
        if low >> (one + 1):
            low, high, digits = low >> 1, -(-high >> 1), digits + 1
        elif high >> (one + 1):
            break
        least = PARTS * digits >> taken
        if least == PARTS * (digits + 1) - 1 >> taken:
            return whole * PARTS + least
    raise ArithmeticError("a logarithm is not decided")
