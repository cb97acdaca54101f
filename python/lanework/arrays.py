"""Arrays and matrices: products, transposes, sums, extremes and their places, histograms, GELU, on the processor.

    c = matmul(a, b)
    where = reduce(c, "argmax")

An array is NumPy's, or anything else in the processor's memory that has `__dlpack__`, as PyTorch's tensors have, which is read and
written where it lies. Matrices may be parts of larger ones; what lies otherwise than in rows is copied before it is read. Results are
new NumPy arrays, or `out`. Raises TypeError for arguments of another kind and ValueError for values that cannot be meant.
"""
import ctypes
import struct

import numpy as np

from .arguments import described, index_of, threads as checked_threads
from .library import ERRORS, library

REDUCE_FORMS = ("sum", "min", "max", "argmin", "argmax")
GELU_FORMS = ("erf", "tanh")
_DTYPES = {  # as lanework::DType counts
    np.dtype(name): number
    for number, name in enumerate(
        ("uint8", "int16", "uint16", "int32", "uint32", "int64", "uint64", "float16", None, "float32", "float64")
    )
    if name
}
_ARRAY = struct.Struct("@Pqqqq")  # lanework_array of python/native/arrays.cpp
_ON_PROCESSOR = 1  # kDLCPU of DLPack

library.lanework_arrays.argtypes = [ctypes.c_char_p, ctypes.c_char_p, ctypes.c_char_p, ctypes.c_int32, ctypes.c_int32]
library.lanework_arrays.restype = ctypes.c_int32
library.lanework_arrays_message.argtypes = []
library.lanework_arrays_message.restype = ctypes.c_char_p


def _viewed(name, given):
    """The array where it lies; of lists and numbers a new one."""
    if isinstance(given, np.ndarray):
        return given
    if hasattr(given, "__dlpack__") and hasattr(given, "__dlpack_device__"):
        kind = int(given.__dlpack_device__()[0])
        if kind != _ON_PROCESSOR:
            raise TypeError(f"{name} lies in the memory of a device (DLPack's kind {kind}); the processor's is right: .cpu() copies it there")
        try:
            return np.from_dlpack(given)
        except (BufferError, RuntimeError, ValueError, TypeError) as error:
            raise TypeError(f"{name} is {described(given)}, which NumPy cannot view: {str(error).splitlines()[0]}") from None
    try:
        array = np.asarray(given)
    except (ValueError, TypeError, OverflowError):  # rows of several lengths
        array = np.asarray(None)
    if array.dtype.kind not in "biuf":
        raise TypeError(f"{name} is {described(given)}; an array of numbers is right")
    return array


def _input(name, given, types):
    array = _viewed(name, given)
    if array.dtype.name not in types or not array.dtype.isnative:
        raise ValueError(f"{name} holds {array.dtype}; {' and '.join(types)} are computed")
    return array


def _in_rows(matrix):
    return (matrix.shape[1] < 2 or matrix.strides[1] == matrix.itemsize) and (
        matrix.shape[0] < 2 or (matrix.strides[0] >= matrix.shape[1] * matrix.itemsize and matrix.strides[0] % matrix.itemsize == 0)
    )


def _aligned(array):
    return array if array.flags.aligned else array.copy()


def _matrix(name, given, types):
    matrix = _aligned(_input(name, given, types))
    if matrix.ndim != 2:
        raise ValueError(f"{name} has the shape {matrix.shape}; rows × columns is right")
    return matrix if _in_rows(matrix) else np.ascontiguousarray(matrix)


def _line(name, given, types):
    array = _aligned(_input(name, given, types))
    return np.ascontiguousarray(array).reshape(array.shape)  # which would give a single number an axis


def _output(given, shape, dtype, inputs=(), in_place=False):
    """An array of that shape and type; of `out` the view. With `in_place` it may be an input as it is."""
    if given is None:
        try:
            return np.empty(shape, dtype)
        except (ValueError, MemoryError):  # more bytes than 64 bits count, or than there are
            raise MemoryError(f"there is no memory for an array {tuple(shape)} of {np.dtype(dtype)}") from None
    if not isinstance(given, np.ndarray) and not hasattr(given, "__dlpack__"):
        raise TypeError(f"out is {described(given)}; an array {tuple(shape)} of {np.dtype(dtype)} is right")
    out = _viewed("out", given)
    if out.shape != tuple(shape) or out.dtype != dtype:
        raise ValueError(f"out is {described(out)}; an array {tuple(shape)} of {np.dtype(dtype)} is right")
    # What NumPy views of others it calls read-only, whatever they allow.
    if isinstance(given, np.ndarray) and not out.flags.writeable:
        raise ValueError("out cannot be written")
    if not out.flags.aligned or not (out.flags.c_contiguous or (out.ndim == 2 and not in_place and _in_rows(out))):
        raise ValueError("out does not lie in rows: a contiguous array is right")
    for array in inputs:
        same = in_place and out.ctypes.data == array.ctypes.data
        if not same and out.size and array.size and np.shares_memory(out, array):
            raise ValueError("out shares memory with an input; an array of its own is right")
    return out


def _described(array, as_matrix=False):
    rows, cols = array.shape if as_matrix else (1, array.size)
    pitch = array.strides[0] if as_matrix and rows > 1 and cols else cols * array.itemsize
    return _ARRAY.pack(array.ctypes.data, rows, cols, pitch, _DTYPES[array.dtype])


def _run(operation, inputs, out, threads, form=0):
    status = library.lanework_arrays(operation, b"".join(inputs), out, form, checked_threads(threads))
    if status:
        raise ERRORS[status](library.lanework_arrays_message().decode())


def matmul(a, b, *, out=None, threads=0):
    """a · b of two matrices of float32 or int32, which wraps around.

    a: m × n; b: n × k; result: m × k.
    """
    a, b = _matrix("a", a, ("float32", "int32")), _matrix("b", b, ("float32", "int32"))
    if a.dtype != b.dtype:
        raise ValueError(f"a holds {a.dtype} and b {b.dtype}; they must be of one type")
    if a.shape[1] != b.shape[0]:
        raise ValueError(f"a has {a.shape[1]} columns and b {b.shape[0]} rows; they must be equal")
    result = _output(out, (a.shape[0], b.shape[1]), a.dtype, (a, b))
    _run(b"matmul", (_described(a, True), _described(b, True)), _described(result, True), threads)
    return result if out is None else out


def transpose(matrix, *, out=None, threads=0):
    """A new matrix whose rows are the columns of this one, of float32, int32 or uint32."""
    matrix = _matrix("matrix", matrix, ("float32", "int32", "uint32"))
    result = _output(out, matrix.shape[::-1], matrix.dtype, (matrix,))
    _run(b"transpose", (_described(matrix, True),), _described(result, True), threads)
    return result if out is None else out


def reduce(array, form="sum", *, threads=0):
    """The sum, min or max of all elements (float32, float64 or int32, whose sums wrap around), or argmin or argmax: where the first
    of them is in the flattened array, −1 for none. NaN is never an extreme."""
    form = index_of("form", form, REDUCE_FORMS)
    array = _line("array", array, ("float32", "float64", "int32"))
    result = np.empty((), np.int64 if form >= REDUCE_FORMS.index("argmin") else array.dtype)
    _run(b"reduce", (_described(array),), _described(result), threads, form)
    return result[()]


def reproducible_sum(array, *, threads=0):
    """The sum of all elements by a tree that depends on their number alone: the same bits on every device, with any number of threads."""
    array = _line("array", array, ("float32", "float64", "int32"))
    result = np.empty((), array.dtype)
    _run(b"reproducible_sum", (_described(array),), _described(result), threads)
    return result[()]


def histogram(array, *, out=None, threads=0):
    """How often each of the 256 values of uint8 occurs: 256 counts of uint64."""
    array = _line("array", array, ("uint8",))
    result = _output(out, (256,), np.uint64, (array,))
    _run(b"histogram", (_described(array),), _described(result), threads)
    return result if out is None else out


def gelu(array, form="erf", *, out=None, threads=0):
    """x·Φ(x) of each element of float32 or float16; `tanh` is the form with a hyperbolic tangent. out may be the array itself."""
    form = index_of("form", form, GELU_FORMS)
    array = _line("array", array, ("float32", "float16"))
    result = _output(out, array.shape, array.dtype, (array,), in_place=True)
    _run(b"gelu", (_described(array),), _described(result), threads, form)
    return result if out is None else out


def add(x, y, *, out=None, threads=0):
    """x + y, element by element, of two arrays of float32 and of one shape. out may be x or y itself."""
    x, y = _line("x", x, ("float32",)), _line("y", y, ("float32",))
    if x.shape != y.shape:
        raise ValueError(f"x has the shape {x.shape} and y {y.shape}; they must be equal")
    result = _output(out, x.shape, x.dtype, (x, y), in_place=True)
    _run(b"add", (_described(x), _described(y)), _described(result), threads)
    return result if out is None else out
