"""What PyTorch shows of itself to the package, with a GPU that is the simt device: its memory is the host's. The library must be
liblanework_c_simt.so, loaded before the interpreter starts."""
import contextlib
import ctypes
import sys
import types
import unittest.mock

import numpy as np

from dlpack_capsule import capsule
from lanework import gpu, repeated

MOST = 1 << 28  # bytes of a new tensor
KIND = gpu.GPU_KINDS[0]
needs_kept_calls = unittest.skipIf(repeated._repeated is None, "the package is built without its extension module")

for name, arguments in (("memory", [ctypes.c_size_t]), ("stream", []), ("begin_capture", [ctypes.c_void_p]), ("end_capture", [ctypes.c_void_p])):
    function = getattr(gpu.library, f"lanework_test_{name}")
    function.argtypes, function.restype = arguments, ctypes.c_void_p
gpu.library.lanework_test_replay.argtypes, gpu.library.lanework_test_replay.restype = [ctypes.c_void_p] * 2, ctypes.c_int


def on_gpu(array):
    """A copy in memory that the GPU knows, with all that lies between its elements."""
    whole = array if array.base is None or not isinstance(array.base, np.ndarray) else array.base
    memory = (ctypes.c_char * max(whole.nbytes, 1)).from_address(gpu.library.lanework_test_memory(max(whole.nbytes, 1)))
    copy = np.frombuffer(memory, np.uint8)[:whole.nbytes]
    copy[...] = np.frombuffer(whole.tobytes("A"), np.uint8)
    return np.ndarray(array.shape, array.dtype, copy, array.ctypes.data - whole.ctypes.data, array.strides)


class OnGpu:
    """NumPy's array behind DLPack, as one of a GPU's memory."""

    def __init__(self, array, device=0, frozen=False, versions=True):
        self.array, self.device, self.frozen, self.versions, self.streams, self.given = array, device, frozen, versions, [], []

    def __dlpack_device__(self):
        return KIND, self.device

    def __dlpack__(self, *, stream=None, **options):
        if options and not self.versions:
            raise TypeError("max_version is not known")
        self.streams.append(stream)
        made, kept = capsule(self.array, KIND, self.device, versioned=bool(options), read_only=self.frozen)
        self.given.append(kept)
        return made


class Graph:
    """What is called while it lasts, on its stream, happens when it is replayed."""

    def __init__(self):
        self.stream = gpu.library.lanework_test_stream()

    def __enter__(self):
        gpu.library.lanework_test_begin_capture(self.stream)
        return self

    def __exit__(self, *_):
        self.graph = gpu.library.lanework_test_end_capture(self.stream)

    def replay(self):
        assert self.graph and gpu.library.lanework_test_replay(self.graph, self.stream) == 0, "the capture was lost, or its replay"


class Tensor:
    """What PyTorch's tensors show of themselves, with a GPU's memory on the host."""

    is_cuda = True

    def __init__(self, array, requires_grad=False, negated=False, index=0):
        self.array, self.with_gradient, self.negated, self.index = array, requires_grad, negated, index
        self.shape, self.dtype, self.device = array.shape, sys.intern(array.dtype.name), f"cuda:{index}"

    @property
    def requires_grad(self):
        return self.with_gradient

    def stride(self):
        return tuple(step // self.array.itemsize for step in self.array.strides)

    def data_ptr(self):
        return self.array.ctypes.data

    def get_device(self):
        return self.index

    def is_neg(self):
        return self.negated

    def __dlpack__(self, **options):
        raise AssertionError("a tensor is asked for what it is, which takes less time")

    def resize_(self, shape):
        """To fewer elements."""
        self.array = self.array.reshape(-1)[:np.prod(shape, dtype=int)].reshape(shape)
        self.shape = self.array.shape
        return self

    def permute(self, axes):
        return Tensor(self.array.transpose(axes))

    def __len__(self):
        return len(self.array)

    def __iter__(self):
        return map(Tensor, self.array)

    def __getitem__(self, index):
        return Tensor(self.array[index])

    def item(self):
        return self.array.item()

    def __int__(self):
        return int(self.array)


def new_tensor(shape, dtype):
    if np.prod([float(length) for length in shape]) * np.dtype(dtype).itemsize > MOST:
        raise MemoryError("this GPU is a small one")
    return Tensor(on_gpu(np.empty(shape, dtype)))


def new_strided(shape, steps, dtype):
    if 0 in shape:
        return new_tensor(shape, dtype)
    memory = new_tensor((1 + sum((length - 1) * step for length, step in zip(shape, steps)),), dtype).array
    return Tensor(np.ndarray(shape, dtype, memory, strides=[step * memory.itemsize for step in steps]))


class _Managed(ctypes.Structure):
    """DLManagedTensorVersioned, whose `deleter` is called."""


_RELEASE = ctypes.PYFUNCTYPE(None, ctypes.POINTER(_Managed))
_Managed._fields_ = [
    ("major", ctypes.c_uint32), ("minor", ctypes.c_uint32), ("context", ctypes.c_void_p), ("deleter", _RELEASE), ("flags", ctypes.c_uint64),
    ("tensor", gpu._Tensor),
]
_ALLOCATE = ctypes.PYFUNCTYPE(ctypes.c_int, ctypes.POINTER(gpu._Tensor), ctypes.POINTER(ctypes.POINTER(_Managed)), ctypes.c_void_p, ctypes.c_void_p)
_TENSOR_OF = ctypes.PYFUNCTYPE(ctypes.c_int, ctypes.py_object, ctypes.POINTER(gpu._Tensor))
_STREAM = ctypes.PYFUNCTYPE(ctypes.c_int, ctypes.c_int32, ctypes.c_int32, ctypes.POINTER(ctypes.c_void_p))


class Exchange(ctypes.Structure):
    """DLPackExchangeAPI, as PyTorch has it since 2.10. asked: what was asked of it, in order; lent: memory that is not given back yet."""

    _fields_ = [
        ("major", ctypes.c_uint32), ("minor", ctypes.c_uint32), ("previous", ctypes.c_void_p), ("allocate", _ALLOCATE), ("managed_of_object", ctypes.c_void_p),
        ("object_of_managed", ctypes.c_void_p), ("tensor_of_object", _TENSOR_OF), ("current_stream", _STREAM),
    ]

    def __init__(self, module, major=1):
        super().__init__(
            major=major, minor=3, allocate=_ALLOCATE(self._allocate), tensor_of_object=_TENSOR_OF(self._view), current_stream=_STREAM(self._stream))
        self.module, self.asked, self.lent = module, [], {}
        self.capsule = _new_capsule(ctypes.addressof(self), b"dlpack_exchange_api", None)

    def _view(self, tensor, out):
        self.asked.append("tensor")
        shape, steps = tensor.shape, tensor.stride()
        tensor.lengths, tensor.steps = ((ctypes.c_int64 * len(steps))(*one) for one in (shape, steps))
        code, bits = next((kind for kind, name in gpu._NAMES.items() if name == tensor.array.dtype.name), (5, 8 * tensor.array.itemsize))
        out[0] = gpu._Tensor(tensor.data_ptr(), KIND, tensor.index, len(steps), code, bits, 1, tensor.lengths, tensor.steps, 0)
        return 0

    def _stream(self, kind, device, out):
        self.module.asked.append(device)
        out[0] = None
        return 0

    def _allocate(self, like, made, context, refuse):
        self.asked.append("memory")
        assert (like[0].code, like[0].bits, like[0].ndim, like[0].device_type) == (1, 8, 1, KIND)
        memory = on_gpu(np.empty(like[0].shape[0], np.uint8))
        managed = _Managed(1, 3, None, _RELEASE(lambda itself: self.lent.pop(ctypes.addressof(itself[0]))), 0, gpu._Tensor(memory.ctypes.data))
        self.lent[ctypes.addressof(managed)] = managed, memory
        made[0] = ctypes.pointer(managed)
        return 0


_new_capsule = ctypes.pythonapi.PyCapsule_New
_new_capsule.argtypes, _new_capsule.restype = [ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p], ctypes.py_object


class Older:
    """Mixed into tests: their PyTorch has no exchange of functions in C, as those before 2.10."""

    def setUp(self):
        super().setUp()
        without = unittest.mock.patch.object(sys.modules[__name__], "Exchange", None)
        without.start()
        self.addCleanup(without.stop)


@contextlib.contextmanager
def torch():
    """The module while a test lasts, with the streams that were asked for."""
    module = types.ModuleType("torch")
    module.exchange = Exchange and Exchange(module)
    if Exchange:
        Tensor.__dlpack_c_exchange_api__ = module.exchange.capsule
    module.Tensor, module.asked, module.entered = Tensor, [], []
    for name in gpu.BYTES:
        setattr(module, name, name)
    module._C = types.SimpleNamespace(_cuda_getCurrentRawStream=lambda device: module.asked.append(device) or 0)
    module.empty = lambda shape, dtype, device: new_tensor(shape, dtype)
    module.empty_strided = lambda shape, steps, dtype, device: new_strided(shape, steps, dtype)
    module.cuda = types.SimpleNamespace(
        ExternalStream=lambda handle, device: handle, stream=lambda handle: contextlib.nullcontext(module.entered.append(handle)))
    before = sys.modules.get("torch")
    sys.modules["torch"] = module
    gpu._torch_names.clear()
    try:
        yield module
    finally:
        gpu._torch_names.clear()
        if Exchange:
            del Tensor.__dlpack_c_exchange_api__
        if before is None:
            del sys.modules["torch"]
        else:
            sys.modules["torch"] = before
