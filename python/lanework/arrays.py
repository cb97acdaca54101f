"""Arrays and matrices: products, transposes, sums, extremes and their places, histograms, GELU, on the processor or on a GPU.

    c = matmul(a, b)
    where = reduce(c, "argmax")

An array is NumPy's, or anything else that has `__dlpack__`, as PyTorch's tensors have, which is read and written where it lies. A call
computes where its arrays lie: on the processor, or on a GPU, on the stream that PyTorch or CuPy compute on in this thread or on
`stream`, where it enqueues its kernels and returns. Matrices may be parts of larger ones; what lies otherwise than in rows is copied
before it is read, but on a GPU refused. Results are new arrays, of NumPy or of the library of the first array on a GPU, or `out`. Raises
TypeError for arguments of another kind and ValueError for values that cannot be meant.
"""
import ctypes
import struct
import sys

import numpy as np

from .arguments import described, index_of
from .gpu import OTHER_NAMES, View, bits_of_tensor
from .library import library, require
from .place import Place
from .repeated import repeatable, request

MATMUL_RESULTS = {  # of the types that matmul computes
    "float32": "float32", "float16": "float16", "bfloat16": "bfloat16", "int32": "int32", "int8": "int32", "float8_e4m3": "bfloat16",
    "tfloat32": "float32",
}
_CARRIERS = {"bfloat16": "uint16", "float8_e4m3": "uint8", "tfloat32": "float32"}  # of the bits, where a library has no such type
REDUCE_FORMS = ("sum", "min", "max", "argmin", "argmax")
GELU_FORMS = ("erf", "tanh")
_DTYPES = {  # as lanework::DType counts
    name: number
    for number, name in enumerate(
        (
            *("uint8", "int16", "uint16", "int32", "uint32", "int64", "uint64", "float16", "bfloat16", "float32"),
            *("float64", "int8", "float8_e4m3", "tfloat32"),
        )
    )
}
_ARRAY = struct.Struct("@Pqqqq")  # lanework_array of python/native/arrays.cpp

library.lanework_arrays.argtypes = [ctypes.c_char_p, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_int32, ctypes.c_char_p]
library.lanework_arrays.restype = ctypes.c_int32


def on_host(name, given):
    """An array of NumPy's where it lies; of lists and numbers a new one."""
    if isinstance(given, np.ndarray):
        return given
    if hasattr(given, "__dlpack__") and hasattr(given, "__dlpack_device__"):
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


def bits_on_host(name, given):
    """The same; of a tensor of PyTorch's whose type NumPy lacks, the bits, as unsigned integers."""
    bits = bits_of_tensor(given)
    if bits is None:
        return on_host(name, given)
    array = on_host(name, bits)
    return array.view(np.uint16) if array.dtype == np.int16 else array


def type_of(array):
    """The name of its elements' type."""
    return array.dtype if type(array) is View else array.dtype.name


def _input(place, name, given, types):
    array = place.view(name, given, on_host)
    dtype = type_of(array)
    if dtype not in types or not (type(array) is View or array.dtype.isnative):
        right = [each for each in types if place.on_gpu or each != "bfloat16"]
        raise ValueError(f"{name} holds {array.dtype}; {' and '.join(right)} are computed")
    return array


def _in_rows(matrix):
    return (matrix.shape[1] < 2 or matrix.strides[1] == matrix.itemsize) and (
        matrix.shape[0] < 2 or (matrix.strides[0] >= matrix.shape[1] * matrix.itemsize and matrix.strides[0] % matrix.itemsize == 0)
    )


def _aligned(array):
    return array if array.flags.aligned else array.copy()


def _matrix(place, name, given, types):
    matrix = _input(place, name, given, types)
    if matrix.ndim != 2:
        raise ValueError(f"{name} has the shape {tuple(matrix.shape)}; rows × columns is right")
    if type(matrix) is View:
        return place.rows_of(name, matrix)
    matrix = _aligned(matrix)
    return matrix if _in_rows(matrix) else np.ascontiguousarray(matrix)


def line(place, name, given, types):
    """An array of any shape whose elements lie side by side."""
    array = _input(place, name, given, types)
    if type(array) is View:
        if not array.is_contiguous():
            raise ValueError(f"{name} is {described(array)} that is not contiguous; .contiguous() copies it so")
        return array
    return np.ascontiguousarray(_aligned(array)).reshape(array.shape)  # which would give a single number an axis


def output(place, given, shape, dtype, inputs=(), in_place=False, name="out", or_dtype=None, on_host=on_host):
    """An array of that shape and type, and what is given back for it. With `in_place` it may be an input as it is."""
    if given is None:
        new = place.new(shape, dtype)
        return place.view(name, new, on_host), new
    if not isinstance(given, np.ndarray) and not hasattr(given, "__dlpack__"):
        raise TypeError(f"{name} is {described(given)}; an array {tuple(shape)} of {dtype} is right")
    out = place.view(name, given, on_host)
    if tuple(out.shape) != tuple(shape) or type_of(out) not in (dtype, or_dtype):
        raise ValueError(f"{name} is {described(out)}; an array {tuple(shape)} of {dtype} is right")
    if type(out) is View:
        _require_writable_view(place, name, out, inputs, in_place)
        return out, given
    # What NumPy views of others it calls read-only, whatever they allow.
    if isinstance(given, np.ndarray) and not out.flags.writeable:
        raise ValueError(f"{name} cannot be written")
    if not out.flags.aligned or not (out.flags.c_contiguous or (out.ndim == 2 and not in_place and _in_rows(out))):
        raise ValueError(f"{name} does not lie in rows: a contiguous array is right")
    for array in inputs:
        same = in_place and out.ctypes.data == array.ctypes.data
        if not same and out.size and array.size and np.shares_memory(out, array):
            raise ValueError(f"{name} shares memory with an input; an array of its own is right")
    return out, given


def _require_writable_view(place, name, out, inputs, in_place):
    if not out.is_writable:
        raise ValueError(f"{name} cannot be written")
    if not (out.is_contiguous() or (out.ndim == 2 and not in_place and out.has_rows())):
        raise ValueError(f"{name} does not lie in rows: a contiguous array is right")
    for array in inputs:
        if not (in_place and out.address == array.address) and out.overlaps(array):
            raise ValueError(f"{name} shares memory with an input; an array of its own is right")


def _described(array, as_matrix=False, dtype=None):
    """dtype: what the elements are, if not what the array calls them."""
    rows, cols = array.shape if as_matrix else (1, array.size)
    number = _DTYPES[dtype or type_of(array)]
    if type(array) is View:
        pitch = array.pitch() if as_matrix else cols * array.itemsize
        return _ARRAY.pack(array.address, rows, cols, pitch, number)
    pitch = array.strides[0] if as_matrix and rows > 1 and cols else cols * array.itemsize
    return _ARRAY.pack(array.ctypes.data, rows, cols, pitch, number)


def _run(place, operation, inputs, out, form=0):
    require(request(library.lanework_arrays, operation, inputs, (out,), (form,), (form, None), place))


def _name_of_dtype(dtype):
    """What a type is called here, however it is given: a name, or a type of NumPy's, PyTorch's or ml_dtypes'."""
    name = dtype if isinstance(dtype, str) else getattr(dtype, "name", None) or getattr(dtype, "__name__", None) or str(dtype).removeprefix("torch.")
    return OTHER_NAMES.get(name, name)


def _operand(place, name, given, dtype):
    """A matrix where it lies, and the type of its elements: `dtype`, if that is not None."""
    matrix = place.view(name, given, bits_on_host)
    own = matrix.dtype
    if type(matrix) is not View:
        own = _name_of_dtype(given.dtype) if bits_of_tensor(given) is not None else _name_of_dtype(matrix.dtype)
        if not matrix.dtype.isnative:
            own = str(matrix.dtype)
    computed = dtype or own
    if computed not in MATMUL_RESULTS or own not in (computed, _CARRIERS.get(computed)):
        if dtype is None:
            raise ValueError(f"{name} holds {own}; {', '.join(MATMUL_RESULTS)} are computed, some with dtype=")
        right = " or ".join(dict.fromkeys((computed, _CARRIERS.get(computed, computed))))
        raise ValueError(f"{name} holds {own}; with dtype={computed!r} {right} is right")
    if matrix.ndim != 2:
        raise ValueError(f"{name} has the shape {tuple(matrix.shape)}; rows × columns is right")
    return matrix, computed


def _by_rows(place, name, matrix):
    """The same matrix in rows; on the processor it may be copied for that."""
    if type(matrix) is View:
        return place.rows_of(name, matrix)
    matrix = _aligned(matrix)
    return matrix if _in_rows(matrix) else np.ascontiguousarray(matrix)


def _rows_or_columns(place, name, matrix):
    """The matrix in rows, and False; or where columns lie side by side, those as rows, and True."""
    if type(matrix) is View:
        columns = matrix.transposed()
        return (columns, True) if not matrix.has_rows() and columns.has_rows() else (_by_rows(place, name, matrix), False)
    matrix = _aligned(matrix)
    return (matrix.T, True) if not _in_rows(matrix) and _in_rows(matrix.T) else (_by_rows(place, name, matrix), False)


def _new_brain_floats(place, shape, like):
    """On the processor: of ml_dtypes where the operands are, else their bits as uint16."""
    if like.dtype.kind == "V":
        return place.new(shape, sys.modules["ml_dtypes"].bfloat16)
    return place.new(shape, "uint16")


@repeatable
def matmul(a, b, *, dtype=None, out=None, threads=0, stream=None):
    """a · b of two matrices of one type. Columns of b may lie side by side, as in the transpose of a matrix: they are read so.

    a: m × n; b: n × k; result: m × k, of float32, float16, bfloat16 and int32 (which wraps around) in the type itself, of int8 in
    int32, of float8_e4m3 in bfloat16, of tfloat32 in float32. dtype says what the bits are where a library has no such type: of
    uint8 float8_e4m3, of uint16 bfloat16; and of float32 tfloat32, whose leading 11 bits tensor cores read. NumPy's bfloat16 is
    that of ml_dtypes where the operands are of it, else uint16 with its bits.
    """
    place, dtype = Place(threads, stream), None if dtype is None else _name_of_dtype(dtype)
    if dtype is not None and dtype not in MATMUL_RESULTS:
        raise ValueError(f"dtype is {described(dtype)}; there are: {', '.join(MATMUL_RESULTS)}")
    a, of_a = _operand(place, "a", a, dtype)
    b, of_b = _operand(place, "b", b, dtype)
    if of_a != of_b:
        raise ValueError(f"a holds {of_a} and b {of_b}; they must be of one type")
    if a.shape[1] != b.shape[0]:
        raise ValueError(f"a has {a.shape[1]} columns and b {b.shape[0]} rows; they must be equal")
    a, shape = _by_rows(place, "a", a), (a.shape[0], b.shape[1])
    b, by_columns = _rows_or_columns(place, "b", b)
    made = MATMUL_RESULTS[of_a]
    if made == "bfloat16" and not place.on_gpu and out is None:
        out = _new_brain_floats(place, shape, a)
    result, given = output(place, out, shape, made, (a, b), or_dtype=_CARRIERS.get(made), on_host=bits_on_host)
    _run(place, b"matmul", (_described(a, True, of_a), _described(b, True, of_b)), _described(result, True, made), int(by_columns))
    return given


@repeatable
def transpose(matrix, *, out=None, threads=0, stream=None):
    """A new matrix whose rows are the columns of this one, of float32, int32 or uint32."""
    place = Place(threads, stream)
    matrix = _matrix(place, "matrix", matrix, ("float32", "int32", "uint32"))
    result, given = output(place, out, (matrix.shape[1], matrix.shape[0]), type_of(matrix), (matrix,))
    _run(place, b"transpose", (_described(matrix, True),), _described(result, True))
    return given


def _scalar(place, operation, array, dtype, out, form=0):
    """What becomes one element: of NumPy a number, of a GPU's arrays an array of no axes, which nobody has waited for."""
    result, given = output(place, out, (), dtype, (array,))
    _run(place, operation, (_described(array),), _described(result), form)
    return given[()] if out is None and not place.on_gpu else given


@repeatable
def reduce(array, form="sum", *, out=None, threads=0, stream=None):
    """The sum, min or max of all elements (float32, float64 or int32, whose sums wrap around), or argmin or argmax: where the first
    of them is in the flattened array, −1 for none. NaN is never an extreme."""
    place, form = Place(threads, stream), index_of("form", form, REDUCE_FORMS)
    array = line(place, "array", array, ("float32", "float64", "int32"))
    dtype = "int64" if form >= REDUCE_FORMS.index("argmin") else type_of(array)
    return _scalar(place, b"reduce", array, dtype, out, form)


@repeatable
def reproducible_sum(array, *, out=None, threads=0, stream=None):
    """The sum of all elements by a tree that depends on their number alone: the same bits on every device, with any number of threads."""
    place = Place(threads, stream)
    array = line(place, "array", array, ("float32", "float64", "int32"))
    return _scalar(place, b"reproducible_sum", array, type_of(array), out)


@repeatable
def histogram(array, *, out=None, threads=0, stream=None):
    """How often each of the 256 values of uint8 occurs: 256 counts of uint64, or on a GPU, unless `out` says so, of int64."""
    place = Place(threads, stream)
    array = line(place, "array", array, ("uint8",))
    result, given = output(place, out, (256,), "int64" if place.on_gpu else "uint64", (array,), or_dtype="uint64")
    _run(place, b"histogram", (_described(array),), _described(result))
    return given


@repeatable
def gelu(array, form="erf", *, out=None, threads=0, stream=None):
    """x·Φ(x) of each element of float32, float16 or, on a GPU, bfloat16; `tanh` is the form with a hyperbolic tangent. out may be the
    array itself."""
    place, form = Place(threads, stream), index_of("form", form, GELU_FORMS)
    array = line(place, "array", array, ("float32", "float16", "bfloat16"))
    result, given = output(place, out, array.shape, type_of(array), (array,), in_place=True)
    _run(place, b"gelu", (_described(array),), _described(result), form)
    return given


@repeatable
def add(x, y, *, out=None, threads=0, stream=None):
    """x + y, element by element, of two arrays of float32 and of one shape. out may be x or y itself."""
    place = Place(threads, stream)
    x, y = line(place, "x", x, ("float32",)), line(place, "y", y, ("float32",))
    if tuple(x.shape) != tuple(y.shape):
        raise ValueError(f"x has the shape {tuple(x.shape)} and y {tuple(y.shape)}; they must be equal")
    result, given = output(place, out, x.shape, "float32", (x, y), in_place=True)
    _run(place, b"add", (_described(x), _described(y)), _described(result))
    return given
