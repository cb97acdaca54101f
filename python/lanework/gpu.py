"""Arrays in the memory of a GPU, viewed where they lie: PyTorch's, CuPy's, JAX's and whatever else has DLPack.

A call computes on the stream of its `stream=`, or else on that which PyTorch or CuPy compute on in this thread; other arrays are
computed on CUDA's default stream. It enqueues its kernels and returns: nothing is copied or waited for, and a CUDA graph can capture it.
"""
import contextlib
import ctypes
import sys

from .arguments import described
from .library import library

library.lanework_gpus.argtypes = []
library.lanework_gpus.restype = ctypes.c_int32
_HAS_GPU = []  # whether there is one, once it was asked for

GPU_KINDS = (2, 13)  # kDLCUDA and kDLCUDAManaged of DLPack
_LEGACY_STREAM = 1  # CUDA's default stream, as DLPack counts
_NAMES = {  # of DLPack's kinds of elements and bits
    (0, 8): "int8", (0, 16): "int16", (0, 32): "int32", (0, 64): "int64", (1, 8): "uint8", (1, 16): "uint16", (1, 32): "uint32",
    (1, 64): "uint64", (2, 16): "float16", (2, 32): "float32", (2, 64): "float64", (4, 16): "bfloat16", (6, 8): "bool", (10, 8): "float8_e4m3",
}
BYTES = {
    "uint8": 1, "int8": 1, "float8_e4m3": 1, "bool": 1, "int16": 2, "uint16": 2, "float16": 2, "bfloat16": 2, "int32": 4, "uint32": 4, "float32": 4,
    "int64": 8, "uint64": 8, "float64": 8,
}
OTHER_NAMES = {"float8_e4m3fn": "float8_e4m3"}  # what PyTorch and ml_dtypes call types, and what they are called here


class View:
    """An array where it lies. steps: elements from one index of an axis to the next; dtype: a name; device: a GPU's number, −1 for the
    processor."""

    __slots__ = ("address", "shape", "steps", "dtype", "itemsize", "device", "owner", "is_writable", "keeps")

    def __init__(self, address, shape, steps, dtype, itemsize, device, owner, is_writable=True, keeps=None):
        self.address, self.shape, self.steps, self.dtype, self.itemsize = address, shape, steps, dtype, itemsize
        self.device, self.owner, self.is_writable, self.keeps = device, owner, is_writable, keeps

    @property
    def ndim(self):
        return len(self.shape)

    @property
    def size(self):
        size = 1
        for length in self.shape:
            size *= length
        return size

    def is_contiguous(self, axis=0):
        """Whether all from this axis on lies side by side."""
        if 0 in self.shape:
            return True
        if len(self.shape) == axis + 1:
            return self.steps[axis] == 1 or self.shape[axis] < 2
        wanted = 1
        for length, step in zip(self.shape[:axis - 1 if axis else None:-1], self.steps[:axis - 1 if axis else None:-1]):
            if length != 1 and step != wanted:
                return False
            wanted *= length
        return True

    def transposed(self):
        """The same matrix with its columns as rows."""
        return View(self.address, self.shape[::-1], self.steps[::-1], self.dtype, self.itemsize, self.device, self.owner, self.is_writable, self.keeps)

    def has_rows(self):
        """Whether each index of the first axis is a row whose elements lie side by side, and no rows overlap."""
        if self.shape[0] < 2:
            return self.is_contiguous(1)
        row = 1
        for length in self.shape[1:]:
            row *= length
        return self.steps[0] >= row and self.is_contiguous(1)

    def pitch(self):
        """Bytes from a row to the next."""
        if self.shape[0] > 1 and 0 not in self.shape:
            return self.steps[0] * self.itemsize
        row = self.itemsize
        for length in self.shape[1:]:
            row *= length
        return row

    def parts(self):
        """A view of each index of the first axis."""
        step = self.steps[0] * self.itemsize if self.shape[0] else 0
        return [
            View(self.address + k * step, self.shape[1:], self.steps[1:], self.dtype, self.itemsize, self.device, self.owner, self.is_writable, self.keeps)
            for k in range(self.shape[0])
        ]

    def overlaps(self, other):
        """Whether their first and last bytes enclose some of each other's."""
        if 0 in self.shape or 0 in other.shape:
            return False
        a, b = self.forwards(), other.forwards()
        return a.address < b.address + b.bytes() and b.address < a.address + a.bytes()

    def bytes(self):
        """From the first element to the end of the last, where no step is negative."""
        last = 0
        for length, step in zip(self.shape, self.steps):
            last += (length - 1) * step
        return (last + 1) * self.itemsize

    def permuted(self, order):
        """The same array with its axes in that order."""
        return View(
            self.address, [self.shape[axis] for axis in order], [self.steps[axis] for axis in order], self.dtype, self.itemsize, self.device, self.owner,
            self.is_writable, self.keeps)

    def forwards(self):
        """The same elements with each axis from its end in memory that comes first."""
        back = [(length - 1) * step if step < 0 and length else 0 for length, step in zip(self.shape, self.steps)]
        return View(
            self.address + sum(back) * self.itemsize, self.shape, [abs(step) for step in self.steps], self.dtype, self.itemsize, self.device, self.owner,
            self.is_writable, self.keeps)

    def __repr__(self):
        return f"an array {tuple(self.shape)} of {self.dtype}" + (f" on cuda:{self.device}" if self.device >= 0 else "")


def _dlpack_types():
    class Tensor(ctypes.Structure):
        _fields_ = [
            ("data", ctypes.c_void_p), ("device_type", ctypes.c_int32), ("device_id", ctypes.c_int32), ("ndim", ctypes.c_int32),
            ("code", ctypes.c_uint8), ("bits", ctypes.c_uint8), ("lanes", ctypes.c_uint16), ("shape", ctypes.POINTER(ctypes.c_int64)),
            ("strides", ctypes.POINTER(ctypes.c_int64)), ("byte_offset", ctypes.c_uint64),
        ]

    class Versioned(ctypes.Structure):
        _fields_ = [
            ("major", ctypes.c_uint32), ("minor", ctypes.c_uint32), ("context", ctypes.c_void_p), ("deleter", ctypes.c_void_p),
            ("flags", ctypes.c_uint64), ("tensor", Tensor),
        ]

    return Tensor, Versioned


_Tensor, _Versioned = _dlpack_types()
_is_valid = ctypes.pythonapi.PyCapsule_IsValid
_is_valid.argtypes, _is_valid.restype = [ctypes.py_object, ctypes.c_char_p], ctypes.c_int
_pointer = ctypes.pythonapi.PyCapsule_GetPointer
_pointer.argtypes, _pointer.restype = [ctypes.py_object, ctypes.c_char_p], ctypes.c_void_p
_READ_ONLY = 1  # DLPACK_FLAG_BITMASK_READ_ONLY
_IMMUTABLE = ("jax", "jaxlib", "tensorflow")  # libraries whose arrays nobody may write, and whose DLPack does not say so


def _capsule(name, given, options):
    try:
        try:
            return given.__dlpack__(max_version=(1, 0), **options)
        except (TypeError, ValueError, NotImplementedError):  # older than DLPack 1.0, or told to be
            return given.__dlpack__(**options)
    except (BufferError, RuntimeError, ValueError, TypeError, AttributeError) as error:
        words = (str(error).splitlines() or [type(error).__name__])[0]
        raise TypeError(f"{name} is {described(given)}, which gives no view of itself: {words}") from None


def library_of(given):
    """The name of the library whose array it is."""
    return type(given).__module__.split(".")[0]


def of_dlpack(name, given, **options):
    """A view by DLPack; options are those of __dlpack__ beside max_version."""
    capsule = _capsule(name, given, options)
    if _is_valid(capsule, b"dltensor_versioned"):
        managed = _Versioned.from_address(_pointer(capsule, b"dltensor_versioned"))
        if managed.major != 1:
            raise TypeError(f"{name} has DLPack {managed.major}.{managed.minor}; 1 is read")
        tensor, is_writable = managed.tensor, not managed.flags & _READ_ONLY
    elif _is_valid(capsule, b"dltensor"):
        tensor, is_writable = _Tensor.from_address(_pointer(capsule, b"dltensor")), True
    else:
        raise TypeError(f"{name} is {described(given)}, whose __dlpack__ gives no tensor")
    dtype = _NAMES.get((tensor.code, tensor.bits)) if tensor.lanes == 1 else None
    if dtype is None:
        raise ValueError(f"{name} holds elements of {tensor.bits} bits, of DLPack's kind {tensor.code}, which are not computed")
    shape = tuple(tensor.shape[:tensor.ndim]) if tensor.ndim else ()
    if tensor.strides and tensor.ndim:
        steps = tuple(tensor.strides[:tensor.ndim])
    else:
        steps, step = [], 1
        for length in reversed(shape):
            steps.insert(0, step)
            step *= length
        steps = tuple(steps)
    address = (tensor.data or 0) + tensor.byte_offset
    is_writable = is_writable and library_of(given) not in _IMMUTABLE
    return View(address, shape, steps, dtype, BYTES[dtype], tensor.device_id, given, is_writable, capsule)


_torch_names = {}  # of torch.dtype: ("float32", 4)


def torch_of_tensors():
    """PyTorch, where the program has imported it."""
    if _torch_names:
        return sys.modules["torch"]
    torch = sys.modules.get("torch")
    if torch is not None and not _torch_names and hasattr(torch, "Tensor"):
        for name in (*BYTES, *OTHER_NAMES):
            if hasattr(torch, name):
                ours = OTHER_NAMES.get(name, name)
                _torch_names[getattr(torch, name)] = (ours, BYTES[ours])
    return torch if _torch_names else None


def _require_gpu(name, given):
    if not _HAS_GPU:
        _HAS_GPU.append(library.lanework_gpus() > 0)
    if not _HAS_GPU[0]:
        raise TypeError(f"{name} lies in the memory of a device (DLPack's kind {kind_of(given)}); this build computes on the processor: .cpu() copies it there")


def tensor(name, given):
    """A view of a tensor of PyTorch's on a GPU; None for everything else. What is asked most often takes the least time."""
    torch = torch_of_tensors()
    if torch is None or not isinstance(given, torch.Tensor) or not given.is_cuda:
        return None
    _require_gpu(name, given)
    return of_torch(name, given)


def of_torch(name, given):
    """A view of a tensor of PyTorch's, wherever it lies."""
    if given.is_neg():
        raise TypeError(f"{name} is a tensor whose elements are the negative of what lies in memory: .resolve_neg() copies it so")
    if given.requires_grad:
        raise TypeError(f"{name} requires a gradient, which is not computed here: .detach() gives the tensor without")
    try:
        dtype, itemsize = _torch_names[given.dtype]
        return View(given.data_ptr(), given.shape, given.stride(), dtype, itemsize, given.get_device(), given)
    except KeyError:
        raise ValueError(f"{name} holds {given.dtype}, which is not computed") from None
    except RuntimeError as error:  # sparse tensors, and those that have no memory
        raise TypeError(f"{name} is a tensor that does not lie in memory as an array: {str(error).splitlines()[0]}") from None


def stream_handle(stream):
    """The cudaStream_t that an argument `stream` is: a number, or a stream of PyTorch's, CuPy's or cuda.core's."""
    if type(stream) is int and stream >= 0:
        return stream
    for attribute in ("cuda_stream", "ptr"):
        handle = getattr(stream, attribute, None)
        if type(handle) is int and handle >= 0:
            return handle
    protocol = getattr(stream, "__cuda_stream__", None)
    if protocol is not None:
        try:
            version, handle = protocol()
            if version == 0 and type(handle) is int and handle >= 0:
                return handle
        except (TypeError, ValueError):
            pass
    raise TypeError(f"stream is {described(stream)}; a stream of PyTorch or CuPy, or a cudaStream_t as a number, is right")


def current_stream(owner, device):
    """The stream on which the owner's library computes in this thread; CUDA's default stream where none says."""
    torch = torch_of_tensors()
    if torch is not None and isinstance(owner, torch.Tensor):
        return torch._C._cuda_getCurrentRawStream(device)
    if library_of(owner) == "cupy":
        return sys.modules["cupy"].cuda.get_current_stream().ptr
    return 0


def kind_of(given):
    """DLPack's kind of the memory that an array lies in, or None for what has no DLPack."""
    torch = torch_of_tensors()
    if torch is not None and isinstance(given, torch.Tensor):
        return 2 if given.is_cuda else int(given.__dlpack_device__()[0])
    if hasattr(given, "__dlpack__") and hasattr(given, "__dlpack_device__"):
        return int(given.__dlpack_device__()[0])
    return None


def view(name, given, stream):
    """An array in the memory of a GPU by DLPack. `stream` is the cudaStream_t on which it will be read and written."""
    _require_gpu(name, given)
    return of_dlpack(name, given, stream=stream or _LEGACY_STREAM)


def makes_arrays(owner):
    """Whether empty_like makes arrays of the owner's library."""
    torch = torch_of_tensors()
    return torch is not None and isinstance(owner, torch.Tensor) or type(owner).__module__.split(".")[0] == "cupy"


def empty_like(owner, shape, dtype, device, stream, is_current):
    """A new array of the owner's library for work on that stream, which is the library's own if `is_current`."""
    torch = torch_of_tensors()
    if torch is not None and isinstance(owner, torch.Tensor):
        with contextlib.nullcontext() if is_current else torch.cuda.stream(torch.cuda.ExternalStream(stream, device=device)):
            return torch.empty(shape, dtype=getattr(torch, dtype), device=owner.device)
    if library_of(owner) == "cupy":
        cupy = sys.modules["cupy"]
        with cupy.cuda.Device(device), contextlib.nullcontext() if is_current else cupy.cuda.ExternalStream(stream):
            if dtype == "bfloat16":  # which it has with ml_dtypes alone
                dtype = owner.dtype if owner.dtype.kind == "V" else "uint16"
            return cupy.empty(shape, dtype)
    raise TypeError(f"out is needed: new arrays on a GPU are made by PyTorch and CuPy, and {type(owner).__module__}.{type(owner).__name__} is of neither")


def first_rows(array, rows):
    """So many rows of an array that was made for the result: a tensor of PyTorch's is cut, which takes a fifth of the time of a view of it."""
    torch = torch_of_tensors()
    return array.resize_((rows, *array.shape[1:])) if torch is not None and isinstance(array, torch.Tensor) else array[:rows]
