"""Images as NumPy arrays: the same bytes as from the command line and from C++; docs/image-arithmetic.md says which.

    edges = sobel(gray(image))
    inputs, to_source = tensor(images, (640, 640), swap_red_blue=True)

An image is an array of uint8 or float32: height × width for gray, height × width × channels (1, 3 or 4) for others. Rows may
lie apart, as in a part of a larger image; what lies otherwise is copied. Functions of several images take one image or a
list of them. Results are new arrays, or `out`, which shares no memory with an input: nothing is computed in place. Images on a GPU,
as PyTorch's tensors are, stay there (lanework.arrays says on which stream); they are refused where their rows do not lie side by side.
`to_source`, the way back from what was fitted, is NumPy's unless an array for it is given, which on a GPU lies there, for nms.
Raises TypeError for arguments of another kind and ValueError for values that cannot be meant.

The functions are made of what the library says of its operations; scripts/python-stub writes their types.
"""
import ctypes
import re
import struct

import numpy as np

from . import host
from .arguments import described, dtype_of, flag, index_of, integer, number32, numbers
from .gpu import GPU_KINDS, View, kind_of
from .library import library, require
from .place import Place
from .repeated import repeatable, request

_DTYPES = {np.dtype(np.uint8): 0, np.dtype(np.float32): 1, np.dtype(np.float16): 2, np.dtype(np.int16): 3}
_DTYPES.update({dtype.name: number for dtype, number in list(_DTYPES.items())})  # a gpu.View names its type
_UINT8 = (np.dtype(np.uint8), "uint8")
_SAMPLES = (*_UINT8, np.dtype(np.float32), "float32")
_IMAGE = struct.Struct("@Pqqqii")  # lanework_image of python/native/images.cpp: pixels … dtype
_DOUBLE, _FLOAT, _FLOATS, _COLOUR, _AFFINE = (struct.Struct(form) for form in ("@d", "@f", "@4f", "@4fi", "@6d"))
_MOST_SIDE = 2**31 - 1

library.lanework_images.argtypes = [
    ctypes.c_char_p, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_int64, ctypes.c_char_p, ctypes.c_void_p,
    ctypes.c_void_p, ctypes.c_char_p,
]
library.lanework_images.restype = ctypes.c_int32
library.lanework_image_operations.argtypes = []
library.lanework_image_operations.restype = ctypes.c_char_p


def _channels(image):
    return 1 if image.ndim == 2 else image.shape[2]


def _lies_in_rows(image):
    if type(image) is View:
        return image.has_rows()
    if image.flags.c_contiguous:
        return True
    row = image.shape[1] * _channels(image) * image.itemsize
    pixels_touch = image.shape[1] < 2 or image.strides[1] == _channels(image) * image.itemsize
    samples_touch = image.ndim == 2 or _channels(image) < 2 or image.strides[2] == image.itemsize
    return pixels_touch and samples_touch and (image.shape[0] < 2 or image.strides[0] >= row)


def _input(place, given, name="image"):
    return _image_of(place, place.view(name, given, _on_host), name)


def _image_of(place, image, name):
    if image.dtype not in _SAMPLES:
        raise ValueError(f"{name} is an image of {image.dtype}; uint8 and float32 are computed")
    if image.ndim not in (2, 3):
        raise ValueError(
            f"{name} is an image of the shape {tuple(image.shape)}; height × width or height × width × channels is right"
        )
    if type(image) is View:
        return place.rows_of(name, image)
    return image if _lies_in_rows(image) else np.ascontiguousarray(image)


def _on_host(name, given):
    if isinstance(given, np.ndarray):
        return given
    try:
        image = np.from_dlpack(given) if hasattr(given, "__dlpack__") else np.asarray(given)
    except (ValueError, TypeError, OverflowError, RuntimeError, BufferError):  # rows of several lengths, tensors that give no array
        image = np.asarray(None)
    if image.ndim == 0 or image.dtype.kind not in "biuf":
        raise TypeError(f"{name} is {described(given)}; an image is an array of uint8 or float32")
    return image


def _share_memory(a, b):
    return a.overlaps(b) if type(a) is View else np.shares_memory(a, b)


def _output(place, out, shape, dtype, inputs, name="out"):
    """`out` if it is as it must be and none of the inputs, or a new array; and what is given back for it."""
    if out is None and not place.on_gpu:
        new = place.new(shape, dtype)
        return new, new
    wanted = np.dtype(dtype).name
    if out is None:
        new = place.new(shape, wanted)
        return place.view(name, new, _on_host), new
    kind = None if isinstance(out, np.ndarray) else kind_of(out)
    on_gpu = kind in GPU_KINDS
    if kind is None and not isinstance(out, np.ndarray):
        raise TypeError(f"{name} is {type(out).__name__}; an array {tuple(shape)} of {wanted} is right")
    array = place.view(name, out, _on_host)
    if tuple(array.shape) != tuple(shape) or array.dtype != (wanted if on_gpu else np.dtype(dtype)):
        raise ValueError(f"{name} is {tuple(array.shape)} of {array.dtype}; an array {tuple(shape)} of {wanted} is right")
    if on_gpu:
        can_be_written = array.is_writable and (array.has_rows() if array.ndim < 4 else array.is_contiguous())
    else:
        can_be_written = host.is_writable(out) and (_lies_in_rows(array) if array.ndim < 4 else array.flags.c_contiguous)
    if not can_be_written:
        raise ValueError(f"{name} cannot be written in rows: give a contiguous, writable array")
    if any(_share_memory(array, image) for image in inputs):
        raise ValueError(f"{name} shares memory with an input; an array of its own is right: nothing is computed in place")
    return array, out


def _address(array):
    """That of the first sample. The way by a buffer takes a fraction of NumPy's, but only of what is whole and writable."""
    try:
        return ctypes.addressof(ctypes.c_char.from_buffer(array))
    except (BufferError, TypeError, ValueError):
        return array.ctypes.data


def _described(image):
    height, width = image.shape[:2]
    channels = _channels(image)
    if type(image) is View:
        return _IMAGE.pack(image.address, height, width, image.pitch(), channels, _DTYPES[image.dtype])
    pitch = image.strides[0] if height > 1 else width * channels * image.itemsize
    return _IMAGE.pack(_address(image), height, width, pitch, channels, _DTYPES[image.dtype])


def _described_tensor(out):
    _, channels, height, width = out.shape
    address = out.address if type(out) is View else _address(out)
    return _IMAGE.pack(address, height, width, width * out.itemsize, channels, _DTYPES[out.dtype])


def _run(place, operation, inputs, outputs, options, to_source=None):
    """Computes it; outputs are described already, one after the other."""
    there = to_source if type(to_source) is View else None
    on_host = None if to_source is None or there is not None else _address(to_source)
    rest = len(inputs), options, on_host, None if there is None else there.address
    # The way back to NumPy, which the shapes alone say, is kept with the result.
    require(request(library.lanework_images, operation, tuple(map(_described, inputs)), outputs, rest, rest[:2], place, there))


def _alike(place, images):
    """A list of images of one type and one number of channels, and whether a single one was given."""
    if isinstance(images, (list, tuple)):
        inputs, single = [_input(place, one, f"images[{k}]") for k, one in enumerate(images)], False
    elif isinstance(images, np.ndarray) or kind_of(images) is not None:
        whole = place.view("images", images, _on_host)
        single = whole.ndim < 4
        parts = [whole] if single else whole.parts() if type(whole) is View else list(whole)
        inputs = [_image_of(place, one, "images" if single else f"images[{k}]") for k, one in enumerate(parts)]
    else:
        raise TypeError(f"images is {described(images)}; an array of uint8 or float32, or a list of them, is right")
    if not inputs:
        raise ValueError("no images were given")
    for k, image in enumerate(inputs):
        if image.dtype != inputs[0].dtype or _channels(image) != _channels(inputs[0]):
            raise ValueError(
                f"image {k} has {_channels(image)} channels of {image.dtype}, and the first has "
                f"{_channels(inputs[0])} of {inputs[0].dtype}; all of a batch are alike"
            )
    return inputs, single


def _size(size):
    try:
        height, width = size
    except (TypeError, ValueError):
        raise (ValueError if hasattr(size, "__len__") else TypeError)(
            f"size is {described(size)}; (height, width) in pixels is right"
        ) from None
    return integer("size[0] (the height)", height, 0, _MOST_SIDE), integer("size[1] (the width)", width, 0, _MOST_SIDE)


def _sized(image, size):
    return (*size, *tuple(image.shape)[2:])


def _sized_outputs(place, out, inputs, single, size, pads):
    """For each input an array of that size: new, or `out`, which is one array or as many as there are inputs; and what is given back."""
    given = [out] if single else [None] * len(inputs) if out is None else out
    if not isinstance(given, (list, tuple, np.ndarray)) and kind_of(given) is None:
        raise TypeError(f"out is {described(out)}; a list of arrays is right")
    if not isinstance(given, (list, tuple)):
        given = [given[k, ...] for k in range((*getattr(given, "shape", ()), 0)[0])]
    if len(given) != len(inputs):
        raise ValueError(f"out has {len(given)} images; one for each of {len(inputs)} is right")
    shapes = [_sized(image, _size(size)) for image in inputs]
    pairs = [_output(place, one, shape, inputs[0].dtype, inputs) for one, shape in zip(given, shapes)]
    outputs = [array for array, _ in pairs]
    if not pads:
        for k, (image, one) in enumerate(zip(inputs, outputs)):
            if 0 in image.shape[:2] and 0 not in one.shape[:2]:
                raise ValueError(f"images[{k}] has no pixels, and its output {one.shape[0]} × {one.shape[1]}: nothing can only become nothing")
    for k, one in enumerate(outputs if out is not None else ()):
        if any(_share_memory(one, other) for other in outputs[:k]):
            raise ValueError(f"out[{k}] shares memory with another output; an array of its own is right")
    return outputs, [one for _, one in pairs]


def _of_channels(name, values, channels):
    """Four floats: a number for all channels, or one for each of them."""
    if type(values) is int and abs(values) < 2**24:
        return (float(values),) * 4
    values = np.atleast_1d(numbers(name, values, np.float32))
    if values.shape not in ((1,), (channels,)):
        found = f"{values.size} numbers" if values.ndim == 1 else f"the shape {values.shape}"
        raise ValueError(f"{name} has {found}; a number, or one for each channel (here {channels}), is right")
    return np.resize(values, 4).tolist()


def _matrix(name, values):
    matrix = numbers(name, values, np.float64)
    if matrix.shape != (2, 3):
        raise ValueError(f"{name} has the shape {matrix.shape}; 2 × 3 is right")
    return matrix.ravel().tolist()


class Option:
    """A parameter, and where its value stands in the block of the operation's options."""

    __slots__ = ("name", "kind", "offset", "choices", "pack")

    def __init__(self, name, kind, offset, choices):
        self.name, self.kind, self.offset = name, kind, int(offset)
        self.choices = tuple(choices.replace("-", "_").split(",")) if choices else ()
        self.pack = _PACK[kind]


# How the value of an option of each kind is written into the block; a size is that of the output.
_PACK = {
    "choice": lambda option, block, value, _: block.__setitem__(option.offset, index_of(option.name, value, option.choices)),
    "element": lambda option, block, value, _: block.__setitem__(option.offset, option.choices.index(value.name)),
    "flag": lambda option, block, value, _: block.__setitem__(option.offset, flag(option.name, value)),
    "number": lambda option, block, value, _: _DOUBLE.pack_into(block, option.offset, numbers(option.name, value, np.float64).item()),
    "number32": lambda option, block, value, _: _FLOAT.pack_into(block, option.offset, number32(option.name, value)),
    "channels": lambda option, block, value, channels: _FLOATS.pack_into(block, option.offset, *_of_channels(option.name, value, channels)),
    "colour": lambda option, block, value, channels: _COLOUR.pack_into(block, option.offset, *_of_channels(option.name, value, channels), 4),
    "affine": lambda option, block, value, _: _AFFINE.pack_into(block, option.offset, *_matrix(option.name, value)),
    "size": lambda *_: None,
}


class Operation:
    """An operation as the library describes it: src/pixels/image_operation.hpp."""

    def __init__(self, text):
        name, self.signature, self.doc, self.makes, self.gives_back, defaults, *options = text.split("\x1f")[:-1]
        self.name, self.called, self.defaults = name, name.encode(), bytes.fromhex(defaults)
        self.options = [Option(*options[k : k + 4]) for k in range(0, len(options), 4)]
        self.image = re.match(r"\w+", self.signature)[0]
        self.takes_many = self.image == "images"

    def function(self):
        """A function of Python with the parameters that the operation has."""
        rest = "" if "*" in self.signature else "*, "
        values = "".join(f"{option.name}, " for option in self.options)
        back = ("to_source=None, ", "to_source") if self.gives_back else ("", "None")
        source = (
            f"def {self.name}({self.signature}, {rest}out=None, {back[0]}threads=0, stream=None):\n"
            f"    return _compute(_operation, {self.image}, ({values}), out, {back[1]}, threads, stream)\n"
        )
        names = {"np": np, "_compute": _compute, "_operation": self, "__name__": __name__}
        exec(compile(source, f"<{self.name}>", "exec"), names)
        names[self.name].__doc__ = self.doc
        return repeatable(names[self.name])


def _compute(operation, images, values, out, to_source, threads, stream):
    place = Place(threads, stream)
    inputs, single = _alike(place, images) if operation.takes_many else ([_input(place, images)], True)
    first, size, dtype = inputs[0], None, inputs[0].dtype
    channels = _channels(first)
    block = bytearray(operation.defaults)
    for option, value in zip(operation.options, values):
        if option.kind == "size":
            size = value
        elif option.kind == "element":
            dtype = value = dtype_of(option.name, value, option.choices)
        option.pack(option, block, value, channels)
    if operation.makes == "array":
        out, given = _output(place, out, (len(inputs), channels, *_size(size)), dtype, inputs)
        outputs = (_described_tensor(out),)
    elif operation.takes_many:
        # What fits images into a size pads them, and says the way back.
        outputs, given = _sized_outputs(place, out, inputs, single, size, bool(operation.gives_back))
        outputs, given = tuple(map(_described, outputs)), given[0] if single else given
    else:
        shape = tuple(first.shape) if size is None else _sized(first, _size(size))
        if operation.makes == "gray":
            shape = shape[:2]
        if operation.makes == "derivatives":
            dtype = np.int16 if dtype in _UINT8 else np.float32
        out, given = _output(place, out, shape, dtype, inputs)
        outputs = (_described(out),)
    if not operation.gives_back:
        _run(place, operation.called, inputs, outputs, bytes(block))
        return given
    single = single and operation.makes != "array"
    if to_source is None:
        ways = np.empty((len(inputs), 2, 3))
        _run(place, operation.called, inputs, outputs, bytes(block), ways)
        return given, ways[0] if single else ways
    there, to_source = _output(place, to_source, (2, 3) if single else (len(inputs), 2, 3), np.float64, inputs, "to_source")
    if not (there.is_contiguous() if place.on_gpu else there.flags.c_contiguous):
        raise ValueError("to_source is not contiguous")
    _run(place, operation.called, inputs, outputs, bytes(block), there)
    return given, to_source


OPERATIONS = [Operation(text) for text in library.lanework_image_operations().decode().split("\x1e")[:-1]]
FUNCTIONS = {operation.name: operation.function() for operation in OPERATIONS}
globals().update(FUNCTIONS)
