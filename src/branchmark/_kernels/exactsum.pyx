# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True
"""Sums of doubles without rounding, as integers that add up in any order.

A double is an integer times a power of two. The sum is kept as 32-bit digits of one long binary number, each in
an int64 so that thousands of sums can be added digit by digit before carries are passed on. Splits, threads and
machines therefore never change a result, not even in its last bit.
"""
from libc.math cimport frexp
from libc.stdint cimport int64_t, uint64_t

import numpy as np

DIGITS = 70
# weight of digit 0 is 2**-LOWEST: below the last of the 53 bits that frexp gives the smallest subnormal double
LOWEST = 1152

cdef int CARRY_EVERY = 1 << 29


cdef void carry(int64_t[::1] digits) noexcept nogil:
    cdef Py_ssize_t i
    cdef int64_t over
    for i in range(digits.shape[0] - 1):
        over = digits[i] >> 32
        digits[i] -= over << 32
        digits[i + 1] += over


def exact_sum(const double[::1] values):
    """Digits of the sum of the finite values, and how many there are; NaN marks a value that is not there."""
    array = np.zeros(DIGITS, dtype=np.int64)
    cdef int64_t[::1] digits = array
    cdef Py_ssize_t i, digit, pending = 0
    cdef int exponent, shift
    cdef int64_t mantissa, sign, count = 0
    cdef uint64_t low, magnitude
    cdef double value
    with nogil:
        for i in range(values.shape[0]):
            value = values[i]
            if value != value:
                continue
            count += 1
            if value == 0:
                continue
            mantissa = <int64_t> (frexp(value, &exponent) * 9007199254740992.0)
            # value = mantissa * 2**(exponent - 53); place it relative to 2**-LOWEST
            exponent += 1152 - 53
            digit = exponent >> 5
            shift = exponent & 31
            sign = 1
            if mantissa < 0:
                sign = -1
                mantissa = -mantissa
            magnitude = <uint64_t> mantissa
            low = (magnitude << shift) & <uint64_t> 0xffffffff
            digits[digit] += sign * <int64_t> low
            magnitude >>= 32 - shift
            digits[digit + 1] += sign * <int64_t> (magnitude & <uint64_t> 0xffffffff)
            digits[digit + 2] += sign * <int64_t> (magnitude >> 32)
            pending += 1
            if pending == CARRY_EVERY:
                carry(digits)
                pending = 0
        carry(digits)
    return array, count


def normalise(int64_t[::1] digits):
    """Pass carries on, in place, so that further sums have room again."""
    carry(digits)
