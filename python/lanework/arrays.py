"""Arrays and matrices: products, transposes, sums, extremes and their places, histograms, GELU, on the processor or on a GPU.

    c = matmul(a, b)
    where = reduce(c, "argmax")

An array is NumPy's, or anything else that has `__dlpack__`, as PyTorch's tensors have, which is read and written where it lies. A call
computes where its arrays lie: on the processor, or on a GPU, on the stream that PyTorch or CuPy compute on in this thread or on
`stream`, where it enqueues its kernels and returns. Arrays may be parts of larger ones, with gaps between their rows; what lies
otherwise is refused, with the call that copies it, but that matmul and transpose copy it on the processor. Results are new arrays, of
NumPy or of the library of the first array on a GPU, or `out`. Raises TypeError for arguments of another kind and ValueError for values
that cannot be meant.
"""
import ctypes
import struct

import numpy as np

from . import host
from .arguments import described, index_of, integer, number32
from .gpu import OTHER_NAMES, View
from .layout import order_of, overlap, rows_of
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
_MOVED = tuple(name for name in _DTYPES if name != "tfloat32")  # types that arrays have
_ARRAY = struct.Struct("@Pqqqq")  # lanework_array of python/native/arrays.cpp
_EPILOGUE = struct.Struct("@ddq")  # and lanework_epilogue
_BATCHES = struct.Struct("@qqqq")  # and lanework_batches
_BATCHED = ("float32", "float16", "bfloat16")
_ACTIVATIONS = ("gelu", "gelu_tanh")  # as MatmulActivation counts, from 1 on

library.lanework_arrays.argtypes = [ctypes.c_char_p, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_int32, ctypes.c_char_p]
library.lanework_arrays.restype = ctypes.c_int32
for _function in (library.lanework_finished_matmul, library.lanework_batched_matmul):
    _function.argtypes = [
        ctypes.c_char_p, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_int64, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_char_p,
    ]
    _function.restype = ctypes.c_int32


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


def type_of(array):
    """The name of its elements' type."""
    return array.dtype if type(array) is View else array.dtype.name


def _input(place, name, given, types, on_host=host.view):
    array = place.view(name, given, on_host)
    dtype = type_of(array)
    if dtype not in types or not (type(array) is View or array.dtype.isnative):
        raise ValueError(f"{name} holds {array.dtype}; {' and '.join(types)} are computed")
    return array


def _refused(name, array, what="that does not lie in rows"):
    if isinstance(array.owner, np.ndarray):
        copy = "numpy.ascontiguousarray() copies it so"
    elif array.device >= 0 or hasattr(array.owner, "contiguous"):
        copy = ".contiguous() copies it so"
    else:
        copy = "a copy that does is right"
    return ValueError(f"{name} is {described(array)} {what}; {copy}")


def line(place, name, given, types):
    """An array of any shape whose elements lie side by side: of the processor one of NumPy's, which may be a copy."""
    array = _input(place, name, given, types, on_host)
    if type(array) is View:
        if not array.is_contiguous():
            raise ValueError(f"{name} is {described(array)} that is not contiguous; .contiguous() copies it so")
        return array
    array = array if array.flags.aligned else array.copy()
    return np.ascontiguousarray(array).reshape(array.shape)  # which would give a single number an axis


def output(place, given, shape, dtype, inputs=(), in_place=False, name="out", or_dtype=None, on_host=on_host, whole=True, order=None):
    """An array of that shape and type, and what is given back for it. With `in_place` it may be an input as it is; unless it is to be
    `whole`, it may lie in any way. order: the axes of a new one, those with the longest steps first."""
    if given is None:
        new = place.new(shape, dtype, order)
        return place.view(name, new, on_host), new
    if not isinstance(given, np.ndarray) and not hasattr(given, "__dlpack__"):
        raise TypeError(f"{name} is {described(given)}; an array {tuple(shape)} of {dtype} is right")
    out = place.view(name, given, on_host)
    if tuple(out.shape) != tuple(shape) or type_of(out) not in (dtype, or_dtype):
        raise ValueError(f"{name} is {described(out)}; an array {tuple(shape)} of {dtype} is right")
    if type(out) is View:
        _require_writable_view(name, out, inputs, in_place)
        if whole and not out.is_contiguous():
            raise ValueError(f"{name} does not lie side by side: a contiguous array is right")
        return out, given
    if not host.is_writable(given):
        raise ValueError(f"{name} cannot be written")
    if not out.flags.aligned or not out.flags.c_contiguous:
        raise ValueError(f"{name} does not lie side by side: a contiguous array is right")
    for array in inputs:
        same = in_place and out.ctypes.data == array.ctypes.data
        if not same and out.size and array.size and np.shares_memory(out, array):
            raise ValueError(f"{name} shares memory with an input; an array of its own is right")
    return out, given


def shape_of(place, name, given):
    """The shape of an array that is going to be viewed."""
    shape = getattr(given, "shape", None)
    return tuple(place.view(name, given, on_host).shape if shape is None else shape)


def _require_writable_view(name, out, inputs, in_place):
    if not out.is_writable:
        raise ValueError(f"{name} cannot be written")
    for array in inputs:
        same = in_place and out.address == array.address and tuple(out.steps) == tuple(array.steps)
        if not same and overlap(out, array):
            raise ValueError(f"{name} shares memory with an input; an array of its own is right")


def _matrix_output(place, given, shape, dtype, inputs, or_dtype=None):
    result, given = output(place, given, shape, dtype, inputs, or_dtype=or_dtype, on_host=host.view, whole=False)
    if not result.has_rows():
        raise ValueError("out does not lie in rows: a contiguous array is right")
    return result, given


def _described(array, dtype=None):
    """A matrix. dtype: what the elements are, if not what the array calls them."""
    rows, cols = array.shape
    return _ARRAY.pack(array.address, rows, cols, array.pitch(), _DTYPES[dtype or array.dtype])


def _described_rows(array, rows, cols, pitch):
    return _ARRAY.pack(array.address, rows, cols, pitch * array.itemsize, _DTYPES[array.dtype])


def _run(place, operation, inputs, out, form=0):
    require(request(library.lanework_arrays, operation, inputs, (out,), (form,), (form, None), place))


def _name_of_dtype(dtype):
    """What a type is called here, however it is given: a name, or a type of NumPy's, PyTorch's or ml_dtypes'."""
    name = dtype if isinstance(dtype, str) else getattr(dtype, "name", None) or getattr(dtype, "__name__", None) or str(dtype).removeprefix("torch.")
    return OTHER_NAMES.get(name, name)


def _operand(place, name, given, dtype, types=tuple(MATMUL_RESULTS)):
    """A matrix, or a batch of them, where it lies, and the type of its elements: `dtype`, if that is not None."""
    matrix = place.view(name, given, host.view)
    own = matrix.dtype
    computed = dtype or own
    if computed not in types or own not in (computed, _CARRIERS.get(computed)):
        if dtype is None:
            raise ValueError(f"{name} holds {own}; {', '.join(types)} are computed, some with dtype=")
        right = " or ".join(dict.fromkeys((computed, _CARRIERS.get(computed, computed))))
        raise ValueError(f"{name} holds {own}; with dtype={computed!r} {right} is right")
    if matrix.ndim != 2 and types is not _BATCHED:
        raise ValueError(f"{name} has the shape {tuple(matrix.shape)}; rows × columns is right (batched_matmul takes batches of matrices)")
    return matrix, computed


def _by_rows(place, name, matrix):
    """The same matrix in rows; on the processor it may be copied for that."""
    if matrix.has_rows():
        return matrix
    return place.rows_of(name, matrix) if place.on_gpu else host.copied(matrix)


def _rows_or_columns(place, name, matrix):
    """The matrix in rows, and False; or where columns lie side by side, those as rows, and True."""
    columns = matrix.transposed()
    return (columns, True) if not matrix.has_rows() and columns.has_rows() else (_by_rows(place, name, matrix), False)


def _checked_dtype(dtype, types):
    """Its name here, or None."""
    name = None if dtype is None else _name_of_dtype(dtype)
    if name is not None and name not in types:
        raise ValueError(f"dtype is {described(name)}; there are: {', '.join(types)}")
    return name


def _batch(place, name, given, dtype):
    """A batch of matrices, the type of its elements, its number of matrices, None of a matrix that is every one's, and the elements from
    a matrix to the next."""
    batch, of = _operand(place, name, given, dtype, _BATCHED)
    if batch.ndim not in (2, 3):
        raise ValueError(f"{name} has the shape {tuple(batch.shape)}; matrices × rows × columns, or rows × columns, is right")
    return batch, of, batch.shape[0] if batch.ndim == 3 else None


def _first_and_step(place, name, batch, or_columns=False):
    """The first matrix of a batch in rows, the elements from a matrix to the next, and whether its rows are the batch's columns. On the
    processor a batch that lies otherwise is copied."""
    count = batch.shape[0] if batch.ndim == 3 else 1
    step, steps = batch.steps[0] if batch.ndim == 3 and count > 1 else 0, batch.steps[-2:]
    if 0 in batch.shape:  # whose steps nobody reads
        step, steps = 0, (batch.shape[-1], 1)
    first = View(
        batch.address, batch.shape[-2:], steps, batch.dtype, batch.itemsize, batch.device, batch.owner, batch.is_writable, batch.keeps)
    if step >= 0 and first.has_rows():
        return first, step, False
    if step >= 0 and or_columns and first.transposed().has_rows():
        return first.transposed(), step, True
    if place.on_gpu:
        raise _refused(name, batch)
    return _first_and_step(place, name, host.copied(batch))


def _factor(name, value, made):
    """alpha or beta of a product that becomes `made`: a float32, or a whole number of its 32 bits."""
    return integer(name, value, -(2**31), 2**31 - 1) if made == "int32" else number32(name, value)


def _bias(place, given, made, columns):
    """A View of an element for each column of a product of that type."""
    bias = place.view("bias", given, host.view)
    if bias.dtype not in (made, _CARRIERS.get(made)):
        raise ValueError(f"bias holds {bias.dtype}; {made}, as the product, is right")
    if tuple(bias.shape) != (columns,):
        raise ValueError(f"bias has the shape {tuple(bias.shape)}; ({columns},), an element for each column of the product, is right")
    if not bias.is_contiguous():
        raise _refused("bias", bias, "that does not lie side by side")
    return bias


def _run_finished(place, arrays, bias, made, result, by_columns, epilogue):
    inputs = arrays if bias is None else (*arrays, _ARRAY.pack(bias.address, 1, bias.shape[0], bias.shape[0] * bias.itemsize, _DTYPES[made]))
    number = 2 * len(inputs) + int(by_columns)
    rest = number, epilogue, None, None
    require(request(library.lanework_finished_matmul, b"matmul", inputs, (result,), rest, rest[:2], place))


@repeatable
def matmul(a, b, *, alpha=1, beta=0, bias=None, activation=None, dtype=None, out=None, threads=0, stream=None):
    """a · b of two matrices of one type. Columns of b may lie side by side, as in the transpose of a matrix: they are read so.

    a: m × n; b: n × k; result: m × k, of float32, float16, bfloat16 and int32 (which wraps around) in the type itself, of int8 in
    int32, of float8_e4m3 in bfloat16, of tfloat32 in float32. dtype says what the bits are where a library has no such type: of
    uint8 float8_e4m3, of uint16 bfloat16; and of float32 tfloat32, whose leading 11 bits tensor cores read. NumPy's bfloat16 is
    that of ml_dtypes where the operands are of it, else uint16 with its bits.

    The result is activation(alpha·a·b + beta·out + bias), in one pass, computed as float32 or int32 and rounded once. bias: k elements of
    the result's type, one for each column; activation: "gelu" or "gelu_tanh", of floats. With alpha or beta 0 what it stands before is not
    read; any other beta needs `out`, and what it holds.
    """
    place, dtype = Place(threads, stream), _checked_dtype(dtype, MATMUL_RESULTS)
    a, of_a = _operand(place, "a", a, dtype)
    b, of_b = _operand(place, "b", b, dtype)
    if of_a != of_b:
        raise ValueError(f"a holds {of_a} and b {of_b}; they must be of one type")
    if a.shape[1] != b.shape[0]:
        raise ValueError(f"a has {a.shape[1]} columns and b {b.shape[0]} rows; they must be equal")
    made = MATMUL_RESULTS[of_a]
    alpha, beta = _factor("alpha", alpha, made), _factor("beta", beta, made)
    activation = 0 if activation is None else 1 + index_of("activation", activation, _ACTIVATIONS)
    if activation and made == "int32":
        raise ValueError(f"activation is {_ACTIVATIONS[activation - 1]!r}, and a holds {of_a}; of floats it is computed")
    if beta and out is None:
        raise ValueError(f"beta is {described(beta)}, and out is missing, whose elements it is multiplied with")
    a, shape = _by_rows(place, "a", a), (a.shape[0], b.shape[1])
    b, by_columns = _rows_or_columns(place, "b", b)
    bias = None if bias is None else _bias(place, bias, made, shape[1])
    result, given = _matrix_output(place, out, shape, made, (a, b) if bias is None else (a, b, bias), _CARRIERS.get(made))
    arrays, described_result = (_described(a, of_a), _described(b, of_b)), _described(result, made)
    if bias is None and alpha == 1 and beta == 0 and activation == 0:
        _run(place, b"matmul", arrays, described_result, int(by_columns))
    else:
        _run_finished(place, arrays, bias, made, described_result, by_columns, _EPILOGUE.pack(alpha, beta, activation))
    return given


@repeatable
def batched_matmul(a, b, *, dtype=None, out=None, threads=0, stream=None):
    """a[i] · b[i] of every matrix of two batches of one type, in one launch: of float32, float16 and bfloat16, in the type itself.

    a: count × m × n; b: count × n × k, whose columns may lie side by side, as in the transpose of each matrix; result: count × m × k. One
    of them may be a matrix, which is that of every product. dtype: as of matmul.
    """
    place, dtype = Place(threads, stream), _checked_dtype(dtype, _BATCHED)
    (a, of_a, of_each_a), (b, of_b, of_each_b) = _batch(place, "a", a, dtype), _batch(place, "b", b, dtype)
    if of_a != of_b:
        raise ValueError(f"a holds {of_a} and b {of_b}; they must be of one type")
    if of_each_a is None and of_each_b is None:
        raise ValueError("a and b are one matrix each; matmul multiplies those, here one has the axes matrices × rows × columns")
    count = of_each_b if of_each_a is None else of_each_a
    if of_each_b is not None and of_each_b != count:
        raise ValueError(f"a has {count} matrices and b {of_each_b}; they must be equal")
    if a.shape[-1] != b.shape[-2]:
        raise ValueError(f"matrices of a have {a.shape[-1]} columns and of b {b.shape[-2]} rows; they must be equal")
    result, given = output(
        place, out, (count, a.shape[-2], b.shape[-1]), of_a, (a, b), or_dtype=_CARRIERS.get(of_a), on_host=host.view, whole=False)
    first_a, step_a, _ = _first_and_step(place, "a", a)
    first_b, step_b, by_columns = _first_and_step(place, "b", b, or_columns=True)
    first, step, _ = _first_and_step(place, "out", result)
    if first.address != result.address:
        raise ValueError("out does not lie in rows: a contiguous array is right")
    batches = _BATCHES.pack(count, step_a * first_a.itemsize, step_b * first_b.itemsize, step * first.itemsize)
    rest = int(by_columns), batches, None, None
    arrays = _described(first_a, of_a), _described(first_b, of_b)
    require(request(library.lanework_batched_matmul, b"batched_matmul", arrays, (_described(first, of_a),), rest, rest[:2], place))
    return given


@repeatable
def transpose(matrix, *, out=None, threads=0, stream=None):
    """A new matrix whose rows are the columns of this one: of integers and floats of 1, 2, 4 and 8 bytes, which are moved as they are."""
    place = Place(threads, stream)
    matrix = _input(place, "matrix", matrix, _MOVED)
    if matrix.ndim != 2:
        raise ValueError(f"matrix has the shape {tuple(matrix.shape)}; rows × columns is right")
    matrix = _by_rows(place, "matrix", matrix)
    result, given = _matrix_output(place, out, (matrix.shape[1], matrix.shape[0]), matrix.dtype, (matrix,))
    _run(place, b"transpose", (_described(matrix),), _described(result))
    return given


def _counted_rows(name, array, in_any_order):
    """The array as rows that are counted in its order, or, where that is all one, in the order in which they lie."""
    read, rows = array, rows_of([array])
    if rows is None and in_any_order:
        read = array.forwards()
        rows = rows_of([read.permuted(order_of(read))])
    if rows is None:
        raise _refused(name, array)
    count, cols, (pitch,) = rows
    return _described_rows(read, count, cols, pitch)


def _scalar(place, operation, array, dtype, out, form=0, in_any_order=False):
    """What becomes one element: of NumPy a number, of a GPU's arrays an array of no axes, which nobody has waited for."""
    rows = _counted_rows("array", array, in_any_order)
    result, given = output(place, out, (), dtype, (array,), on_host=host.view)
    _run(place, operation, (rows,), _described_rows(result, 1, 1, 1), form)
    return given[()] if out is None and not place.on_gpu else given


@repeatable
def reduce(array, form="sum", *, out=None, threads=0, stream=None):
    """The sum, min or max of all elements (float32, float64 or int32, whose sums wrap around), or argmin or argmax: where the first
    of them is in the flattened array, −1 for none. NaN is never an extreme."""
    place, form = Place(threads, stream), index_of("form", form, REDUCE_FORMS)
    array = _input(place, "array", array, ("float32", "float64", "int32"))
    seeks_place = form >= REDUCE_FORMS.index("argmin")
    return _scalar(place, b"reduce", array, "int64" if seeks_place else array.dtype, out, form, in_any_order=not seeks_place)


@repeatable
def reproducible_sum(array, *, out=None, threads=0, stream=None):
    """The sum of all elements by a tree that depends on their number alone: the same bits on every device, with any number of threads."""
    place = Place(threads, stream)
    array = _input(place, "array", array, ("float32", "float64", "int32"))
    return _scalar(place, b"reproducible_sum", array, array.dtype, out)


@repeatable
def histogram(array, *, out=None, threads=0, stream=None):
    """How often each of the 256 values of uint8 occurs: 256 counts of uint64, or on a GPU, unless `out` says so, of int64."""
    place = Place(threads, stream)
    array = _input(place, "array", array, ("uint8",))
    rows = _counted_rows("array", array, in_any_order=True)
    result, given = output(place, out, (256,), "int64" if place.on_gpu else "uint64", (array,), or_dtype="uint64", on_host=host.view)
    _run(place, b"histogram", (rows,), _described_rows(result, 1, 256, 256))
    return given


def _each(place, operation, names, arrays, dtype, out, form=0):
    """Computes each element of an output of the arrays' shape; all of them may lie in any order that they have in common."""
    order = None if rows_of(arrays) else order_of(arrays[0])
    result, given = output(place, out, arrays[0].shape, dtype, arrays, in_place=True, on_host=host.view, whole=False, order=order)
    every = [*arrays, result]
    rows = rows_of(every) or rows_of([view.permuted(order or order_of(arrays[0])) for view in every])
    if rows is None:
        name, view = next((name, view) for name, view in zip((*names, "out"), every) if not view.is_contiguous())
        if view is result:
            raise ValueError("out does not lie in rows as what is read does: a contiguous array is right")
        raise _refused(name, view, "that does not lie in rows" + (" as the others do" if rows_of([view]) else ""))
    count, cols, pitches = rows
    *read, written = [_described_rows(view, count, cols, pitch) for view, pitch in zip(every, pitches)]
    _run(place, operation, tuple(read), written, form)
    return given


@repeatable
def gelu(array, form="erf", *, out=None, threads=0, stream=None):
    """x·Φ(x) of each element of float32, float16 or bfloat16; `tanh` is the form with a hyperbolic tangent. out may be the array itself."""
    place, form = Place(threads, stream), index_of("form", form, GELU_FORMS)
    array = _input(place, "array", array, ("float32", "float16", "bfloat16"))
    return _each(place, b"gelu", ("array",), (array,), array.dtype, out, form)


@repeatable
def add(x, y, *, out=None, threads=0, stream=None):
    """x + y, element by element, of two arrays of one type and one shape: of float32, float64, int32 (which wraps around), float16 or
    bfloat16. out may be x or y itself."""
    place, types = Place(threads, stream), ("float32", "float64", "int32", "float16", "bfloat16")
    x, y = _input(place, "x", x, types), _input(place, "y", y, types)
    if x.dtype != y.dtype:
        raise ValueError(f"x holds {x.dtype} and y {y.dtype}; they must be of one type")
    if tuple(x.shape) != tuple(y.shape):
        raise ValueError(f"x has the shape {tuple(x.shape)} and y {tuple(y.shape)}; they must be equal")
    return _each(place, b"add", ("x", "y"), (x, y), x.dtype, out)
