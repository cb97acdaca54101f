"""The arguments of all functions, checked before they are narrowed to what the library takes. TypeError says of which kind
an argument should be, ValueError which values are right; both name it."""
import operator
import os

import numpy as np

_MOST_THREADS = 1024  # kMostThreads of <lanework/team.hpp>
_MOST_FLOAT = float(np.finfo(np.float32).max)
_KINDS = {"i": "iu", "f": "iuf"}  # what becomes integers, and what floats


def _usual_threads():
    text = os.environ.get("LANEWORK_THREADS", "")
    if text and not (text.isascii() and text.isdecimal() and int(text) <= _MOST_THREADS):
        raise ImportError(f"LANEWORK_THREADS is {text[:60]!r}; a whole number from 0 (all) to {_MOST_THREADS} is right")
    return int(text or 0)


_USUAL_THREADS = _usual_threads()


def described(value):
    """A value as messages name it: one short line, whatever it is."""
    if isinstance(value, np.ndarray):
        return f"an array {value.shape} of {value.dtype}"
    text = " ".join(repr(value).split())
    return text if len(text) <= 60 else f"{text[:50]}… ({type(value).__name__})"


def integer(name, value, least, most):
    """A whole number from `least` to `most`."""
    if type(value) is not int:
        if isinstance(value, (bool, np.bool_)) or not hasattr(value, "__index__"):
            raise TypeError(f"{name} is {described(value)}; a whole number is right")
        try:
            value = operator.index(value)
        except TypeError:  # an array of several
            raise TypeError(f"{name} is {described(value)}; a whole number is right") from None
    if not least <= value <= most:
        raise ValueError(f"{name} is {described(value)}; from {least} to {most} is right")
    return value


def threads(value):
    """How many threads may compute; 0 for what LANEWORK_THREADS says when the package is imported, else all that there are."""
    if value == 0 and type(value) is int:
        return _USUAL_THREADS
    return value if type(value) is int and 0 <= value <= _MOST_THREADS else integer("threads", value, 0, _MOST_THREADS)


def flag(name, value):
    """True or False; of numbers 0 and 1 alone."""
    if value is True or value is False:
        return value
    if isinstance(value, (np.bool_, int, np.integer)) and value in (0, 1):
        return bool(value)
    raise TypeError(f"{name} is {described(value)}; True or False is right")


def number32(name, value):
    """A real number that is a finite float32, rounded to it."""
    if type(value) is not float:
        values = numbers(name, value, np.float32)
        if values.ndim:
            raise ValueError(f"{name} is {described(value)}; one number is right")
        value = float(values)
    if not abs(value) <= _MOST_FLOAT:
        raise ValueError(f"{name} is {described(value)}; a finite float32, up to {_MOST_FLOAT:.8g}, is right")
    return value


def numbers(name, values, dtype):
    """An array of that type of real numbers, every one of which the type can hold (floats are rounded)."""
    dtype = np.dtype(dtype)
    try:
        given = np.asarray(values)
    except (ValueError, TypeError, OverflowError):  # rows of several lengths
        given = np.asarray(None)
    if given.dtype.kind == "O" and all(type(value) in (int, float) for value in given.flat):  # beyond 64 bits
        if dtype.kind == "i":
            raise ValueError(f"{name} is {described(values)}; what {dtype} can hold is right")
        try:
            given = given.astype(np.float64)
        except OverflowError:
            raise ValueError(f"{name} is {described(values)}; what {dtype} can hold is right") from None
    if given.dtype.kind not in _KINDS[dtype.kind] and given.size:
        what = "whole numbers" if dtype.kind == "i" else "real numbers"
        raise TypeError(f"{name} is {described(values)}; {what} are right")
    if given.dtype == dtype:
        return given
    if dtype.kind == "f":
        with np.errstate(over="ignore"):
            narrowed = given.astype(dtype)
        wrong = np.isinf(narrowed) & np.isfinite(given) if given.dtype.itemsize > dtype.itemsize else np.False_
    else:
        limits = np.iinfo(dtype)
        wrong = (given < limits.min) | (given > limits.max)
        narrowed = given.astype(dtype) if not np.any(wrong) else None
    if np.any(wrong):
        first = given[np.unravel_index(np.argmax(wrong), given.shape)] if given.ndim else given[()]
        raise ValueError(f"{name} has {first}; what {dtype} can hold is right")
    return narrowed


def dtype_of(name, value, choices):
    """One of these types, however it is named."""
    try:
        dtype = np.dtype(value)
    except TypeError:
        raise TypeError(f"{name} is {described(value)}; {' and '.join(choices)} are computed") from None
    if dtype.name not in choices:
        raise ValueError(f"{name} is {dtype}; {' and '.join(choices)} are computed")
    return dtype


def index_of(name, choice, choices):
    """Where a word stands among those that there are."""
    if not isinstance(choice, str):
        raise TypeError(f"{name} is {described(choice)}; there are: {', '.join(choices)}")
    if choice not in choices:
        raise ValueError(f"{name} is {described(choice)}; there are: {', '.join(choices)}")
    return choices.index(choice)
